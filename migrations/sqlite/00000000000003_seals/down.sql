DROP TABLE stills;
DROP TABLE seals;
DROP TABLE sealings;
