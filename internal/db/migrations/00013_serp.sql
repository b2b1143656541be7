-- +goose Up
-- A check ends where it finds its target. Its page is kept as it is, and a search remembers it above the
-- newest whole page: the one tells of its own results, the other of those below them.
ALTER TABLE serps ADD COLUMN whole BOOLEAN NOT NULL DEFAULT FALSE; -- all that research shows is on it
ALTER TABLE searches ADD COLUMN top_id TEXT NOT NULL DEFAULT '';   -- newer page that ended early, '' without
ALTER TABLE searches ADD COLUMN top_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE searches ADD COLUMN top_hosts TEXT NOT NULL DEFAULT '';
-- Difficulty follows from hosts and domain_ranks and is computed when it is asked for; pages of other
-- accounts answer no question.
DROP INDEX searches_cached;
ALTER TABLE searches DROP COLUMN difficulty;

-- +goose Down
ALTER TABLE searches ADD COLUMN difficulty BIGINT;
CREATE INDEX searches_cached ON searches (kw, location_id, platform_id, fetched_at);
ALTER TABLE searches DROP COLUMN top_hosts;
ALTER TABLE searches DROP COLUMN top_at;
ALTER TABLE searches DROP COLUMN top_id;
ALTER TABLE serps DROP COLUMN whole;
