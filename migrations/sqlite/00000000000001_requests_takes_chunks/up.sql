-- What an agent asked for. The row outlives its bytes: a deleted or expired request keeps ids, token
-- hash, state and times, so that the answers about it never change. Prompt and takes go at once.
CREATE TABLE requests (
    id TEXT NOT NULL PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    prompt BLOB,
    state TEXT NOT NULL CHECK (state IN ('awaiting_submission', 'submitted', 'expired', 'deleted')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    video_id TEXT UNIQUE,
    take_id TEXT,
    bytes_gone INTEGER NOT NULL DEFAULT 0 CHECK (bytes_gone IN (0, 1)),
    CHECK (state <> 'submitted' OR (video_id IS NOT NULL AND take_id IS NOT NULL))
) STRICT;

-- The sweeper asks two questions: which requests are due, and whose bytes still have to go?
CREATE INDEX requests_to_sweep ON requests (bytes_gone, state, expires_at);

-- One recording attempt. `committed` only grows, and only together with the chunk that it counts.
CREATE TABLE takes (
    id TEXT NOT NULL PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES requests (id),
    state TEXT NOT NULL CHECK (state IN ('open', 'complete')),
    media_type TEXT NOT NULL,
    committed INTEGER NOT NULL CHECK (committed >= 0),
    epoch INTEGER NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX takes_of_request ON takes (request_id);

-- The manifest: which immutable object holds which bytes of a take.
CREATE TABLE chunks (
    take_id TEXT NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    start INTEGER NOT NULL CHECK (start >= 0),
    length INTEGER NOT NULL CHECK (length > 0),
    object TEXT NOT NULL UNIQUE,
    PRIMARY KEY (take_id, start)
) STRICT, WITHOUT ROWID;
