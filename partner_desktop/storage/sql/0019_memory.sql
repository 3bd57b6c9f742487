-- Who said it where it was neither the person nor Partner: a name, in chats that were brought in from elsewhere.
ALTER TABLE messages ADD COLUMN speaker TEXT NOT NULL DEFAULT '';

-- What changed of the messages since memory looked last, told in the transaction that changed them. The index
-- itself (memory/turn_index.py) is a file of its own, which names this database by its token.
CREATE TABLE memory_changes (number INTEGER PRIMARY KEY AUTOINCREMENT, position INTEGER NOT NULL);
CREATE TABLE memory_state (token TEXT NOT NULL, begun INTEGER NOT NULL DEFAULT 0);
INSERT INTO memory_state (token) VALUES (lower(hex(randomblob(8))));
CREATE TRIGGER memory_changes_insert AFTER INSERT ON messages
WHEN new.role <> 'action' AND new.state <> 'streaming' AND new.text <> '' AND NOT EXISTS
    (SELECT 1 FROM conversations WHERE id = new.conversation_id AND deleted_at IS NOT NULL) BEGIN
    INSERT INTO memory_changes (position) VALUES (new.position);
END;
CREATE TRIGGER memory_changes_update AFTER UPDATE OF text, state, take ON messages
WHEN new.role <> 'action' AND new.state <> 'streaming' BEGIN
    INSERT INTO memory_changes (position) VALUES (new.position);
END;
CREATE TRIGGER memory_changes_delete AFTER DELETE ON messages WHEN old.role <> 'action' BEGIN
    INSERT INTO memory_changes (position) VALUES (old.position);
END;
-- A conversation that is deleted takes its messages out of sight, and one that is brought back, or in, shows them.
CREATE TRIGGER memory_changes_sight AFTER UPDATE OF deleted_at ON conversations
WHEN (old.deleted_at IS NULL) <> (new.deleted_at IS NULL) BEGIN
    INSERT INTO memory_changes (position)
    SELECT position FROM messages WHERE conversation_id = new.id AND role <> 'action' ORDER BY position;
END;

-- A unit is one stretch of dialog that is over: rolled, or brought in. It and its slices hold the messages of its
-- conversation from position `first` up to, not including, `past`.
CREATE TABLE memory_units (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    past INTEGER NOT NULL,
    at TEXT NOT NULL,
    origin TEXT NOT NULL DEFAULT ''
);
CREATE INDEX memory_units_by_conversation ON memory_units (conversation_id, first);
CREATE TABLE memory_slices (
    id TEXT PRIMARY KEY,
    unit_id TEXT NOT NULL REFERENCES memory_units(id) ON DELETE CASCADE,
    first INTEGER NOT NULL,
    past INTEGER NOT NULL,
    at TEXT NOT NULL,
    summary TEXT NOT NULL DEFAULT '',
    activation REAL NOT NULL,
    diffusion REAL NOT NULL,
    independence REAL NOT NULL,
    pinned_at TEXT
);
CREATE INDEX memory_slices_by_unit ON memory_slices (unit_id, first);
CREATE INDEX memory_slices_by_first ON memory_slices (first);
-- What slices are about: `path` is `A->B->C`, `term` what its last part is looked for by; a slice is only akin to
-- what is `related`. `at` is the slice's: the newest of a term are found without a look at all of them.
CREATE TABLE memory_topics (
    path TEXT NOT NULL,
    slice_id TEXT NOT NULL REFERENCES memory_slices(id) ON DELETE CASCADE,
    term TEXT NOT NULL,
    related INTEGER NOT NULL DEFAULT 0,
    at TEXT NOT NULL,
    PRIMARY KEY (path, slice_id)
) WITHOUT ROWID;
CREATE INDEX memory_topics_by_slice ON memory_topics (slice_id);
CREATE INDEX memory_topics_by_term ON memory_topics (term, related, at);

-- An import of chats: how far it came, so that it can go on after a restart.
CREATE TABLE memory_imports (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    mark TEXT NOT NULL,
    state TEXT NOT NULL,
    seen INTEGER NOT NULL DEFAULT 0,
    chats INTEGER NOT NULL DEFAULT 0,
    turns INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    left_out INTEGER NOT NULL DEFAULT 0,
    share REAL NOT NULL DEFAULT 0,
    problem TEXT NOT NULL DEFAULT '',
    begun_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
);
-- Chats that were brought in, by what is in them: the same one is not taken twice.
CREATE TABLE memory_known_chats (
    digest BLOB PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX memory_known_chats_by_conversation ON memory_known_chats (conversation_id);
