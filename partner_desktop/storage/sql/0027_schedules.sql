-- What is done later. The row outlives the conversation that it was made in.
CREATE TABLE schedules (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL,
    title TEXT NOT NULL,
    state TEXT NOT NULL,
    why TEXT NOT NULL,
    -- What it waits for: `once`, `cycle`, `lands`, `crosses` or `ends`.
    waits_for TEXT NOT NULL,
    terms TEXT NOT NULL,
    called_off TEXT NOT NULL,
    asks INTEGER NOT NULL,
    language TEXT NOT NULL,
    -- The action as it was approved; empty: it only tells.
    template TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- UTC, to the microsecond, so that text sorts as time does; NULL: it is not armed, or waits for no time.
    next_at TEXT
);
CREATE INDEX schedules_by_time ON schedules (next_at) WHERE next_at IS NOT NULL;
-- As they are listed: what has a time, what does not go on, what waits for something to happen.
CREATE INDEX schedules_as_listed ON schedules (
    CASE WHEN next_at IS NOT NULL THEN 0 WHEN state <> 'armed' THEN 1 ELSE 2 END, next_at, position
) WHERE state <> 'over';
CREATE INDEX schedules_by_conversation ON schedules (conversation_id);
CREATE INDEX schedules_by_wait ON schedules (waits_for, state);

-- Each time that a schedule was due, once.
CREATE TABLE firings (
    schedule_id TEXT NOT NULL REFERENCES schedules(id) ON DELETE CASCADE,
    due_at TEXT NOT NULL,
    state TEXT NOT NULL,
    at TEXT NOT NULL,
    action_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    count INTEGER NOT NULL,
    why TEXT NOT NULL,
    -- What the person was told of it, as a hash.
    told TEXT NOT NULL,
    -- That its time had passed: `untold`, or under what that is told.
    late TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (schedule_id, due_at)
) WITHOUT ROWID;
CREATE INDEX firings_by_action ON firings (action_id) WHERE action_id <> '';
CREATE INDEX firings_open ON firings (state) WHERE state IN ('begun', 'running', 'waiting');
CREATE INDEX firings_by_time ON firings (at);
