-- What a model thought before it spoke: shown folded, in no prompt and no search (the index takes `text` alone).
ALTER TABLE messages ADD COLUMN reasoning TEXT NOT NULL DEFAULT '';

-- How full the model was in a turn: what it can hold, what of that is kept for its answer, what the whole prompt
-- took, and how many of the oldest messages had no room; all 0 where nobody knew.
ALTER TABLE context_snapshots ADD COLUMN context_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE context_snapshots ADD COLUMN answer_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE context_snapshots ADD COLUMN prompt_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE context_snapshots ADD COLUMN left_out_messages INTEGER NOT NULL DEFAULT 0;
