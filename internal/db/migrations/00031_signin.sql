-- +goose Up
-- Passwords of people who sign in. An account without one is used with keys only.
CREATE TABLE logins (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    password   TEXT NOT NULL, -- argon2id, with its parameters and salt, as a PHC string
    changed_at BIGINT NOT NULL
);

-- People who are signed in. The token in their cookie is kept as its SHA-256.
CREATE TABLE sessions (
    id           TEXT PRIMARY KEY,
    hash         BYTEA NOT NULL UNIQUE,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    user_agent   TEXT NOT NULL,
    address      TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    last_seen_at BIGINT NOT NULL, -- to ten minutes
    expires_at   BIGINT NOT NULL
);
CREATE INDEX sessions_account ON sessions (account_id, created_at);
CREATE INDEX sessions_end ON sessions (expires_at);

-- Links that work once. Their secret is kept as its SHA-256.
CREATE TABLE one_time_links (
    id         TEXT PRIMARY KEY,
    hash       BYTEA NOT NULL UNIQUE,
    kind       TEXT NOT NULL, -- setup, reset, invite
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE, -- whose password is reset, or who invites
    email      TEXT NOT NULL, -- of who is invited, else ''
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX one_time_links_account ON one_time_links (account_id, kind, created_at);
CREATE INDEX one_time_links_end ON one_time_links (expires_at);

-- Passwords tried in vain, by the SHA-256 of the email: whether it has an account or not.
CREATE TABLE failed_sign_ins (
    email         BYTEA PRIMARY KEY,
    tries         INTEGER NOT NULL,
    last_at       BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL
);
CREATE INDEX failed_sign_ins_age ON failed_sign_ins (last_at);

-- A consent that was begun in the browser is finished there, by the same account.
ALTER TABLE connection_consents ADD COLUMN by_session BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Down
ALTER TABLE connection_consents DROP COLUMN by_session;
DROP TABLE failed_sign_ins;
DROP TABLE one_time_links;
DROP TABLE sessions;
DROP TABLE logins;
