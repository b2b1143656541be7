-- +goose Up
-- Each source has a row of its own, so that figures shown together were told together. Vendors also tell how hard it is to
-- rank for a keyword.
ALTER TABLE keywords RENAME TO keywords_of_one_source;
CREATE TABLE keywords (
    kw           TEXT NOT NULL,   -- in normal form
    account_id   TEXT NOT NULL,   -- '' is the operator
    location_id  BIGINT NOT NULL, -- 0 is anywhere
    language_id  BIGINT NOT NULL, -- 0 is any
    source       TEXT NOT NULL,   -- who told
    told_at      BIGINT NOT NULL,
    volume       BIGINT,          -- searches a month; a figure that nobody has told is NULL
    cpc          DOUBLE PRECISION,
    ppc          DOUBLE PRECISION,
    bid          DOUBLE PRECISION,
    bid_currency TEXT NOT NULL,   -- three letters; '' without a bid
    difficulty   DOUBLE PRECISION,
    months       TEXT NOT NULL,   -- [[year, month from 0, volume], …], oldest first
    PRIMARY KEY (kw, account_id, location_id, language_id, source)
);
INSERT INTO keywords (kw, account_id, location_id, language_id, source, told_at, volume, cpc, ppc, bid, bid_currency, months)
SELECT kw, account_id, location_id, language_id, source, told_at, volume, cpc, ppc, bid, bid_currency, months FROM keywords_of_one_source;
DROP TABLE keywords_of_one_source;

-- What data providers answered, kept while it is fresh: each answer is billed.
CREATE TABLE provider_answers (
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    question    TEXT NOT NULL,   -- ranks, ideas, suggestions, competitors or links
    subject     TEXT NOT NULL,   -- keyword or target that it is about
    location_id BIGINT NOT NULL,
    language_id BIGINT NOT NULL,
    source      TEXT NOT NULL,   -- name of the provider
    told_at     BIGINT NOT NULL,
    answer      TEXT NOT NULL,   -- JSON
    PRIMARY KEY (account_id, question, subject, location_id, language_id)
);
CREATE INDEX provider_answers_told ON provider_answers (told_at);
DROP TABLE domain_lookups;

-- +goose Down
CREATE TABLE domain_lookups (
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    target      TEXT NOT NULL,
    location_id BIGINT NOT NULL,
    fetched_at  BIGINT NOT NULL,
    ranks       TEXT NOT NULL, -- keyword -> position, as JSON
    PRIMARY KEY (account_id, target, location_id)
);
DROP TABLE provider_answers;
ALTER TABLE keywords RENAME TO keywords_of_many_sources;
CREATE TABLE keywords (
    kw           TEXT NOT NULL,
    account_id   TEXT NOT NULL,
    location_id  BIGINT NOT NULL,
    language_id  BIGINT NOT NULL,
    volume       BIGINT,
    cpc          DOUBLE PRECISION,
    ppc          DOUBLE PRECISION,
    months       TEXT NOT NULL,
    source       TEXT NOT NULL,
    told_at      BIGINT NOT NULL,
    bid          DOUBLE PRECISION,
    bid_currency TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (kw, account_id, location_id, language_id)
);
INSERT INTO keywords (kw, account_id, location_id, language_id, volume, cpc, ppc, months, source, told_at, bid, bid_currency)
SELECT kw, account_id, location_id, language_id, volume, cpc, ppc, months, source, told_at, bid, bid_currency FROM keywords_of_many_sources WHERE TRUE
ORDER BY told_at DESC
ON CONFLICT (kw, account_id, location_id, language_id) DO NOTHING;
DROP TABLE keywords_of_many_sources;
