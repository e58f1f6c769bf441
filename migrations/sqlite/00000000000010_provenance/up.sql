-- When and how the bytes of a video came. NULL: a release that doesn't know these columns has written the row.

-- When the chunk was committed; of a compacted one, when its last byte was.
ALTER TABLE chunks ADD COLUMN committed_at INTEGER;

-- What the sender says the take is, and when its first byte arrived and its last one was committed.
ALTER TABLE takes ADD COLUMN captured_as TEXT CHECK (captured_as IN ('recorded', 'file', 'form', 'client'));
ALTER TABLE takes ADD COLUMN first_byte_at INTEGER;
ALTER TABLE takes ADD COLUMN last_byte_at INTEGER;

-- When which bytes came, as long as the take isn't sealed: compaction forgets it.
ALTER TABLE sealings ADD COLUMN arrivals BLOB;

-- Whether all bytes came while the take was being recorded.
ALTER TABLE seals ADD COLUMN live INTEGER CHECK (live IN (0, 1));

ALTER TABLE requests ADD COLUMN submitted_at INTEGER;
