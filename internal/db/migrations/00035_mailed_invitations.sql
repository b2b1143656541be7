-- +goose Up
-- How many invitations an address was sent of late is asked before it is sent another.
CREATE INDEX one_time_links_invited ON one_time_links (email, created_at) WHERE kind = 'invite';

-- +goose Down
DROP INDEX one_time_links_invited;
