-- Which model answers a conversation whose person chose one for it: its name, or `starter`.
CREATE TABLE conversation_models (
    conversation_id TEXT PRIMARY KEY REFERENCES conversations(id) ON DELETE CASCADE,
    model TEXT NOT NULL
) WITHOUT ROWID;
