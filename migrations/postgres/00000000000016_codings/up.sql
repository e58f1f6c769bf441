-- How the pictures of a sealed take are coded, and whether its file says that they are HDR. Without a row: an earlier release
-- has sealed it. It refers to the job, as seals do: a seal holds the job's row already, and a reference to the take would wait for
-- that take's deletion, which waits for the job.
CREATE TABLE codings (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES sealings (take_id) ON DELETE CASCADE,
    -- NULL: a codec that has no name here.
    codec TEXT,
    hdr BOOLEAN NOT NULL
);
