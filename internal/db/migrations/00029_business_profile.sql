-- +goose Up
-- Locations as Google Business Profile knows them. A row outlives its location until the profile has been let go of.
CREATE TABLE business_profiles (
    location_id    TEXT PRIMARY KEY,
    account_id     TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    google_account TEXT NOT NULL,    -- accounts/123
    name           TEXT NOT NULL,    -- locations/456; '' until the profile is found or made
    created        BOOLEAN NOT NULL, -- whether we made the profile
    sent           TEXT NOT NULL,    -- its fields as Google took them last, as JSON; '' before
    payments       TEXT NOT NULL,    -- the payment options as Google took them last, separated by commas
    media          TEXT NOT NULL,    -- the pictures there, as JSON
    category       TEXT NOT NULL,    -- the primary one, categories/gcid:x
    region         TEXT NOT NULL,    -- two letters
    synced         BOOLEAN NOT NULL, -- whether the newest message is done
    version        BIGINT NOT NULL,  -- of the newest message that was worked on
    working_until  BIGINT NOT NULL,  -- the lease of who works on it
    edits_until    BIGINT NOT NULL   -- when the edits made so far would have been made one by one at Google's pace
);
CREATE INDEX business_profiles_account ON business_profiles (account_id);

-- What Google calls our categories, in a country. An empty name is one that it does not know.
CREATE TABLE business_categories (
    category_id TEXT NOT NULL, -- of our catalogue
    region      TEXT NOT NULL,
    name        TEXT NOT NULL, -- categories/gcid:x
    read_at     BIGINT NOT NULL,
    PRIMARY KEY (category_id, region)
);

-- The types of hours that Google offers for a category of its own.
CREATE TABLE business_hour_types (
    category TEXT NOT NULL, -- categories/gcid:x
    region   TEXT NOT NULL,
    types    TEXT NOT NULL, -- as JSON
    read_at  BIGINT NOT NULL,
    PRIMARY KEY (category, region)
);

-- +goose Down
DROP TABLE business_hour_types;
DROP TABLE business_categories;
DROP TABLE business_profiles;
