package rankwatch

import (
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// minPart is how many keywords are worth a goroutine.
const minPart = 100

// inParts reads all keywords, some in each of a few goroutines, and hands every one to take while its
// observations are in view. It returns the timeframes of all.
func inParts(r series.Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]series.DatedYear, take func(i int, view *series.Reader)) (*formula.Timeframes, error) {
	parts := min(runtime.GOMAXPROCS(0), len(keywords)/minPart+1)
	frames := make([]*formula.Timeframes, parts)
	var work errgroup.Group
	for part := range parts {
		frames[part] = formula.NewTimeframes(r.Days())
		work.Go(func() error {
			view := series.NewReader(r)
			for i := part * len(keywords) / parts; i < (part+1)*len(keywords)/parts; i++ {
				k := &keywords[i]
				if err := k.read(view, years[k.number]); err != nil {
					return err
				}
				take(i, view)
				view.Bridge()
				frames[part].Add(known(volumes[i]), view.Ranks(), int(series.DayOf(k.createdAt)-r.From), r.Days())
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	for _, other := range frames[1:] {
		frames[0].Merge(other)
	}
	return frames[0], nil
}

// compute makes the stats of keywords over a range; what they say of each keyword is worked out when it
// is printed. volumes go with the keywords; nil is unknown.
func compute(r series.Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]series.DatedYear) (*statsStream, error) {
	summaries := make([]formula.Summary, len(keywords))
	frames, err := inParts(r, keywords, volumes, years, func(i int, view *series.Reader) { summaries[i] = formula.Summarise(view.Ranks()) })
	if err != nil {
		return nil, err
	}
	s := &statsStream{r: r, keywords: keywords, volumes: volumes, years: years, total: frames.Item(r.Days() - 1).PerformanceTotal}
	dates := r.Dates()
	s.head.Stats = StatsSummary{Timeframes: byDate(dates, frames), TopUp: []string{}, TopDown: []string{}}
	slices.Reverse(dates)
	s.head.HistoryDates = dates
	up, down := formula.Movers(summaries, topMovers)
	for _, i := range up {
		s.head.Stats.TopUp = append(s.head.Stats.TopUp, keywords[i].id)
	}
	for _, i := range down {
		s.head.Stats.TopDown = append(s.head.Stats.TopDown, keywords[i].id)
	}
	return s, nil
}

func byDate(dates []string, frames *formula.Timeframes) map[string]formula.StatsItem {
	items := make(map[string]formula.StatsItem, len(dates))
	for i, date := range dates {
		items[date] = frames.Item(i)
	}
	return items
}

// pick returns the keywords with these ids, in their own order.
func pick(keywords []trackedKeyword, ids []string) ([]trackedKeyword, error) {
	want := make(map[string]bool, len(ids))
	for _, id := range ids {
		want[id] = true
	}
	var picked []trackedKeyword
	for _, k := range keywords {
		if want[k.id] {
			picked = append(picked, k)
			delete(want, k.id)
		}
	}
	for _, id := range ids {
		if want[id] {
			return nil, noKeyword(id)
		}
	}
	return picked, nil
}

// tagged returns the keywords that have any of these tags.
func tagged(keywords []trackedKeyword, tags map[int64][]Tag, ids []string) []trackedKeyword {
	var some []trackedKeyword
	for _, k := range keywords {
		if slices.ContainsFunc(tags[k.number], func(t Tag) bool { return slices.Contains(ids, t.ID) }) {
			some = append(some, k)
		}
	}
	return some
}

func known(volume *int64) int64 {
	if volume == nil {
		return 0
	}
	return *volume
}

// addChanges adds what the moves of a keyword mean; total is the performance of the whole tracking.
func (s *KeywordFigures) addChanges(sum formula.Summary, volume *int64, firstEver *int, total float64) {
	if sum.Checks == 0 {
		return
	}
	if sum.Best > 0 {
		s.RankChange = &sum.Change
	}
	if volume == nil {
		return
	}
	visits := formula.EstimatedVisits(sum.Last, *volume)
	impact := formula.ImpactOf(sum.First, sum.Last, *volume, total)
	s.Visits, s.VisitsChange, s.PerformanceChange = &visits, &impact.Visits, &impact.PerformanceIndex
	if firstEver != nil {
		change := formula.ImpactOf(*firstEver, sum.Last, *volume, 0).Visits
		s.VisitsTotalChange = &change
	}
}

// ranked is nil for 0, which stands for "not ranked".
func ranked(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}
