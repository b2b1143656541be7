package maprank

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

// Prefix is the base path of the area.
const Prefix = "/_api/apis/v4/map-rank-tracker/v0"

// Scheme is how the area's requests are signed: Authorization: Bearer <ACCESS_TOKEN>.
var Scheme = httpapi.Scheme{Header: "Authorization", Word: "Bearer", Kind: account.Token}

// Mount registers every operation of the area.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, tag, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: tag, Summary: summary, Help: help}
	}
	open := func(o httpapi.Op) httpapi.Op { o.Shared = s.SharedBy; return o }
	create := op("create-campaign", http.MethodPost, "/campaigns", "Campaigns", "Create a campaign", "Without gridSettings and points: a 5x5 grid, 1.5 km around the business.").Requires("placeId", "keywords").Fails(errs.NotFound)
	create.Time = httpapi.ProviderTime
	httpapi.Change(a, create, s.createCampaign)
	httpapi.Read(a, open(op("get-campaign", http.MethodGet, "/campaigns/{campaign_id}", "Campaigns", "Get a campaign", "")), s.getCampaign)
	httpapi.Read(a, op("list-campaigns", http.MethodGet, "/campaigns", "Campaigns", "List campaigns", "Own campaigns and those shared with you."), s.listCampaigns)
	httpapi.Read(a, open(op("list-keyword-statuses", http.MethodGet, "/campaigns/{campaignId}/keywords", "Reports", "List the keywords of a report with their status", "Of the latest report when no date is given.")), s.listKeywords)
	httpapi.Read(a, open(op("get-heatmap", http.MethodGet, "/campaigns/{campaignId}/heatmap", "Reports", "Get the positions of a business at every point", "A point that could not be searched is left out.")), s.getHeatmap)
	httpapi.Read(a, open(op("get-metrics", http.MethodGet, "/campaigns/{campaignId}/metrics", "Reports", "Get the figures of a business over time", "For a keyword that the campaign never had: position 21 and share 0 at every report.")), s.getMetrics)
	httpapi.Read(a, open(op("list-top-competitors", http.MethodGet, "/campaigns/{campaignId}/top-competitors", "Reports", "List the businesses of a report", "The campaign's own comes first and apart. An unknown report has an empty list.")), s.listTopCompetitors)
	httpapi.Read(a, open(op("view-campaign", http.MethodGet, "/campaigns/{campaignId}/view", "Reports", "Get all that a screen shows of a campaign", "One keyword and one business, the campaign's own or a competitor, over time and in one report, beside its competitors and the other keywords.")), s.viewCampaign)
	httpapi.Read(a, open(op("list-point-results", http.MethodGet, "/campaigns/{campaignId}/point-results", "Reports", "List the businesses at a point", "By rank, as the report found them. A point that could not be searched has none.")), s.listPointResults)
	httpapi.Read(a, op("get-progress", http.MethodGet, "/campaigns/{campaignId}/progress", "Reports", "Get how far a collection is", "Cheap: it may be asked every second."), s.getProgress)
	httpapi.Change(a, op("update-campaign", http.MethodPatch, "/campaigns/{campaign_id}", "Campaigns", "Update a campaign", "Changes only what is sent. Reports keep the points and keywords that they were made with."), s.updateCampaign)
	httpapi.Change(a, op("delete-campaign", http.MethodDelete, "/campaigns/{campaign_id}", "Campaigns", "Delete a campaign", "Removes it permanently with all its reports, and stops a running collection."), s.deleteCampaign)
	httpapi.Change(a, op("collect-campaign", http.MethodPut, "/campaigns/{campaign_id}/collect", "Reports", "Collect a report", "Costs one credit a point and keyword. What fails is given back."), s.collectCampaign)
	httpapi.Read(a, op("list-shares", http.MethodGet, "/campaigns/{campaignId}/shares", "Sharing", "List the accounts that a campaign is shared with", "For the owner only.").Fails(errs.Forbidden), s.listShares)
	httpapi.Change(a, op("put-share", http.MethodPut, "/campaigns/{campaignId}/shares", "Sharing", "Share a campaign with another account", "Or change what it may do with it. For the owner only.").Requires("email", "accessType").Fails(errs.Conflict), s.putShare)
	httpapi.Change(a, op("delete-share", http.MethodDelete, "/campaigns/{campaignId}/shares/{email}", "Sharing", "Take a campaign away from an account", "For the owner, and for the account itself."), s.deleteShare)
	places := op("list-places", http.MethodGet, "/places", "Campaigns", "Find the place of a business", "By name near a point, or by place id. Asking a live map provider takes one of the account's look-ups.").Fails(errs.NotFound, errs.Dependency, errs.Quota)
	places.Time = httpapi.ProviderTime
	httpapi.Read(a, places, s.listPlaces)
	httpapi.Read(a, op("get-limits", http.MethodGet, "/limits", "Account", "Get the limits of the account", "Credits are those of the UTC calendar month."), s.getLimits)
}

// CampaignPath names a campaign.
type CampaignPath struct {
	ID string `path:"campaign_id"`
}

// CampaignOf names a campaign in the paths of its reports.
type CampaignOf struct {
	ID string `path:"campaignId"`
}

// Shareable is what may be read by a share token, too.
type Shareable struct {
	ShareToken string `query:"share_token" maxLength:"64" doc:"In place of an access token, where the campaign is shared."`
}

type getCampaignInput struct {
	CampaignPath
	Shareable
}

func (s *Service) getCampaign(ctx context.Context, in *getCampaignInput) (httpapi.Answer[Campaign], error) {
	c, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return httpapi.Answer[Campaign]{}, err
	}
	shown, err := read(ctx, s.db, &c)
	return httpapi.Reply(shown), err
}

// Paging picks a page of a list.
type Paging struct {
	Page int32 `query:"page" default:"0" minimum:"0"`
	Size int32 `query:"size" default:"10" minimum:"1" maximum:"100"`
}

type listCampaignsInput struct {
	Paging
	Sort       string `query:"sort" default:"createdAt,DESC" maxLength:"64" doc:"createdAt or businessName, then ASC or DESC."`
	Query      string `query:"query" maxLength:"255" doc:"Part of a campaign's name or of its business's address."`
	MarkedOnly bool   `query:"onlyMarkedForRemoval" doc:"Only campaigns that the plan has no slot for any more."`

	order Order
}

// Resolve reads the order.
func (in *listCampaignsInput) Resolve(huma.Context) []error {
	var ps errs.Problems
	in.order = readOrder(&ps, in.Sort, "createdAt", "businessName")
	return ps.Resolved()
}

func (s *Service) listCampaigns(ctx context.Context, in *listCampaignsInput) (httpapi.Answer[Page[CampaignItem]], error) {
	var none httpapi.Answer[Page[CampaignItem]]
	number, size := int(in.Page), int(in.Size)
	found, total, err := listCampaigns(ctx, s.db, httpapi.Who(ctx).AccountID, campaignFilter{
		query: oneLine(in.Query), markedOnly: in.MarkedOnly, order: in.order, limit: size, offset: offset(number, size),
	})
	if err != nil {
		return none, err
	}
	items := make([]CampaignItem, len(found))
	for i := range found {
		items[i] = found[i].item()
	}
	return httpapi.Reply(newPage(items, number, size, total)), nil
}

type createCampaignInput struct{ Body CreateInput }

func (s *Service) createCampaign(ctx context.Context, in *createCampaignInput) (httpapi.Apply[httpapi.Answer[Campaign]], error) {
	// What is wrong with a grid does not depend on where the business is.
	if err := in.Body.problems().Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	if err := s.accounts.Room(ctx, s.db, who.AccountID, account.Campaigns); err != nil { // spares the look-up; it is taken when stored
		return nil, err
	}
	found, err := s.find(ctx, who.AccountID, in.Body.PlaceID.Value)
	if err != nil {
		return nil, err
	}
	var d draft
	in.Body.apply(&d, grid.Coordinates{Lat: found.Lat, Lng: found.Lng})
	c, set := s.prepare(who, d, found)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Campaign], error) {
		shown, err := s.create(ctx, tx, c, set, d.keywords)
		return httpapi.Reply(shown), err
	}, nil
}

type updateCampaignInput struct {
	CampaignPath
	Body UpdateInput
}

func (s *Service) updateCampaign(ctx context.Context, in *updateCampaignInput) (httpapi.Apply[httpapi.Answer[Campaign]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Campaign], error) {
		shown, err := s.update(ctx, tx, who.AccountID, in.ID, &in.Body)
		return httpapi.Reply(shown), err
	}, nil
}

func (s *Service) deleteCampaign(ctx context.Context, in *CampaignPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Answer[httpapi.Empty]{}, s.remove(ctx, tx, who, in.ID)
	}, nil
}

type collectInput struct {
	CampaignPath
	ReportDate string `query:"reportDate" doc:"Date and time that the report is of; now by default."`
	StartDate  string `query:"collectingReportDate" doc:"When to collect; in the future it is scheduled, and charged when it starts."`
}

func (s *Service) collectCampaign(ctx context.Context, in *collectInput) (httpapi.Apply[httpapi.Answer[CollectResult]], error) {
	var ps errs.Problems
	reportDate, startDate := readOptionalInstant(&ps, "reportDate", in.ReportDate), readOptionalInstant(&ps, "collectingReportDate", in.StartDate)
	if err := ps.Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[CollectResult], error) {
		r, err := s.collect(ctx, tx, who.AccountID, in.ID, reportDate, startDate)
		when := r.at
		if r.status == Scheduled {
			when = r.startAt
		}
		return httpapi.Reply(CollectResult{Instant{when}}), err
	}, nil
}

// Limits are what the account's plan allows.
type Limits struct {
	Campaigns SlotLimits   `json:"campaigns"`
	Credits   CreditLimits `json:"credits"`
}

// SlotLimits count campaigns.
type SlotLimits struct {
	Available int64 `json:"available"`
	InUse     int64 `json:"inUse"`
	Total     int64 `json:"total"`
}

// CreditLimits count credits of the month.
type CreditLimits struct {
	Available      int64 `json:"available"`
	SpentThisMonth int64 `json:"spentThisMonth"`
	Total          int64 `json:"total"`
}

func (s *Service) getLimits(ctx context.Context, _ *struct{}) (httpapi.Answer[Limits], error) {
	who := httpapi.Who(ctx)
	slots, err := s.accounts.Usage(ctx, s.db, who.AccountID, account.Campaigns)
	if err != nil {
		return httpapi.Answer[Limits]{}, err
	}
	credits, err := s.accounts.Usage(ctx, s.db, who.AccountID, account.Credits)
	return httpapi.Reply(Limits{
		Campaigns: SlotLimits{slots.Left(), slots.Used, slots.Limit},
		Credits:   CreditLimits{credits.Left(), credits.Used, credits.Limit},
	}), err
}
