-- What stands for a unit in a prompt, why it was made (`length`, `idle` or `asked`; empty: it was brought in) and when.
ALTER TABLE memory_units ADD COLUMN summary TEXT NOT NULL DEFAULT '';
ALTER TABLE memory_units ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE memory_units ADD COLUMN rolled_at TEXT;
UPDATE memory_units SET reason = 'asked', rolled_at = at WHERE origin = '';

-- Long messages of a unit, shortened at the ends of sentences; the messages themselves stay as they were said.
CREATE TABLE memory_compressed (
    unit_id TEXT NOT NULL REFERENCES memory_units(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (unit_id, position)
) WITHOUT ROWID;

-- A summary holds for the words that it was made of: where one of them goes or is set aside, it goes too, and is
-- made anew.
CREATE TRIGGER memory_units_update AFTER UPDATE OF text, take ON messages
WHEN new.text <> old.text OR new.take <> old.take BEGIN
    UPDATE memory_slices SET summary = '' WHERE summary <> '' AND first <= new.position AND past > new.position
        AND unit_id IN (SELECT id FROM memory_units WHERE conversation_id = new.conversation_id
            AND first <= new.position AND past > new.position);
    DELETE FROM memory_compressed WHERE position = new.position AND unit_id IN (SELECT id FROM memory_units
        WHERE conversation_id = new.conversation_id AND first <= new.position AND past > new.position);
    UPDATE memory_units SET summary = '' WHERE summary <> '' AND conversation_id = new.conversation_id
        AND first <= new.position AND past > new.position;
END;
CREATE TRIGGER memory_units_delete AFTER DELETE ON messages BEGIN
    UPDATE memory_slices SET summary = '' WHERE summary <> '' AND first <= old.position AND past > old.position
        AND unit_id IN (SELECT id FROM memory_units WHERE conversation_id = old.conversation_id
            AND first <= old.position AND past > old.position);
    DELETE FROM memory_compressed WHERE position = old.position AND unit_id IN (SELECT id FROM memory_units
        WHERE conversation_id = old.conversation_id AND first <= old.position AND past > old.position);
    UPDATE memory_units SET summary = '' WHERE summary <> '' AND conversation_id = old.conversation_id
        AND first <= old.position AND past > old.position;
END;
