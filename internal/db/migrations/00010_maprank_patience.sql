-- +goose Up
ALTER TABLE campaigns ADD COLUMN next_set_at BIGINT NOT NULL DEFAULT 0; -- when next_report_at was reckoned
ALTER TABLE reports ADD COLUMN quiet_since BIGINT;                      -- asked in vain since; none while answers come
ALTER TABLE report_slices ADD COLUMN attempt INTEGER NOT NULL DEFAULT 0; -- of the job, the last that brought results
CREATE INDEX campaigns_reckoned ON campaigns (next_set_at) WHERE next_report_at IS NOT NULL;
ALTER TABLE campaign_counts DROP COLUMN owned; -- accounts.campaigns counts them

-- +goose Down
ALTER TABLE campaign_counts ADD COLUMN owned INTEGER NOT NULL DEFAULT 0;
UPDATE campaign_counts SET owned = (SELECT count(*) FROM campaigns c WHERE c.account_id = campaign_counts.account_id);
DROP INDEX campaigns_reckoned;
ALTER TABLE report_slices DROP COLUMN attempt;
ALTER TABLE reports DROP COLUMN quiet_since;
ALTER TABLE campaigns DROP COLUMN next_set_at;
