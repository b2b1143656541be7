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
    paused_at  BIGINT,
    next_at    BIGINT NOT NULL, -- when the next one is meant to be sent, which says what it covers
    due_at     BIGINT,          -- when it is sent, tried again, or taken from a process that counts as dead; NULL while it is paused
    failures   BIGINT NOT NULL, -- to send it
    told_day   TEXT NOT NULL,   -- local day of the last one that was sent or left out; '' before the first
    sent_at    BIGINT,          -- when the last one was sent
    problem    TEXT NOT NULL    -- why the last one was not
);
CREATE INDEX report_schedules_account ON report_schedules (account_id, created_at, id);
CREATE INDEX report_schedules_due ON report_schedules (due_at) WHERE due_at IS NOT NULL;

-- +goose Down
DROP TABLE report_schedules;
