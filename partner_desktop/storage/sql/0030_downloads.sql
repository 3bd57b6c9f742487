-- Models on their way here, or here: each as one document. What was loading goes on at the next start.
CREATE TABLE model_downloads (
    id TEXT PRIMARY KEY,
    place INTEGER NOT NULL,
    state TEXT NOT NULL,
    document TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX model_downloads_in_order ON model_downloads (place);
