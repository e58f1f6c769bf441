DROP TABLE receipt_keys;
ALTER TABLE requests DROP COLUMN submitted_at;
ALTER TABLE seals DROP COLUMN live;
ALTER TABLE sealings DROP COLUMN arrivals;
ALTER TABLE takes DROP COLUMN last_byte_at;
ALTER TABLE takes DROP COLUMN first_byte_at;
ALTER TABLE takes DROP COLUMN captured_as;
ALTER TABLE chunks DROP COLUMN committed_at;
