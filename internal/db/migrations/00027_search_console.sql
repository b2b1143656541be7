-- +goose Up
-- Properties of Google Search Console that trackings are linked to. What is fetched of one serves all of them.
CREATE TABLE console_properties (
    id            TEXT PRIMARY KEY,
    account_id    TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    site_url      TEXT NOT NULL,
    first_day     INTEGER NOT NULL, -- how far back is fetched, in days since 1970-01-01
    next_fetch_at BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL DEFAULT 0,
    failures      INTEGER NOT NULL DEFAULT 0, -- in a row
    error         TEXT NOT NULL DEFAULT '',
    fetched_at    BIGINT, -- last time that all there was has been fetched
    UNIQUE (account_id, site_url)
);
CREATE INDEX console_properties_due ON console_properties (next_fetch_at);

CREATE TABLE console_links (
    tracking_id TEXT PRIMARY KEY REFERENCES trackings (id) ON DELETE CASCADE,
    property_id TEXT NOT NULL REFERENCES console_properties (id) ON DELETE CASCADE,
    linked_at   BIGINT NOT NULL
);
CREATE INDEX console_links_property ON console_links (property_id);

-- A day of a property, written once. Rows are packed: one each would be tens of thousands a day.
CREATE TABLE console_days (
    property_id TEXT NOT NULL REFERENCES console_properties (id) ON DELETE CASCADE,
    day         INTEGER NOT NULL, -- days since 1970-01-01, Pacific time
    cut         BOOLEAN NOT NULL, -- there were more rows than are kept
    queries     BYTEA NOT NULL,   -- by query, country and device
    pages       BYTEA NOT NULL,   -- by query, page, country and device
    fetched_at  BIGINT NOT NULL,
    PRIMARY KEY (property_id, day)
);

-- +goose Down
DROP TABLE console_days;
DROP TABLE console_links;
DROP TABLE console_properties;
