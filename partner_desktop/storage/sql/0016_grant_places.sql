-- A grant holds the places that its card showed, and may be for another program. Made anew: a table's UNIQUE
-- cannot be changed, and the same yes may be given for several places and several programs.
DROP TRIGGER approvals_end;
CREATE TABLE grants_anew (
    id TEXT PRIMARY KEY,
    action_key TEXT NOT NULL,
    binding TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT,
    scope TEXT NOT NULL DEFAULT 'always',
    -- Empty with the scopes `always` and `everywhere`.
    conversation_id TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    -- How the run was held when it was granted, in words.
    held TEXT NOT NULL DEFAULT '',
    -- Of script and descriptor; empty for what was granted before this was kept.
    content_hash TEXT NOT NULL DEFAULT '',
    -- The program that it is for, as that calls itself; empty: what is asked for in Partner.
    program TEXT NOT NULL DEFAULT '',
    -- JSON: [access, path] of each place. NULL: granted before places were kept, so that it holds none.
    places TEXT,
    UNIQUE (action_key, binding, scope, conversation_id, program, places)
);
INSERT INTO grants_anew
    (id, action_key, binding, created_at, revoked_at, scope, conversation_id, title, held, content_hash)
SELECT id, action_key, binding, created_at, revoked_at, scope, conversation_id, title, held, content_hash
FROM approvals;
DROP TABLE approvals;
ALTER TABLE grants_anew RENAME TO approvals;

-- A grant for a conversation ends with it.
CREATE TRIGGER approvals_end AFTER DELETE ON conversations BEGIN
    DELETE FROM approvals WHERE conversation_id = old.id;
END;
