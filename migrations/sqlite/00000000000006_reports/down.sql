ALTER TABLE requests DROP COLUMN taken_down_at;
DROP TABLE reports;
