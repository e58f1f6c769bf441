ALTER TABLE takes DROP COLUMN grown_at;
