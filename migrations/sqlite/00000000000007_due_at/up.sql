-- Since when the work that a row stands for waits to be done, for the operator. 0: since before anybody noted it.
ALTER TABLE sealings ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
