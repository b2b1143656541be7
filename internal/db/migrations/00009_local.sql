-- +goose Up
-- Serves the sitemap in its order, from the index alone.
CREATE INDEX listings_pages ON listings (directory, status, location_id, updated_at) WHERE directory = 'page' AND status = 'CONNECTED';
-- An account counts its other locations itself.
CREATE INDEX locations_failed ON locations (account_id) WHERE status = 'FAILED';

-- Which locations have changed in what map search sees of them, numbered in the order of their commits.
-- A deleted location stays here until the revisions up to kept_from have been forgotten.
CREATE TABLE location_revision (
    id        INTEGER PRIMARY KEY,
    revision  BIGINT NOT NULL,
    kept_from BIGINT NOT NULL
);
INSERT INTO location_revision (id, revision, kept_from) VALUES (1, 1, 0);
CREATE TABLE location_changes (
    location_id TEXT PRIMARY KEY,
    revision    BIGINT NOT NULL
);
CREATE INDEX location_changes_revision ON location_changes (revision);
INSERT INTO location_changes (location_id, revision) SELECT id, 1 FROM locations;

-- The settings that locations are published with, as long as a process that has them renews its hold, and
-- what of them has been applied to what was there before.
CREATE TABLE publishing (
    id          INTEGER PRIMARY KEY,
    settings    TEXT NOT NULL,
    held_until  BIGINT NOT NULL,
    plans       TEXT NOT NULL,
    directories TEXT NOT NULL,
    walked      TEXT NOT NULL -- the last location that was told of changed directories
);
INSERT INTO publishing (id, settings, held_until, plans, directories, walked) VALUES (1, '', 0, '', '', '');
DROP TABLE directories;

-- An object without a reference is deleted when it is due: at once, when uploads of it have been given up,
-- or when the object store is to be tried again.
ALTER TABLE objects RENAME COLUMN touched_at TO due_at;
UPDATE objects SET due_at = due_at + 3600000000 WHERE NOT released;
ALTER TABLE objects DROP COLUMN released;
ALTER TABLE objects ADD COLUMN uploads BIGINT NOT NULL DEFAULT 0; -- under way; dead ones when it is due
ALTER TABLE objects ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;

ALTER TABLE images ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0; -- 0 for images from before they counted

-- +goose Down
ALTER TABLE images DROP COLUMN bytes;
ALTER TABLE objects DROP COLUMN attempts;
ALTER TABLE objects DROP COLUMN uploads;
ALTER TABLE objects ADD COLUMN released BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE objects RENAME COLUMN due_at TO touched_at;
CREATE TABLE directories (
    id          TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL
);
DROP TABLE publishing;
DROP TABLE location_changes;
DROP TABLE location_revision;
DROP INDEX locations_failed;
DROP INDEX listings_pages;
