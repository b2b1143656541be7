-- +goose NO TRANSACTION
-- +goose Up
-- Locations whose words are to be read: those stored before there was room for them, and those that an older process writes while
-- versions run side by side. An index that was cut short is there but of no use.
DROP INDEX CONCURRENTLY IF EXISTS locations_underived;
CREATE INDEX CONCURRENTLY locations_underived ON locations (id) WHERE search = '';

-- +goose Down
DROP INDEX locations_underived;
