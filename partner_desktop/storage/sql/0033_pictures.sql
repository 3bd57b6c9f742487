-- The pictures that a message came with, as JSON: empty mostly. The files lie in `pictures/` in the home, by the names
-- that stand here; a file that no message names is swept away.
ALTER TABLE messages ADD COLUMN pictures TEXT NOT NULL DEFAULT '';
CREATE INDEX messages_with_pictures ON messages (position) WHERE pictures <> '';
