package client

import (
	"context"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/client/maprank"
)

// Campaigns track where a business ranks in map search.
type Campaigns struct{ c *Client }

// CampaignFilter chooses campaigns; the zero value is all of them.
type CampaignFilter struct {
	Query string // part of the name, or of the business's address
}

// campaignPage is how many campaigns are asked for at once, the most that the server gives.
const campaignPage = 100

// List goes through all campaigns, newest first, and asks for the next page when it is needed. It ends with the first error.
func (s Campaigns) List(ctx context.Context, filter CampaignFilter) iter.Seq2[maprank.CampaignItem, error] {
	return pages(func(page int) ([]maprank.CampaignItem, bool, error) {
		answer, err := s.page(ctx, filter, page, campaignPage)
		return answer.Content, answer.Last, err
	})
}

// Count is how many campaigns a filter chooses.
func (s Campaigns) Count(ctx context.Context, filter CampaignFilter) (int64, error) {
	answer, err := s.page(ctx, filter, 0, 1)
	return answer.TotalElements, err
}

func (s Campaigns) page(ctx context.Context, filter CampaignFilter, page, size int) (maprank.PageCampaignItem, error) {
	return get[maprank.PageCampaignItem](ctx, s.c, call{area: mapArea, method: http.MethodGet, path: "/campaigns", query: query(
		"query", filter.Query, "page", number(page), "size", number(size),
	)})
}

// Get reads one campaign.
func (s Campaigns) Get(ctx context.Context, id string) (maprank.Campaign, error) {
	return get[maprank.Campaign](ctx, s.c, call{area: mapArea, method: http.MethodGet, path: "/campaigns" + segment(id)})
}

// Create makes a campaign.
func (s Campaigns) Create(ctx context.Context, campaign maprank.NewCampaign) (maprank.Campaign, error) {
	return get[maprank.Campaign](ctx, s.c, call{area: mapArea, method: http.MethodPost, path: "/campaigns", body: campaign})
}

// Delete removes a campaign and all its reports for good.
func (s Campaigns) Delete(ctx context.Context, id string) error {
	return s.c.do(ctx, call{area: mapArea, method: http.MethodDelete, path: "/campaigns" + segment(id)}, nil)
}

// Look chooses what is seen of a campaign. The zero value is its first keyword in its last report, and its own business.
type Look struct {
	KeywordID  string
	ReportDate time.Time
	CID        string   // of a competitor
	PlaceIDs   []string // of a competitor without a CID
	Reports    int      // how many reports a view goes back
}

func (s Campaigns) look(id, what string, at Look, more ...string) call {
	reports := ""
	if at.Reports > 0 {
		reports = number(at.Reports)
	}
	q := query(append(more, "keywordId", at.KeywordID, "reportDate", instant(at.ReportDate), "cid", at.CID,
		"placeIds", strings.Join(at.PlaceIDs, ","), "reports", reports)...)
	return call{area: mapArea, method: http.MethodGet, path: "/campaigns" + segment(id) + what, query: q}
}

// View reads one business and keyword over the reports, beside its competitors and the other keywords.
func (s Campaigns) View(ctx context.Context, id string, at Look) (maprank.CampaignView, error) {
	return get[maprank.CampaignView](ctx, s.c, s.look(id, "/view", at))
}

// Heatmap reads the position at each point. KeywordID, ReportDate and the business must be given.
func (s Campaigns) Heatmap(ctx context.Context, id string, at Look) (maprank.Heatmap, error) {
	at.Reports = 0
	return get[maprank.Heatmap](ctx, s.c, s.look(id, "/heatmap", at))
}

// Competitors goes through those who rank for a keyword in a report, the best first. KeywordID and ReportDate must be given.
func (s Campaigns) Competitors(ctx context.Context, id string, at Look) iter.Seq2[maprank.Competitor, error] {
	at.Reports, at.CID, at.PlaceIDs = 0, "", nil
	return pages(func(page int) ([]maprank.Competitor, bool, error) {
		answer, err := get[maprank.TopCompetitors](ctx, s.c, s.look(id, "/top-competitors", at, "page", number(page), "size", number(campaignPage)))
		return answer.Competitors.Content, answer.Competitors.Last, err
	})
}

// Collect orders a report, which costs a credit for each keyword at each enabled point, and returns its date.
func (s Campaigns) Collect(ctx context.Context, id string) (time.Time, error) {
	result, err := get[maprank.CollectResult](ctx, s.c, call{area: mapArea, method: http.MethodPut, path: "/campaigns" + segment(id) + "/collect"})
	return result.CollectingReportDate, err
}

// Progress tells how far a collection is. It is cheap: it may be asked every second.
func (s Campaigns) Progress(ctx context.Context, id string) (maprank.CampaignProgress, error) {
	return get[maprank.CampaignProgress](ctx, s.c, call{area: mapArea, method: http.MethodGet, path: "/campaigns" + segment(id) + "/progress"})
}
