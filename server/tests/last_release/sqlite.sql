PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE __diesel_schema_migrations (
       version VARCHAR(50) PRIMARY KEY NOT NULL,
       run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO __diesel_schema_migrations VALUES('00000000000001','2026-11-21 21:51:00');
INSERT INTO __diesel_schema_migrations VALUES('00000000000002','2026-11-21 21:51:00');
INSERT INTO __diesel_schema_migrations VALUES('00000000000003','2026-11-21 21:51:00');
INSERT INTO __diesel_schema_migrations VALUES('00000000000004','2026-11-21 21:51:00');
INSERT INTO __diesel_schema_migrations VALUES('00000000000005','2026-11-21 21:51:00');
CREATE TABLE requests (
    id TEXT NOT NULL PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    prompt BLOB,
    state TEXT NOT NULL CHECK (state IN ('awaiting_submission', 'submitted', 'expired', 'deleted')),
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    video_id TEXT UNIQUE,
    take_id TEXT,
    bytes_gone INTEGER NOT NULL DEFAULT 0 CHECK (bytes_gone IN (0, 1)), creator TEXT,
    CHECK (state <> 'submitted' OR (video_id IS NOT NULL AND take_id IS NOT NULL))
) STRICT;
INSERT INTO requests VALUES('XOjd8ckZMyBcogQSzT94tP',X'a30176e31dcdbe151c9eaa73aff09403362b4d46ffa70df494c461a4b251666e',X'53686f77207468652064656e742e','awaiting_submission',1795297860358,1795470660358,NULL,NULL,0,'127.0.0.1');
INSERT INTO requests VALUES('pOCWFAadTxY31QIvwG3C8p',X'f7a7579dda81691338465e33695a6cb50d62318fae6c9f26d384f0fecfd1b01f',X'53686f77207468652064656e742e','awaiting_submission',1795297860363,1795470660363,NULL,NULL,0,'127.0.0.1');
INSERT INTO requests VALUES('gy1twbNpow6Bus0CePRBzi',X'6e0d387a70699daf3224ab7c6bb37526515879db9fa65717eb1532ad0c5d8a86',X'53686f77207468652064656e742e','submitted',1795297860421,1795470660421,'gBJdzDDx2pwXQo0Px62gCm','f9fhOgtP7hp5gBUN4enU8P',0,'127.0.0.1');
INSERT INTO requests VALUES('hReSvBvquiFOBmzMPaUNf6',X'244ec0e8fbbe343c76ab751c2b21aa086cf1e37591933c43428275e7196428fb',NULL,'expired',1795297860456,1795297860457,'zMg6ACQZAbe1Tq8RWJafZj','jmkIN3sUeb15PM04nY83DS',1,NULL);
INSERT INTO requests VALUES('7kLeUBe27tDirLwtXXMcHq',X'09637f598bbfaa6a10557101a84332394a1fd6e1deb203a8d9f98158a8bc33d5',NULL,'deleted',1795297860545,1795470660545,'tgsKSvX0yKfcUbQ0Gdbf5Z','ytFSSqsSNWiYsZbSGvnjgG',1,NULL);
CREATE TABLE takes (
    id TEXT NOT NULL PRIMARY KEY,
    request_id TEXT NOT NULL REFERENCES requests (id),
    state TEXT NOT NULL CHECK (state IN ('open', 'complete')),
    committed INTEGER NOT NULL CHECK (committed >= 0),
    epoch INTEGER NOT NULL,
    created_at INTEGER NOT NULL
, container TEXT, length INTEGER CHECK (length >= 0), poisoned INTEGER NOT NULL DEFAULT 0 CHECK (poisoned IN (0, 1)), pieces INTEGER NOT NULL DEFAULT 0, touched_at INTEGER NOT NULL DEFAULT 0, creator TEXT) STRICT;
INSERT INTO takes VALUES('7p7531rBRYRkLVkP7By6It','pOCWFAadTxY31QIvwG3C8p','open',500,0,1795297860368,'video/mp4',NULL,0,1,1795298400000,'127.0.0.1');
INSERT INTO takes VALUES('f9fhOgtP7hp5gBUN4enU8P','gy1twbNpow6Bus0CePRBzi','complete',590,0,1795297860433,'video/mp4',590,0,1,1795298400000,'127.0.0.1');
CREATE TABLE chunks (
    take_id TEXT NOT NULL REFERENCES takes (id) ON DELETE CASCADE,
    start INTEGER NOT NULL CHECK (start >= 0),
    length INTEGER NOT NULL CHECK (length > 0),
    object TEXT NOT NULL UNIQUE,
    PRIMARY KEY (take_id, start)
) STRICT, WITHOUT ROWID;
INSERT INTO chunks VALUES('7p7531rBRYRkLVkP7By6It',0,500,'pOCWFAadTxY31QIvwG3C8p/7p7531rBRYRkLVkP7By6It/98CisP0JvQJd5BhPntn5OQ');
INSERT INTO chunks VALUES('f9fhOgtP7hp5gBUN4enU8P',0,590,'gy1twbNpow6Bus0CePRBzi/f9fhOgtP7hp5gBUN4enU8P/yy3sIIREZo6ogwrsGUOhYS');
CREATE TABLE sealings (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES takes (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('due', 'stills_due', 'done', 'refused')),
    leased_until INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    -- How often it was begun and not ended.
    tries INTEGER NOT NULL,
    -- What stills are to be made of.
    moments BLOB,
    -- Of a take that can't become a video: why.
    refusal TEXT CHECK (refusal IN ('unreadable', 'no_video', 'no_frame')),
    -- Of a video without stills: why.
    no_stills TEXT,
    CHECK ((state = 'refused') = (refusal IS NOT NULL))
) STRICT;
INSERT INTO sealings VALUES('f9fhOgtP7hp5gBUN4enU8P','done',1795297875453,2,1,NULL,NULL,'no decoder for this codec is installed here');
CREATE TABLE seals (
    take_id TEXT NOT NULL PRIMARY KEY REFERENCES sealings (take_id) ON DELETE CASCADE,
    sealed_at INTEGER NOT NULL,
    -- In which way the index was made.
    version INTEGER NOT NULL,
    index_object TEXT UNIQUE,
    index_length INTEGER NOT NULL CHECK (index_length >= 0),
    -- How much of the recording is served: all but an element at its end that was cut off.
    recording_length INTEGER NOT NULL CHECK (recording_length > 0),
    recording_sha256 BLOB NOT NULL CHECK (length(recording_sha256) = 32),
    served_sha256 BLOB NOT NULL CHECK (length(served_sha256) = 32),
    duration_ms INTEGER NOT NULL CHECK (duration_ms >= 0),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    sound INTEGER NOT NULL CHECK (sound IN (0, 1)),
    located INTEGER NOT NULL CHECK (located IN (0, 1)),
    CHECK ((index_object IS NULL) = (index_length = 0))
) STRICT;
INSERT INTO seals VALUES('f9fhOgtP7hp5gBUN4enU8P',1795297860447,1,NULL,0,590,X'345eada7194d1983da29b0c7655e998c932978697b56f864c6bef75cdda3c1ca',X'345eada7194d1983da29b0c7655e998c932978697b56f864c6bef75cdda3c1ca',1000,16,16,0,0);
CREATE TABLE stills (
    take_id TEXT NOT NULL REFERENCES sealings (take_id) ON DELETE CASCADE,
    at_ms INTEGER NOT NULL CHECK (at_ms >= 0),
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    length INTEGER NOT NULL CHECK (length > 0),
    object TEXT NOT NULL UNIQUE,
    PRIMARY KEY (take_id, at_ms)
) STRICT, WITHOUT ROWID;
CREATE TABLE quotas (
    creator TEXT NOT NULL PRIMARY KEY,
    -- When all that was created will be paid off: GCRA's theoretical arrival time.
    paid_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO quotas VALUES('127.0.0.1',1795298460358);
CREATE TABLE visits (
    request_id TEXT NOT NULL REFERENCES requests (id),
    visit TEXT NOT NULL,
    doing TEXT NOT NULL CHECK (doing IN ('looking', 'recording', 'reviewing')),
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (request_id, visit)
) STRICT, WITHOUT ROWID;
INSERT INTO visits VALUES('pOCWFAadTxY31QIvwG3C8p','-0aZ_0aZ-0aZ_0aZ-0aZ_0','recording',1795297895646);
CREATE INDEX requests_to_sweep ON requests (bytes_gone, state, expires_at);
CREATE INDEX takes_of_request ON takes (request_id);
CREATE INDEX takes_abandoned ON takes (state, touched_at);
CREATE INDEX sealings_due ON sealings (state, leased_until);
CREATE INDEX takes_of_creator ON takes (creator) WHERE creator IS NOT NULL;
CREATE INDEX quotas_paid ON quotas (paid_at);
COMMIT;
