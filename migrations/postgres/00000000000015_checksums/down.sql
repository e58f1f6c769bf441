ALTER TABLE seals DROP COLUMN index_checksums;
ALTER TABLE chunks DROP COLUMN checksums;
