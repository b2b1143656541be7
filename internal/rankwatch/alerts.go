package rankwatch

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// showRules tells of each tracking which alerts are switched on, and the ids of the rules for it.
func showRules(ctx context.Context, q db.Queryer, accountID string, shown ...*Tracking) (ids []string, err error) {
	watch, err := alertrule.Load(ctx, q, alertrule.Tracking, []string{accountID})
	if err != nil {
		return nil, err
	}
	ids = []string{}
	for _, t := range shown {
		if t.IsDeleted { // nothing is raised for it any more
			continue
		}
		for _, r := range watch.Rules(accountID, t.ID) {
			ids = append(ids, r.ID)
			if d, _ := alertrule.Find(r.Condition); !slices.Contains(t.ReportsActive, d.Number) {
				t.ReportsActive = append(t.ReportsActive, d.Number)
			}
		}
		slices.Sort(t.ReportsActive)
	}
	return ids, nil
}

// move is a check with what the one before it saw.
type move struct {
	*outcome
	before series.Observation
	looked bool // whether the one before was made here, so that its page may be known; else it was imported
}

// raise compares checks with those before them, for the rules of their accounts.
func (s *Service) raise(ctx context.Context, tx *db.Tx, moves []move) error {
	if len(moves) == 0 {
		return nil
	}
	accounts := make([]string, len(moves))
	for i, m := range moves {
		accounts[i] = m.tracking.accountID
	}
	watch, err := alertrule.Load(ctx, tx, alertrule.Tracking, accounts)
	if err != nil || watch.Empty() {
		return err
	}
	for _, m := range moves {
		for _, f := range m.facts(s.depth) {
			watch.Note(&f)
		}
	}
	if err := noteRivals(ctx, tx, watch, moves); err != nil {
		return err
	}
	return watch.Raise(ctx, tx, s.clock.Now())
}

// facts are what has changed since the check before; depth is for trackings that do not say.
func (m *move) facts(depth int) (all []alertrule.Fact) {
	t, after := m.tracking, m.found.Observation
	if m.before.Rank == after.Rank && m.before.OwnSnippet == after.OwnSnippet {
		return nil
	}
	about := alertrule.Fact{AccountID: t.accountID, On: alertrule.Tracking, SubjectID: t.id, Name: t.name(), Keyword: m.kw}
	if m.before.Rank != after.Rank {
		f := about
		f.Figure = alertrule.Position
		f.Move = alertrule.Move{Before: place(m.before.Rank), After: place(after.Rank), Beyond: float64(m.query(depth).Depth + 1)}
		all = append(all, f)
	}
	if m.before.OwnSnippet != after.OwnSnippet {
		f := about
		if f.Happened = alertrule.SnippetWon; m.before.OwnSnippet {
			f.Happened = alertrule.SnippetLost
		}
		all = append(all, f)
	}
	return all
}

// noteRivals looks for the rivals that rules name, on the pages of checks and on those before them. Accounts without such a rule
// cost nothing.
func noteRivals(ctx context.Context, tx *db.Tx, watch *alertrule.Watch, moves []move) error {
	type searched struct {
		move
		rivals []string
	}
	byAccount := map[string][]searched{}
	for _, m := range moves {
		if rivals := rivalsOf(watch, m.tracking); len(rivals) > 0 && m.looked && m.before.Rank > 0 {
			byAccount[m.tracking.accountID] = append(byAccount[m.tracking.accountID], searched{m, rivals})
		}
	}
	for _, accountID := range slices.Sorted(maps.Keys(byAccount)) {
		var places []int
		var keywords []string
		for _, m := range byAccount[accountID] {
			places, keywords = append(places, m.page.LocationID), append(keywords, m.page.Keyword)
		}
		slices.Sort(places)
		before, err := serp.SearchesFor(ctx, tx, accountID, slices.Compact(places), keywords)
		if err != nil {
			return err
		}
		hosts := map[serp.Key]serp.Hosts{}
		for _, b := range before {
			hosts[serp.Key{AccountID: accountID, Keyword: b.Keyword, LocationID: b.LocationID, PlatformID: b.PlatformID}] = b.Hosts
		}
		for _, m := range byAccount[accountID] {
			before, known := hosts[m.page.Key]
			if !known { // it was forgotten
				continue
			}
			for _, rival := range m.rivals {
				if f, passed := m.passedBy(rival, before); passed {
					watch.Note(&f)
				}
			}
		}
	}
	return nil
}

// rivalsOf are the domains that rules about a tracking look out for.
func rivalsOf(watch *alertrule.Watch, t *tracking) (rivals []string) {
	for _, r := range watch.Rules(t.accountID, t.id) {
		if r.Condition == alertrule.RivalPassed && !slices.Contains(rivals, r.Rival) {
			rivals = append(rivals, r.Rival)
		}
	}
	return rivals
}

// passedBy tells whether a rival ranks above the target now and did not on the page before, which had these hosts.
func (m *move) passedBy(rival string, before serp.Hosts) (f alertrule.Fact, passed bool) {
	target, err := webtarget.Parse(rival)
	if err != nil {
		return f, false // a rule is checked when it is made
	}
	was, is, own := before.Position(target), m.page.Position(target), int(m.found.Rank)
	wasAbove, isAbove := was > 0 && was < int(m.before.Rank), is > 0 && (own == 0 || is < own)
	if wasAbove || !isAbove {
		return f, false
	}
	place := "not found"
	if own > 0 {
		place = strconv.Itoa(own)
	}
	t := m.tracking
	return alertrule.Fact{
		AccountID: t.accountID, On: alertrule.Tracking, SubjectID: t.id, Name: t.name(), Keyword: m.kw, Happened: alertrule.RivalPassed, Rival: rival,
		Detail: fmt.Sprintf("%s has passed for “%s”: it is %d, the tracking %s.", rival, m.kw, is, place),
	}, true
}

// place is a rank as rules compare it; nil where there is none.
func place(rank uint16) *float64 {
	if rank == 0 {
		return nil
	}
	p := float64(rank)
	return &p
}
