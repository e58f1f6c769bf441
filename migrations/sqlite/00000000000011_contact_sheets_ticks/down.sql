ALTER TABLE requests DROP COLUMN ticks;
DROP TABLE contact_sheets;
