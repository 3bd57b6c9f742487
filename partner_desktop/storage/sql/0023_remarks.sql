-- Days on which Partner looked for what was said about them, and what it remarked on (empty: on nothing).
CREATE TABLE memory_remarks (day TEXT PRIMARY KEY, message_id TEXT NOT NULL) WITHOUT ROWID;
