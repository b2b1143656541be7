-- +goose Up
CREATE TABLE accounts (
    id         TEXT PRIMARY KEY,
    email      TEXT NOT NULL UNIQUE,
    plan       TEXT NOT NULL,
    feed_token TEXT NOT NULL UNIQUE,
    locations  INTEGER NOT NULL DEFAULT 0, -- places of the plan that its locations take
    created_at BIGINT NOT NULL
);

-- API keys and access tokens. Only the SHA-256 of a secret is kept.
CREATE TABLE credentials (
    id         TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,
    hash       BYTEA NOT NULL UNIQUE,
    hint       TEXT NOT NULL,
    name       TEXT NOT NULL,
    read_only  BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX credentials_account ON credentials (account_id, created_at);

-- What an account has spent in a UTC calendar month (yyyymm).
CREATE TABLE credit_months (
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    month      INTEGER NOT NULL,
    spent      BIGINT NOT NULL,
    PRIMARY KEY (account_id, month)
);

-- The first answer to a request that carried an Idempotency-Key.
CREATE TABLE idempotency (
    account_id  TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    key         TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    answer      TEXT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_age ON idempotency (created_at);

-- +goose Down
DROP TABLE idempotency;
DROP TABLE credit_months;
DROP TABLE credentials;
DROP TABLE accounts;
