-- Whether a video's end is missing, and how much that is as far as its file says. Videos from before say no.
ALTER TABLE seals ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0 CHECK (damaged IN (0, 1));
ALTER TABLE seals ADD COLUMN missing_ms INTEGER;
