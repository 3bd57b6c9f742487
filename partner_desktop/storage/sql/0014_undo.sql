-- The undo journal: one row for each run that changed files of the person's, or is under way and may. What was
-- there before lies in the home (`undo/<action id>`), not here; so do the names of the files.
CREATE TABLE undo (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    action_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL,
    kept_bytes INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX undo_by_conversation ON undo (conversation_id, position);
