package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

const (
	mappedKeywords = 12 // with maps; all have a line
	rivalsShown    = 8
)

// campaign reports how a business ranks on the map around it.
func (s *Service) campaign(ctx context.Context, q Query) (r *document.Report, owner string, err error) {
	p, err := s.MapRank.Period(ctx, maprank.PeriodQuery{
		AccountID: q.AccountID, CampaignID: q.ID, ShareToken: q.ShareToken, Keyword: q.Keyword,
		From: q.begins(q.From), To: q.begins(q.To.AddDate(0, 0, 1)), Maps: mappedKeywords, Rivals: rivalsShown,
	})
	if err != nil {
		return nil, "", err
	}
	r = &document.Report{Title: p.Business.Name, Kind: "Map ranks", Subtitle: p.Business.Address}
	if p.Name != p.Business.Name {
		r.Kind += " · " + p.Name
	}
	if p.Now == nil || len(p.Keywords) == 0 {
		r.Sections = []document.Section{{Title: "Summary", Lead: "Nothing was collected up to the end of these days. The first report will be shown here."}}
		return r, p.AccountID, nil
	}
	r.Sections = append(r.Sections, campaignSummary(p))
	for i := range p.Keywords {
		if k := &p.Keywords[i]; k.NowPlace != nil {
			r.Sections = append(r.Sections, keywordSection(p, k))
		}
	}
	return r, p.AccountID, nil
}

// campaignSummary tells of all keywords together.
func campaignSummary(p *maprank.Period) document.Section {
	then, now := means(p.Keywords)
	s := document.Section{Title: "Summary", Figures: mapFigures(then, &now)}
	many := fmt.Sprintf("over %d keywords", len(p.Keywords))
	if len(p.Keywords) == 1 {
		many = fmt.Sprintf("for “%s”", p.Keywords[0].Name)
	}
	s.Lead = fmt.Sprintf("%s ranks %s on average %s, as of %s", p.Business.Name, number(now.AveragePosition), many, day(*p.Now))
	if then == nil {
		s.Lead += ". There is nothing to compare it with yet."
	} else {
		c := places(then.AveragePosition, now.AveragePosition)
		s.Lead += map[int]string{1: ": " + c.Text + " places better than on ", -1: ": " + c.Text + " places worse than on ", 0: ", as it did on "}[c.Way] + day(*p.Then) + "."
	}
	position, share := document.Chart{Title: "Average position", Down: true}, document.Chart{Title: "Share of voice", Unit: "%"}
	for _, at := range overallTrend(p) {
		position.Points = append(position.Points, document.Dated{At: at.At, Value: at.AveragePosition})
		share.Points = append(share.Points, document.Dated{At: at.At, Value: at.ShareOfVoice})
	}
	s.Charts = []document.Chart{position, share}
	if len(p.Keywords) > 1 {
		s.Tables = []document.Table{keywordTable(p)}
	}
	return s
}

// means are the figures over all keywords, each of which weighs the same. Then is nil when no keyword was collected then.
func means(keywords []maprank.PeriodKeyword) (then *maprank.Figures, now maprank.Figures) {
	add := func(sum *maprank.Figures, f maprank.Figures, n int) {
		weight := 1 / float64(n)
		sum.AveragePosition += weight * f.AveragePosition
		sum.ShareOfVoice += weight * f.ShareOfVoice
		sum.FoundShare += weight * f.FoundShare
		sum.TopShare += weight * f.TopShare
	}
	compared := 0
	for _, k := range keywords {
		if k.Then != nil {
			compared++
		}
	}
	for _, k := range keywords {
		add(&now, k.Now, len(keywords))
		if k.Then != nil {
			if then == nil {
				then = &maprank.Figures{}
			}
			add(then, *k.Then, compared)
		}
	}
	return then, now
}

// overallTrend is the campaign's line: of its reports, or of the one keyword that is told.
func overallTrend(p *maprank.Period) []maprank.DatedFigures {
	if len(p.Keywords) == 1 {
		return p.Keywords[0].Trend
	}
	var all []maprank.DatedFigures
	for _, r := range p.Reports {
		if r.AveragePosition != nil && r.ShareOfVoice != nil {
			all = append(all, maprank.DatedFigures{At: r.At, Figures: maprank.Figures{AveragePosition: *r.AveragePosition, ShareOfVoice: *r.ShareOfVoice}})
		}
	}
	return all
}

// mapFigures are what map ranks come to.
func mapFigures(then, now *maprank.Figures) []document.Figure {
	all := []document.Figure{
		{Name: "Average position", Value: number(now.AveragePosition), Means: "Mean rank over all points; beyond the first 20 counts as 21."},
		{Name: "Share of voice", Value: percent(now.ShareOfVoice), Means: "How much of the attention on the map is yours: a first place counts most."},
		{Name: "Among the first 3", Value: percent(now.TopShare), Means: "Share of points where the business is among the first three."},
		{Name: "Among the first 20", Value: percent(now.FoundShare), Means: "Share of points where the business is among the first twenty."},
	}
	if then != nil {
		all[0].Change = places(then.AveragePosition, now.AveragePosition)
		all[1].Change = points(then.ShareOfVoice, now.ShareOfVoice)
		all[2].Change = points(then.TopShare, now.TopShare)
		all[3].Change = points(then.FoundShare, now.FoundShare)
	}
	return all
}

// keywordTable lists keywords from the greatest climb to the deepest fall.
func keywordTable(p *maprank.Period) document.Table {
	t := document.Table{Title: "Winners and losers", Columns: []document.Column{
		{Name: "Keyword", Share: 4},
		{Name: "Position then", Share: 1.4, Numbers: true},
		{Name: "Now", Share: 1, Numbers: true},
		{Name: "Change", Share: 1.2, Numbers: true},
		{Name: "Share of voice", Share: 1.5, Numbers: true},
		{Name: "First 3", Share: 1, Numbers: true},
	}}
	sorted := slices.Clone(p.Keywords)
	won := func(k maprank.PeriodKeyword) float64 { return k.Then.AveragePosition - k.Now.AveragePosition }
	slices.SortStableFunc(sorted, func(a, b maprank.PeriodKeyword) int {
		if a.Then == nil || b.Then == nil {
			return cmp.Compare(boolean(a.Then == nil), boolean(b.Then == nil))
		}
		return cmp.Compare(won(b), won(a))
	})
	for _, k := range sorted {
		then, moved := document.Plain("–"), document.Plain("new")
		if k.Then != nil {
			then, moved = document.Plain(number(k.Then.AveragePosition)), document.Changed(places(k.Then.AveragePosition, k.Now.AveragePosition))
		}
		t.Rows = append(t.Rows, []document.Cell{document.Plain(k.Name), then, document.Plain(number(k.Now.AveragePosition)), moved, document.Plain(percent(k.Now.ShareOfVoice)), document.Plain(percent(k.Now.TopShare))})
	}
	if len(p.Keywords) > mappedKeywords {
		t.Note = fmt.Sprintf("Maps of the first %d keywords follow.", mappedKeywords)
	}
	return t
}

func boolean(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// keywordSection shows one keyword on the map, then and now.
func keywordSection(p *maprank.Period, k *maprank.PeriodKeyword) document.Section {
	s := document.Section{Title: k.Name, NewPage: true, Figures: mapFigures(k.Then, &k.Now)}
	if k.ThenPlace != nil {
		s.Maps = append(s.Maps, rankMap(p, k.ThenPlace, day(*p.Then), *k.Then))
	}
	s.Maps = append(s.Maps, rankMap(p, k.NowPlace, day(*p.Now), k.Now))
	position, share := document.Chart{Title: "Average position", Down: true}, document.Chart{Title: "Share of voice", Unit: "%"}
	for _, at := range k.Trend {
		position.Points = append(position.Points, document.Dated{At: at.At, Value: at.AveragePosition})
		share.Points = append(share.Points, document.Dated{At: at.At, Value: at.ShareOfVoice})
	}
	if len(k.Trend) > 2 {
		s.Charts = []document.Chart{position, share}
	}
	s.Tables = []document.Table{rivalTable(k)}
	return s
}

func rankMap(p *maprank.Period, places []maprank.RankedPoint, title string, f maprank.Figures) document.Map {
	at := make([]geo.Point, len(places))
	for i := range places {
		at[i] = places[i].At
	}
	centre := p.Business.Coordinates
	if p.Grid != nil {
		centre = p.Grid.BasePoint
	}
	flat := geo.Flatten(at, geo.Point(centre))
	m := document.Map{Title: title, Note: "average position " + number(f.AveragePosition), Width: flat.Width, Height: flat.Height}
	for i, spot := range flat.Points {
		m.Points = append(m.Points, document.Point{East: spot.East, North: spot.North, Rank: places[i].Rank})
	}
	if c := flat.Centre; c != nil {
		m.Centre = &document.Point{East: c.East, North: c.North}
	}
	return m
}

// rivalTable lists who is best on the map, the own business among them.
func rivalTable(k *maprank.PeriodKeyword) document.Table {
	t := document.Table{Title: "Who is ahead", Columns: []document.Column{
		{Name: "Business", Share: 4}, {Name: "Average position", Share: 1.6, Numbers: true}, {Name: "Change", Share: 1, Numbers: true}, {Name: "Share of voice", Share: 1.4, Numbers: true}, {Name: "First 3", Share: 1, Numbers: true},
	}}
	for _, r := range k.Rivals {
		row := []document.Cell{{Text: strings.TrimSpace(r.Business.Name), Bold: r.Own}, document.Plain(number(r.AveragePosition)), {}, document.Plain(percent(r.ShareOfVoice)), document.Plain(percent(r.TopShare))}
		if d := r.AveragePositionDiff; d != nil {
			row[2] = document.Changed(places(r.AveragePosition+*d, r.AveragePosition))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = foundFor(k.RivalsAll)
	return t
}

func foundFor(businesses int) string {
	if businesses == 1 {
		return "One business was found for this keyword."
	}
	return whole(float64(businesses)) + " businesses were found for this keyword."
}
