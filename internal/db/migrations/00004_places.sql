-- +goose Up
-- Places of the built-in map search. revision is that of the write that last touched a row, so that a
-- process reads only what is new to it.
CREATE TABLE places (
    id         TEXT PRIMARY KEY,
    revision   BIGINT NOT NULL,
    cid        TEXT NOT NULL,
    name       TEXT NOT NULL,
    address    TEXT NOT NULL,
    lat        DOUBLE PRECISION NOT NULL,
    lng        DOUBLE PRECISION NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    reviews    INTEGER NOT NULL,
    categories TEXT NOT NULL, -- JSON
    country    TEXT NOT NULL,
    phone      TEXT NOT NULL,
    website    TEXT NOT NULL,
    source     TEXT NOT NULL
);
CREATE INDEX places_revision ON places (revision);

CREATE TABLE place_revision (
    id       INTEGER PRIMARY KEY CHECK (id = 1), -- there is one row
    revision BIGINT NOT NULL
);
INSERT INTO place_revision (id, revision) VALUES (1, 0);

-- How far the import of a file has come, by the file's fingerprint.
CREATE TABLE place_imports (
    file       TEXT PRIMARY KEY,
    records    BIGINT NOT NULL,
    imported   BIGINT NOT NULL,
    bad        BIGINT NOT NULL,
    done       BOOLEAN NOT NULL,
    updated_at BIGINT NOT NULL
);

-- +goose Down
DROP TABLE place_imports;
DROP TABLE place_revision;
DROP TABLE places;
