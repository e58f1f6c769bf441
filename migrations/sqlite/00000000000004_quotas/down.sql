DROP TABLE quotas;
DROP INDEX requests_of_creator;
ALTER TABLE requests DROP COLUMN creator;
