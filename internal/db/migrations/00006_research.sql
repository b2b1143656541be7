-- +goose Up
-- What is known of keywords, by market. Rows without an account were imported by the operator and serve
-- every account; the others serve the account that brought them.
CREATE TABLE keywords (
    kw          TEXT NOT NULL,   -- in normal form
    account_id  TEXT NOT NULL,   -- '' is the operator
    location_id BIGINT NOT NULL, -- 0 is anywhere
    language_id BIGINT NOT NULL, -- 0 is any
    volume      BIGINT,          -- searches a month; a figure that nobody has told is NULL
    cpc         DOUBLE PRECISION,
    ppc         DOUBLE PRECISION,
    months      TEXT NOT NULL,   -- [[year, month from 0, volume], …], oldest first
    source      TEXT NOT NULL,   -- who told
    told_at     BIGINT NOT NULL,
    PRIMARY KEY (kw, account_id, location_id, language_id)
);

-- Every keyword that was ever seen, with or without figures, by its words.
CREATE TABLE keyword_words (
    word       TEXT NOT NULL,
    account_id TEXT NOT NULL,
    kw         TEXT NOT NULL,
    PRIMARY KEY (word, account_id, kw)
);

-- Result pages. An account sees its own only.
CREATE TABLE serps (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kw          TEXT NOT NULL,
    location_id BIGINT NOT NULL,
    platform_id BIGINT NOT NULL,
    fetched_at  BIGINT NOT NULL,
    month       BIGINT NOT NULL,  -- of fetched_at, as yyyymm
    page        BYTEA NOT NULL,   -- its items, packed
    thinned     BOOLEAN NOT NULL  -- the only one that is left of its month
);
CREATE INDEX serps_search ON serps (kw, location_id, platform_id, account_id, fetched_at);
CREATE INDEX serps_unthinned ON serps (fetched_at) WHERE NOT thinned;

-- The newest result page of each search, in a form that tells which domains rank for what. One line a
-- result in place of one row: a page of a hundred is written at once, and competitors are counted by
-- reading an account's rows in order.
CREATE TABLE searches (
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    location_id BIGINT NOT NULL,
    platform_id BIGINT NOT NULL,
    kw          TEXT NOT NULL,
    serp_id     TEXT NOT NULL,
    fetched_at  BIGINT NOT NULL,
    difficulty  BIGINT,
    hosts       TEXT NOT NULL,    -- of the organic results, each between line feeds
    PRIMARY KEY (account_id, location_id, kw, platform_id)
);
CREATE INDEX searches_cached ON searches (kw, location_id, platform_id, fetched_at);

-- What a data provider said that a domain ranks for, kept for a day: each answer is billed.
CREATE TABLE domain_lookups (
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    target      TEXT NOT NULL,
    location_id BIGINT NOT NULL,
    fetched_at  BIGINT NOT NULL,
    ranks       TEXT NOT NULL, -- keyword -> position, as JSON
    PRIMARY KEY (account_id, target, location_id)
);

-- Places of domains in imported lists of the web's most linked or most visited ones.
CREATE TABLE domain_ranks (
    domain  TEXT NOT NULL,
    source  TEXT NOT NULL,
    rank    BIGINT NOT NULL,
    told_at BIGINT NOT NULL,
    PRIMARY KEY (domain, source)
);
CREATE INDEX domain_ranks_source ON domain_ranks (source, told_at);

-- The pages that the built-in web search knows.
CREATE TABLE pages (
    address     TEXT PRIMARY KEY, -- the same for all spellings of the URL
    url         TEXT NOT NULL,
    title       TEXT NOT NULL,
    description TEXT NOT NULL,
    body        TEXT NOT NULL,
    country     TEXT NOT NULL,
    language    TEXT NOT NULL
);

-- A number that grows with every change to pages or domain_ranks, so that each process notices that
-- its index is old.
CREATE TABLE web_versions (
    name    TEXT PRIMARY KEY,
    version BIGINT NOT NULL
);

-- +goose Down
DROP TABLE web_versions;
DROP TABLE pages;
DROP TABLE domain_ranks;
DROP TABLE domain_lookups;
DROP TABLE searches;
DROP TABLE serps;
DROP TABLE keyword_words;
DROP TABLE keywords;
