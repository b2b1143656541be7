package client

import (
	"context"
	"net/http"
	"strings"

	"github.com/trigpoint/trigpoint/client/keyword"
)

// Trackings watch where a domain ranks for keywords.
type Trackings struct{ c *Client }

// Period is a span of days, YYYY-MM-DD; where one is empty the server takes the last 30 days.
type Period struct{ From, To string }

func (s Trackings) ask(ctx context.Context, method, path string, body, into any, q ...string) error {
	return s.c.do(ctx, call{area: keywordArea, method: method, path: "/rankwatch/trackings" + path, query: query(q...), body: body}, into)
}

// List reads all trackings, newest first, with their stats in a period.
func (s Trackings) List(ctx context.Context, in Period) (all []keyword.Tracking, err error) {
	err = s.ask(ctx, http.MethodGet, "", nil, &all, "from", in.From, "to", in.To)
	return all, err
}

// Create watches a domain.
func (s Trackings) Create(ctx context.Context, tracking keyword.NewTracking) (made keyword.TrackingCreated, err error) {
	err = s.ask(ctx, http.MethodPost, "", tracking, &made)
	return made, err
}

// Delete ends a tracking. What it has found can still be read.
func (s Trackings) Delete(ctx context.Context, id string) error {
	return s.ask(ctx, http.MethodDelete, segment(id), nil, nil)
}

// Keywords reads the keywords of a tracking with their last rank.
func (s Trackings) Keywords(ctx context.Context, id string) (all []keyword.TrackedKeyword, err error) {
	err = s.ask(ctx, http.MethodGet, segment(id)+"/tracked-keywords", nil, &all)
	return all, err
}

// AddKeywords tracks more keywords; those that are tracked already are not added again.
func (s Trackings) AddKeywords(ctx context.Context, id string, keywords ...string) (added keyword.KeywordsAdded, err error) {
	err = s.ask(ctx, http.MethodPost, segment(id)+"/tracked-keywords", map[string]any{"keywords": keywords}, &added)
	return added, err
}

// RemoveKeywords tracks the keywords with these ids no longer. Their history is kept.
func (s Trackings) RemoveKeywords(ctx context.Context, id string, keywordIDs ...string) error {
	return s.ask(ctx, http.MethodDelete, segment(id)+"/tracked-keywords", map[string]any{"tracked_keyword_ids": keywordIDs}, nil)
}

// Keyword reads one keyword with its rank on every day of a period.
func (s Trackings) Keyword(ctx context.Context, id, keywordID string, in Period) (one keyword.KeywordDetail, err error) {
	err = s.ask(ctx, http.MethodGet, segment(id)+"/tracked-keywords"+segment(keywordID), nil, &one, "from", in.From, "to", in.To)
	return one, err
}

// Rankings reads how the keywords with these ids have ranked in a period, or all of them.
func (s Trackings) Rankings(ctx context.Context, id string, in Period, keywordIDs ...string) (stats keyword.Stats, err error) {
	body := map[string]any{}
	if len(keywordIDs) > 0 {
		body["kwIds"] = keywordIDs
	}
	err = s.ask(ctx, http.MethodPost, segment(id)+"/stats", body, &stats, "from", in.From, "to", in.To)
	return stats, err
}

// Annotate writes a remark at a day, YYYY-MM-DD, which is shown beside the ranks.
func (s Trackings) Annotate(ctx context.Context, id, day, text string) (made keyword.Annotation, err error) {
	err = s.ask(ctx, http.MethodPost, segment(id)+"/annotations", map[string]any{"date": day, "text": text}, &made)
	return made, err
}

// Places finds the ids of locations to track from, by the start of their name.
func (s Trackings) Places(ctx context.Context, name string) (found []keyword.Location, err error) {
	err = s.c.do(ctx, call{area: keywordArea, method: http.MethodGet, path: "/shared/locations", query: query("query", strings.TrimSpace(name))}, &found)
	return found, err
}
