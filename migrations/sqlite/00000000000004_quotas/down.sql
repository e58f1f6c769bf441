DROP TABLE quotas;
DROP INDEX takes_of_creator;
ALTER TABLE takes DROP COLUMN creator;
ALTER TABLE requests DROP COLUMN creator;
