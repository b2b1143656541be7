-- +goose Up
ALTER TABLE campaigns ADD COLUMN share_token TEXT; -- opens it to whoever has it; none when it is not shared
ALTER TABLE campaigns ADD COLUMN shared_at BIGINT; -- since when there is the token
CREATE INDEX campaigns_shared ON campaigns (account_id, shared_at) WHERE share_token IS NOT NULL;
ALTER TABLE campaign_access ADD COLUMN granted_at BIGINT NOT NULL DEFAULT 0;
UPDATE campaign_access SET granted_at = created_at; -- nobody noted it before

-- +goose Down
ALTER TABLE campaign_access DROP COLUMN granted_at;
DROP INDEX campaigns_shared;
ALTER TABLE campaigns DROP COLUMN shared_at;
ALTER TABLE campaigns DROP COLUMN share_token;
