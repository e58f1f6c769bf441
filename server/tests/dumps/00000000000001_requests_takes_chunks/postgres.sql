-- The tables are those of this migration, and of all before it. SHA-256 of its up.sql:
-- d49fde3d46a7db4e1e6158c1927f7b4b120058826337b3c9afb1c79bf5b24af4
INSERT INTO requests (id, token_hash, prompt, state, created_at, expires_at, video_id, take_id, bytes_gone) VALUES
('XOjd8ckZMyBcogQSzT94tP', '\xa30176e31dcdbe151c9eaa73aff09403362b4d46ffa70df494c461a4b251666e', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297860358, 1795470660358, NULL, NULL, FALSE),
('pOCWFAadTxY31QIvwG3C8p', '\xf7a7579dda81691338465e33695a6cb50d62318fae6c9f26d384f0fecfd1b01f', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297860363, 1795470660363, NULL, NULL, FALSE),
('gy1twbNpow6Bus0CePRBzi', '\x6e0d387a70699daf3224ab7c6bb37526515879db9fa65717eb1532ad0c5d8a86', '\x53686f77207468652064656e742e', 'submitted', 1795297860421, 1795470660421, 'gBJdzDDx2pwXQo0Px62gCm', 'f9fhOgtP7hp5gBUN4enU8P', FALSE),
('hReSvBvquiFOBmzMPaUNf6', '\x244ec0e8fbbe343c76ab751c2b21aa086cf1e37591933c43428275e7196428fb', NULL, 'expired', 1795297860456, 1795297860457, 'zMg6ACQZAbe1Tq8RWJafZj', 'jmkIN3sUeb15PM04nY83DS', TRUE),
('7kLeUBe27tDirLwtXXMcHq', '\x09637f598bbfaa6a10557101a84332394a1fd6e1deb203a8d9f98158a8bc33d5', NULL, 'deleted', 1795297860545, 1795470660545, 'tgsKSvX0yKfcUbQ0Gdbf5Z', 'ytFSSqsSNWiYsZbSGvnjgG', TRUE),
('s8IQ9Y7aJZqhB6baeCN6Zj', '\xc5d4e94480dbd0875e879529fd1e6e864ea6e9bd703602aeec4f56f10f812a48', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297865692, 1795470665692, NULL, NULL, FALSE),
('M1yTMAd7V3DnI8lFPPwtV5', '\xf9871bc98fcb5ddaef6ad082ac08afd2faf5682ce7e897a2f859454bffcbf616', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297865692, 1795470665692, NULL, NULL, FALSE),
('Nd14tDdO9eGzMcNU77sVTU', '\x9d46351b2ffa5c42b8d5bb5c7572f885f3653f557a9b08666a0ae2ea57ec6f0b', NULL, 'deleted', 1795297865692, 1795470665692, NULL, NULL, TRUE);
INSERT INTO takes (id, request_id, state, committed, epoch, created_at, media_type) VALUES
('7p7531rBRYRkLVkP7By6It', 'pOCWFAadTxY31QIvwG3C8p', 'open', 500, 0, 1795297860368, 'video/mp4'),
('f9fhOgtP7hp5gBUN4enU8P', 'gy1twbNpow6Bus0CePRBzi', 'complete', 590, 0, 1795297860433, 'video/mp4'),
('4a3dDVhYRnKTbxTNJFoBin', 's8IQ9Y7aJZqhB6baeCN6Zj', 'complete', 590, 0, 1795297875692, 'video/mp4'),
('ASPZHu8qRtZHjQMhuOzE95', 'M1yTMAd7V3DnI8lFPPwtV5', 'complete', 19, 0, 1795297875692, 'video/webm');
INSERT INTO chunks (take_id, start, length, object) VALUES
('7p7531rBRYRkLVkP7By6It', 0, 500, 'pOCWFAadTxY31QIvwG3C8p/7p7531rBRYRkLVkP7By6It/98CisP0JvQJd5BhPntn5OQ'),
('f9fhOgtP7hp5gBUN4enU8P', 0, 590, 'gy1twbNpow6Bus0CePRBzi/f9fhOgtP7hp5gBUN4enU8P/yy3sIIREZo6ogwrsGUOhYS'),
('4a3dDVhYRnKTbxTNJFoBin', 0, 590, 's8IQ9Y7aJZqhB6baeCN6Zj/4a3dDVhYRnKTbxTNJFoBin/F5aJXVuLkSIc47WQAmL9xV'),
('ASPZHu8qRtZHjQMhuOzE95', 0, 19, 'M1yTMAd7V3DnI8lFPPwtV5/ASPZHu8qRtZHjQMhuOzE95/B9EgE0VrbBGI09QYNdaKy8');
