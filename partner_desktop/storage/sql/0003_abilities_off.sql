-- What the person switched off, by key: it stays off over edits of the file and restarts.
CREATE TABLE abilities_off (
    action_key TEXT PRIMARY KEY,
    at TEXT NOT NULL
);
