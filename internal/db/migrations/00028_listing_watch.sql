-- +goose Up
-- What some directories show of a location is looked at from time to time.
ALTER TABLE listings ADD COLUMN look_at BIGINT NOT NULL DEFAULT 0; -- when it is due; a look under way is a lease. 0 is never
ALTER TABLE listings ADD COLUMN subject TEXT NOT NULL DEFAULT '';  -- stands for what the look before depended on
ALTER TABLE listings ADD COLUMN place_id TEXT NOT NULL DEFAULT ''; -- of the location on the map, as the directory tells it
CREATE INDEX listings_looks ON listings (look_at) WHERE look_at > 0;

-- +goose Down
DROP INDEX listings_looks;
ALTER TABLE listings DROP COLUMN place_id;
ALTER TABLE listings DROP COLUMN subject;
ALTER TABLE listings DROP COLUMN look_at;
