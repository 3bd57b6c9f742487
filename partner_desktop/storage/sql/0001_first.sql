CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE messages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    state TEXT NOT NULL,
    action_id TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL
);
CREATE INDEX messages_by_conversation ON messages (conversation_id, position);

-- One row an action; `record` is the whole of it as JSON, the columns are what is searched for.
CREATE TABLE actions (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL
);
CREATE INDEX actions_by_status ON actions (status);
CREATE INDEX actions_by_conversation ON actions (conversation_id, position);

-- What the person allowed for good. `binding` is the hash that the permission holds for.
CREATE TABLE approvals (
    id TEXT PRIMARY KEY,
    action_key TEXT NOT NULL,
    binding TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT,
    UNIQUE (action_key, binding)
);

-- Append-only: ids, hashes and decisions; no text of the person's.
CREATE TABLE audit (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    action_id TEXT NOT NULL DEFAULT '',
    action_key TEXT NOT NULL DEFAULT '',
    content_hash TEXT NOT NULL DEFAULT '',
    params_hash TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL DEFAULT '',
    scope TEXT NOT NULL DEFAULT '',
    by_whom TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TRIGGER audit_is_append_only_update BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_append_only_delete BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
