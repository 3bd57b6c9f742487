-- Files, folders and talks that a message came with: where they lie, not what is in them. Deleted with their message.
CREATE TABLE attachments (
    message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    path TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    mime TEXT NOT NULL,
    taken_characters INTEGER NOT NULL DEFAULT 0,
    all_characters INTEGER NOT NULL DEFAULT 0,
    unread TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (message_id, place)
) WITHOUT ROWID;
