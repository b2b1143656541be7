-- +goose Up
-- The key that a token was made with: it ends with the key.
ALTER TABLE credentials ADD COLUMN parent_id TEXT REFERENCES credentials (id) ON DELETE CASCADE;
CREATE INDEX credentials_parent ON credentials (parent_id) WHERE parent_id IS NOT NULL;

-- +goose Down
DROP INDEX credentials_parent;
ALTER TABLE credentials DROP COLUMN parent_id;
