-- +goose Up
-- The words that a location is found by, folded. What was stored before is read into it in the background, as positions are.
ALTER TABLE locations ADD COLUMN search TEXT NOT NULL DEFAULT '';
UPDATE locations SET positioned = FALSE;

-- +goose Down
ALTER TABLE locations DROP COLUMN search;
