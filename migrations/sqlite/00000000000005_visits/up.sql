-- Who has a link open, so that two devices know of each other: a random name, what they do, when they were
-- last heard of, and nothing else about them. Few for one request, and gone with its prompt.
CREATE TABLE visits (
    request_id TEXT NOT NULL REFERENCES requests (id),
    visit TEXT NOT NULL,
    doing TEXT NOT NULL CHECK (doing IN ('looking', 'recording', 'reviewing')),
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (request_id, visit)
) STRICT, WITHOUT ROWID;
