-- +goose Up
-- The zone in which an account's days and weeks are reckoned.
ALTER TABLE accounts ADD COLUMN zone TEXT NOT NULL DEFAULT 'UTC';

-- What an account wants to be told of, how and when.
CREATE TABLE alert_rules (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    subject_kind TEXT NOT NULL,            -- tracking, campaign, location, account
    subject_id   TEXT NOT NULL,            -- '' is all of that kind
    subject      TEXT NOT NULL,            -- its name when the rule was last changed
    condition    TEXT NOT NULL,
    threshold    DOUBLE PRECISION NOT NULL, -- 0 where the condition has none
    rival        TEXT NOT NULL,
    emails       TEXT NOT NULL,            -- one a line
    slack        TEXT NOT NULL,            -- the URL: sealed, or as it is where there is no key to seal with; '' is none
    slack_hint   TEXT NOT NULL,            -- as much of it as may be shown
    webhooks     BOOLEAN NOT NULL,         -- whether the account's webhooks are told
    pace         TEXT NOT NULL,            -- at_once, daily, weekly
    hour         BIGINT NOT NULL,          -- of a digest, in the account's zone
    weekday      BIGINT NOT NULL,          -- of a weekly one; 0 is Sunday
    created_at   BIGINT NOT NULL,
    paused_at    BIGINT,
    not_before   BIGINT NOT NULL DEFAULT 0 -- when alerts that wait are next put together
);
CREATE INDEX alert_rules_account ON alert_rules (account_id, subject_kind);

-- What was raised, for 90 days. Rows are written with what they tell of; an account that is deleted takes its own along, without
-- a foreign key that every check would have to lock.
CREATE TABLE alerts (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    rule_id    TEXT NOT NULL,
    data       TEXT NOT NULL, -- JSON
    at         BIGINT NOT NULL,
    digest_id  TEXT           -- that tells of it; NULL while it waits for one
);
CREATE INDEX alerts_account ON alerts (account_id, at, id);
CREATE INDEX alerts_age ON alerts (at);
CREATE INDEX alerts_rule ON alerts (rule_id, at);
CREATE INDEX alerts_waiting ON alerts (rule_id, at) WHERE digest_id IS NULL;
CREATE INDEX alerts_digest ON alerts (digest_id, at, id) WHERE digest_id IS NOT NULL;

-- A digest for one receiver: the outbox, and its log.
CREATE TABLE alert_messages (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    rule_id    TEXT NOT NULL,
    digest_id  TEXT NOT NULL,
    channel    TEXT NOT NULL,             -- email, slack
    address    TEXT NOT NULL,             -- of a mail
    at         BIGINT NOT NULL,
    due_at     BIGINT,                    -- of the next attempt, or when a process that tries counts as dead; NULL when it is settled
    status     TEXT NOT NULL DEFAULT 'pending', -- sent, failed
    attempts   BIGINT NOT NULL DEFAULT 0,
    tried_at   BIGINT,
    answer     TEXT NOT NULL DEFAULT ''   -- why the last attempt failed
);
CREATE INDEX alert_messages_due ON alert_messages (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alert_messages_digest ON alert_messages (digest_id);
CREATE INDEX alert_messages_account ON alert_messages (account_id, at);
CREATE INDEX alert_messages_age ON alert_messages (at);

-- +goose Down
DROP TABLE alert_messages;
DROP TABLE alerts;
DROP TABLE alert_rules;
ALTER TABLE accounts DROP COLUMN zone;
