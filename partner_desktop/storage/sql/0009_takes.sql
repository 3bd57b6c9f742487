-- Takes: what a conversation went on with before it was begun anew from an earlier place. Nothing is lost: a
-- message with `take` is set aside in that take, the others are the line that is shown, searched and sent to minds.
ALTER TABLE messages ADD COLUMN take TEXT NOT NULL DEFAULT '';

-- One row for each way in which a conversation goes on after a message: `anchor` is that message's position, 0 the
-- beginning. Exactly one of the ways from an anchor is `active`: its messages stand in the line while the anchor does.
CREATE TABLE takes (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    anchor INTEGER NOT NULL,
    number INTEGER NOT NULL,
    active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    UNIQUE (conversation_id, anchor, number)
);

-- Pages are read from the line: a long part that was set aside is not read over.
DROP INDEX messages_by_conversation;
CREATE INDEX messages_by_line ON messages (conversation_id, take, position);
