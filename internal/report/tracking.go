package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

const (
	moversShown   = 10  // on each side
	keywordsShown = 500 // in the table
)

// tracking reports how a domain ranks in result pages.
func (s *Service) tracking(ctx context.Context, q Query) (r *document.Report, owner string, err error) {
	p, err := s.RankWatch.Period(ctx, q.AccountID, q.ID, q.ShareToken, q.From, q.To)
	if err != nil {
		return nil, "", err
	}
	r = &document.Report{Title: p.Tracking.Domain, Kind: "Search ranks", Subtitle: p.Tracking.Location.Label + ", " + device(p.Tracking.PlatformID)}
	if len(p.Days) == 0 {
		r.Sections = []document.Section{{Title: "Summary", Lead: "Nothing was checked on these days."}}
		return r, p.AccountID, nil
	}
	r.Sections = []document.Section{trackingSummary(p)}
	if movers := moverTables(p.Keywords); len(movers) > 0 {
		r.Sections = append(r.Sections, document.Section{Title: "Winners and losers", Tables: movers})
	}
	r.Sections = append(r.Sections, document.Section{Title: "Keywords", Tables: []document.Table{trackedTable(p.Keywords)}})
	return r, p.AccountID, nil
}

func device(platform int) string {
	if platform == 2 {
		return "mobile"
	}
	return "desktop"
}

// trackingSummary compares the last day with the one before the period, or else its first.
func trackingSummary(p *rankwatch.Period) document.Section {
	then, now := p.Days[0], p.Days[len(p.Days)-1]
	s := document.Section{Title: "Summary"}
	s.Lead = fmt.Sprintf("On %s %s ranks among the first ten with %d of %d keywords", day(now.Day), p.Tracking.Domain, firstTen(now.RankDistribution), now.KeywordsWithHistory)
	if p.Compared { // days without a check have the ranks of one before
		s.Lead += fmt.Sprintf("; on %s it was %d of %d", day(then.Day), firstTen(then.RankDistribution), then.KeywordsWithHistory)
	}
	s.Lead += "."
	s.Figures = []document.Figure{
		{Name: "Visibility", Value: number(now.VisibilityIndex), Means: "0 to 100: the clicks that its ranks bring, as a share of those if every keyword ranked first."},
		{Name: "Performance", Value: number(now.PerformanceIndex), Means: "As visibility, with every keyword weighing as much as it is searched for."},
		{Name: "Visits a month", Value: whole(now.EstimatedVisits), Means: "Visits expected at these ranks."},
		{Name: "Keywords in the top 10", Value: fmt.Sprint(firstTen(now.RankDistribution)), Means: "Keywords at ranks 1 to 10."},
	}
	if p.Compared {
		s.Figures[0].Change = index(then.VisibilityIndex, now.VisibilityIndex)
		s.Figures[1].Change = index(then.PerformanceIndex, now.PerformanceIndex)
		s.Figures[2].Change = counts(then.EstimatedVisits, now.EstimatedVisits)
		s.Figures[3].Change = counts(float64(firstTen(then.RankDistribution)), float64(firstTen(now.RankDistribution)))
	}
	searched := slices.ContainsFunc(p.Keywords, func(k rankwatch.PeriodKeyword) bool { return k.Volume != nil })
	if !searched {
		for _, f := range []*document.Figure{&s.Figures[1], &s.Figures[2]} {
			f.Value, f.Change, f.Means = "–", document.Change{}, f.Means+" How often keywords are searched for is not known."
		}
	}
	visibility, visits := document.Chart{Title: "Visibility"}, document.Chart{Title: "Visits a month", Whole: true}
	for _, d := range p.Days {
		visibility.Points = append(visibility.Points, document.Dated{At: d.Day, Value: d.VisibilityIndex})
		visits.Points = append(visits.Points, document.Dated{At: d.Day, Value: d.EstimatedVisits})
	}
	if s.Charts = []document.Chart{visibility}; searched {
		s.Charts = append(s.Charts, visits)
	}
	s.Tables = []document.Table{distribution(then, now, p.Compared)}
	return s
}

func firstTen(d formula.RankDistribution) int { return d.First + d.Top3 + d.Top10 }

// distribution counts the keywords by ranges of ranks.
func distribution(then, now rankwatch.PeriodDay, compared bool) document.Table {
	t := document.Table{Title: "Keywords by rank", Columns: []document.Column{{Name: "Ranks", Share: 3}, {Name: day(then.Day), Share: 2, Numbers: true}, {Name: day(now.Day), Share: 2, Numbers: true}}}
	for _, line := range []struct {
		name      string
		then, now int
	}{
		{"1", then.RankDistribution.First, now.RankDistribution.First},
		{"2–3", then.RankDistribution.Top3, now.RankDistribution.Top3},
		{"4–10", then.RankDistribution.Top10, now.RankDistribution.Top10},
		{"11–20", then.RankDistribution.Top20, now.RankDistribution.Top20},
		{"21–100", then.RankDistribution.Top, now.RankDistribution.Top},
		{"not found", then.RankDistribution.Rest, now.RankDistribution.Rest},
	} {
		t.Rows = append(t.Rows, []document.Cell{document.Plain(line.name), document.Plain(fmt.Sprint(line.then)), document.Plain(fmt.Sprint(line.now))})
	}
	if !compared { // one day has nothing beside it
		t.Columns = slices.Delete(t.Columns, 1, 2)
		for i := range t.Rows {
			t.Rows[i] = slices.Delete(t.Rows[i], 1, 2)
		}
	}
	return t
}

var rankColumns = []document.Column{{Name: "Keyword", Share: 4}, {Name: "Then", Share: 1, Numbers: true}, {Name: "Now", Share: 1, Numbers: true}, {Name: "Change", Share: 1.2, Numbers: true}}

// moverTables are the keywords that climbed and fell most; none when nothing moved.
func moverTables(all []rankwatch.PeriodKeyword) (tables []document.Table) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b rankwatch.PeriodKeyword) int { return cmp.Compare(b.Change, a.Change) })
	up, down := document.Table{Title: "Climbed", Columns: rankColumns}, document.Table{Title: "Fell", Columns: rankColumns}
	for _, k := range sorted {
		if k.Change > 0 && len(up.Rows) < moversShown {
			up.Rows = append(up.Rows, rankRow(k))
		}
	}
	for _, k := range slices.Backward(sorted) {
		if k.Change < 0 && len(down.Rows) < moversShown {
			down.Rows = append(down.Rows, rankRow(k))
		}
	}
	for _, t := range []document.Table{up, down} {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	return tables
}

func rankRow(k rankwatch.PeriodKeyword) []document.Cell {
	row := []document.Cell{document.Plain(k.Text), document.Plain(rank(k.Then, k.Compared)), document.Plain(rank(k.Now, k.Checked)), {}}
	if k.Compared {
		row[3] = document.Changed(change(float64(k.Change), "%.0f"))
	}
	return row
}

// rank is a rank as it is written.
func rank(r *int, checked bool) string {
	switch {
	case !checked:
		return "–"
	case r == nil:
		return "not found"
	}
	return fmt.Sprint(*r)
}

// trackedTable lists every keyword by its rank, the best first.
func trackedTable(all []rankwatch.PeriodKeyword) document.Table {
	t := document.Table{Columns: append(slices.Clone(rankColumns), document.Column{Name: "Best", Share: 1, Numbers: true}, document.Column{Name: "Searches", Share: 1.2, Numbers: true})}
	sorted := slices.Clone(all)
	place := func(k rankwatch.PeriodKeyword) int {
		switch {
		case !k.Checked:
			return 1 << 30
		case k.Now == nil:
			return 1 << 20
		}
		return *k.Now
	}
	slices.SortStableFunc(sorted, func(a, b rankwatch.PeriodKeyword) int { return cmp.Compare(place(a), place(b)) })
	for _, k := range sorted[:min(len(sorted), keywordsShown)] {
		volume := "–"
		if k.Volume != nil {
			volume = whole(float64(*k.Volume))
		}
		t.Rows = append(t.Rows, append(rankRow(k), document.Plain(rank(k.Best, k.Best != nil)), document.Plain(volume)))
	}
	if n := len(sorted) - keywordsShown; n > 0 {
		t.Note = fmt.Sprintf("%d further keywords rank lower and are left out.", n)
	}
	return t
}
