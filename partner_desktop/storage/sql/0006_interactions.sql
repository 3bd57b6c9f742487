-- When the person said something, in the order in which it was said: times only, no words. It outlives what was
-- said: a deleted conversation leaves its newest time behind, without its name, so that "last seen" stays true.
CREATE TABLE interactions (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX interactions_by_conversation ON interactions (conversation_id, position);

-- In the transaction of the message itself. An import writes into a hidden conversation (`deleted_at` is set):
-- what was said elsewhere is no interaction here.
CREATE TRIGGER interactions_insert AFTER INSERT ON messages
WHEN new.role = 'user'
    AND (SELECT deleted_at FROM conversations WHERE id = new.conversation_id) IS NULL
BEGIN
    INSERT INTO interactions (conversation_id, at) VALUES (new.conversation_id, new.created_at);
END;
CREATE TRIGGER interactions_forget AFTER DELETE ON conversations BEGIN
    DELETE FROM interactions WHERE conversation_id = old.id AND position <
        (SELECT max(position) FROM interactions WHERE conversation_id = old.id);
    UPDATE interactions SET conversation_id = '' WHERE conversation_id = old.id;
END;

-- What was said before: messages that are older than one above them were imported.
INSERT INTO interactions (conversation_id, at)
SELECT conversation_id, created_at FROM (
    SELECT conversation_id, created_at, position,
        max(created_at) OVER (ORDER BY position ROWS UNBOUNDED PRECEDING) AS newest
    FROM messages WHERE role = 'user'
) WHERE created_at = newest ORDER BY position;
