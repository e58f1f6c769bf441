-- What the last sweep knew of the time, in the only row. A server that starts judges its clock by it.
CREATE TABLE clock (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    confirmed_at BIGINT NOT NULL,
    -- For how many milliseconds a clock that is ahead of that has stood there; 0 if it isn't.
    waited_ms BIGINT NOT NULL
);

-- The id of the folder that has the objects, if they are in one. So another one isn't taken for it.
CREATE TABLE blob_folder (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    folder_id TEXT NOT NULL
);

-- What was wiped stays in old versions of rows until they are vacuumed. By default that waits for a fifth of a table, of which
-- the rows of requests stay for ever.
ALTER TABLE requests SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE reports SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE transcripts SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
