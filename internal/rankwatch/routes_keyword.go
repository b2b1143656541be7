package rankwatch

import (
	"context"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// showKeywords makes API keywords of stored ones; demand has one entry for each.
func (s *Service) showKeywords(t *tracking, keywords []trackedKeyword, demand []serp.Demand, tags map[int64][]Tag) ([]TrackedKeyword, error) {
	shown := make([]TrackedKeyword, len(keywords))
	for i := range keywords {
		k := &keywords[i]
		last, checked, err := k.last()
		if err != nil {
			return nil, err
		}
		shown[i] = TrackedKeyword{
			ID: k.id, KeywordID: serp.KeywordID(k.kw, t.locationID, 0), TrackingID: t.id, UserID: t.accountID, Text: k.kw,
			LocationID: t.locationID, PlatformID: t.platformID, Volume: demand[i].Volume, Months: demand[i].Months,
			Active: !k.removed, Tags: tags[k.number], CreatedAt: k.createdAt.Unix(), LastCheckedAt: k.checkedUnix(), CheckError: k.problem,
		}
		if checked {
			shown[i].Rank, shown[i].URL = ranked(int(last.Rank)), k.url(last)
		}
		if shown[i].Months == nil {
			shown[i].Months = []serp.MonthDemand{}
		}
		if shown[i].Tags == nil {
			shown[i].Tags = []Tag{}
		}
	}
	return shown, nil
}

func keywordTexts(keywords []trackedKeyword) []string {
	list := make([]string, len(keywords))
	for i, k := range keywords {
		list[i] = k.kw
	}
	return list
}

// keywordFields are the names that fields may hold. All but history are always returned.
var keywordFields = []string{
	"_id", "keyword_id", "tracking_id", "user_id", "kw", "location_id", "platform_id", "sv", "msv", "rank", "active", "history",
	"tags", "url", "created_at", "last_checked_at", "check_error",
}

// historyDays is how much history the list of keywords carries.
const historyDays = 365

type listKeywordsInput struct {
	TrackingPath
	Fields []string `query:"fields" doc:"Comma-separated names of fields; history is returned only when it is named, the others always."`
}

func (s *Service) listKeywords(ctx context.Context, in *listKeywordsInput) ([]TrackedKeyword, error) {
	var ps problems
	for _, name := range in.Fields {
		if !slices.Contains(keywordFields, strings.TrimSpace(name)) {
			ps.add("fields", errs.InvalidParameter, "fields names %.64q, which no keyword has.", name)
		}
	}
	if err := errs.Problems(ps); err != nil {
		return nil, err
	}
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	keywords, err := keywordsOf(ctx, s.db, t.id, false)
	if err != nil {
		return nil, err
	}
	demand, err := s.demandOf(ctx, &t, keywordTexts(keywords))
	if err != nil {
		return nil, err
	}
	tags, err := tagsByKeyword(ctx, s.db, t.id)
	if err != nil {
		return nil, err
	}
	shown, err := s.showKeywords(&t, keywords, demand, tags)
	if err != nil || !slices.ContainsFunc(in.Fields, func(name string) bool { return strings.TrimSpace(name) == "history" }) {
		return shown, err
	}
	return shown, s.addHistory(ctx, &t, keywords, shown)
}

func (s *Service) addHistory(ctx context.Context, t *tracking, keywords []trackedKeyword, shown []TrackedKeyword) error {
	today := s.today()
	r := Range{today - historyDays + 1, today}
	years, err := yearsOf(ctx, s.db, t.id, r)
	if err != nil {
		return err
	}
	ranks := make([]int16, len(keywords)*historyDays)
	_, err = inParts(r, keywords, make([]*int64, len(keywords)), years, func(i int, view *reading) {
		history := ranks[i*historyDays : (i+1)*historyDays]
		copy(history, view.inRange())
		shown[i].History = &RankSeries{From: r.From.String(), To: r.To.String(), Ranks: history, NotChecked: notChecked(history, r.From)}
	})
	return err
}

// KeywordsAdded answers the addition of keywords.
type KeywordsAdded struct {
	Tracking Tracking         `json:"tracking"`
	Keywords []TrackedKeyword `json:"keywords" nullable:"false" doc:"All that were asked for, new or not."`
	Processing
}

type addKeywordsInput struct {
	TrackingPath
	Body struct {
		Keywords httpapi.Field[[]KeywordText] `json:"keywords" required:"false" doc:"Each at most 80 characters and 10 words. Required."`
		TagIDs   httpapi.Field[[]string]      `json:"tag_ids" required:"false" doc:"Tags of the tracking that all of them get."`
	}
}

func (in *addKeywordsInput) check() (want []wanted, tagIDs []string, err error) {
	var ps problems
	if required(&ps, "keywords", &in.Body.Keywords) {
		want = ps.keywords(in.Body.Keywords.Value)
	}
	if optional(&ps, "tag_ids", &in.Body.TagIDs) {
		tagIDs = distinct(in.Body.TagIDs.Value)
	}
	if n := len(want) * len(tagIDs); n > maxAssigned {
		ps.add("tag_ids", errs.TooMany, "%d keywords times %d tags are %d; at most %d are allowed at once.", len(want), len(tagIDs), n, maxAssigned)
	}
	return want, tagIDs, errs.Problems(ps)
}

func (s *Service) addKeywords(ctx context.Context, in *addKeywordsInput) (httpapi.Apply[KeywordsAdded], error) {
	who := httpapi.Who(ctx)
	want, tagIDs, err := in.check()
	if err != nil {
		return nil, err
	}
	t, err := ownTracking(ctx, s.db, who.AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	demand, err := s.demandOf(ctx, &t, texts(want))
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (KeywordsAdded, error) {
		added, err := s.add(ctx, tx, who.AccountID, in.ID, want, tagIDs)
		if err != nil {
			return KeywordsAdded{}, err
		}
		tags, err := tagsByKeyword(ctx, tx, in.ID)
		if err != nil {
			return KeywordsAdded{}, err
		}
		all, err := keywordsOf(ctx, tx, in.ID, false)
		if err != nil {
			return KeywordsAdded{}, err
		}
		shown, err := s.showKeywords(&t, added.keywords, demand, tags)
		return KeywordsAdded{Tracking: s.show(&t, idsOf(all)), Keywords: shown, Processing: s.processing(added)}, err
	}, nil
}

type removeKeywordsInput struct {
	TrackingPath
	Body struct {
		IDs httpapi.Field[[]string] `json:"tracked_keyword_ids" required:"false" doc:"Required, not empty."`
	}
}

func (s *Service) removeKeywords(ctx context.Context, in *removeKeywordsInput) (httpapi.Apply[httpapi.Empty], error) {
	var ps problems
	ids := ps.ids("tracked_keyword_ids", &in.Body.IDs)
	if err := errs.Problems(ps); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		return httpapi.Empty{}, s.remove(ctx, tx, who.AccountID, in.ID, ids)
	}, nil
}
