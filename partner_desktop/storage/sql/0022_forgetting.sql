-- Whether what is said there is found from elsewhere: 0 is “do not remember”.
ALTER TABLE conversations ADD COLUMN remembered INTEGER NOT NULL DEFAULT 1;
CREATE TRIGGER memory_changes_remembered AFTER UPDATE OF remembered ON conversations
WHEN new.remembered <> old.remembered BEGIN
    INSERT INTO memory_changes (position)
    SELECT position FROM messages WHERE conversation_id = new.id AND role <> 'action' ORDER BY position;
END;

CREATE TABLE forgettings (
    id TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    step TEXT NOT NULL,
    messages INTEGER NOT NULL,
    -- JSON: what is to be erased, its words among it; empty once it is done.
    plan TEXT NOT NULL
);
-- Keyed hashes of what was forgotten: what comes again is known, and no word of it is kept.
CREATE TABLE forgotten_texts (
    digest BLOB PRIMARY KEY,
    -- 0: of too few words to be told from what others say; it counts only beside another one.
    telling INTEGER NOT NULL
) WITHOUT ROWID;
-- Ids of what was forgotten: a backup that still has them is told of, and can be cleaned.
CREATE TABLE forgotten_ids (
    id TEXT PRIMARY KEY,
    forgetting_id TEXT NOT NULL
) WITHOUT ROWID;

-- Whether an import brings in what was forgotten, and how many chats it left out because of that.
ALTER TABLE memory_imports ADD COLUMN with_forgotten INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memory_imports ADD COLUMN forgotten INTEGER NOT NULL DEFAULT 0;
