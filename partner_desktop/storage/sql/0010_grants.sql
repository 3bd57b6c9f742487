-- Grants reach a conversation or everything, say what they are about, and can be listed and taken back. Made
-- anew: a table's UNIQUE cannot be changed, and the same yes may be given in several conversations.
CREATE TABLE grants_anew (
    id TEXT PRIMARY KEY,
    action_key TEXT NOT NULL,
    binding TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT,
    scope TEXT NOT NULL DEFAULT 'always',
    -- Empty with the scope `always`.
    conversation_id TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    -- How the run was held when it was granted, in words.
    held TEXT NOT NULL DEFAULT '',
    -- Of script and descriptor; empty for what was granted before this was kept.
    content_hash TEXT NOT NULL DEFAULT '',
    UNIQUE (action_key, binding, conversation_id)
);
INSERT INTO grants_anew (id, action_key, binding, created_at, revoked_at)
SELECT id, action_key, binding, created_at, revoked_at FROM approvals;
DROP TABLE approvals;
ALTER TABLE grants_anew RENAME TO approvals;

-- A grant for a conversation ends with it.
CREATE TRIGGER approvals_end AFTER DELETE ON conversations BEGIN
    DELETE FROM approvals WHERE conversation_id = old.id;
END;
