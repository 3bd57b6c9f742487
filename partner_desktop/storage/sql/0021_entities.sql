-- Whom and what the person speaks of. Everything that is known of one stands in `entity_facts`, its names too, so
-- that an entity goes with the last thing that is known of it. Of those that were merged, `root` is the one shown;
-- `spoken_at` is when it was spoken of last, for the order of a list that is read page by page.
CREATE TABLE entities (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    root TEXT NOT NULL,
    merged_into TEXT NOT NULL DEFAULT '',
    spoken_at TEXT NOT NULL DEFAULT ''
);
CREATE INDEX entities_by_time ON entities (spoken_at);
CREATE INDEX entities_by_root ON entities (root);
INSERT INTO entities (id, kind, root) VALUES ('self', 'self', 'self');

-- A row for each time that something was said; what was said again is put together where it is read. `denied`: it
-- is not so. `key` is what a value is found by, `target_id` the entity that a relation is to. A fact goes with the
-- message that taught it; without one the person entered it.
CREATE TABLE entity_facts (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    entity_id TEXT NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    attribute TEXT NOT NULL,
    value TEXT NOT NULL,
    key TEXT NOT NULL,
    denied INTEGER NOT NULL DEFAULT 0,
    target_id TEXT REFERENCES entities(id) ON DELETE CASCADE,
    moment TEXT NOT NULL DEFAULT '',
    confidence REAL NOT NULL,
    source TEXT NOT NULL,
    message_id TEXT REFERENCES messages(id) ON DELETE CASCADE,
    conversation_id TEXT NOT NULL DEFAULT '',
    position INTEGER NOT NULL DEFAULT 0,
    at TEXT NOT NULL
);
CREATE INDEX entity_facts_by_entity ON entity_facts (entity_id);
CREATE INDEX entity_facts_by_value ON entity_facts (attribute, key);
CREATE INDEX entity_facts_by_message ON entity_facts (message_id);
CREATE INDEX entity_facts_by_position ON entity_facts (position);
CREATE INDEX entity_facts_by_target ON entity_facts (target_id);
CREATE TRIGGER entities_spoken_of AFTER INSERT ON entity_facts BEGIN
    UPDATE entities SET spoken_at = max(spoken_at, new.at)
    WHERE id = (SELECT root FROM entities WHERE id = new.entity_id);
END;
CREATE TRIGGER entities_without_facts AFTER DELETE ON entity_facts BEGIN
    DELETE FROM entities WHERE id = old.entity_id AND kind <> 'self'
    AND NOT EXISTS (SELECT 1 FROM entity_facts WHERE entity_id = old.entity_id)
    AND NOT EXISTS (SELECT 1 FROM entities WHERE merged_into = old.entity_id);
END;

-- What is said or asked once, and never again.
CREATE TABLE entity_state (what TEXT PRIMARY KEY, at TEXT NOT NULL);

-- Messages of the person that are still to be read for what they teach: what was said before this table was there,
-- and then everything that changes. What is erased is not among it: its facts go with it.
CREATE TABLE entity_queue (number INTEGER PRIMARY KEY AUTOINCREMENT, position INTEGER NOT NULL);
INSERT INTO entity_queue (position)
SELECT position FROM messages WHERE role = 'user' AND speaker = '' AND text <> '' ORDER BY position;
CREATE TRIGGER entity_queue_fill AFTER INSERT ON memory_changes
WHEN EXISTS (SELECT 1 FROM messages WHERE position = new.position AND role = 'user' AND speaker = '') BEGIN
    INSERT INTO entity_queue (position) VALUES (new.position);
END;
