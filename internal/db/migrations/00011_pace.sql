-- +goose Up
-- What the processes of a store have agreed on about the pace of an account at a data provider.
CREATE TABLE provider_paces (
    account TEXT PRIMARY KEY, -- the provider and a fingerprint of its key
    state   TEXT NOT NULL     -- turns taken and slots held, as JSON
);

-- +goose Down
DROP TABLE provider_paces;
