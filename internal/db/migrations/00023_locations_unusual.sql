-- +goose Up
-- Locations that are not simply COMPLETED, which are few: lists find and count them without reading the others.
CREATE INDEX locations_unusual ON locations (account_id, submitted_at DESC, id DESC, status, frozen) WHERE status <> 'COMPLETED' OR frozen;

-- +goose Down
DROP INDEX locations_unusual;
