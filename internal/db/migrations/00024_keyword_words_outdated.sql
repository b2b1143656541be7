-- +goose Up
-- Searches cut text into words in another way than earlier versions did. A row that such a version wrote is outdated
-- until background work has put its keyword under the words of today; so are those of one that still runs beside this.
ALTER TABLE keyword_words ADD COLUMN outdated BOOLEAN NOT NULL DEFAULT TRUE;
CREATE INDEX keyword_words_outdated ON keyword_words (account_id, kw) WHERE outdated;

-- +goose Down
DROP INDEX keyword_words_outdated;
ALTER TABLE keyword_words DROP COLUMN outdated;
