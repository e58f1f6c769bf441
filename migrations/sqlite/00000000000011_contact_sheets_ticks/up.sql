-- Many moments of a video in one picture, made together with its stills.
CREATE TABLE contact_sheets (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES sealings (take_id) ON DELETE CASCADE,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    moments INTEGER NOT NULL CHECK (moments > 1),
    length INTEGER NOT NULL CHECK (length > 0),
    object TEXT NOT NULL UNIQUE
) STRICT;

-- Which lines of the prompt the sender ticked, and at which moments of the video: JSON. NULL: none, or wiped.
ALTER TABLE requests ADD COLUMN ticks BLOB;
