-- Requests that are familiar: which ability words have meant so far. `passes` were confirmed in a row, `threshold` is
-- how like new words must be; `stage` counts how often the words were gathered anew. Bound to the ability as it was.
CREATE TABLE intents (
    id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    stage INTEGER NOT NULL DEFAULT 0,
    threshold REAL NOT NULL,
    passes INTEGER NOT NULL DEFAULT 0,
    misses INTEGER NOT NULL DEFAULT 0,
    calls_saved INTEGER NOT NULL DEFAULT 0,
    saved_ms REAL NOT NULL DEFAULT 0,
    used_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX intents_by_key ON intents (key);

-- The words of each pass, without the values in them; they go with their conversation, and the request with the last.
CREATE TABLE intent_words (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    intent_id TEXT NOT NULL REFERENCES intents(id) ON DELETE CASCADE,
    action_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    exchange_id TEXT NOT NULL,
    words TEXT NOT NULL
);
CREATE INDEX intent_words_by_intent ON intent_words (intent_id, number);
CREATE INDEX intent_words_by_conversation ON intent_words (conversation_id);
CREATE TRIGGER intents_without_words AFTER DELETE ON intent_words BEGIN
    DELETE FROM intents WHERE id = old.intent_id
    AND NOT EXISTS (SELECT 1 FROM intent_words WHERE intent_id = old.intent_id);
END;

-- What familiar requests saved in all, also those that are gone.
CREATE TABLE intent_savings (calls INTEGER NOT NULL, saved_ms REAL NOT NULL);
INSERT INTO intent_savings (calls, saved_ms) VALUES (0, 0);
