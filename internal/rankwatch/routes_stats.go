package rankwatch

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

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
	days       series.Range
}

// Resolve implements huma.Resolver. It merges body and query; the body wins.
func (in *getStatsInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	if b := in.Body; b != nil {
		if b.From.Given(&problems, "from") {
			in.From = b.From.Value
			refuseEmpty(&problems, "from", in.From)
		}
		if b.To.Given(&problems, "to") {
			in.To = b.To.Value
			refuseEmpty(&problems, "to", in.To)
		}
		if b.KeywordIDs.Given(&problems, "kwIds") {
			in.KeywordIDs = b.KeywordIDs.Value
		}
		if b.TagIDs.Given(&problems, "tag_ids") {
			in.TagIDs = b.TagIDs.Value
		}
	}
	in.days = readRange(&problems, in.From, in.To, today(ctx))
	return problems.Resolved()
}

func (s *Service) getStats(ctx context.Context, in *getStatsInput) (*statsStream, error) {
	t, shared, err := s.readable(ctx, in.ID, in.ShareToken)
	if err != nil {
		return nil, err
	}
	keywords, err := s.selected(ctx, &t, in.KeywordIDs, in.TagIDs)
	if err != nil {
		return nil, err
	}
	var volumes []*int64
	var years map[int64][]series.DatedYear
	var remarks []Annotation
	read, reading := errgroup.WithContext(ctx) // side by side: each takes about as long as the others
	read.Go(func() (err error) {
		volumes, err = s.volumes(reading, t.accountID, t.at(keywordTexts(keywords)))
		return err
	})
	read.Go(func() (err error) { years, err = yearsOf(reading, s.db, t.id, in.days); return err })
	read.Go(func() (err error) { remarks, err = annotationsIn(reading, s.db, t.id, in.days); return err })
	if err := read.Wait(); err != nil {
		return nil, err
	}
	stats, err := compute(in.days, keywords, volumes, years)
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
