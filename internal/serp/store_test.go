package serp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
)

var today = time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)

const place = 4191124

func newAccount(t testing.TB, d *db.DB) string {
	t.Helper()
	acc, err := account.New(d, account.DefaultPlans(), clock.NewFake(today)).Create(t.Context(), "owner@trigpoint.example", "pro")
	if err != nil {
		t.Fatal(err)
	}
	return acc.ID
}

// page has results at these addresses.
func page(urls ...string) provider.WebPage {
	p := provider.WebPage{}
	for i, u := range urls {
		p.Items = append(p.Items, provider.WebItem{Type: provider.Organic, Rank: i + 1, URL: u})
	}
	return p
}

func keep(t testing.TB, d *db.DB, s *Store, pages ...Fetched) []Packed {
	t.Helper()
	packed := make([]Packed, len(pages))
	for i, f := range pages {
		var err error
		if packed[i], err = s.Pack(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Tx(t.Context(), func(tx *db.Tx) error { return s.Keep(t.Context(), tx, packed) }); err != nil {
		t.Fatal(err)
	}
	return packed
}

func search(t testing.TB, d *db.DB, accountID, kw string) Search {
	t.Helper()
	found, err := SearchesFor(t.Context(), d, accountID, []int{place}, []string{kw})
	if err != nil || len(found) != 1 {
		t.Fatalf("%d searches for %s: %v", len(found), kw, err)
	}
	return found[0]
}

// However pages arrive, a search tells of the newest results, and below them of those that were last
// seen there.
func TestASearchTellsTheNewestAndTheDeepest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := New(nil), newAccount(t, d)
		key := Key{AccountID: owner, Keyword: "pizza", LocationID: place, PlatformID: Desktop}
		at := func(hours int, whole bool, urls ...string) Fetched {
			return Fetched{Key: key, At: today.Add(time.Duration(hours) * time.Hour), Page: page(urls...), Whole: whole}
		}
		for _, step := range []struct {
			name  string
			pages []Fetched
			want  string
		}{
			{"one that ended early", []Fetched{at(0, false, "https://a.com/0")}, "a.com"},
			{"a whole one", []Fetched{at(1, true, "https://b.com/1", "https://a.com/1", "https://c.com/1")}, "b.com a.com c.com"},
			{"one that ended early, later", []Fetched{at(2, false, "https://a.com/2")}, "a.com a.com c.com"},
			{"both, too late", []Fetched{at(0, true, "https://z.com/0"), at(-1, false, "https://y.com/0")}, "a.com a.com c.com"},
			{"a whole one of between", []Fetched{at(1, true, "https://b.com/3", "https://d.com/3")}, "a.com d.com"},
			{"both at once", []Fetched{at(4, false, "https://x.com/4"), at(3, true, "https://b.com/5", "https://e.com/5")}, "x.com e.com"},
			{"both at once, the whole one last", []Fetched{at(5, false, "https://x.com/6"), at(6, true, "https://b.com/6", "https://f.com/6")}, "b.com f.com"},
		} {
			keep(t, d, s, step.pages...)
			if got := strings.Join(strings.Fields(string(search(t, d, owner, "pizza").Hosts)), " "); got != step.want {
				t.Errorf("after %s: %s, want %s", step.name, got, step.want)
			}
		}
	})
}

func TestPositionsOfAnAddressAreReadFromThePages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := New(nil), newAccount(t, d)
		key := Key{AccountID: owner, Keyword: "pizza", LocationID: place, PlatformID: Desktop}
		keep(t, d, s, Fetched{Key: key, At: today, Page: page("https://a.com/menu", "https://a.com/top", "https://b.com/", "https://a.com/shop"), Whole: true})
		keep(t, d, s, Fetched{Key: key, At: today.Add(time.Hour), Page: page("https://b.com/", "https://a.com/top")})
		for prefix, want := range map[string]int{"a.com": 2, "a.com/top": 2, "a.com/shop": 4, "a.com/menu": 0, "b.com": 1, "c.com": 0} {
			got, err := s.Positions(t.Context(), d, []Search{search(t, d, owner, "pizza")}, target(t, prefix))
			if err != nil || !slices.Equal(got, []int{want}) {
				t.Errorf("%s is at %v, want %d: %v", prefix, got, want, err)
			}
		}
	})
}

// What a clock wrote that was years ahead is neither fresh nor newest once it is right again.
func TestAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := New(nil), newAccount(t, d)
		key := Key{AccountID: owner, Keyword: "pizza", LocationID: place, PlatformID: Desktop}
		ahead := today.AddDate(9, 0, 0)
		keep(t, d, s, Fetched{Key: key, At: ahead, Page: page("https://old.com/"), Whole: true}, Fetched{Key: key, At: ahead.Add(time.Second), Page: page("https://older.com/")})
		if r, err := s.Fresh(t.Context(), d, key, today); !db.IsNoRow(err) {
			t.Errorf("a page of %v is fresh: %v", r.FetchedAt, err)
		}
		kept := keep(t, d, s, Fetched{Key: key, At: today, Page: page("https://new.com/"), Whole: true})
		if r, err := s.Fresh(t.Context(), d, key, today.Add(time.Hour)); err != nil || r.ID != kept[0].ID {
			t.Errorf("fresh is the page of %v: %v", r.FetchedAt, err)
		}
		if got := search(t, d, owner, "pizza"); got.Hosts != hostsOf("new.com") || !got.FetchedAt.Equal(today) {
			t.Errorf("the search tells of %q at %v", got.Hosts, got.FetchedAt)
		}
		keep(t, d, s, Fetched{Key: key, At: ahead, Page: page("https://old.com/")})
		keep(t, d, s, Fetched{Key: key, At: today.Add(time.Hour), Page: page("https://top.com/")})
		if got := search(t, d, owner, "pizza"); got.Hosts != hostsOf("top.com") {
			t.Errorf("the search tells of %q", got.Hosts)
		}
	})
}

func TestFreshPages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := New(nil), newAccount(t, d)
		key := Key{AccountID: owner, Keyword: "pizza", LocationID: place, PlatformID: Desktop}
		kept := keep(t, d, s, Fetched{Key: key, At: today, Page: page("https://a.com/"), Whole: true}, Fetched{Key: key, At: today.Add(time.Hour), Page: page("https://b.com/")})
		for name, key := range map[string]Key{
			"another account": {"someone", "pizza", place, Desktop}, "another keyword": {owner, "pasta", place, Desktop}, "another place": {owner, "pizza", 0, Desktop}, "another device": {owner, "pizza", place, Mobile},
		} {
			if _, err := s.Fresh(t.Context(), d, key, today); !db.IsNoRow(err) {
				t.Errorf("%s is answered: %v", name, err)
			}
		}
		if r, err := s.Fresh(t.Context(), d, key, today.Add(CacheLife-time.Second)); err != nil || r.ID != kept[0].ID || r.Page.Items[0].URL != "https://a.com/" {
			t.Errorf("%+v: %v", r, err)
		}
		if _, err := s.Fresh(t.Context(), d, key, today.Add(CacheLife)); !db.IsNoRow(err) {
			t.Errorf("a page of yesterday is fresh: %v", err)
		}
	})
}

func TestWhatIsLearnedFromPages(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	var learned map[string][]string
	s := New(func(_ context.Context, _ *db.Tx, keywords map[string][]string) error {
		learned = keywords
		return nil
	})
	found := page("https://a.com/")
	found.Related = []string{"Pizza oven"}
	owner := newAccount(t, d)
	keep(t, d, s, Fetched{Key: Key{AccountID: owner, Keyword: " PIZZA", LocationID: place, PlatformID: Desktop}, At: today, Page: found})
	if len(learned) != 1 || !slices.Equal(learned[owner], []string{"Pizza oven", "pizza"}) {
		t.Errorf("learned %q", learned)
	}
}

// Of pages older than the retention the last of each month stays, and so do those that a search tells of.
func TestThin(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, owner := New(nil), newAccount(t, d)
		daily := func(kw string, day int, whole bool) Fetched {
			return Fetched{Key: Key{AccountID: owner, Keyword: kw, LocationID: place, PlatformID: Desktop}, At: today.AddDate(0, 0, -day), Page: page(), Whole: whole}
		}
		var pages []Fetched
		for day := range 60 { // 4 January to 4 March
			pages = append(pages, daily("pizza", day, true), daily("pasta", day, day == 55)) // the one whole page of pasta is of 8 January
		}
		keep(t, d, s, append(pages, daily("seldom", 50, true))...)
		for range 3 {
			err := d.Tx(t.Context(), func(tx *db.Tx) error {
				more, err := Thin(t.Context(), tx, today, 10*24*time.Hour)
				if more {
					t.Error("there is more")
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		left, err := db.All(t.Context(), d, func(row db.Scanner) (string, error) {
			var kw string
			var at int64
			err := row.Scan(&kw, &at)
			return fmt.Sprint(kw, " ", db.Time(at).Format(time.DateOnly)), err
		}, "SELECT kw, fetched_at FROM serps ORDER BY kw, fetched_at")
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"pasta 2026-01-08"}
		for _, kw := range []string{"pasta", "pizza"} {
			want = append(want, kw+" 2026-01-31")
			for day := 10; day >= 0; day-- { // 22 February to 4 March
				want = append(want, kw+" "+today.AddDate(0, 0, -day).Format(time.DateOnly))
			}
		}
		want = append(want, "seldom 2026-01-13")
		if fmt.Sprint(left) != fmt.Sprint(want) {
			t.Errorf("left:\n%v, want\n%v", left, want)
		}
	})
}
