-- +goose Up
-- What asking data providers has cost, kept with what they answered. It outlives campaigns, trackings and accounts: a budget counts
-- what was spent.
CREATE TABLE costs (
    month      INTEGER NOT NULL, -- UTC, as yyyymm
    provider   TEXT NOT NULL,
    account_id TEXT NOT NULL,    -- for whom was asked
    subject    TEXT NOT NULL,    -- campaign or tracking; '' is neither
    requests   BIGINT NOT NULL,
    cost       BIGINT NOT NULL,  -- millionths of a US dollar
    PRIMARY KEY (month, provider, account_id, subject)
);
CREATE INDEX costs_account ON costs (account_id, month);

-- What questions under way may cost at most. It counts against budgets until it is released, or until its process counts as dead.
CREATE TABLE reservations (
    id         TEXT PRIMARY KEY,
    provider   TEXT NOT NULL,
    account_id TEXT NOT NULL,
    amount     BIGINT NOT NULL,
    until      BIGINT NOT NULL
);

-- A row to lock for each budget, so that two processes do not reserve the same rest.
CREATE TABLE budget_locks (
    name TEXT PRIMARY KEY
);

-- Questions handed to providers that answer later. A row is there before its question is posted: one without a ticket may have been
-- posted by a process that died.
CREATE TABLE provider_orders (
    provider   TEXT NOT NULL,
    key        TEXT NOT NULL,    -- of the question, as who asks it names it
    tag        TEXT NOT NULL,    -- as the provider knows it
    ticket     TEXT NOT NULL,
    account_id TEXT NOT NULL,
    subject    TEXT NOT NULL,
    posted_at  BIGINT NOT NULL,
    PRIMARY KEY (provider, key)
);
CREATE INDEX provider_orders_age ON provider_orders (posted_at);
CREATE INDEX provider_orders_doubtful ON provider_orders (provider) WHERE ticket = '';

ALTER TABLE accounts ADD COLUMN budget BIGINT NOT NULL DEFAULT 0; -- of a month, for all providers; 0 is no limit
CREATE INDEX accounts_budget ON accounts (id) WHERE budget > 0;

-- Who answered; '' is from before it was kept.
ALTER TABLE report_keywords ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE serps ADD COLUMN provider TEXT NOT NULL DEFAULT '';
ALTER TABLE rank_states ADD COLUMN provider TEXT NOT NULL DEFAULT ''; -- to the newest check

-- +goose Down
ALTER TABLE rank_states DROP COLUMN provider;
ALTER TABLE serps DROP COLUMN provider;
ALTER TABLE report_keywords DROP COLUMN provider;
DROP INDEX accounts_budget;
ALTER TABLE accounts DROP COLUMN budget;
DROP TABLE provider_orders;
DROP TABLE budget_locks;
DROP TABLE reservations;
DROP TABLE costs;
