-- +goose Up
-- An import is written in many short transactions and seen all at once: a place counts while its import is
-- CURRENT. That of a source takes the stead of the one before, whose rows are then removed. A RUNNING one
-- belongs to the run that has last taken it.
DROP TABLE place_imports;
CREATE TABLE place_imports (
    id         BIGINT PRIMARY KEY,
    source     TEXT NOT NULL,
    file       TEXT NOT NULL, -- fingerprint
    run        BIGINT NOT NULL,
    state      TEXT NOT NULL, -- RUNNING, CURRENT, GONE
    records    BIGINT NOT NULL, -- read so far
    imported   BIGINT NOT NULL,
    bad        BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX place_imports_source ON place_imports (source);

-- What was there has an import for each source.
INSERT INTO place_imports (id, source, file, run, state, records, imported, bad, updated_at)
    SELECT row_number() OVER (ORDER BY source), source, '', 0, 'CURRENT', count(*), count(*), 0, 0 FROM places GROUP BY source;
ALTER TABLE place_revision ADD COLUMN runs BIGINT NOT NULL DEFAULT 0;
UPDATE place_revision SET revision = revision + 1, runs = (SELECT count(*) FROM place_imports);

ALTER TABLE places RENAME TO places_before;
CREATE TABLE places (
    import_id  BIGINT NOT NULL,
    id         TEXT NOT NULL,
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
    CONSTRAINT places_by_import PRIMARY KEY (import_id, id)
);
INSERT INTO places (import_id, id, cid, name, address, lat, lng, rating, reviews, categories, country, phone, website)
    SELECT i.id, p.id, p.cid, p.name, p.address, p.lat, p.lng, p.rating, p.reviews, p.categories, p.country, p.phone, p.website
    FROM places_before p JOIN place_imports i ON i.source = p.source;
DROP TABLE places_before;
CREATE INDEX places_id ON places (id);
CREATE INDEX places_cid ON places (cid);

-- +goose Down
ALTER TABLE places RENAME TO places_after;
CREATE TABLE places (
    id         TEXT CONSTRAINT places_by_id PRIMARY KEY,
    revision   BIGINT NOT NULL,
    cid        TEXT NOT NULL,
    name       TEXT NOT NULL,
    address    TEXT NOT NULL,
    lat        DOUBLE PRECISION NOT NULL,
    lng        DOUBLE PRECISION NOT NULL,
    rating     DOUBLE PRECISION NOT NULL,
    reviews    INTEGER NOT NULL,
    categories TEXT NOT NULL,
    country    TEXT NOT NULL,
    phone      TEXT NOT NULL,
    website    TEXT NOT NULL,
    source     TEXT NOT NULL
);
INSERT INTO places (id, revision, cid, name, address, lat, lng, rating, reviews, categories, country, phone, website, source)
    SELECT p.id, 1, p.cid, p.name, p.address, p.lat, p.lng, p.rating, p.reviews, p.categories, p.country, p.phone, p.website, i.source
    FROM places_after p JOIN place_imports i ON i.id = p.import_id
    WHERE i.id = (SELECT max(j.id) FROM places_after q JOIN place_imports j ON j.id = q.import_id WHERE q.id = p.id AND j.state = 'CURRENT');
DROP TABLE places_after;
CREATE INDEX places_revision ON places (revision);
ALTER TABLE place_revision DROP COLUMN runs;
DROP TABLE place_imports;
CREATE TABLE place_imports (
    file       TEXT PRIMARY KEY,
    records    BIGINT NOT NULL,
    imported   BIGINT NOT NULL,
    bad        BIGINT NOT NULL,
    done       BOOLEAN NOT NULL,
    updated_at BIGINT NOT NULL
);
