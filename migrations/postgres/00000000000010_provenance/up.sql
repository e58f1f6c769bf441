-- When and how the bytes of a video came. NULL: a release that doesn't know these columns has written the row.

-- When the chunk was committed; of a compacted one, when its last byte was.
ALTER TABLE chunks ADD COLUMN committed_at BIGINT;

-- What the sender says the take is, and when its first byte arrived and its last one was committed.
ALTER TABLE takes ADD COLUMN captured_as TEXT CHECK (captured_as IN ('recorded', 'file', 'form', 'client'));
ALTER TABLE takes ADD COLUMN first_byte_at BIGINT;
ALTER TABLE takes ADD COLUMN last_byte_at BIGINT;

-- When which bytes came, as long as the take isn't sealed: compaction forgets it.
ALTER TABLE sealings ADD COLUMN arrivals BYTEA;

-- Whether all bytes came while the take was being recorded.
ALTER TABLE seals ADD COLUMN live BOOLEAN;

ALTER TABLE requests ADD COLUMN submitted_at BIGINT;

-- The key that signs receipts, which all nodes share. With SQLite there is one node, and the key is a file in its data
-- folder.
CREATE TABLE receipt_keys (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    -- The seed of the Ed25519 key: RFC 8032, section 5.1.5.
    seed BYTEA NOT NULL CHECK (length(seed) = 32)
);
