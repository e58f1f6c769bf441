-- What people say against a request, for whoever runs the server. With a copy of what is wiped when the request
-- is over, so that it can still be judged then. Nothing of whoever says it. Forgotten after 30 days.
CREATE TABLE reports (
    id TEXT NOT NULL PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES requests (id),
    reason TEXT NOT NULL CHECK (reason IN ('danger', 'harassment', 'fraud', 'other')),
    -- UTF-8, as the prompt: PostgreSQL's text can't hold a NUL.
    text BYTEA,
    prompt BYTEA,
    creator TEXT,
    reported_at BIGINT NOT NULL,
    -- When the operator was done with it.
    done_at BIGINT
);

CREATE INDEX reports_of_request ON reports (request_id);
CREATE INDEX reports_by_age ON reports (reported_at);

-- When the operator took a request down. It is a deleted one then, too.
ALTER TABLE requests ADD COLUMN taken_down_at BIGINT;
