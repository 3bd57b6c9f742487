-- Commands in the background: while they run and for ten minutes after their end. A row that says `running` at a
-- start tells of a command that was lost with the Partner before.
CREATE TABLE command_sessions (
    id TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    started_at TEXT NOT NULL,
    record TEXT NOT NULL
);
