-- What a firing was about, and which schedules began what it was about: none of these fires from it.
ALTER TABLE firings ADD COLUMN landed TEXT NOT NULL DEFAULT '';
ALTER TABLE firings ADD COLUMN causes TEXT NOT NULL DEFAULT '[]';

-- How what waits for something to happen looked last; kept only while its schedule is armed.
CREATE TABLE watches (
    schedule_id TEXT PRIMARY KEY REFERENCES schedules(id) ON DELETE CASCADE,
    looked_at TEXT NOT NULL,
    -- What keeps it from being looked at, once that was told; empty: nothing does.
    trouble TEXT NOT NULL DEFAULT '',
    -- Of a threshold: whether it is passed; NULL: it was not looked at.
    beyond INTEGER
) WITHOUT ROWID;

-- The names in a folder that a schedule has seen to, or that wait for it.
CREATE TABLE landings (
    schedule_id TEXT NOT NULL REFERENCES schedules(id) ON DELETE CASCADE,
    name BLOB NOT NULL,
    -- Its place among those that wait; 0: it was there, or it is seen to.
    place INTEGER NOT NULL,
    causes TEXT NOT NULL,
    PRIMARY KEY (schedule_id, name)
) WITHOUT ROWID;
CREATE INDEX landings_waiting ON landings (schedule_id, place) WHERE place > 0;
