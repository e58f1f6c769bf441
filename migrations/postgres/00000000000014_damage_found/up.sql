-- Takes whose bytes a check has found not to be those that were sealed, and when. A server serves none of them.
CREATE TABLE damaged_takes (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES takes (id) ON DELETE CASCADE,
    found_at BIGINT NOT NULL
);
