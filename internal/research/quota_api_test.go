package research_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func used(t testing.TB, p *apptest.Program, q account.Quota) int64 {
	t.Helper()
	usage, err := p.Accounts.Usage(t.Context(), p.DB, p.Owner.ID, q)
	if err != nil {
		t.Fatal(err)
	}
	return usage.Used
}

func lookups(t testing.TB, p *apptest.Program) int64 { return used(t, p, account.Lookups) }

func TestLiveLookUpsAreBounded(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted {
		return &providertest.Scripted{Web: func(_ context.Context, q provider.WebQuery) (provider.WebPage, error) {
			if q.Keyword == "nobody answers" {
				return provider.WebPage{}, provider.Errorf(provider.BadQuery, "Scripted", "Scripted cannot tell.")
			}
			return organic("https://a.example/"), nil
		}}
	})
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		ask := func(as *apptest.Account, kw string) *apptest.Answer {
			return p.Do(t, apptest.Call{Method: "GET", Path: address("/serpcheck/serps", "kw", kw), As: as})
		}
		secret, _, err := p.Accounts.Issue(t.Context(), p.Owner.ID, account.Issue{Kind: account.Key, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		reader := &apptest.Account{Key: secret}
		low := func() *apptest.Answer {
			return p.Do(t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/events?kind=lookups.low"}).Want(t, 200)
		}
		ask(nil, "pizza").Want(t, 200)
		ask(nil, "nobody answers").Want(t, 424)
		if told := low(); told.Len("data") != 0 {
			t.Errorf("a look-up that was given back is told as the last: %s", told.Raw)
		}
		ask(reader, "pizza").Want(t, 200) // stored
		ask(reader, "pasta").Want(t, 200)
		if told := low(); told.Len("data") != 1 || told.At("data.0.data.used") != 2.0 {
			t.Errorf("told that none is left: %s", told.Raw)
		}
		for _, as := range []*apptest.Account{nil, reader} {
			refused := ask(as, "calzone").Want(t, 429)
			if refused.Text("error.type") != "CreditLimit" || !strings.Contains(refused.Text("error.message"), "look-up") {
				t.Errorf("%s", refused.Raw)
			}
		}
		ask(nil, "Pizza").Want(t, 200)
		if n := webs.of(p).Calls(); lookups(t, p) != 2 || n != 3 {
			t.Errorf("%d look-ups and %d calls", lookups(t, p), n)
		}
		p.Clock.(*clock.Fake).Advance(31 * 24 * time.Hour) // the next month
		ask(nil, "calzone").Want(t, 200)
	}, webs.setup, func(s *apptest.Setup) { s.Config.Plans = `{"agency":{"rate":0,"lookups":2}}` })
}

func TestTheKeywordStoreIsBounded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		file := func(from, to int) string {
			var b strings.Builder
			b.WriteString("Keyword,Avg. monthly searches\n")
			for i := from; i < to; i++ {
				fmt.Fprintf(&b, "keyword %d,%d\n", i, i)
			}
			return b.String()
		}
		held := func(want int64) {
			t.Helper()
			if n := used(t, p, account.StoredKeywords); n != want || rows(t, p, "keywords") != want {
				t.Errorf("%d keywords are counted and %d stored, want %d", n, rows(t, p, "keywords"), want)
			}
		}
		refused := table(t, p, nil, "", "text/csv", file(0, 501)).Want(t, 429)
		if refused.Text("error.type") != "CreditLimit" || !strings.Contains(refused.Text("error.message"), "500") {
			t.Errorf("%s", refused.Raw)
		}
		held(0)
		table(t, p, nil, "", "text/csv", file(0, 499)).Want(t, 200)
		table(t, p, nil, "", "text/csv", file(100, 500)).Want(t, 200) // one is new
		held(500)
		table(t, p, nil, "?location_id=4191124", "text/csv", file(0, 1)).Want(t, 429)
		table(t, p, nil, "", "text/csv", file(0, 500)).Want(t, 200)
		// To ask for figures is not to store: what is full forgets.
		a := post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"keyword 7", "brand new"}}).Want(t, 200)
		if a.At("keywords.0.sv") != 7.0 || a.Len("keywords") != 2 {
			t.Errorf("%s", a.Raw)
		}
		held(500)
	}, func(s *apptest.Setup) { s.Config.Plans = `{"agency":{"rate":0,"stored_keywords":500}}` })
}

// An import is stored bit by bit, so that others write in between: what it has stored so far is seen.
func TestLongImportsLetOthersWrite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		var file strings.Builder
		file.WriteString("Keyword,Avg. monthly searches\n")
		const lines = 5000
		for i := range lines {
			fmt.Fprintf(&file, "keyword %d,%d\n", i, i)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			table(t, p, nil, "", "text/csv", file.String()).Want(t, 200)
		}()
		between := 0
		for running := true; running; {
			select {
			case <-done:
				running = false
			default:
				if n := rows(t, p, "keywords"); n > 0 && n < lines {
					between++
				}
			}
		}
		if n := rows(t, p, "keywords"); between == 0 || n != lines || used(t, p, account.StoredKeywords) != lines {
			t.Errorf("seen half done %d times; %d rows", between, n)
		}
		// Each batch of the operator's imports leaves the writer to others.
		writes := 0
		write := func(int) {
			if err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(t.Context(), "UPDATE accounts SET plan = plan WHERE id = $1", p.Owner.ID)
				return err
			}); err != nil {
				t.Error(err)
			}
			writes++
		}
		var list strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&list, "%d,site%d.example\n%d,www.site%d.example\n", i+1, i, i+2, i)
		}
		kept, err := p.Research.ImportDomains(t.Context(), strings.NewReader(list.String()), "tranco", write, nil)
		if err != nil || kept != 1000 || writes < 5 {
			t.Errorf("%d domains, %d writes in between: %v", kept, writes, err)
		}
		if kept, err = p.Research.ImportDomains(t.Context(), strings.NewReader("1,site7.example\n"), "tranco", write, nil); err != nil || kept != 1 || rows(t, p, "domain_ranks") != 1 {
			t.Errorf("%d domains are left: %v", rows(t, p, "domain_ranks"), err)
		}
	})
}

// A clock that was years ahead leaves nothing that lasts for years.
func TestAClockThatWasAhead(t *testing.T) {
	t.Parallel()
	webs := fleet(func() *providertest.Scripted { return scripted(organic("https://a.example/")) })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		const years = 9 * 365 * 24 * time.Hour
		serp := func() *apptest.Answer {
			t.Helper()
			return get(t, p, "/serpcheck/serps", "kw", "pizza").Want(t, 200)
		}
		now.Advance(years)
		importDomains(t, p, "tranco", "10,a.example\n20,b.example\n")
		wrong := serp()
		now.Advance(-years)
		right := serp()
		if right.Text("_id") == wrong.Text("_id") || right.At("created_at") != float64(start.Unix()) || webs.of(p).Calls() != 2 {
			t.Errorf("a page of %v is fresh at %v", right.At("created_at"), start)
		}
		if again := serp(); again.Text("_id") != right.Text("_id") {
			t.Errorf("the page of %v is shown", again.At("created_at"))
		}
		if a := get(t, p, "/keywordtool/related-keywords", "kw", "pizza").Want(t, 200); a.At("keywords.0.seo_ts") != float64(start.Unix()) {
			t.Errorf("difficulty is of %v", a.At("keywords.0.seo_ts"))
		}
		importDomains(t, p, "tranco", "1000,a.example\n")
		if a := get(t, p, "/serpcheck/url-metrics", "url", "a.example").Want(t, 200); a.At("topRank") != 1000.0 || rows(t, p, "domain_ranks") != 1 {
			t.Errorf("the list of the wrong time is still there: %s", a.Raw)
		}
	}, webs.setup)
}
