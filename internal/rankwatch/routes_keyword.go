package rankwatch

import (
	"context"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

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

// Resolve implements huma.Resolver.
func (in *listKeywordsInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	for _, name := range in.Fields {
		if !slices.Contains(keywordFields, strings.TrimSpace(name)) {
			problems.Add("fields", errs.InvalidParameter, "fields names %.64q, which no keyword has.", name)
		}
	}
	return problems.Resolved()
}

func (s *Service) listKeywords(ctx context.Context, in *listKeywordsInput) ([]TrackedKeyword, error) {
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
	shown, err := showKeywords(&t, keywords, demand, tags)
	if err != nil || !slices.ContainsFunc(in.Fields, func(name string) bool { return strings.TrimSpace(name) == "history" }) {
		return shown, err
	}
	return shown, s.addHistory(ctx, &t, keywords, shown)
}

func (s *Service) addHistory(ctx context.Context, t *tracking, keywords []trackedKeyword, shown []TrackedKeyword) error {
	today := s.today()
	r := series.Range{From: today - historyDays + 1, To: today}
	years, err := yearsOf(ctx, s.db, t.id, r)
	if err != nil {
		return err
	}
	ranks := make([]int16, len(keywords)*historyDays)
	_, err = inParts(r, keywords, make([]*int64, len(keywords)), years, func(i int, view *series.Reader) {
		history := ranks[i*historyDays : (i+1)*historyDays]
		copy(history, view.Ranks())
		shown[i].History = &RankSeries{From: r.From.String(), To: r.To.String(), Ranks: history, NotChecked: notChecked(history, r.From)}
	})
	return err
}

// KeywordDetail is a tracked keyword with its checks.
type KeywordDetail struct {
	TrackedKeyword
	Checks []DayCheck `json:"checks" nullable:"false" doc:"One for each day that has a check, oldest first. A day whose check failed has none."`
}

type getKeywordInput struct {
	TrackingPath
	KeywordID string `path:"tracked_keyword_id"`
	From      string `query:"from" doc:"YYYY-MM-DD; 30 days before to when missing."`
	To        string `query:"to" doc:"YYYY-MM-DD; today when missing."`
	days      series.Range
}

// Resolve implements huma.Resolver.
func (in *getKeywordInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.days = readRange(&problems, in.From, in.To, today(ctx))
	return problems.Resolved()
}

func (s *Service) getKeyword(ctx context.Context, in *getKeywordInput) (KeywordDetail, error) {
	t, err := ownTracking(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return KeywordDetail{}, err
	}
	k, err := getKeyword(ctx, s.db, t.id, in.KeywordID)
	if err != nil {
		return KeywordDetail{}, err
	}
	demand, err := s.demandOf(ctx, &t, []string{k.kw})
	if err != nil {
		return KeywordDetail{}, err
	}
	tags, err := tagsOfKeyword(ctx, s.db, k.number)
	if err != nil {
		return KeywordDetail{}, err
	}
	years, err := yearsOfKeyword(ctx, s.db, k.number, in.days)
	if err != nil {
		return KeywordDetail{}, err
	}
	shown, err := showKeywords(&t, []trackedKeyword{k}, demand, map[int64][]Tag{k.number: tags})
	if err != nil {
		return KeywordDetail{}, err
	}
	checks, err := k.checks(in.days, years, demand[0].Volume)
	return KeywordDetail{TrackedKeyword: shown[0], Checks: checks}, err
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
	var problems errs.Problems
	if required(&problems, "keywords", &in.Body.Keywords) {
		want = readKeywords(&problems, in.Body.Keywords.Value)
	}
	if in.Body.TagIDs.Given(&problems, "tag_ids") {
		tagIDs = distinct(in.Body.TagIDs.Value)
	}
	if n := len(want) * len(tagIDs); n > maxAssigned {
		problems.Add("tag_ids", errs.TooMany, "%d keywords times %d tags are %d; at most %d are allowed at once.", len(want), len(tagIDs), n, maxAssigned)
	}
	return want, tagIDs, problems.Err()
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
		ids, err := keywordIDs(ctx, tx, in.ID)
		if err != nil {
			return KeywordsAdded{}, err
		}
		shown, err := showKeywords(&t, added.keywords, demand, tags)
		if err != nil {
			return KeywordsAdded{}, err
		}
		done := KeywordsAdded{Tracking: t.show(ids), Keywords: shown, Processing: s.processing(added)}
		_, err = showRules(ctx, tx, who.AccountID, &done.Tracking)
		return done, err
	}, nil
}

type removeKeywordsInput struct {
	TrackingPath
	Body struct {
		IDs httpapi.Field[[]string] `json:"tracked_keyword_ids" required:"false" doc:"Required, not empty."`
	}
}

func (s *Service) removeKeywords(ctx context.Context, in *removeKeywordsInput) (httpapi.Apply[httpapi.Empty], error) {
	var problems errs.Problems
	ids := readIDs(&problems, "tracked_keyword_ids", &in.Body.IDs)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Empty, error) {
		return httpapi.Empty{}, s.remove(ctx, tx, who.AccountID, in.ID, ids)
	}, nil
}
