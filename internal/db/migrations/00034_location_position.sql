-- +goose Up
-- Where a location is, for finding the ones near by; NULL where it has no coordinates or hides its address. What was
-- stored before is read into them in the background.
ALTER TABLE locations ADD COLUMN latitude DOUBLE PRECISION;
ALTER TABLE locations ADD COLUMN longitude DOUBLE PRECISION;
ALTER TABLE locations ADD COLUMN positioned BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX locations_position ON locations (account_id, latitude, longitude) WHERE latitude IS NOT NULL;
CREATE INDEX locations_unpositioned ON locations (id) WHERE NOT positioned;

-- +goose Down
DROP INDEX locations_unpositioned;
DROP INDEX locations_position;
ALTER TABLE locations DROP COLUMN positioned;
ALTER TABLE locations DROP COLUMN longitude;
ALTER TABLE locations DROP COLUMN latitude;
