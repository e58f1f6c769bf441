-- The work on a complete take: sealing it, then making stills of it. A row stands from the moment a take is
-- complete. Whoever holds the lease does the work; when it has run out somebody else takes over.
CREATE TABLE sealings (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES takes (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('due', 'stills_due', 'done', 'refused')),
    leased_until BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    -- How often it was begun and not ended.
    tries BIGINT NOT NULL,
    -- What stills are to be made of.
    moments BYTEA,
    -- Of a take that can't become a video: why.
    refusal TEXT CHECK (refusal IN ('unreadable', 'no_video', 'no_frame')),
    -- Of a video without stills: why.
    no_stills TEXT,
    CHECK ((state = 'refused') = (refusal IS NOT NULL))
);

CREATE INDEX sealings_due ON sealings (state, leased_until);

-- A take that became a video: what goes in front of it, what it says about itself.
CREATE TABLE seals (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES sealings (take_id) ON DELETE CASCADE,
    sealed_at BIGINT NOT NULL,
    -- In which way the index was made.
    version BIGINT NOT NULL,
    index_object TEXT UNIQUE,
    index_length BIGINT NOT NULL CHECK (index_length >= 0),
    -- How much of the recording is served: all but an element at its end that was cut off.
    recording_length BIGINT NOT NULL CHECK (recording_length > 0),
    recording_sha256 BYTEA NOT NULL CHECK (length(recording_sha256) = 32),
    served_sha256 BYTEA NOT NULL CHECK (length(served_sha256) = 32),
    duration_ms BIGINT NOT NULL CHECK (duration_ms >= 0),
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    sound BOOLEAN NOT NULL,
    located BOOLEAN NOT NULL,
    CHECK ((index_object IS NULL) = (index_length = 0))
);

-- Pictures of a video, for those who can't watch it.
CREATE TABLE stills (
    take_id TEXT NOT NULL REFERENCES sealings (take_id) ON DELETE CASCADE,
    at_ms BIGINT NOT NULL CHECK (at_ms >= 0),
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    length BIGINT NOT NULL CHECK (length > 0),
    object TEXT NOT NULL UNIQUE,
    PRIMARY KEY (take_id, at_ms)
);

-- What was submitted before stays what it was.
INSERT INTO sealings (take_id, state, leased_until, epoch, tries)
SELECT id, 'due', 0, 0, 0 FROM takes
WHERE state = 'complete' AND id NOT IN (SELECT take_id FROM requests WHERE take_id IS NOT NULL);
