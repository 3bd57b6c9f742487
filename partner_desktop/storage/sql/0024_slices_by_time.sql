-- The timeline is read page by page, the newest first; so are the few that are pinned.
CREATE INDEX memory_slices_by_time ON memory_slices (at, first, id);
CREATE INDEX memory_slices_pinned ON memory_slices (at, first, id) WHERE pinned_at IS NOT NULL;
