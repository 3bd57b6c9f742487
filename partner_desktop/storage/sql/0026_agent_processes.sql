-- Runs of agents, each as one document: what it knows, what it did, and the step that it is at.
CREATE TABLE agent_processes (
    id TEXT PRIMARY KEY,
    root_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    status TEXT NOT NULL,
    document TEXT NOT NULL,
    created_at TEXT NOT NULL,
    changed_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX agent_processes_by_root ON agent_processes (root_id);
CREATE INDEX agent_processes_by_status ON agent_processes (status, created_at);
