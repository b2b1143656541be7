-- +goose Up
CREATE TABLE trackings (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    domain      TEXT NOT NULL,   -- the target in its canonical form
    location_id BIGINT NOT NULL, -- 0 is anywhere
    platform_id BIGINT NOT NULL,
    config      TEXT NOT NULL,   -- JSON
    share_token TEXT UNIQUE,     -- NULL: not shared
    created_at  BIGINT NOT NULL,
    deleted_at  BIGINT
);
CREATE INDEX trackings_list ON trackings (account_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX trackings_target ON trackings (account_id, domain, location_id, platform_id) WHERE deleted_at IS NULL;

-- Keywords are numbered: ranks and tags name them by a small number in place of a long id.
CREATE TABLE keyword_numbers (
    last BIGINT NOT NULL
);
INSERT INTO keyword_numbers (last) VALUES (0);

-- A removed keyword stays, with its history, and returns when it is added again.
CREATE TABLE tracked_keywords (
    number      BIGINT PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    account_id  TEXT NOT NULL,
    tracking_id TEXT NOT NULL REFERENCES trackings (id) ON DELETE CASCADE,
    kw          TEXT NOT NULL,
    kw_key      TEXT NOT NULL, -- the same for all spellings of the keyword
    created_at  BIGINT NOT NULL,
    removed_at  BIGINT,
    UNIQUE (tracking_id, kw_key)
);
CREATE INDEX tracked_keywords_list ON tracked_keywords (tracking_id, number);
CREATE INDEX tracked_keywords_held ON tracked_keywords (account_id, number) WHERE removed_at IS NULL;

-- The part of a tracked keyword that changes every day.
CREATE TABLE rank_states (
    keyword       BIGINT PRIMARY KEY REFERENCES tracked_keywords (number) ON DELETE CASCADE,
    next_check_at BIGINT,                    -- 0: at once; NULL: never
    claimed_until BIGINT NOT NULL DEFAULT 0, -- a worker has it in hand until then
    failures      BIGINT NOT NULL DEFAULT 0, -- checks failed since the last that did not
    error         TEXT NOT NULL DEFAULT '',  -- why the last one failed
    checked_at    BIGINT,                    -- last check that did not fail
    first_rank    BIGINT,                    -- of the first check ever; 0: not ranked
    month         BIGINT NOT NULL DEFAULT 0, -- of the last check, as yyyymm
    chunk         BYTEA,                     -- the checks of that month
    urls          TEXT NOT NULL DEFAULT '',  -- every URL that has ranked, one a line; chunks name them by their place
    latest        TEXT NOT NULL DEFAULT ''   -- what the last check saw besides, as JSON
);
CREATE INDEX rank_states_due ON rank_states (next_check_at, keyword) WHERE next_check_at IS NOT NULL;

-- The months before the one in rank_states, put together by year: a year of a keyword is read with
-- two rows, and a day costs a few bytes.
CREATE TABLE rank_years (
    keyword BIGINT NOT NULL REFERENCES tracked_keywords (number) ON DELETE CASCADE,
    year    BIGINT NOT NULL,
    chunks  BYTEA NOT NULL,
    PRIMARY KEY (keyword, year)
);

CREATE TABLE tags (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL,
    tracking_id TEXT NOT NULL REFERENCES trackings (id) ON DELETE CASCADE,
    name        TEXT NOT NULL,
    name_key    TEXT NOT NULL,
    color       TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    UNIQUE (tracking_id, name_key)
);
CREATE INDEX tags_list ON tags (account_id, created_at DESC, id DESC);
CREATE INDEX tags_tracking ON tags (tracking_id, created_at DESC, id DESC);

CREATE TABLE keyword_tags (
    tag_id  TEXT NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    keyword BIGINT NOT NULL REFERENCES tracked_keywords (number) ON DELETE CASCADE,
    PRIMARY KEY (tag_id, keyword)
);
CREATE INDEX keyword_tags_keyword ON keyword_tags (keyword);

CREATE TABLE annotations (
    id             TEXT PRIMARY KEY,
    account_id     TEXT NOT NULL,
    tracking_id    TEXT NOT NULL REFERENCES trackings (id) ON DELETE CASCADE,
    date           TEXT NOT NULL,
    type           BIGINT NOT NULL,  -- 0: by a person, 1: automatic
    text           TEXT NOT NULL,
    keywords_count BIGINT,           -- added, or removed when negative
    non_shareable  BOOLEAN NOT NULL,
    created_at     BIGINT NOT NULL
);
CREATE INDEX annotations_list ON annotations (tracking_id, date, created_at, id);

-- +goose Down
DROP TABLE annotations;
DROP TABLE keyword_tags;
DROP TABLE tags;
DROP TABLE rank_years;
DROP TABLE rank_states;
DROP TABLE tracked_keywords;
DROP TABLE keyword_numbers;
DROP TABLE trackings;
