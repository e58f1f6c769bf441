-- When a take last grew: one that stopped growing may make room for a new one. Without an index, so the statement that
-- adds chunks writes nothing more than before. 0: no release that knows this column has written the row.
ALTER TABLE takes ADD COLUMN grown_at BIGINT NOT NULL DEFAULT 0;
