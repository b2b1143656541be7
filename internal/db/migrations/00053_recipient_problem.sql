-- +goose Up
-- Why the letter that asks a recipient has not reached it, so that the account sees it.
ALTER TABLE recipients ADD COLUMN problem TEXT NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE recipients DROP COLUMN problem;
