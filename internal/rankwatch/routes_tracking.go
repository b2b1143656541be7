package rankwatch

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/source"
)

// TrackingPath names a tracking.
type TrackingPath struct {
	ID string `path:"tracking_id"`
}

// TrackingCreated answers the creation of a tracking.
type TrackingCreated struct {
	Tracking Tracking         `json:"tracking"`
	Keywords []TrackedKeyword `json:"keywords" nullable:"false"`
	Reports  []string         `json:"reports" nullable:"false" doc:"Ids of the alert rules that watch it."`
	Processing
}

// Processing says when new keywords will have been checked.
type Processing struct {
	Estimate          int  `json:"estimatedTimeProcessing" doc:"Seconds until they are checked, about."`
	Postponed         bool `json:"postponed_processing" doc:"Some are checked only tomorrow."`
	PostponedKeywords int  `json:"postponed_keywords" doc:"How many: they had been tracked before and were checked today; what was found then is shown."`
}

type createTrackingInput struct {
	Body struct {
		Domain     httpapi.Field[string]        `json:"domain" required:"false" doc:"Host, or URL prefix such as example.com/shop. Required."`
		LocationID httpapi.Field[int]           `json:"location_id" required:"false" doc:"From /shared/locations; 0 is anywhere. Required."`
		PlatformID httpapi.Field[int]           `json:"platform_id" required:"false" doc:"1 desktop, 2 mobile. Required."`
		Keywords   httpapi.Field[[]KeywordText] `json:"keywords" required:"false" doc:"1 to the plan's limit, each at most 80 characters and 10 words; repeated ones count once. Required."`
	}
}

func (in *createTrackingInput) check(sources source.Chain[WebProvider]) (tracking, []wanted, error) {
	var problems errs.Problems
	var t tracking
	var want []wanted
	if required(&problems, "domain", &in.Body.Domain) {
		t.target = readTarget(&problems, in.Body.Domain.Value)
	}
	if required(&problems, "location_id", &in.Body.LocationID) {
		l, ok := location.Get(in.Body.LocationID.Value)
		if !ok {
			problems.Add("location_id", errs.InvalidValue, "There is no location %d; find one with /shared/locations.", in.Body.LocationID.Value)
		}
		t.locationID = l.ID // a place may have more ids than its own
	}
	if required(&problems, "platform_id", &in.Body.PlatformID) {
		t.platformID = in.Body.PlatformID.Value
		checkMarket(&problems, &t, sources)
	}
	if required(&problems, "keywords", &in.Body.Keywords) {
		want = readKeywords(&problems, in.Body.Keywords.Value)
	}
	return t, want, problems.Err()
}

func (s *Service) createTracking(ctx context.Context, in *createTrackingInput) (httpapi.Apply[TrackingCreated], error) {
	who := httpapi.Who(ctx)
	t, want, err := in.check(s.sources)
	if err != nil {
		return nil, err
	}
	if len(want) > who.Plan.Keywords { // nothing is looked up for so many; the transaction counts them
		return nil, errs.With(errs.Quota, errs.KeywordLimitReached, "The plan allows %d tracked keywords; these are %d.", who.Plan.Keywords, len(want))
	}
	t.accountID = who.AccountID
	demand, err := s.demandOf(ctx, &t, texts(want))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (TrackingCreated, error) {
		t, added, err := s.create(ctx, tx, t, want)
		if err != nil {
			return TrackingCreated{}, err
		}
		shown, err := showKeywords(&t, added.keywords, demand, nil)
		if err != nil {
			return TrackingCreated{}, err
		}
		made := TrackingCreated{Tracking: t.show(idsOf(added.keywords)), Keywords: shown, Processing: s.processing(added)}
		made.Reports, err = showRules(ctx, tx, who.AccountID, &made.Tracking)
		return made, err
	}, nil
}

func (s *Service) processing(a addition) Processing {
	p := Processing{Postponed: a.postponed > 0, PostponedKeywords: a.postponed}
	if a.queued > 0 {
		p.Estimate = s.estimate(a.waiting + a.queued)
	}
	return p
}

type listTrackingsInput struct {
	From        string `query:"from" doc:"First day of the stats, YYYY-MM-DD; 30 days before to when missing."`
	To          string `query:"to" doc:"Last day of the stats; today when missing."`
	WithDeleted bool   `query:"is_with_deleted" doc:"Deleted ones too."`
	days        series.Range
}

// Resolve implements huma.Resolver.
func (in *listTrackingsInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.days = readRange(&problems, in.From, in.To, today(ctx))
	return problems.Resolved()
}

func (s *Service) listTrackings(ctx context.Context, in *listTrackingsInput) ([]Tracking, error) {
	shown, accountID := []Tracking{}, httpapi.Who(ctx).AccountID
	err := s.eachTracking(ctx, accountID, in.WithDeleted, in.days, func(int, *series.Reader) {}, func(t Tracking, frames *formula.Timeframes) {
		t.Stats = &TrackingStats{Timeframes: byDate(in.days.Dates(), frames)}
		shown = append(shown, t)
	})
	if err != nil {
		return nil, err
	}
	each := make([]*Tracking, len(shown))
	for i := range shown {
		each[i] = &shown[i]
	}
	_, err = showRules(ctx, s.db, accountID, each...)
	return shown, err
}

// SharedBy tells whose tracking a share token opens.
func (s *Service) SharedBy(ctx context.Context, r *http.Request, token string) (accountID string, err error) {
	t, err := findTracking(ctx, s.db, r.PathValue("tracking_id"))
	if errs.CodeOf(err) == errs.NotFound || err == nil && !t.sharedBy(token) {
		return "", account.Refused()
	}
	return t.accountID, err
}

// readable returns a tracking to its owner, or to whoever has its share token.
func (s *Service) readable(ctx context.Context, id, token string) (t tracking, shared bool, err error) {
	t, err = findTracking(ctx, s.db, id)
	switch {
	case err != nil:
		return tracking{}, false, err
	case t.accountID == httpapi.Who(ctx).AccountID:
		return t, false, nil
	case t.sharedBy(token):
		return t, true, nil
	}
	return tracking{}, false, noTracking(id)
}

// TrackingDetail is a tracking with its keywords.
type TrackingDetail struct {
	Tracking   Tracking                     `json:"tracking"`
	WhiteLabel httpapi.Field[account.Brand] `json:"whiteLabel" doc:"The brand of the tracking's owner; null without one."`
	Keywords   []DetailKeyword              `json:"keywords" nullable:"false"`
}

// DetailKeyword is a keyword of a tracking in short.
type DetailKeyword struct {
	ID            string  `json:"_id"`
	KeywordID     string  `json:"kwId"`
	Text          string  `json:"kw"`
	URL           *string `json:"url" doc:"What ranked at the last check up to the day asked for."`
	Tags          []Tag   `json:"tags" nullable:"false"`
	CreatedAt     int64   `json:"created_at"`
	IsDeleted     bool    `json:"is_deleted"`
	LastCheckedAt *int64  `json:"last_checked_at"`
}

type getTrackingInput struct {
	TrackingPath
	To          string `query:"to" doc:"YYYY-MM-DD; today when missing. Keywords added later are left out."`
	WithDeleted bool   `query:"is_with_deleted" doc:"Removed keywords too; not for readers with a share token."`
	ShareToken  string `query:"share_token" doc:"In place of a key."`
	days        series.Range
}

// Resolve implements huma.Resolver.
func (in *getTrackingInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.days = readRange(&problems, "", in.To, today(ctx))
	return problems.Resolved()
}

func (s *Service) getTracking(ctx context.Context, in *getTrackingInput) (TrackingDetail, error) {
	t, shared, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return TrackingDetail{}, err
	}
	keywords, err := keywordsOf(ctx, s.db, t.id, in.WithDeleted && !shared)
	if err != nil {
		return TrackingDetail{}, err
	}
	years, err := yearsOf(ctx, s.db, t.id, in.days)
	if err != nil {
		return TrackingDetail{}, err
	}
	tags, err := tagsByKeyword(ctx, s.db, t.id)
	if err != nil {
		return TrackingDetail{}, err
	}
	if shared {
		for _, list := range tags {
			anonymous(list)
		}
	}
	detail := TrackingDetail{Keywords: []DetailKeyword{}}
	view := series.NewReader(in.days)
	var active []string
	for i := range keywords {
		k := &keywords[i]
		if !k.removed {
			active = append(active, k.id)
		}
		if series.DayOf(k.createdAt) > in.days.To {
			continue
		}
		if err := k.read(view, years[k.number]); err != nil {
			return TrackingDetail{}, err
		}
		shown := DetailKeyword{
			ID: k.id, KeywordID: serp.KeywordID(k.kw, t.locationID, 0), Text: k.kw, URL: k.url(view.Last), Tags: tags[k.number],
			CreatedAt: k.createdAt.Unix(), IsDeleted: k.removed, LastCheckedAt: k.checkedUnix(),
		}
		if shown.Tags == nil {
			shown.Tags = []Tag{}
		}
		detail.Keywords = append(detail.Keywords, shown)
	}
	detail.Tracking = t.show(active)
	if !shared {
		if _, err := showRules(ctx, s.db, t.accountID, &detail.Tracking); err != nil {
			return TrackingDetail{}, err
		}
	}
	brand, err := s.accounts.Brand(ctx, t.accountID)
	if brand != nil {
		detail.WhiteLabel = httpapi.Of(*brand)
	}
	return detail, err
}

// TrackingUpdated answers a change of a tracking.
type TrackingUpdated struct {
	Tracking   Tracking                  `json:"tracking"`
	Annotation httpapi.Field[Annotation] `json:"annotation" doc:"The remark about another domain; null without one."`
}

type updateTrackingInput struct {
	TrackingPath
	Body struct {
		Domain httpapi.Field[string]      `json:"domain" required:"false" doc:"Host or URL prefix."`
		Config httpapi.Field[ConfigInput] `json:"tracking_config" required:"false"`
		Shared httpapi.Field[bool]        `json:"shared" required:"false" doc:"false withdraws the share token for good; true makes a new one when there is none."`
	}
}

func (s *Service) updateTracking(ctx context.Context, in *updateTrackingInput) (httpapi.Apply[TrackingUpdated], error) {
	var problems errs.Problems
	var c change
	if in.Body.Domain.Given(&problems, "domain") {
		target := readTarget(&problems, in.Body.Domain.Value)
		c.target = &target
	}
	if in.Body.Config.Given(&problems, "tracking_config") {
		c.config = &in.Body.Config.Value
		c.config.check(&problems)
	}
	if in.Body.Shared.Given(&problems, "shared") {
		c.shared = &in.Body.Shared.Value
	}
	if c == (change{}) && len(problems) == 0 {
		problems.Add("", errs.NotSpecified, "Nothing to change was sent: domain, tracking_config or shared.")
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (TrackingUpdated, error) {
		t, remark, err := s.update(ctx, tx, who.AccountID, in.ID, c)
		if err != nil {
			return TrackingUpdated{}, err
		}
		ids, err := keywordIDs(ctx, tx, t.id)
		if err != nil {
			return TrackingUpdated{}, err
		}
		updated := TrackingUpdated{Tracking: t.show(ids)}
		if remark != nil {
			updated.Annotation = httpapi.Of(*remark)
		}
		_, err = showRules(ctx, tx, who.AccountID, &updated.Tracking)
		return updated, err
	}, nil
}

func (s *Service) deleteTracking(ctx context.Context, in *TrackingPath) (httpapi.Apply[httpapi.Empty], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		return httpapi.Empty{}, s.delete(ctx, tx, who.AccountID, in.ID)
	}, nil
}
