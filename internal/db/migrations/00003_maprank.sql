-- +goose Up
CREATE TABLE campaigns (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name            TEXT NOT NULL,
    status          TEXT NOT NULL,
    status_at       BIGINT NOT NULL,
    status_detail   TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    country         TEXT NOT NULL,
    zone            TEXT NOT NULL,   -- IANA zone of the business
    business        TEXT NOT NULL,   -- JSON
    grid            TEXT,            -- JSON; none when the points are the user's own
    points_id       TEXT NOT NULL,
    points_number   INTEGER NOT NULL,
    keywords_number INTEGER NOT NULL,
    frequency       TEXT,            -- JSON; none when collected by hand only
    frequency_at    BIGINT NOT NULL, -- when it was set: intervals count from there
    next_report_at  BIGINT,          -- the schedule
    last_report_at  BIGINT,
    metrics         TEXT NOT NULL,   -- JSON
    remove_at       BIGINT,          -- marked for removal
    search          TEXT NOT NULL    -- name and address in lower case
);
CREATE INDEX campaigns_account ON campaigns (account_id, created_at, id);
CREATE INDEX campaigns_due ON campaigns (next_report_at) WHERE next_report_at IS NOT NULL;
CREATE INDEX campaigns_removal ON campaigns (remove_at) WHERE remove_at IS NOT NULL;

-- Who sees a campaign, its owner included. It repeats what lists are ordered by, so that own and shared
-- campaigns are one list that an index serves.
CREATE TABLE campaign_access (
    account_id    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    campaign_id   TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    access        TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    business_name TEXT NOT NULL,
    PRIMARY KEY (account_id, campaign_id)
);
CREATE INDEX campaign_access_campaign ON campaign_access (campaign_id);
CREATE INDEX campaign_access_created ON campaign_access (account_id, created_at, campaign_id);
CREATE INDEX campaign_access_name ON campaign_access (account_id, business_name, campaign_id);

-- How many campaigns an account owns and sees: counting them would cost more the more there are.
CREATE TABLE campaign_counts (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    owned      INTEGER NOT NULL,
    seen       INTEGER NOT NULL
);

-- Sets of points. A set never changes: a new tracking area is a new set, and reports keep naming theirs.
CREATE TABLE campaign_points (
    id          TEXT PRIMARY KEY,
    campaign_id TEXT NOT NULL,
    points      BYTEA NOT NULL
);
CREATE INDEX campaign_points_campaign ON campaign_points (campaign_id);

CREATE TABLE campaign_keywords (
    id          TEXT PRIMARY KEY,
    campaign_id TEXT NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL,
    name        TEXT NOT NULL
);
CREATE INDEX campaign_keywords_campaign ON campaign_keywords (campaign_id, position);

-- Without a reference to campaigns: what a removed campaign leaves is deleted in pieces.
CREATE TABLE reports (
    id              TEXT PRIMARY KEY,
    campaign_id     TEXT NOT NULL,
    account_id      TEXT NOT NULL,    -- whose credits it costs
    at              BIGINT NOT NULL,  -- the report's own instant
    start_at        BIGINT NOT NULL,
    status          TEXT NOT NULL,
    points_id       TEXT NOT NULL,
    points_number   INTEGER NOT NULL, -- enabled ones: those that are asked
    keywords_number INTEGER NOT NULL,
    charged         BIGINT NOT NULL,
    refunded        BIGINT NOT NULL,
    month           INTEGER NOT NULL, -- that was charged, yyyymm
    reason          TEXT NOT NULL,
    ended_at        BIGINT,
    UNIQUE (campaign_id, at)
);
CREATE UNIQUE INDEX reports_running ON reports (campaign_id) WHERE status = 'COLLECTING';
CREATE INDEX reports_scheduled ON reports (start_at) WHERE status = 'SCHEDULED';

-- A keyword in a report: how the campaign's own business fares, and all results as one blob.
CREATE TABLE report_keywords (
    report_id   TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    keyword_id  TEXT NOT NULL,
    position    INTEGER NOT NULL,
    name        TEXT NOT NULL,
    status      TEXT NOT NULL,
    failed      INTEGER NOT NULL, -- points that could not be collected
    points      INTEGER NOT NULL, -- and the tally over those that could
    found       INTEGER NOT NULL,
    top         INTEGER NOT NULL,
    rank_sum    INTEGER NOT NULL,
    reciprocals BIGINT NOT NULL,
    result      BYTEA,
    PRIMARY KEY (report_id, keyword_id)
);
CREATE INDEX report_keywords_history ON report_keywords (keyword_id, report_id);

-- The dictionary of a report: ordinals from first on, those that one keyword brought in a row.
CREATE TABLE report_businesses (
    report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    part      INTEGER NOT NULL,
    first     INTEGER NOT NULL,
    number    INTEGER NOT NULL,
    keys      BYTEA NOT NULL,
    records   BYTEA NOT NULL,
    PRIMARY KEY (report_id, part)
);

-- What is left to ask: a row a slice, until its last point has arrived or was given up.
CREATE TABLE report_slices (
    report_id  TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    keyword_id TEXT NOT NULL,
    first      INTEGER NOT NULL,
    beyond     INTEGER NOT NULL, -- the point after its last
    stalls     INTEGER NOT NULL, -- rounds in a row that brought nothing
    PRIMARY KEY (report_id, keyword_id, first)
);

-- Points that have arrived, some in each row, until their keyword is done.
CREATE TABLE report_batches (
    report_id  TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    keyword_id TEXT NOT NULL,
    id         TEXT NOT NULL,
    points     INTEGER NOT NULL,
    results    BYTEA NOT NULL,
    PRIMARY KEY (report_id, keyword_id, id)
);

-- Campaigns whose reports are still to be deleted.
CREATE TABLE campaign_removals (
    campaign_id TEXT PRIMARY KEY
);

-- +goose Down
DROP TABLE campaign_removals;
DROP TABLE report_batches;
DROP TABLE report_slices;
DROP TABLE report_businesses;
DROP TABLE report_keywords;
DROP TABLE reports;
DROP TABLE campaign_keywords;
DROP TABLE campaign_points;
DROP TABLE campaign_counts;
DROP TABLE campaign_access;
DROP TABLE campaigns;
