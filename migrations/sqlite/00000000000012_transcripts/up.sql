-- What is said in a submitted video. A row stands from the submission on, where a transcriber is configured and the video
-- has audio. A node that holds the lease does the work; when it has run out another one takes over.
CREATE TABLE transcripts (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES takes (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('due', 'ready', 'none', 'failed')),
    leased_until INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    -- How often it was begun and not ended.
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    -- Of one that is ready: its language and its segments, as JSON.
    content BLOB,
    -- Of one that there won't be: why.
    reason TEXT,
    CHECK ((state = 'ready') = (content IS NOT NULL)),
    CHECK ((state IN ('none', 'failed')) = (reason IS NOT NULL))
) STRICT;

CREATE INDEX transcripts_due ON transcripts (state, leased_until);
