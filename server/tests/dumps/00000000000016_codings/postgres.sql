-- The tables are those of this migration, and of all before it. SHA-256 of its up.sql:
-- 4b94931d3b6f37775447cce729631bf4550e7a794c7332dacab9c6a0f196fa67
INSERT INTO requests (id, token_hash, prompt, state, created_at, expires_at, video_id, take_id, bytes_gone, creator, taken_down_at, submitted_at, ticks) VALUES
('XOjd8ckZMyBcogQSzT94tP', '\xa30176e31dcdbe151c9eaa73aff09403362b4d46ffa70df494c461a4b251666e', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297860358, 1795470660358, NULL, NULL, FALSE, '127.0.0.1', NULL, NULL, NULL),
('pOCWFAadTxY31QIvwG3C8p', '\xf7a7579dda81691338465e33695a6cb50d62318fae6c9f26d384f0fecfd1b01f', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297860363, 1795470660363, NULL, NULL, FALSE, '127.0.0.1', NULL, NULL, NULL),
('gy1twbNpow6Bus0CePRBzi', '\x6e0d387a70699daf3224ab7c6bb37526515879db9fa65717eb1532ad0c5d8a86', '\x53686f77207468652064656e742e', 'submitted', 1795297860421, 1795470660421, 'gBJdzDDx2pwXQo0Px62gCm', 'f9fhOgtP7hp5gBUN4enU8P', FALSE, '127.0.0.1', NULL, 1795297860449, '\x5b7b226c696e65223a312c2261745f6d73223a3730307d5d'),
('hReSvBvquiFOBmzMPaUNf6', '\x244ec0e8fbbe343c76ab751c2b21aa086cf1e37591933c43428275e7196428fb', NULL, 'expired', 1795297860456, 1795297860457, 'zMg6ACQZAbe1Tq8RWJafZj', 'jmkIN3sUeb15PM04nY83DS', TRUE, NULL, NULL, 1795297860456, NULL),
('7kLeUBe27tDirLwtXXMcHq', '\x09637f598bbfaa6a10557101a84332394a1fd6e1deb203a8d9f98158a8bc33d5', NULL, 'deleted', 1795297860545, 1795470660545, 'tgsKSvX0yKfcUbQ0Gdbf5Z', 'ytFSSqsSNWiYsZbSGvnjgG', TRUE, NULL, NULL, 1795297860545, NULL),
('s8IQ9Y7aJZqhB6baeCN6Zj', '\xc5d4e94480dbd0875e879529fd1e6e864ea6e9bd703602aeec4f56f10f812a48', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297865692, 1795470665692, NULL, NULL, FALSE, '127.0.0.1', NULL, NULL, NULL),
('M1yTMAd7V3DnI8lFPPwtV5', '\xf9871bc98fcb5ddaef6ad082ac08afd2faf5682ce7e897a2f859454bffcbf616', '\x53686f77207468652064656e742e', 'awaiting_submission', 1795297865692, 1795470665692, NULL, NULL, FALSE, '127.0.0.1', NULL, NULL, NULL),
('Nd14tDdO9eGzMcNU77sVTU', '\x9d46351b2ffa5c42b8d5bb5c7572f885f3653f557a9b08666a0ae2ea57ec6f0b', NULL, 'deleted', 1795297865692, 1795470665692, NULL, NULL, TRUE, NULL, 1795297890692, NULL, NULL);
INSERT INTO takes (id, request_id, state, committed, epoch, created_at, container, length, poisoned, pieces, touched_at, creator, grown_at, captured_as, first_byte_at, last_byte_at) VALUES
('7p7531rBRYRkLVkP7By6It', 'pOCWFAadTxY31QIvwG3C8p', 'open', 500, 0, 1795297860368, 'video/mp4', NULL, FALSE, 1, 1795298400000, '127.0.0.1', 1795297880692, 'recorded', 1795297860370, 1795297860372),
('f9fhOgtP7hp5gBUN4enU8P', 'gy1twbNpow6Bus0CePRBzi', 'complete', 590, 0, 1795297860433, 'video/mp4', 590, FALSE, 1, 1795298400000, '127.0.0.1', 1795297880692, 'recorded', 1795297860435, 1795297860440),
('4a3dDVhYRnKTbxTNJFoBin', 's8IQ9Y7aJZqhB6baeCN6Zj', 'complete', 590, 0, 1795297875692, 'video/mp4', 590, FALSE, 1, 1795298400000, '127.0.0.1', 1795297880692, 'file', 1795297875700, 1795297880692),
('ASPZHu8qRtZHjQMhuOzE95', 'M1yTMAd7V3DnI8lFPPwtV5', 'complete', 19, 0, 1795297875692, NULL, 19, FALSE, 1, 1795298400000, '127.0.0.1', 1795297880692, 'form', 1795297875700, 1795297880692);
INSERT INTO chunks (take_id, start, length, object, committed_at, checksums) VALUES
('7p7531rBRYRkLVkP7By6It', 0, 500, 'pOCWFAadTxY31QIvwG3C8p/7p7531rBRYRkLVkP7By6It/98CisP0JvQJd5BhPntn5OQ', 1795297860372, '\x67705aaf'),
('f9fhOgtP7hp5gBUN4enU8P', 0, 590, 'gy1twbNpow6Bus0CePRBzi/f9fhOgtP7hp5gBUN4enU8P/yy3sIIREZo6ogwrsGUOhYS', 1795297860440, '\xa742a7b6'),
('4a3dDVhYRnKTbxTNJFoBin', 0, 590, 's8IQ9Y7aJZqhB6baeCN6Zj/4a3dDVhYRnKTbxTNJFoBin/F5aJXVuLkSIc47WQAmL9xV', 1795297880692, '\xa742a7b6'),
('ASPZHu8qRtZHjQMhuOzE95', 0, 19, 'M1yTMAd7V3DnI8lFPPwtV5/ASPZHu8qRtZHjQMhuOzE95/B9EgE0VrbBGI09QYNdaKy8', 1795297880692, '\x824f3bd3');
INSERT INTO sealings (take_id, state, leased_until, epoch, tries, moments, refusal, no_stills, due_at, arrivals) VALUES
('f9fhOgtP7hp5gBUN4enU8P', 'done', 1795297875453, 2, 1, NULL, NULL, NULL, 1795297885692, NULL),
('4a3dDVhYRnKTbxTNJFoBin', 'due', 0, 0, 0, NULL, NULL, NULL, 1795297885692, '\x4e02000074aa1700a2010000'),
('ASPZHu8qRtZHjQMhuOzE95', 'refused', 0, 1, 1, NULL, 'unreadable', NULL, 1795297885692, NULL);
INSERT INTO seals (take_id, sealed_at, version, index_object, index_length, recording_length, recording_sha256, served_sha256, duration_ms, width, height, sound, located, damaged, missing_ms, live, index_checksums) VALUES
('f9fhOgtP7hp5gBUN4enU8P', 1795297860447, 1, NULL, 0, 590, '\x345eada7194d1983da29b0c7655e998c932978697b56f864c6bef75cdda3c1ca', '\x345eada7194d1983da29b0c7655e998c932978697b56f864c6bef75cdda3c1ca', 1000, 16, 16, FALSE, FALSE, TRUE, 2500, FALSE, NULL);
INSERT INTO stills (take_id, at_ms, width, height, length, object) VALUES
('f9fhOgtP7hp5gBUN4enU8P', 0, 16, 16, 202, 'gy1twbNpow6Bus0CePRBzi/f9fhOgtP7hp5gBUN4enU8P/UJ596lLlGUriAX1DyyXN9i');
INSERT INTO contact_sheets (take_id, width, height, moments, length, object) VALUES
('f9fhOgtP7hp5gBUN4enU8P', 176, 56, 2, 202, 'gy1twbNpow6Bus0CePRBzi/f9fhOgtP7hp5gBUN4enU8P/Zb2Qy7LwTmGk5RsN9dVh1X');
INSERT INTO quotas (creator, paid_at) VALUES
('127.0.0.1', 1795298460358);
INSERT INTO visits (request_id, visit, doing, seen_at) VALUES
('pOCWFAadTxY31QIvwG3C8p', '-0aZ_0aZ-0aZ_0aZ-0aZ_0', 'recording', 1795297895646);
INSERT INTO reports (id, request_id, reason, text, prompt, creator, reported_at, done_at) VALUES
('Yw1mXJft5isGXNwAMnEYYn', 'gy1twbNpow6Bus0CePRBzi', 'fraud', '\x4e6f74206d792064656e742e', '\x53686f77207468652064656e742e', '127.0.0.1', 1795297891692, NULL),
('WLeEdpomsCpFqPlpECXVMk', 'gy1twbNpow6Bus0CePRBzi', 'other', NULL, '\x53686f77207468652064656e742e', NULL, 1795297887692, 1795297889692);
INSERT INTO receipt_keys (id, seed) VALUES
(1, '\x9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
INSERT INTO transcripts (take_id, state, leased_until, epoch, tries, due_at, content, reason) VALUES
('f9fhOgtP7hp5gBUN4enU8P', 'ready', 1795297876453, 1, 1, 1795297860449, '\x7b226c616e6775616765223a22656e222c227365676d656e7473223a5b7b2266726f6d5f6d73223a302c22746f5f6d73223a3930302c2274657874223a2248656c6c6f2e227d5d7d', NULL);
INSERT INTO clock (id, confirmed_at, waited_ms) VALUES
(1, 1795297897000, 0);
INSERT INTO blob_folder (id, folder_id) VALUES
(1, 'Mf2pWbq0RzYw4hD8sKc1Ju');
INSERT INTO damaged_takes (take_id, found_at) VALUES
('ASPZHu8qRtZHjQMhuOzE95', 1795297890000);
INSERT INTO codings (take_id, codec, hdr) VALUES
('f9fhOgtP7hp5gBUN4enU8P', 'h264', TRUE);
