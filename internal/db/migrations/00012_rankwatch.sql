-- +goose Up
-- The keywords of a deleted tracking stay as they were, so that it can still be read.
UPDATE tracked_keywords SET removed_at = NULL
WHERE removed_at = (SELECT t.deleted_at FROM trackings t WHERE t.id = tracked_keywords.tracking_id);

-- +goose Down
SELECT 1;
