-- What a take's bytes are is read from them, and no longer taken from what their sender says: unknown until
-- the first ones are here.
ALTER TABLE takes ADD COLUMN container TEXT;
UPDATE takes SET container = media_type WHERE state = 'complete' OR committed >= 4096;
ALTER TABLE takes DROP COLUMN media_type;

-- How long the take will be, once its sender has said so.
ALTER TABLE takes ADD COLUMN length BIGINT CHECK (length >= 0);

-- The disk failed to make bytes durable: nothing may be appended any more.
ALTER TABLE takes ADD COLUMN poisoned BOOLEAN NOT NULL DEFAULT FALSE;

-- How many chunks there are: a take may not be in too many pieces.
ALTER TABLE takes ADD COLUMN pieces BIGINT NOT NULL DEFAULT 0;
UPDATE takes SET pieces = (SELECT COUNT(*) FROM chunks WHERE chunks.take_id = takes.id);

-- When somebody last wrote: takes that nobody comes back to are removed.
ALTER TABLE takes ADD COLUMN touched_at BIGINT NOT NULL DEFAULT 0;
UPDATE takes SET touched_at = created_at;
CREATE INDEX takes_abandoned ON takes (state, touched_at);
