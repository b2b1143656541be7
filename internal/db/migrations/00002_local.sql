-- +goose Up
CREATE TABLE locations (
    id           TEXT PRIMARY KEY,
    account_id   TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    status       TEXT NOT NULL,
    frozen       BOOLEAN NOT NULL,
    submitted_at BIGINT NOT NULL,
    version      BIGINT NOT NULL, -- grows with every accepted change; a publication names the one it is of
    profile      TEXT NOT NULL,   -- what the user sent, as JSON
    errors       TEXT NOT NULL
);
-- Serves the list in its order, and the counts without touching the rows.
CREATE INDEX locations_list ON locations (account_id, submitted_at DESC, id DESC, status, frozen);
CREATE INDEX locations_frozen ON locations (account_id) WHERE frozen;
CREATE INDEX locations_unpublished ON locations (id) WHERE status = 'PROCESSING';

CREATE TABLE listings (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL,
    location_id TEXT NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    directory   TEXT NOT NULL,
    status      TEXT NOT NULL,
    wanted      BOOLEAN NOT NULL, -- false once disabled
    url         TEXT NOT NULL,
    detail      TEXT NOT NULL,
    version     BIGINT NOT NULL,  -- of the location, as last handed to the directory
    updated_at  BIGINT NOT NULL,
    UNIQUE (location_id, directory)
);
CREATE INDEX listings_directory ON listings (directory, account_id, status);

-- Stored image bytes by content; an object without a reference is deleted.
CREATE TABLE objects (
    name       TEXT PRIMARY KEY,
    refs       BIGINT NOT NULL,
    released   BOOLEAN NOT NULL, -- its last reference is gone; else refs = 0 is an upload under way
    deleting   BOOLEAN NOT NULL, -- it is being taken out of the object store
    touched_at BIGINT NOT NULL
);
CREATE INDEX objects_unused ON objects (touched_at) WHERE refs = 0;

CREATE TABLE images (
    id          TEXT PRIMARY KEY,
    account_id  TEXT NOT NULL,
    location_id TEXT NOT NULL REFERENCES locations (id) ON DELETE CASCADE,
    type        TEXT NOT NULL,
    object      TEXT NOT NULL REFERENCES objects (name),
    description TEXT NOT NULL,
    created_at  BIGINT NOT NULL
);
CREATE INDEX images_list ON images (location_id, created_at DESC, id DESC, type);
CREATE INDEX images_object ON images (object);

-- The settings a directory was last run with; a change makes its listings publish again.
CREATE TABLE directories (
    id          TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL
);

-- +goose Down
DROP TABLE directories;
DROP TABLE images;
DROP TABLE objects;
DROP TABLE listings;
DROP TABLE locations;
