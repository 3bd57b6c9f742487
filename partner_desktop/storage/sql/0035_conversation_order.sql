-- How the person keeps conversations: at the top, out of the way, in a folder (which is there as long as one is in
-- it); and how many replies came that nobody looked at.
ALTER TABLE conversations ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN folder TEXT NOT NULL DEFAULT '';
ALTER TABLE conversations ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
