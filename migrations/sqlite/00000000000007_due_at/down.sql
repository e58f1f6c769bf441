ALTER TABLE sealings DROP COLUMN due_at;
