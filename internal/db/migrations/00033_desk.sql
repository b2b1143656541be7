-- +goose Up
-- How an account shows itself on what it shares and publishes.
CREATE TABLE brands (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    colour     TEXT NOT NULL, -- #rrggbb
    logo_name  TEXT,          -- content hash and extension; NULL without a logo
    logo       BYTEA
);
CREATE INDEX brands_logo ON brands (logo_name) WHERE logo_name IS NOT NULL;

ALTER TABLE credentials ADD COLUMN last_used_at BIGINT; -- to the hour

-- Figures of the campaign's own business over the keywords of a report; NULL without an observation.
ALTER TABLE reports ADD COLUMN average_position DOUBLE PRECISION;
ALTER TABLE reports ADD COLUMN share_of_voice DOUBLE PRECISION;
UPDATE reports SET
    average_position = (SELECT avg((k.rank_sum + 21.0 * (k.points - k.found)) / k.points) FROM report_keywords k WHERE k.report_id = reports.id AND k.points > 0),
    share_of_voice = (SELECT avg(100.0 * k.reciprocals / (k.points * 837527025.0)) FROM report_keywords k WHERE k.report_id = reports.id AND k.points > 0)
WHERE status = 'COLLECTED';
CREATE INDEX reports_collecting ON reports (account_id) WHERE status = 'COLLECTING';

-- When a campaign was reported last and how far that moved its average position: what changed most is found from the index alone.
ALTER TABLE campaign_access ADD COLUMN last_report_at BIGINT;
ALTER TABLE campaign_access ADD COLUMN moved DOUBLE PRECISION NOT NULL DEFAULT 0;
UPDATE campaign_access SET
    last_report_at = (SELECT c.last_report_at FROM campaigns c WHERE c.id = campaign_access.campaign_id),
    moved = coalesce(abs((SELECT r.average_position FROM reports r WHERE r.campaign_id = campaign_access.campaign_id AND r.status = 'COLLECTED' ORDER BY r.at DESC LIMIT 1)
        - (SELECT r.average_position FROM reports r WHERE r.campaign_id = campaign_access.campaign_id AND r.status = 'COLLECTED' ORDER BY r.at DESC LIMIT 1 OFFSET 1)), 0);
CREATE INDEX campaign_access_moved ON campaign_access (account_id, last_report_at, moved, campaign_id) WHERE last_report_at IS NOT NULL;

-- What the ranks of a tracking say in short, so that many of them are read as quickly as one. A sweep reckons it anew when it is due.
CREATE TABLE tracking_summaries (
    tracking_id TEXT PRIMARY KEY REFERENCES trackings (id) ON DELETE CASCADE,
    account_id  TEXT NOT NULL,
    due_at      BIGINT NOT NULL,            -- one that is being reckoned is due again when its process must be dead
    keywords    BIGINT NOT NULL DEFAULT 0,
    visibility  DOUBLE PRECISION,           -- index of the newest day; NULL before the first check
    change      DOUBLE PRECISION NOT NULL DEFAULT 0, -- since a week before
    moved       DOUBLE PRECISION NOT NULL DEFAULT 0, -- the same without its sign
    trend       TEXT NOT NULL DEFAULT '[]'  -- indices of the last 30 days as JSON, oldest first
);
CREATE INDEX tracking_summaries_due ON tracking_summaries (due_at);
CREATE INDEX tracking_summaries_moved ON tracking_summaries (account_id, moved DESC, tracking_id DESC);
INSERT INTO tracking_summaries (tracking_id, account_id, due_at) SELECT id, account_id, 0 FROM trackings WHERE deleted_at IS NULL;

-- The keywords of each tracking that moved most within a week.
CREATE TABLE tracking_movers (
    keyword     BIGINT PRIMARY KEY REFERENCES tracked_keywords (number) ON DELETE CASCADE,
    tracking_id TEXT NOT NULL,
    account_id  TEXT NOT NULL,
    rank        BIGINT,          -- the last; NULL: not ranked
    change      BIGINT NOT NULL  -- places won
);
CREATE INDEX tracking_movers_tracking ON tracking_movers (tracking_id);
CREATE INDEX tracking_movers_change ON tracking_movers (account_id, change);

-- Listings that are not as their owner wants them.
CREATE INDEX listings_troubled ON listings (account_id, directory, location_id, updated_at) WHERE status = 'UNAVAILABLE' AND wanted;

-- +goose Down
DROP INDEX listings_troubled;
DROP TABLE tracking_movers;
DROP TABLE tracking_summaries;
DROP INDEX campaign_access_moved;
ALTER TABLE campaign_access DROP COLUMN moved;
ALTER TABLE campaign_access DROP COLUMN last_report_at;
DROP INDEX reports_collecting;
ALTER TABLE reports DROP COLUMN share_of_voice;
ALTER TABLE reports DROP COLUMN average_position;
ALTER TABLE credentials DROP COLUMN last_used_at;
DROP TABLE brands;
