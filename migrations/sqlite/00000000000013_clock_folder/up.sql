-- What the last sweep knew of the time, in the only row. A server that starts judges its clock by it.
CREATE TABLE clock (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    confirmed_at INTEGER NOT NULL,
    -- For how many milliseconds a clock that is ahead of that has stood there; 0 if it isn't.
    waited_ms INTEGER NOT NULL
) STRICT;

-- The id of the folder that has the objects, if they are in one. So another one isn't taken for it.
CREATE TABLE blob_folder (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    folder_id TEXT NOT NULL
) STRICT;
