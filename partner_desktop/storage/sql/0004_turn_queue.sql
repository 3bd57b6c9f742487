-- What was accepted and not yet answered: one row from the moment of acceptance until its turn is over.
-- `subject_id` is the message (said) or the action (told) that the turn is about.
CREATE TABLE turn_queue (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    exchange_id TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    cwd TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    -- How many processes began its turn; what began twice and was never over is not begun a third time.
    attempts INTEGER NOT NULL DEFAULT 0,
    -- Where messages and audit stood when its turn began last, and the exchange that answers it: what came
    -- after that, the turn produced.
    begun_message INTEGER,
    begun_audit INTEGER,
    answered_by TEXT NOT NULL DEFAULT ''
);
CREATE INDEX turn_queue_by_conversation ON turn_queue (conversation_id);

-- Which exchange a message belongs to; empty for older ones.
ALTER TABLE messages ADD COLUMN exchange_id TEXT NOT NULL DEFAULT '';
