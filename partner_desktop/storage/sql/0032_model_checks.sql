-- Self-tests of models, the newest of each. Bound to the file as it was (path, size, time of its last change), or to a
-- server's address and the model's name there: what another file of that name did is not shown.
CREATE TABLE model_checks (
    bound_to TEXT PRIMARY KEY,
    at TEXT NOT NULL,
    result TEXT NOT NULL
) WITHOUT ROWID;
