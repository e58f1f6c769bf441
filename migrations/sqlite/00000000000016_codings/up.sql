-- How the pictures of a sealed take are coded, and whether its file says that they are HDR. Without a row: an earlier release
-- has sealed it.
CREATE TABLE codings (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES takes (id) ON DELETE CASCADE,
    -- NULL: a codec that has no name here.
    codec TEXT,
    hdr INTEGER NOT NULL CHECK (hdr IN (0, 1))
) STRICT;
