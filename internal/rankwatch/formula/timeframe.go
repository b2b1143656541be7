package formula

import "github.com/trigpoint/trigpoint/internal/rankwatch/series"

// Timeframes computes the stats of every day of a range, keyword by keyword.
type Timeframes struct{ days []tally }

// NewTimeframes starts with no keywords.
func NewTimeframes(days int) *Timeframes { return &Timeframes{days: make([]tally, days)} }

// Add counts a keyword that was tracked on the days [from, to) of the range; ranks holds one bridged
// rank for each day of the range. An unknown volume is 0.
func (f *Timeframes) Add(volume int64, ranks []int16, from, to int) {
	volume = boundVolume(volume)
	from, to = max(from, 0), min(to, len(f.days), len(ranks))
	for day := from; day < to; day++ {
		t := &f.days[day]
		t.eligible++
		if rank := ranks[day]; rank != series.NotChecked {
			t.add(int(rank), volume)
		}
	}
}

// Merge adds the keywords of another computation over the same range.
func (f *Timeframes) Merge(o *Timeframes) {
	for day := range f.days {
		f.days[day].merge(o.days[day])
	}
}

// Item is the state on a day of the range.
func (f *Timeframes) Item(day int) StatsItem { return f.days[day].item() }
