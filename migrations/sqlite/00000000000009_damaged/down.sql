ALTER TABLE seals DROP COLUMN missing_ms;
ALTER TABLE seals DROP COLUMN damaged;
