-- Whether a video's end is missing, and how much that is as far as its file says. Videos from before say no.
ALTER TABLE seals ADD COLUMN damaged BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE seals ADD COLUMN missing_ms BIGINT;
