package maprank

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

type viewInput struct {
	CampaignOf
	Shareable
	KeywordID  string   `query:"keywordId" maxLength:"64" doc:"Keyword to show; the first that was collected by default."`
	ReportDate string   `query:"reportDate" doc:"Date and time of the report to show; the newest by default."`
	CID        string   `query:"cid" maxLength:"32" doc:"Cid of the business to show; the campaign's own by default."`
	PlaceIDs   []string `query:"placeIds" doc:"Place ids of the business to show."`
	Reports    int32    `query:"reports" default:"104" minimum:"1" maximum:"366" doc:"Most reports of the history to show. An older reportDate moves it back."`

	asked viewQuery
}

// Resolve reads what is looked at.
func (in *viewInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	in.asked = viewQuery{keyword: in.KeywordID, at: readOptionalInstant(&ps, "reportDate", in.ReportDate), reports: int(in.Reports)}
	if business := (BusinessQuery{CID: in.CID, PlaceIDs: in.PlaceIDs}); in.CID != "" || len(in.PlaceIDs) > 0 {
		in.asked.who = business.identity(&ps)
	}
	return ps.Resolved()
}

// viewBytes is about what a report of a view takes while it is read and printed.
const viewBytes = 16 << 10

func (s *Service) viewCampaign(ctx context.Context, in *viewInput) (httpapi.Answer[CampaignView], error) {
	var none httpapi.Answer[CampaignView]
	if err := httpapi.Hold(ctx, viewBytes*int64(in.Reports)); err != nil {
		return none, err
	}
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return none, err
	}
	v, err := s.campaignView(ctx, &c, in.asked)
	return httpapi.Reply(v), err
}

type pointResultsInput struct {
	CampaignOf
	Shareable
	KeywordID  string `query:"keywordId" required:"true"`
	ReportDate string `query:"reportDate" required:"true" doc:"Date and time of the report."`
	PointID    string `query:"pointId" required:"true" maxLength:"64"`

	at *time.Time
}

// Resolve reads which report is asked for.
func (in *pointResultsInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	in.at = readOptionalInstant(&ps, "reportDate", in.ReportDate)
	return ps.Resolved()
}

func (s *Service) listPointResults(ctx context.Context, in *pointResultsInput) (httpapi.Answer[PointResults], error) {
	var none httpapi.Answer[PointResults]
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return none, err
	}
	found, err := s.pointResults(ctx, &c, in.KeywordID, *in.at, in.PointID)
	return httpapi.Reply(found), err
}

func (s *Service) getProgress(ctx context.Context, in *CampaignOf) (httpapi.Answer[CampaignProgress], error) {
	p, err := campaignProgress(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	return httpapi.Reply(p), err
}

type placesInput struct {
	Query string                    `query:"query" required:"true" maxLength:"255" doc:"Name of the business, or its place id. Where lat and lng are left out, a name is searched near your newest campaign."`
	Lat   httpapi.Optional[float64] `query:"lat" doc:"Latitude to search near, with lng."`
	Lng   httpapi.Optional[float64] `query:"lng" doc:"Longitude to search near, with lat."`
	Limit int32                     `query:"limit" default:"10" minimum:"1" maximum:"20" doc:"Most places to list."`

	near *grid.Coordinates
}

// Resolve reads where to search.
func (in *placesInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	if in.Query = oneLine(in.Query); in.Query == "" {
		ps.Add("query", errs.NotSpecified, "query must not be empty.")
	}
	switch {
	case in.Lat.Set != in.Lng.Set:
		ps.Add("lat", errs.InvalidParameter, "Send both lat and lng, or neither.")
	case in.Lat.Set:
		in.near = &grid.Coordinates{Lat: in.Lat.Value, Lng: in.Lng.Value}
		if !geo.Point(*in.near).Valid() {
			ps.Add("lat", errs.InvalidParameter, "lat must be from -90 to 90 and lng from -180 to 180.")
		}
	}
	return ps.Resolved()
}

func (s *Service) listPlaces(ctx context.Context, in *placesInput) (httpapi.Answer[[]FoundPlace], error) {
	places, err := s.findPlaces(ctx, httpapi.Who(ctx).AccountID, in.Query, in.near, int(in.Limit))
	return httpapi.Reply(places), err
}
