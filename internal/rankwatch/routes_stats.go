package rankwatch

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/serp"
)

type listTrackingsInput struct {
	From        string `query:"from" doc:"First day of the stats, YYYY-MM-DD; 30 days before to when missing."`
	To          string `query:"to" doc:"Last day of the stats; today when missing."`
	WithDeleted bool   `query:"is_with_deleted" doc:"Deleted ones too."`
}

func (s *Service) listTrackings(ctx context.Context, in *listTrackingsInput) ([]Tracking, error) {
	r, problems := parseRange(in.From, in.To, s.today())
	if err := errs.Problems(problems); err != nil {
		return nil, err
	}
	accountID := httpapi.Who(ctx).AccountID
	trackings, err := listTrackings(ctx, s.db, accountID, in.WithDeleted)
	if err != nil {
		return nil, err
	}
	keywords, err := keywordsOfAccount(ctx, s.db, accountID, in.WithDeleted)
	if err != nil {
		return nil, err
	}
	years, err := yearsOfAccount(ctx, s.db, accountID, in.WithDeleted, r)
	if err != nil {
		return nil, err
	}
	var wanted []serp.KeywordAt
	for i := range trackings {
		wanted = append(wanted, trackings[i].at(keywordTexts(keywords[trackings[i].id]))...)
	}
	volumes, err := s.volumes(ctx, accountID, wanted)
	if err != nil {
		return nil, err
	}
	shown := make([]Tracking, len(trackings))
	for i := range trackings {
		t := &trackings[i]
		n := len(keywords[t.id])
		frames, err := timeframes(r, keywords[t.id], volumes[:n], years)
		if err != nil {
			return nil, err
		}
		shown[i] = s.show(t, idsOf(keywords[t.id]))
		shown[i].Stats = &TrackingStats{Timeframes: frames}
		volumes = volumes[n:]
	}
	return shown, nil
}

// volumes is the search volume of each keyword; nil is unknown.
func (s *Service) volumes(ctx context.Context, accountID string, keywords []serp.KeywordAt) ([]*int64, error) {
	volumes := make([]*int64, len(keywords))
	demand, err := s.demand(ctx, accountID, keywords)
	for i := range demand {
		volumes[i] = demand[i].Volume
	}
	return volumes, err
}

// sharedBy tells whose tracking a share token opens.
func (s *Service) sharedBy(ctx context.Context, r *http.Request, token string) (accountID string, err error) {
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
	WhiteLabel httpapi.Field[httpapi.Empty] `json:"whiteLabel" doc:"Always null."`
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
}

func (s *Service) getTracking(ctx context.Context, in *getTrackingInput) (TrackingDetail, error) {
	r, problems := parseRange("", in.To, s.today())
	if err := errs.Problems(problems); err != nil {
		return TrackingDetail{}, err
	}
	t, shared, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return TrackingDetail{}, err
	}
	keywords, err := keywordsOf(ctx, s.db, t.id, in.WithDeleted && !shared)
	if err != nil {
		return TrackingDetail{}, err
	}
	years, err := yearsOf(ctx, s.db, t.id, r)
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
	view := newReading(r)
	var active []string
	for i := range keywords {
		k := &keywords[i]
		if !k.removed {
			active = append(active, k.id)
		}
		if DayOf(k.createdAt) > r.To {
			continue
		}
		if err := view.read(k, years[k.number]); err != nil {
			return TrackingDetail{}, err
		}
		shown := DetailKeyword{
			ID: k.id, KeywordID: serp.KeywordID(k.kw, t.locationID, 0), Text: k.kw, URL: k.url(view.last), Tags: tags[k.number],
			CreatedAt: k.createdAt.Unix(), IsDeleted: k.removed, LastCheckedAt: k.checkedUnix(),
		}
		if shown.Tags == nil {
			shown.Tags = []Tag{}
		}
		detail.Keywords = append(detail.Keywords, shown)
	}
	detail.Tracking = s.show(&t, active)
	return detail, nil
}

// StatsInput narrows the stats; each of its fields may come in the query instead.
type StatsInput struct {
	From       httpapi.Field[string]   `json:"from" required:"false" doc:"YYYY-MM-DD."`
	To         httpapi.Field[string]   `json:"to" required:"false" doc:"YYYY-MM-DD."`
	KeywordIDs httpapi.Field[[]string] `json:"kwIds" required:"false" doc:"Tracked keywords to count; all when missing."`
	TagIDs     httpapi.Field[[]string] `json:"tag_ids" required:"false" doc:"Count keywords with any of these tags."`
}

type getStatsInput struct {
	TrackingPath
	From       string   `query:"from" doc:"YYYY-MM-DD; 30 days before to when missing."`
	To         string   `query:"to" doc:"YYYY-MM-DD; today when missing."`
	KeywordIDs []string `query:"kwIds" doc:"Tracked keywords to count; all when missing."`
	TagIDs     []string `query:"tag_ids" doc:"Count keywords with any of these tags."`
	ShareToken string   `query:"share_token" doc:"In place of a key."`
	Body       *StatsInput
}

// check merges body and query; the body wins.
func (in *getStatsInput) check(today Day) (Range, error) {
	var ps problems
	if b := in.Body; b != nil {
		if optional(&ps, "from", &b.From) {
			in.From = b.From.Value
			ps.given("from", in.From)
		}
		if optional(&ps, "to", &b.To) {
			in.To = b.To.Value
			ps.given("to", in.To)
		}
		if optional(&ps, "kwIds", &b.KeywordIDs) {
			in.KeywordIDs = b.KeywordIDs.Value
		}
		if optional(&ps, "tag_ids", &b.TagIDs) {
			in.TagIDs = b.TagIDs.Value
		}
	}
	r, more := parseRange(in.From, in.To, today)
	return r, errs.Problems(append(ps, more...))
}

func (s *Service) getStats(ctx context.Context, in *getStatsInput) (*statsStream, error) {
	r, err := in.check(s.today())
	if err != nil {
		return nil, err
	}
	t, shared, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return nil, err
	}
	keywords, err := s.selected(ctx, &t, in.KeywordIDs, in.TagIDs)
	if err != nil {
		return nil, err
	}
	var volumes []*int64
	var years map[int64][]yearOf
	var remarks []Annotation
	read, reading := errgroup.WithContext(ctx) // side by side: each takes about as long as the others
	read.Go(func() (err error) {
		volumes, err = s.volumes(reading, t.accountID, t.at(keywordTexts(keywords)))
		return err
	})
	read.Go(func() (err error) { years, err = yearsOf(reading, s.db, t.id, r); return err })
	read.Go(func() (err error) { remarks, err = annotationsIn(reading, s.db, t.id, r); return err })
	if err := read.Wait(); err != nil {
		return nil, err
	}
	stats, err := compute(r, keywords, volumes, years)
	if err != nil {
		return nil, err
	}
	if shared {
		remarks = forAll(remarks)
	}
	stats.head.Annotations = notNil(remarks)
	return stats, nil
}

// selected returns the tracking's keywords that the filters let through. A filter that names what the
// tracking does not have is NotFound.
func (s *Service) selected(ctx context.Context, t *tracking, keywordIDs, tagIDs []string) ([]trackedKeyword, error) {
	keywords, err := rankedKeywords(ctx, s.db, t.id)
	if err != nil {
		return nil, err
	}
	if len(keywordIDs) > 0 {
		if keywords, err = pick(keywords, keywordIDs); err != nil {
			return nil, err
		}
	}
	if len(tagIDs) == 0 {
		return keywords, nil
	}
	if err := checkTags(ctx, s.db, t.id, tagIDs); err != nil {
		return nil, err
	}
	tags, err := tagsByKeyword(ctx, s.db, t.id)
	if err != nil {
		return nil, err
	}
	return tagged(keywords, tags, tagIDs), nil
}
