-- What an agent asked for. The row outlives its bytes: a deleted or expired request keeps ids, token
-- hash, state and times, so that the answers about it never change. Prompt and takes go at once.
CREATE TABLE requests (
    id TEXT NOT NULL PRIMARY KEY,
    token_hash BYTEA NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    prompt BYTEA,
    state TEXT NOT NULL CHECK (state IN ('awaiting_submission', 'submitted', 'expired', 'deleted')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    video_id TEXT UNIQUE,
    take_id TEXT,
    bytes_gone BOOLEAN NOT NULL DEFAULT FALSE,
    CHECK (state <> 'submitted' OR (video_id IS NOT NULL AND take_id IS NOT NULL))
);

-- The sweeper asks two questions: which requests are due, and whose bytes still have to go?
CREATE INDEX requests_to_sweep ON requests (bytes_gone, state, expires_at);

-- One recording attempt. `committed` only grows, and only together with the chunk that it counts.
CREATE TABLE takes (
    id TEXT NOT NULL PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES requests (id),
    state TEXT NOT NULL CHECK (state IN ('open', 'complete')),
    media_type TEXT NOT NULL,
    committed BIGINT NOT NULL CHECK (committed >= 0),
    epoch BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX takes_of_request ON takes (request_id);

-- The manifest: which immutable object holds which bytes of a take.
CREATE TABLE chunks (
    take_id TEXT NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    start BIGINT NOT NULL CHECK (start >= 0),
    length BIGINT NOT NULL CHECK (length > 0),
    object TEXT NOT NULL UNIQUE,
    PRIMARY KEY (take_id, start)
);
