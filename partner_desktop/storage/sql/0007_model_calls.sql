-- What each call of a model cost: numbers and names only, never words. A call that belongs to a conversation ends
-- with it.
CREATE TABLE model_calls (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    model TEXT NOT NULL,
    question TEXT NOT NULL,
    conversation_id TEXT REFERENCES conversations(id) ON DELETE CASCADE,
    turn_id TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    reused_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    trunk_tokens INTEGER NOT NULL,
    context_tokens INTEGER NOT NULL,
    first_token_ms REAL NOT NULL,
    duration_ms REAL NOT NULL,
    ended TEXT NOT NULL,
    cost REAL
);
CREATE INDEX model_calls_by_conversation ON model_calls (conversation_id, position);
CREATE INDEX model_calls_by_turn ON model_calls (turn_id, position);
