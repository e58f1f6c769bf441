DROP TABLE damaged_takes;
