package rankwatch

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// KeywordDetail is a tracked keyword with its checks.
type KeywordDetail struct {
	TrackedKeyword
	Checks []DayCheck `json:"checks" nullable:"false" doc:"One for each day that has a check, oldest first. A day whose check failed has none."`
}

// DayCheck is what the check of a day found.
type DayCheck struct {
	Date      string   `json:"date" format:"date"`
	Rank      *int     `json:"rank" doc:"null: the target was not found within the depth."`
	URL       *string  `json:"url"`
	MoreURL   bool     `json:"is_more_url"`
	MapPack   *int     `json:"map_pack_rank"`
	IsSnippet bool     `json:"is_feat_snippet" doc:"The featured snippet is the target's."`
	Features  []string `json:"serp_features" nullable:"false"`
	Visits    *float64 `json:"estimated_visits" doc:"A month, at this rank; null when the search volume is unknown."`
}

type getKeywordInput struct {
	TrackingPath
	KeywordID string `path:"tracked_keyword_id"`
	From      string `query:"from" doc:"YYYY-MM-DD; 30 days before to when missing."`
	To        string `query:"to" doc:"YYYY-MM-DD; today when missing."`
}

func (s *Service) getKeyword(ctx context.Context, in *getKeywordInput) (KeywordDetail, error) {
	r, problems := parseRange(in.From, in.To, s.today())
	if err := errs.Problems(problems); err != nil {
		return KeywordDetail{}, err
	}
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
	tags, err := tagsByKeyword(ctx, s.db, t.id)
	if err != nil {
		return KeywordDetail{}, err
	}
	years, err := yearsOfKeyword(ctx, s.db, k.number, r)
	if err != nil {
		return KeywordDetail{}, err
	}
	shown, err := s.showKeywords(&t, []trackedKeyword{k}, demand, tags)
	if err != nil {
		return KeywordDetail{}, err
	}
	checks, err := k.checks(r, years, demand[0].Volume)
	return KeywordDetail{TrackedKeyword: shown[0], Checks: checks}, err
}

// checks lists the observations of a range.
func (k *trackedKeyword) checks(r Range, years []yearOf, volume *int64) ([]DayCheck, error) {
	list := []DayCheck{}
	view := newReading(r)
	view.takeDay = func(day int, o Observation) {
		at := view.month + Day(day-1)
		if at < r.From || at > r.To {
			return
		}
		c := DayCheck{
			Date: at.String(), Rank: ranked(int(o.Rank)), URL: k.url(o), MoreURL: o.MoreURL,
			MapPack: ranked(int(o.MapPack)), IsSnippet: o.OwnSnippet, Features: o.Features.Names(),
		}
		if volume != nil {
			visits := EstimatedVisits(int(o.Rank), *volume)
			c.Visits = &visits
		}
		list = append(list, c)
	}
	return list, view.read(k, years)
}
