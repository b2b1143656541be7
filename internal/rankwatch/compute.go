package rankwatch

import (
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// yearOf is one row of rank_years.
type yearOf struct {
	year   int
	chunks Year
}

// read collects a keyword's observations of the range. Its years are read from the store after the
// keyword itself, so that no month is missed that is closed in between; such a month comes twice.
func (v *reading) read(k *trackedKeyword, years []yearOf) error {
	v.start()
	v.newest, v.twice = k.month, false
	for _, y := range years {
		if err := v.chunksOf(y.year, y.chunks); err != nil {
			return fmt.Errorf("keyword %s, %d: %w", k.id, y.year, err)
		}
	}
	if v.twice {
		return nil
	}
	if err := v.chunk(k.month, k.chunk); err != nil {
		return fmt.Errorf("keyword %s: %w", k.id, err)
	}
	return nil
}

// minPart is how many keywords are worth a goroutine.
const minPart = 100

// inParts reads all keywords, some in each of a few goroutines, and hands every one to take while its
// observations are in view. It returns the timeframes of all.
func inParts(r Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]yearOf, take func(i int, view *reading)) (*Timeframes, error) {
	parts := min(runtime.GOMAXPROCS(0), len(keywords)/minPart+1)
	frames := make([]*Timeframes, parts)
	var work errgroup.Group
	for part := range parts {
		frames[part] = NewTimeframes(r.Days())
		work.Go(func() error {
			view := newReading(r)
			for i := part * len(keywords) / parts; i < (part+1)*len(keywords)/parts; i++ {
				k := &keywords[i]
				if err := view.read(k, years[k.number]); err != nil {
					return err
				}
				take(i, view)
				Bridge(view.ranks)
				frames[part].Add(known(volumes[i]), view.inRange(), int(DayOf(k.createdAt)-r.From), r.Days())
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
func compute(r Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]yearOf) (*statsStream, error) {
	summaries := make([]Summary, len(keywords))
	frames, err := inParts(r, keywords, volumes, years, func(i int, view *reading) { summaries[i] = Summarise(view.inRange()) })
	if err != nil {
		return nil, err
	}
	s := &statsStream{r: r, keywords: keywords, volumes: volumes, years: years, total: frames.Item(r.Days() - 1).PerformanceTotal}
	dates := r.Dates()
	s.head.Stats = StatsSummary{Timeframes: byDate(dates, frames), TopUp: []string{}, TopDown: []string{}}
	slices.Reverse(dates)
	s.head.HistoryDates = dates
	up, down := Movers(summaries, topMovers)
	for _, i := range up {
		s.head.Stats.TopUp = append(s.head.Stats.TopUp, keywords[i].id)
	}
	for _, i := range down {
		s.head.Stats.TopDown = append(s.head.Stats.TopDown, keywords[i].id)
	}
	return s, nil
}

// timeframes is the part of compute that tells of the tracking alone.
func timeframes(r Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]yearOf) (map[string]StatsItem, error) {
	frames, err := inParts(r, keywords, volumes, years, func(int, *reading) {})
	if err != nil {
		return nil, err
	}
	return byDate(r.Dates(), frames), nil
}

func byDate(dates []string, frames *Timeframes) map[string]StatsItem {
	items := make(map[string]StatsItem, len(dates))
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
func (s *KeywordFigures) addChanges(sum Summary, volume *int64, firstEver *int, total float64) {
	if sum.Checks == 0 {
		return
	}
	if sum.Best > 0 {
		s.RankChange = &sum.Change
	}
	if volume == nil {
		return
	}
	visits := EstimatedVisits(sum.Last, *volume)
	impact := ImpactOf(sum.First, sum.Last, *volume, total)
	s.Visits, s.VisitsChange, s.PerformanceChange = &visits, &impact.Visits, &impact.PerformanceIndex
	if firstEver != nil {
		change := ImpactOf(*firstEver, sum.Last, *volume, 0).Visits
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
