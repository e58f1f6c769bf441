-- What is said in a submitted video. A row stands from the submission on, where a transcriber is configured and the video
-- has audio. A node that holds the lease does the work; when it has run out another one takes over.
CREATE TABLE transcripts (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES takes (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('due', 'ready', 'none', 'failed')),
    leased_until BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    -- How often it was begun and not ended.
    tries BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    -- Of one that is ready: its language and its segments, as JSON.
    content BYTEA,
    -- Of one that there won't be: why.
    reason TEXT,
    CHECK ((state = 'ready') = (content IS NOT NULL)),
    CHECK ((state IN ('none', 'failed')) = (reason IS NOT NULL))
);

CREATE INDEX transcripts_due ON transcripts (state, leased_until);
