ALTER TABLE transcripts RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
ALTER TABLE reports RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
ALTER TABLE requests RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
DROP TABLE blob_folder;
DROP TABLE clock;
