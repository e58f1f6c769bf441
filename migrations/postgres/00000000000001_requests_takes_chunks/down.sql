DROP TABLE chunks;
DROP TABLE takes;
DROP TABLE requests;
