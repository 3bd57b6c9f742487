-- A step of a chain is an action of its own, below the chain's.
ALTER TABLE actions ADD COLUMN parent TEXT NOT NULL DEFAULT '';
CREATE INDEX actions_by_parent ON actions (parent) WHERE parent <> '';
