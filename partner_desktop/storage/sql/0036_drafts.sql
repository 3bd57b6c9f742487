-- What was typed and not sent yet, by conversation; '' is the new chat, which is none so far. `items`: what is
-- to go with it, as JSON; empty: nothing.
CREATE TABLE drafts (
    conversation_id TEXT PRIMARY KEY,
    text TEXT NOT NULL DEFAULT '',
    items TEXT NOT NULL DEFAULT '',
    updated_at TEXT NOT NULL
) WITHOUT ROWID;
