-- +goose Up
-- What has happened in an account, for a week. Rows are written with the change that they tell of; an account that is deleted
-- takes its own along, without a foreign key that every change would have to lock.
CREATE TABLE events (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL,
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL, -- id of what it happened to
    data       TEXT NOT NULL, -- JSON
    at         BIGINT NOT NULL
);
CREATE INDEX events_account ON events (account_id, at, id);
CREATE INDEX events_age ON events (at);

-- Where an account is told of them.
CREATE TABLE webhooks (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    url         TEXT NOT NULL,
    kinds       TEXT NOT NULL,           -- ' report.collected report.failed '; '' is all
    secret      TEXT NOT NULL,           -- that signs: sealed, or whsec_… where there is no key to seal with
    created_at  BIGINT NOT NULL,
    paused_at   BIGINT,                  -- NULL while it is told
    paused      TEXT NOT NULL DEFAULT '', -- why, where it was not its owner
    faults      BIGINT NOT NULL DEFAULT 0, -- turns in a row in which it took nothing
    busy_until  BIGINT NOT NULL DEFAULT 0  -- a process tells it, or it is left alone after a fault
);
CREATE INDEX webhooks_account ON webhooks (account_id, created_at);

-- An event that a webhook is, or was, told of. No foreign key to webhooks: one that is deleted must not fail the change of which it
-- was to be told.
CREATE TABLE webhook_deliveries (
    event_id   TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    webhook_id TEXT NOT NULL,
    at         BIGINT NOT NULL,           -- of the event
    due_at     BIGINT,                    -- of the next attempt; NULL when there is none
    status     TEXT NOT NULL DEFAULT 'pending', -- delivered, failed
    attempts   BIGINT NOT NULL DEFAULT 0,
    tried_at   BIGINT,
    took       BIGINT NOT NULL DEFAULT 0, -- the last attempt, in microseconds
    code       BIGINT NOT NULL DEFAULT 0, -- of the last answer; 0 when there was none
    answer     TEXT NOT NULL DEFAULT '',  -- its beginning, or why there was none
    PRIMARY KEY (event_id, webhook_id)
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, at, event_id);

-- +goose Down
DROP TABLE webhook_deliveries;
DROP TABLE webhooks;
DROP TABLE events;
