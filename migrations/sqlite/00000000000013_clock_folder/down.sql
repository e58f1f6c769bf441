DROP TABLE blob_folder;
DROP TABLE clock;
