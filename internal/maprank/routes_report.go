package maprank

import (
	"context"
	"net/url"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

type listKeywordsInput struct {
	CampaignOf
	Shareable
	ReportDate string   `query:"reportDate" doc:"Date and time of the report; the latest by default."`
	Keywords   []string `query:"keywords" doc:"Only these keywords, by id or name."`

	at *time.Time
}

// Resolve reads the date, and takes the names as they were sent: a keyword may have commas of its own.
func (in *listKeywordsInput) Resolve(ctx huma.Context) []error {
	r, _ := humago.Unwrap(ctx)
	if asked, err := url.ParseRequestURI(r.RequestURI); err == nil {
		in.Keywords = asked.Query()["keywords"]
	}
	var ps errs.Problems
	in.at = readOptionalInstant(&ps, "reportDate", in.ReportDate)
	return ps.Resolved()
}

func (s *Service) listKeywords(ctx context.Context, in *listKeywordsInput) (httpapi.Answer[KeywordStatuses], error) {
	var none httpapi.Answer[KeywordStatuses]
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return none, err
	}
	statuses, err := s.keywordStatuses(ctx, &c, in.at, in.Keywords)
	if c.visited {
		statuses.StatusDetail = "" // it may tell of the owner's credits
	}
	return httpapi.Reply(statuses), err
}

// BusinessQuery says which business is asked for.
type BusinessQuery struct {
	CID         string   `query:"cid" maxLength:"32" doc:"Cid of the business. At least one of cid and placeIds is needed."`
	PlaceIDs    []string `query:"placeIds" doc:"Place ids of the business."`
	OldPlaceIDs []string `query:"place_ids" hidden:"true"` // another spelling
}

// maxPlaceIDs bounds how many spellings of one business a request may name.
const maxPlaceIDs = 100

func (q BusinessQuery) identity(ps *errs.Problems) result.Identity {
	who := result.Identity{CID: q.CID}
	for _, p := range append(q.PlaceIDs, q.OldPlaceIDs...) {
		if p != "" {
			who.PlaceIDs = append(who.PlaceIDs, p)
		}
	}
	switch {
	case who.CID == "" && len(who.PlaceIDs) == 0:
		ps.Add("cid", errs.NotSpecified, "At least one of cid and placeIds is needed.")
	case len(who.PlaceIDs) > maxPlaceIDs:
		ps.Add("placeIds", errs.TooMany, "placeIds has %d items; at most %d are allowed.", len(who.PlaceIDs), maxPlaceIDs)
	}
	return who
}

type heatmapInput struct {
	CampaignOf
	Shareable
	KeywordID  string `query:"keywordId" required:"true"`
	ReportDate string `query:"reportDate" required:"true" doc:"Date and time of the report."`
	BusinessQuery

	at  *time.Time
	who result.Identity
}

// Resolve reads which report and which business are asked for.
func (in *heatmapInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	in.at, in.who = readOptionalInstant(&ps, "reportDate", in.ReportDate), in.identity(&ps)
	return ps.Resolved()
}

func (s *Service) getHeatmap(ctx context.Context, in *heatmapInput) (httpapi.Answer[Heatmap], error) {
	var none httpapi.Answer[Heatmap]
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return none, err
	}
	h, err := s.heatmap(ctx, &c, in.KeywordID, *in.at, in.who)
	return httpapi.Reply(h), err
}

type metricsInput struct {
	CampaignOf
	Shareable
	KeywordID string `query:"keywordId" required:"true"`
	BusinessQuery

	who result.Identity
}

// Resolve reads which business is asked for.
func (in *metricsInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	in.who = in.identity(&ps)
	return ps.Resolved()
}

func (s *Service) getMetrics(ctx context.Context, in *metricsInput) (httpapi.Answer[Metrics], error) {
	var none httpapi.Answer[Metrics]
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return none, err
	}
	m, err := s.metrics(ctx, &c, in.KeywordID, in.who)
	return httpapi.Reply(m), err
}

type competitorsInput struct {
	CampaignOf
	Shareable
	KeywordID  string `query:"keywordId" required:"true"`
	ReportDate string `query:"reportDate" required:"true" doc:"Date and time of the report."`
	Paging
	Sort string `query:"sort" default:"averagePosition,ASC" maxLength:"64" doc:"averagePosition, name, rating, reviewNumber or shareOfVoice, then ASC or DESC."`

	at    *time.Time
	order Order
}

// Resolve reads which report is asked for, and the order.
func (in *competitorsInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	in.at, in.order = readOptionalInstant(&ps, "reportDate", in.ReportDate), readOrder(&ps, in.Sort, competitorOrder...)
	return ps.Resolved()
}

func (s *Service) listTopCompetitors(ctx context.Context, in *competitorsInput) (httpapi.Answer[TopCompetitors], error) {
	var none httpapi.Answer[TopCompetitors]
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return none, err
	}
	top, err := s.topCompetitors(ctx, &c, in.KeywordID, *in.at, in.order, int(in.Page), int(in.Size))
	return httpapi.Reply(top), err
}
