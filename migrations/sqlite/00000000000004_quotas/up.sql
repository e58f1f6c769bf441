-- Who made a request: what counts against one network address. Forgotten with its prompt.
ALTER TABLE requests ADD COLUMN creator TEXT;

-- And whose bytes these are.
ALTER TABLE takes ADD COLUMN creator TEXT;
CREATE INDEX takes_of_creator ON takes (creator) WHERE creator IS NOT NULL;

-- How often somebody may still create. One whose moment is over means the same as none, and is removed.
CREATE TABLE quotas (
    creator TEXT NOT NULL PRIMARY KEY,
    -- When all that was created will be paid off: GCRA's theoretical arrival time.
    paid_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX quotas_paid ON quotas (paid_at);
