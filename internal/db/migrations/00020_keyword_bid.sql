-- +goose Up
-- Bids in another currency than USD, as they were told; cpc is USD only.
ALTER TABLE keywords ADD COLUMN bid DOUBLE PRECISION;
ALTER TABLE keywords ADD COLUMN bid_currency TEXT NOT NULL DEFAULT ''; -- three letters; '' without a bid

-- +goose Down
ALTER TABLE keywords DROP COLUMN bid_currency;
ALTER TABLE keywords DROP COLUMN bid;
