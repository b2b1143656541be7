-- +goose Up
-- How often a delivery was asked for again: what came of an attempt from before that says nothing of the one to come.
ALTER TABLE webhook_deliveries ADD COLUMN replays BIGINT NOT NULL DEFAULT 0;

-- A start with a wrong key paused webhooks for good. They wait for the key by now, and are told once it is there.
UPDATE webhooks SET paused_at = NULL, paused = '' WHERE paused = 'Its secret cannot be opened with the secret-key of this service; make a new webhook.';

-- +goose Down
ALTER TABLE webhook_deliveries DROP COLUMN replays;
