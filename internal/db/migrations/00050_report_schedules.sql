-- +goose Up
-- Reports that are mailed to an account again and again.
CREATE TABLE report_schedules (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,   -- campaign, tracking, account
    subject_id TEXT NOT NULL,   -- of the campaign or tracking; '' of an account
    frequency  TEXT NOT NULL,   -- WEEKLY, MONTHLY
    day        BIGINT NOT NULL, -- 1 is Monday, or the first of the month
    hour       BIGINT NOT NULL, -- in the account's zone
    created_at BIGINT NOT NULL,
    next_at    BIGINT NOT NULL,              -- when the next one is due
    free_at    BIGINT NOT NULL DEFAULT 0,    -- until then a process sends it, or it waits after a failure
    failures   BIGINT NOT NULL DEFAULT 0,    -- of it
    told_at    BIGINT NOT NULL DEFAULT 0,    -- the newest data that was sent
    sent_at    BIGINT,                       -- when the last one was sent
    problem    TEXT NOT NULL DEFAULT ''      -- why the last one was not
);
CREATE INDEX report_schedules_account ON report_schedules (account_id, created_at, id);
CREATE INDEX report_schedules_due ON report_schedules (next_at);

-- +goose Down
DROP TABLE report_schedules;
