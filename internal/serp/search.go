package serp

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Search is what is known of who ranks in a search: the hosts of the newest page and, where that ended
// early, of the newest whole page below it.
type Search struct {
	Keyword    string
	LocationID int
	PlatformID int
	FetchedAt  time.Time // of the newest page
	Hosts      Hosts

	top, whole string // ids of the pages, "" where there is none
	topCount   int    // results of the top
}

// PageID is the id of its newest page.
func (s *Search) PageID() string {
	if s.top != "" {
		return s.top
	}
	return s.whole
}

const searchColumns = "kw, location_id, platform_id, serp_id, fetched_at, hosts, top_id, top_at, top_hosts"

func scanSearch(row db.Scanner) (Search, error) {
	var s Search
	var wholeAt, topAt int64
	var top Hosts
	err := row.Scan(&s.Keyword, &s.LocationID, &s.PlatformID, &s.whole, &wholeAt, &s.Hosts, &s.top, &topAt, &top)
	s.FetchedAt = db.Time(wholeAt)
	if s.top != "" {
		s.FetchedAt, s.Hosts, s.topCount = db.Time(topAt), top.over(s.Hosts), top.count()
	}
	return s, err
}

// saveSearches makes pages the newest of their searches, unless they come late.
func saveSearches(ctx context.Context, tx *db.Tx, pages []Packed) error {
	type newest struct{ whole, top *Packed }
	searches := map[Key]newest{}
	for i := range pages {
		p := &pages[i]
		known := searches[p.Key]
		if p.whole && known.whole.before(p) {
			known.whole = p
		} else if !p.whole && known.top.before(p) {
			known.top = p
		}
		searches[p.Key] = known
	}
	keys := slices.SortedFunc(maps.Keys(searches), Key.compare)
	rows := make([][]any, len(keys))
	for i, k := range keys {
		row := searches[k]
		if row.top != nil && row.top.before(row.whole) {
			row.top = nil
		}
		wholeID, wholeAt, wholeHosts := row.whole.columns()
		topID, topAt, topHosts := row.top.columns()
		rows[i] = []any{k.AccountID, k.Keyword, k.LocationID, k.PlatformID, wholeID, wholeAt, wholeHosts, topID, topAt, topHosts}
	}
	return db.Insert(ctx, tx, "searches", "account_id, "+searchColumns, rows, keepNewest)
}

func (p *Packed) before(o *Packed) bool { return o != nil && (p == nil || p.at.Before(o.at)) }

func (p *Packed) columns() (id string, at int64, hosts string) {
	if p == nil {
		return "", 0, ""
	}
	return p.ID, db.Micros(p.at), string(p.hosts)
}

// keepNewest lets a whole page take the place of both halves, and one that ended early that of the top
// only. A stored page wins when it is newer by less than a day; newer by more it is of a clock that was wrong.
var keepNewest = func() string {
	newer := func(stored, page string) string {
		return stored + " BETWEEN " + page + " + 1 AND " + page + " + 86400000000"
	}
	const page = "(CASE WHEN excluded.top_at > 0 THEN excluded.top_at ELSE excluded.fetched_at END)"
	whole := "excluded.fetched_at > 0 AND NOT " + newer("searches.fetched_at", "excluded.fetched_at")
	top := "NOT " + newer("searches.top_at", page) + " AND NOT " + newer("searches.fetched_at", page)
	var set []string
	for column, late := range map[string]string{"serp_id": whole, "fetched_at": whole, "hosts": whole, "top_id": top, "top_at": top, "top_hosts": top} {
		set = append(set, column+" = CASE WHEN "+late+" THEN excluded."+column+" ELSE searches."+column+" END")
	}
	slices.Sort(set)
	return "ON CONFLICT (account_id, location_id, kw, platform_id) DO UPDATE SET " + strings.Join(set, ", ")
}()

// Searches reads an account's searches, those with one of the hosts among their results; all of them
// without hosts.
func Searches(ctx context.Context, q db.Queryer, accountID string, hosts ...string) ([]Search, error) {
	var p db.Params
	where := " WHERE account_id = " + p.Add(accountID)
	if len(hosts) > 0 {
		var likes []string
		for _, host := range hosts { // _ in a host stands for any character here: a few too many are read
			pattern := p.Add("%" + host + "\n%")
			likes = append(likes, "hosts LIKE "+pattern+" OR top_hosts LIKE "+pattern)
		}
		where += " AND (" + strings.Join(likes, " OR ") + ")"
	}
	return db.All(ctx, q, scanSearch, "SELECT "+searchColumns+" FROM searches"+where, p.Args...)
}

// SearchesFor finds those of keywords in exactly these places, desktop before mobile.
func SearchesFor(ctx context.Context, q db.Queryer, accountID string, places []int, keywords []string) ([]Search, error) {
	var all []Search
	err := db.Lists(places, func(places []int) error {
		return db.Lists(keywords, func(keywords []string) error {
			var p db.Params
			found, err := db.All(ctx, q, scanSearch, "SELECT "+searchColumns+" FROM searches WHERE account_id = "+p.Add(accountID)+
				" AND location_id IN "+db.AddAll(&p, places)+" AND kw IN "+db.AddAll(&p, keywords)+" ORDER BY platform_id", p.Args...)
			all = append(all, found...)
			return err
		})
	})
	return all, err
}

// Positions tells the best rank of a target in each of the searches, or 0. Where the hosts alone do not
// tell, the pages do.
func (s *Store) Positions(ctx context.Context, q db.Queryer, searches []Search, t webtarget.Target) ([]int, error) {
	positions := make([]int, len(searches))
	var ids []string
	for i := range searches {
		one := &searches[i]
		if positions[i] = one.Hosts.Position(t); positions[i] == 0 || !t.IsPrefix() {
			continue
		}
		for _, id := range []string{one.top, one.whole} {
			if id != "" {
				ids = append(ids, id)
			}
		}
	}
	onPage := map[string]int{} // by page
	err := db.Lists(ids, func(list []string) error {
		var p db.Params
		return db.Each(ctx, q, func(row db.Scanner) error {
			r, err := s.scan(row)
			onPage[r.ID] = r.Page.Position(t)
			return err
		}, "SELECT "+columns+" FROM serps WHERE id IN "+db.AddAll(&p, list), p.Args...)
	})
	if !t.IsPrefix() {
		return positions, err
	}
	for i := range searches {
		one := &searches[i]
		if positions[i] = onPage[one.top]; positions[i] == 0 && onPage[one.whole] > one.topCount {
			positions[i] = onPage[one.whole]
		}
	}
	return positions, err
}
