-- Set while a conversation can still be brought back; erased ones are gone with everything that was said.
ALTER TABLE conversations ADD COLUMN deleted_at TEXT;
CREATE INDEX conversations_deleted ON conversations (deleted_at) WHERE deleted_at IS NOT NULL;

-- The search index (storage/search_text.py says how text enters it). It keeps its own copy of the text, so that
-- a row can be taken out by its number alone. `rowid` is the message's position.
CREATE VIRTUAL TABLE message_search USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE title_search USING fts5(
    title, conversation_id UNINDEXED, tokenize = 'unicode61 remove_diacritics 2'
);

-- A reply that is still being written is indexed once, when it is whole.
CREATE TRIGGER message_search_insert AFTER INSERT ON messages
WHEN new.text <> '' AND new.state <> 'streaming' BEGIN
    INSERT INTO message_search (rowid, text) VALUES (new.position, cjk_spaced(new.text));
END;
CREATE TRIGGER message_search_update AFTER UPDATE OF text, state ON messages BEGIN
    DELETE FROM message_search WHERE rowid = old.position;
    INSERT INTO message_search (rowid, text)
    SELECT new.position, cjk_spaced(new.text) WHERE new.text <> '' AND new.state <> 'streaming';
END;
CREATE TRIGGER message_search_delete AFTER DELETE ON messages BEGIN
    DELETE FROM message_search WHERE rowid = old.position;
END;

CREATE TRIGGER title_search_insert AFTER INSERT ON conversations WHEN new.title <> '' BEGIN
    INSERT INTO title_search (title, conversation_id) VALUES (cjk_spaced(new.title), new.id);
END;
CREATE TRIGGER title_search_update AFTER UPDATE OF title ON conversations WHEN new.title <> old.title BEGIN
    DELETE FROM title_search WHERE conversation_id = old.id;
    INSERT INTO title_search (title, conversation_id)
    SELECT cjk_spaced(new.title), new.id WHERE new.title <> '';
END;
CREATE TRIGGER title_search_delete AFTER DELETE ON conversations WHEN old.title <> '' BEGIN
    DELETE FROM title_search WHERE conversation_id = old.id;
END;

INSERT INTO message_search (rowid, text)
SELECT position, cjk_spaced(text) FROM messages WHERE text <> '' AND state <> 'streaming';
INSERT INTO title_search (title, conversation_id)
SELECT cjk_spaced(title), id FROM conversations WHERE title <> '';
