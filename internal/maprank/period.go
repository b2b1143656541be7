package maprank

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// Period is how the business of a campaign fared within some time: how it stood when that began beside how it stood when that
// ended, and every report between.
type Period struct {
	AccountID string // that owns the campaign
	Name      string
	Business  result.Business
	Grid      *grid.Grid
	Then, Now *time.Time // of the reports that are compared; both nil without a report, Then also with the first
	Reports   []PeriodReport
	Keywords  []PeriodKeyword // of the report of Now, in its order
}

// PeriodReport is one of its reports, over all keywords; nil where nothing was observed.
type PeriodReport struct {
	At                            time.Time
	AveragePosition, ShareOfVoice *float64

	id, pointsID string
}

// PeriodKeyword is how the business fared with one keyword. Points and rivals are told of the first keywords only.
type PeriodKeyword struct {
	Name      string
	Then      *Figures // nil when it was not collected then
	Now       Figures
	Trend     []DatedFigures // oldest first
	ThenPlace []RankedPoint
	NowPlace  []RankedPoint
	Rivals    []RankedBusiness // the first of Now, and the own business
	RivalsAll int

	id string
}

// DatedFigures are those of a report.
type DatedFigures struct {
	At time.Time
	Figures
}

// RankedPoint is where the business ranks: 1 to 20, 21 beyond; 0 where the search failed.
type RankedPoint struct {
	At   geo.Point
	Rank int
}

// PeriodQuery says which period of which campaign is read, and for whom.
type PeriodQuery struct {
	AccountID, CampaignID string
	ShareToken            string // opens a campaign that the account does not see
	Keyword               string // by name or id; the others are left out, all are told when it is empty
	From, To              time.Time
	Maps                  int // most keywords whose points and rivals are told
	Rivals                int // most of them
}

// Period reads how a campaign fared. The number of statements is the same for any number of keywords.
func (s *Service) Period(ctx context.Context, q PeriodQuery) (*Period, error) {
	c, err := s.readableBy(ctx, q.AccountID, q.CampaignID, q.ShareToken)
	if err != nil {
		return nil, err
	}
	p := &Period{AccountID: c.accountID, Name: c.name, Business: c.business, Grid: c.grid}
	if p.Reports, err = periodReports(ctx, s.db, c.id, q.From, q.To); err != nil || len(p.Reports) == 0 {
		return p, err
	}
	now, then := &p.Reports[len(p.Reports)-1], &PeriodReport{}
	p.Now = &now.At
	if len(p.Reports) > 1 {
		then = &p.Reports[0]
		p.Then = &then.At
	}
	if err := p.readKeywords(ctx, s.db, then.id, now.id, q.Keyword); err != nil {
		return nil, err
	}
	mapped := p.Keywords[:min(len(p.Keywords), q.Maps)]
	return p, p.readResults(ctx, s.db, mapped, then, now, q.Rivals)
}

// periodReports are the last report before a period and those within it, oldest first.
func periodReports(ctx context.Context, q db.Queryer, campaignID string, from, to time.Time) ([]PeriodReport, error) {
	return db.All(ctx, q, func(row db.Scanner) (r PeriodReport, err error) {
		var at int64
		err = row.Scan(&r.id, &r.pointsID, &at, &r.AveragePosition, &r.ShareOfVoice)
		r.At = db.Time(at)
		return r, err
	}, `SELECT id, points_id, at, average_position, share_of_voice FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED' AND at < $3
		AND at >= coalesce((SELECT max(at) FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED' AND at < $2), 0) ORDER BY at`,
		campaignID, db.Micros(from), db.Micros(to))
}

// readKeywords reads the figures of every keyword in every report.
func (p *Period) readKeywords(ctx context.Context, q db.Queryer, thenID, nowID, asked string) error {
	type line struct {
		Keyword
		position int
		figures  Figures
	}
	ids := make([]string, len(p.Reports))
	for i := range p.Reports {
		ids[i] = p.Reports[i].id
	}
	lines, err := byReport(ctx, q, ids, func(row db.Scanner, into map[string][]line) error {
		var reportID string
		var l line
		var t result.Tally
		err := row.Scan(&reportID, &l.ID, &l.Name, &l.position, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals)
		l.figures = figuresOf(t)
		into[reportID] = append(into[reportID], l)
		return err
	}, "SELECT report_id, keyword_id, name, position, points, found, top, rank_sum, reciprocals FROM report_keywords WHERE status = 'COLLECTED' AND points > 0 AND report_id IN")
	if err != nil {
		return err
	}
	slices.SortFunc(lines[nowID], func(a, b line) int { return cmp.Compare(a.position, b.position) })
	at := map[string]int{}
	for _, l := range lines[nowID] {
		if asked == "" || l.shown().is(asked) {
			at[l.ID] = len(p.Keywords)
			p.Keywords = append(p.Keywords, PeriodKeyword{Name: l.Name, Now: l.figures, id: l.ID})
		}
	}
	if asked != "" && len(p.Keywords) == 0 {
		return errs.New(errs.NotFound, "The last report of the period has no keyword %.64q. Leave keyword out to see all.", asked)
	}
	for i := range p.Reports {
		for _, l := range lines[p.Reports[i].id] {
			number, told := at[l.ID]
			if !told {
				continue
			}
			k := &p.Keywords[number]
			k.Trend = append(k.Trend, DatedFigures{p.Reports[i].At, l.figures})
			if p.Reports[i].id == thenID {
				k.Then = &l.figures
			}
		}
	}
	return nil
}

// readResults adds where the business ranked at each point then and now, and who ranks beside it.
func (p *Period) readResults(ctx context.Context, q db.Queryer, mapped []PeriodKeyword, then, now *PeriodReport, rivals int) error {
	if len(mapped) == 0 {
		return nil
	}
	params := db.Params{Args: []any{then.id, now.id}}
	ids := make([]string, len(mapped))
	for i, k := range mapped {
		ids[i] = k.id
	}
	stored := map[[2]string]result.Stored{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		var of [2]string
		var blob []byte
		if err := row.Scan(&of[0], &of[1], &blob); err != nil {
			return err
		}
		opened, err := result.Open(blob)
		stored[of] = opened
		return err
	}, "SELECT report_id, keyword_id, result FROM report_keywords WHERE report_id IN ($1, $2) AND status = 'COLLECTED' AND keyword_id IN "+db.AddAll(&params, ids), params.Args...)
	if err != nil {
		return err
	}
	sets, err := pointSets(ctx, q, slices.Compact([]string{now.pointsID, cmp.Or(then.pointsID, now.pointsID)}))
	if err != nil {
		return err
	}
	first := make([][]result.BusinessTally, len(mapped))
	before := make([]viewedReport, len(mapped))
	wanted := map[string][]uint16{}
	for i := range mapped {
		k := &mapped[i]
		at := stored[[2]string{now.id, k.id}]
		k.NowPlace = rankedPoints(sets[now.pointsID], at)
		all, err := at.TallyAll()
		if err != nil {
			return err
		}
		first[i], k.RivalsAll = firstRivals(all, at, rivals), len(all)
		for _, t := range first[i] {
			wanted[now.id] = append(wanted[now.id], t.Ordinal)
		}
		if former, collected := stored[[2]string{then.id, k.id}]; collected {
			k.ThenPlace = rankedPoints(sets[then.pointsID], former)
			if before[i].all, err = former.TallyAll(); err != nil {
				return err
			}
		}
	}
	wanted[now.id] = slices.Compact(slices.Sorted(slices.Values(wanted[now.id])))
	businesses, keys, err := dictionaries(ctx, q, wanted, then.id)
	if err != nil {
		return err
	}
	for i := range mapped {
		k := &mapped[i]
		for _, t := range first[i] {
			line := RankedBusiness{Business: businesses[now.id][t.Ordinal], Figures: figuresOf(t.Tally), Own: t.Ordinal == result.OwnOrdinal}
			if line.Own {
				line.Business = p.Business
			}
			if k.ThenPlace != nil {
				won := before[i].averagePosition(line, keys) - line.AveragePosition
				line.AveragePositionDiff = &won
			}
			k.Rivals = append(k.Rivals, line)
		}
	}
	return nil
}

// rankedPoints are the ranks of the own business at the points that were searched.
func rankedPoints(set grid.PointSet, stored result.Stored) []RankedPoint {
	points, ranks := set.Enabled(), stored.Positions(nil, result.OwnOrdinal)
	all := make([]RankedPoint, min(len(points), len(ranks)))
	for i := range all {
		all[i] = RankedPoint{geo.Point(points[i].Coordinates), int(ranks[i])}
	}
	return all
}

// firstRivals are the first businesses by average position, and the own one wherever it is.
func firstRivals(all []result.BusinessTally, stored result.Stored, most int) []result.BusinessTally {
	own := result.BusinessTally{Ordinal: result.OwnOrdinal, Tally: stored.Tally(result.OwnOrdinal)}
	all = slices.DeleteFunc(slices.Clone(all), func(t result.BusinessTally) bool { return t.Ordinal == result.OwnOrdinal })
	all = append(all, own)
	Order{Field: "averagePosition"}.sort(all, nil)
	first := slices.Clone(all[:min(most, len(all))])
	if !slices.ContainsFunc(first, func(t result.BusinessTally) bool { return t.Ordinal == result.OwnOrdinal }) {
		first = append(first, own)
	}
	return first
}
