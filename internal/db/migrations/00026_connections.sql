-- +goose Up
-- Services of Google's that an account has connected. What opens them is sealed with the key of the configuration.
CREATE TABLE connections (
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    service      TEXT NOT NULL, -- search-console, business-profile
    kind         TEXT NOT NULL, -- refresh_token, service_account
    identity     TEXT NOT NULL, -- email of a service account, '' of a person
    sealed       TEXT NOT NULL,
    scopes       TEXT NOT NULL, -- separated by spaces
    connected_at BIGINT NOT NULL,
    broken_at    BIGINT,        -- since when Google refuses it; NULL while it works
    broken       TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (account_id, service)
);

-- People who are at Google's consent page. The state that they come back with is kept as its SHA-256.
CREATE TABLE connection_consents (
    state      BYTEA PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    service    TEXT NOT NULL,
    verifier   TEXT NOT NULL, -- of PKCE, sealed
    ends_at    BIGINT NOT NULL
);
CREATE INDEX connection_consents_account ON connection_consents (account_id, ends_at);

-- +goose Down
DROP TABLE connection_consents;
DROP TABLE connections;
