-- The ids of the actions that a message of Partner's spoke of, parted by blanks: what was said last decides which card
-- words can approve.
ALTER TABLE messages ADD COLUMN about TEXT NOT NULL DEFAULT '';
