package maprank

import (
	"context"
	"slices"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// shownCompetitors is how many businesses a view lists.
const shownCompetitors = 50

// readBusinesses names the business shown and lists the competitors beside what they were in the report before.
func (v *viewing) readBusinesses(ctx context.Context, q db.Queryer) error {
	listed := v.competitors()
	wanted := map[string][]uint16{}
	for _, t := range listed {
		wanted[idOf(v.shown)] = append(wanted[idOf(v.shown)], t.Ordinal)
	}
	home := v.home()
	if home != "" {
		wanted[home] = append(wanted[home], v.ordinals[home][0])
	}
	before, compared := v.history[idOf(v.before)]
	keysOf := ""
	if compared && len(listed) > 0 {
		keysOf = v.before.id
	}
	businesses, keys, err := dictionaries(ctx, q, wanted, keysOf)
	if err != nil {
		return err
	}
	if home != "" {
		v.view.Business = businesses[home][v.ordinals[home][0]]
	}
	v.view.Competitors = []RankedBusiness{}
	for _, t := range listed {
		line := RankedBusiness{Business: businesses[idOf(v.shown)][t.Ordinal], Figures: figuresOf(t.Tally), Own: t.Ordinal == result.OwnOrdinal}
		if line.Own {
			line.Business = v.c.business
		}
		if compared {
			won := before.averagePosition(line, keys) - line.AveragePosition
			line.AveragePositionDiff = &won
		}
		v.view.Competitors = append(v.view.Competitors, line)
	}
	return nil
}

// competitors are the businesses to list, best first: the first ones, the campaign's own, and the one shown where it was found.
func (v *viewing) competitors() []result.BusinessTally {
	shown, collected := v.history[idOf(v.shown)]
	if !collected {
		return nil
	}
	all := shown.all
	if !slices.ContainsFunc(all, func(t result.BusinessTally) bool { return t.Ordinal == result.OwnOrdinal }) {
		all = append(all, result.BusinessTally{Ordinal: result.OwnOrdinal, Tally: result.Tally{Points: shown.tally.Points}})
	}
	v.view.CompetitorsTotal = len(all)
	Order{Field: "averagePosition"}.sort(all, nil)
	first := min(shownCompetitors, len(all))
	listed := slices.Clone(all[:first])
	for _, t := range all[first:] {
		if t.Ordinal == result.OwnOrdinal || slices.Contains(v.ordinalsAt(v.shown.id), t.Ordinal) {
			listed = append(listed, t)
		}
	}
	return listed
}

// home is the report that tells the name of another business that is shown: the one shown, or the newest that knows it.
func (v *viewing) home() string {
	if v.view.Own {
		return ""
	}
	if len(v.ordinals[idOf(v.shown)]) > 0 {
		return v.shown.id
	}
	for i := range slices.Backward(v.window) {
		if len(v.ordinals[v.window[i].id]) > 0 {
			return v.window[i].id
		}
	}
	return idOf(v.before)
}

// averagePosition is what a business of a later report had in this one, whose dictionary is told by its keys.
func (r *viewedReport) averagePosition(b RankedBusiness, dictionary []result.Part) float64 {
	ordinals := []uint16{result.OwnOrdinal}
	if !b.Own {
		ordinals = nil
		for _, part := range dictionary {
			ordinals = part.Find(ordinals, b.Business.Keys())
		}
	}
	best := result.Tally{}.AveragePosition()
	for _, t := range r.all {
		if slices.Contains(ordinals, t.Ordinal) {
			best = min(best, t.AveragePosition())
		}
	}
	return best
}
