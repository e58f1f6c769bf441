DROP INDEX takes_abandoned;
ALTER TABLE takes DROP COLUMN touched_at;
ALTER TABLE takes DROP COLUMN pieces;
ALTER TABLE takes DROP COLUMN poisoned;
ALTER TABLE takes DROP COLUMN length;
ALTER TABLE takes ADD COLUMN media_type TEXT NOT NULL DEFAULT 'video/webm';
UPDATE takes SET media_type = container WHERE container IS NOT NULL;
ALTER TABLE takes DROP COLUMN container;
