package rankwatch

import (
	"fmt"
	"slices"
)

// yearOf is one row of rank_years.
type yearOf struct {
	year   int
	chunks Year
}

// read collects a keyword's observations of the range.
func (v *reading) read(k *trackedKeyword, years []yearOf) error {
	v.start()
	for _, y := range years {
		if err := v.chunksOf(y.year, y.chunks); err != nil {
			return fmt.Errorf("keyword %s, %d: %w", k.id, y.year, err)
		}
	}
	if err := v.chunk(k.month, k.chunk); err != nil {
		return fmt.Errorf("keyword %s: %w", k.id, err)
	}
	return nil
}

// compute makes the stats of keywords over a range. volumes go with the keywords; nil is unknown.
func compute(r Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]yearOf) (StatsSummary, []KeywordStats, error) {
	days := r.Days()
	frames, view := NewTimeframes(days), newReading(r)
	dates := r.Dates()
	shown := make([]KeywordStats, len(keywords))
	summaries := make([]Summary, len(keywords))
	ranks := make([]int16, len(keywords)*days) // of all histories
	for i := range keywords {
		k := &keywords[i]
		if err := view.read(k, years[k.number]); err != nil {
			return StatsSummary{}, nil, err
		}
		history := RankHistory(ranks[i*days : (i+1)*days : (i+1)*days])
		copy(history, view.inRange())
		summaries[i] = Summarise(history)
		shown[i] = describe(k, view, volumes[i], summaries[i], history, dates)
		Bridge(view.ranks)
		frames.Add(known(volumes[i]), view.inRange(), int(DayOf(k.createdAt)-r.From), days)
	}
	summary := StatsSummary{Timeframes: byDate(dates, frames), TopUp: []string{}, TopDown: []string{}}
	addChanges(keywords, volumes, summaries, shown, frames.Item(days-1).PerformanceTotal)
	up, down := Movers(summaries, topMovers)
	for _, i := range up {
		summary.TopUp = append(summary.TopUp, keywords[i].id)
	}
	for _, i := range down {
		summary.TopDown = append(summary.TopDown, keywords[i].id)
	}
	return summary, shown, nil
}

// timeframes is the part of compute that tells of the tracking alone.
func timeframes(r Range, keywords []trackedKeyword, volumes []*int64, years map[int64][]yearOf) (map[string]StatsItem, error) {
	frames, view := NewTimeframes(r.Days()), newReading(r)
	for i := range keywords {
		k := &keywords[i]
		if err := view.read(k, years[k.number]); err != nil {
			return nil, err
		}
		Bridge(view.ranks)
		frames.Add(known(volumes[i]), view.inRange(), int(DayOf(k.createdAt)-r.From), r.Days())
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

// addChanges needs the performance of the whole tracking.
func addChanges(keywords []trackedKeyword, volumes []*int64, summaries []Summary, shown []KeywordStats, total float64) {
	for i := range shown {
		sum, volume := summaries[i], volumes[i]
		if sum.Checks == 0 {
			continue
		}
		shown[i].RankChange = &sum.Change
		if volume == nil {
			continue
		}
		visits := EstimatedVisits(sum.Last, *volume)
		impact := ImpactOf(sum.First, sum.Last, *volume, total)
		shown[i].Visits, shown[i].VisitsChange, shown[i].PerformanceChange = &visits, &impact.Visits, &impact.PerformanceIndex
		if first := keywords[i].firstRank; first != nil {
			change := ImpactOf(*first, sum.Last, *volume, 0).Visits
			shown[i].VisitsTotalChange = &change
		}
	}
}

// ranked is nil for 0, which stands for "not ranked".
func ranked(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}
