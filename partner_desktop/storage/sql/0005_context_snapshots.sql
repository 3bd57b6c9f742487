-- What each turn's prompt was made of. `body` is compressed JSON (context/snapshots.py); what was said before is
-- in it by reference to `messages` only. The columns are what the list of past turns shows.
CREATE TABLE context_snapshots (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    turn_id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    at TEXT NOT NULL,
    said TEXT NOT NULL,
    used_tokens INTEGER NOT NULL,
    budget_tokens INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX context_snapshots_by_conversation ON context_snapshots (conversation_id, position);
