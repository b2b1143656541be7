-- +goose Up
-- What an account holds of each thing that its plan limits; counting would cost more the more there is.
ALTER TABLE accounts ADD COLUMN campaigns BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN trackings BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN keywords BIGINT NOT NULL DEFAULT 0;        -- tracked ones
ALTER TABLE accounts ADD COLUMN image_bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN stored_keywords BIGINT NOT NULL DEFAULT 0; -- with figures, in the research store

UPDATE accounts SET
    campaigns = (SELECT count(*) FROM campaigns c WHERE c.account_id = accounts.id),
    trackings = (SELECT count(*) FROM trackings t WHERE t.account_id = accounts.id AND t.deleted_at IS NULL),
    keywords = (SELECT count(*) FROM tracked_keywords k WHERE k.account_id = accounts.id AND k.removed_at IS NULL),
    stored_keywords = (SELECT count(*) FROM keywords k WHERE k.account_id = accounts.id);

-- What an account has used of its monthly quotas, by UTC calendar month (yyyymm).
CREATE TABLE quota_months (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    quota      TEXT NOT NULL,
    month      INTEGER NOT NULL,
    used       BIGINT NOT NULL,
    PRIMARY KEY (account_id, quota, month)
);
INSERT INTO quota_months (account_id, quota, month, used) SELECT account_id, 'credits', month, spent FROM credit_months;
DROP TABLE credit_months;

-- +goose Down
CREATE TABLE credit_months (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    month      INTEGER NOT NULL,
    spent      BIGINT NOT NULL,
    PRIMARY KEY (account_id, month)
);
INSERT INTO credit_months (account_id, month, spent) SELECT account_id, month, used FROM quota_months WHERE quota = 'credits';
DROP TABLE quota_months;
ALTER TABLE accounts DROP COLUMN stored_keywords;
ALTER TABLE accounts DROP COLUMN image_bytes;
ALTER TABLE accounts DROP COLUMN keywords;
ALTER TABLE accounts DROP COLUMN trackings;
ALTER TABLE accounts DROP COLUMN campaigns;
