package rankwatch

import (
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const (
	trendDays    = 30
	weekDays     = 7
	summedMovers = 5 // keywords on each side
)

// summary is what the ranks of a tracking say in short.
type summary struct {
	trackingID string
	keywords   int
	visibility *float64  // of the newest day; nil before the first check
	change     float64   // since a week before, or since the first day
	trend      []float64 // day by day, oldest first
	movers     []mover
}

// mover is a keyword that moved within the week.
type mover struct {
	number int64
	rank   *int
	change int
}

// sumUp reckons the summary of a tracking on a day.
func sumUp(trackingID string, today series.Day, keywords []trackedKeyword, years map[int64][]series.DatedYear) (*summary, error) {
	r := series.Range{From: today - trendDays + 1, To: today}
	weeks := make([]formula.Summary, len(keywords))
	frames, err := inParts(r, keywords, make([]*int64, len(keywords)), years, func(i int, view *series.Reader) {
		weeks[i] = formula.Summarise(view.Ranks()[trendDays-1-weekDays:])
	})
	if err != nil {
		return nil, err
	}
	s := &summary{trackingID: trackingID, keywords: len(keywords), trend: []float64{}}
	weekAgo := 0.0
	for day := range trendDays {
		item := frames.Item(day)
		if item.KeywordsWithHistory == 0 {
			continue
		}
		if len(s.trend) == 0 || day <= trendDays-1-weekDays {
			weekAgo = item.VisibilityIndex
		}
		s.trend = append(s.trend, item.VisibilityIndex)
	}
	if n := len(s.trend); n > 0 {
		s.visibility, s.change = &s.trend[n-1], s.trend[n-1]-weekAgo
	}
	up, down := formula.Movers(weeks, summedMovers)
	for _, i := range append(up, down...) {
		s.movers = append(s.movers, mover{keywords[i].number, ranked(weeks[i].Last), weeks[i].Change})
	}
	return s, nil
}
