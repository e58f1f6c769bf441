-- The checksum of each block of an object, which a read compares with the bytes that it finds. NULL: a release that doesn't
-- know these columns has written the row.
ALTER TABLE chunks ADD COLUMN checksums BYTEA;

-- NULL also if there is no index.
ALTER TABLE seals ADD COLUMN index_checksums BYTEA;

-- A row is found by its key, so its checksums needn't be in another table.
ALTER TABLE chunks ALTER COLUMN checksums SET STORAGE MAIN;
