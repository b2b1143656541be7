-- +goose Up
-- On what paper a mailed report is laid out, who gets it, and what came of the one that is due for each of them.
ALTER TABLE report_schedules ADD COLUMN paper TEXT NOT NULL DEFAULT 'a4';      -- a4, letter
ALTER TABLE report_schedules ADD COLUMN recipients TEXT NOT NULL DEFAULT '';   -- one a line; '' is the account's own address
ALTER TABLE report_schedules ADD COLUMN outcomes TEXT NOT NULL DEFAULT '';     -- JSON: who has the report that is due, or never will
CREATE INDEX report_schedules_subject ON report_schedules (subject_id);

-- Addresses beside its own that an account wants to mail to, and whether they want it. A row that was deleted stays for a while, so that
-- nobody is asked again too soon.
CREATE TABLE recipients (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    email        TEXT NOT NULL,
    stop_token   TEXT NOT NULL UNIQUE, -- in every mail: it ends them, and opens nothing
    created_at   BIGINT NOT NULL,
    asked_at     BIGINT NOT NULL,      -- when it was last asked
    confirmed_at BIGINT,               -- NULL while it has not said yes
    ended_at     BIGINT,               -- when it said no
    removed_at   BIGINT                -- when the account deleted it
);
CREATE UNIQUE INDEX recipients_account ON recipients (account_id, email);
CREATE INDEX recipients_removed ON recipients (removed_at) WHERE removed_at IS NOT NULL;
CREATE INDEX one_time_links_asked ON one_time_links (email, created_at) WHERE kind = 'recipient';

-- +goose Down
DROP INDEX one_time_links_asked;
DROP TABLE recipients;
DROP INDEX report_schedules_subject;
ALTER TABLE report_schedules DROP COLUMN outcomes;
ALTER TABLE report_schedules DROP COLUMN recipients;
ALTER TABLE report_schedules DROP COLUMN paper;
