DROP TABLE codings;
