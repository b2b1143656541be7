package research_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/research"
	"github.com/trigpoint/trigpoint/internal/source"
)

const cent = provider.Money(10_000)

func of[T any](v T) *T { return &v }

func broke(name string) error {
	return provider.Errorf(provider.QuotaSpent, name, "The account at %s has no credits left.", name)
}

// told runs a test on each engine with data providers of its own and a clock that stands.
func told(t *testing.T, providers func() []*providertest.Data, test func(t *testing.T, p *apptest.Program, now *clock.Fake, data []*providertest.Data), changes ...func(*apptest.Setup)) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		data, now := providers(), clock.NewFake(start)
		p := apptest.Start(t, d, append([]func(*apptest.Setup){func(s *apptest.Setup) {
			s.Options.Clock = now
			for _, one := range data {
				s.Options.Data = append(s.Options.Data, one)
			}
		}}, changes...)...)
		test(t, p, now, data)
	})
}

func one(d *providertest.Data) []*providertest.Data { return []*providertest.Data{d} }

// spent is what the ledger says that the owner's questions to a provider have cost this month.
func spent(t *testing.T, p *apptest.Program, name string) (requests int, cost provider.Money) {
	t.Helper()
	lines, err := p.Ledger.Costs(t.Context(), source.Filter{AccountID: p.Owner.ID, Provider: name, Month: source.Month(p.Clock.Now())}, 10, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		requests, cost = requests+line.Requests, cost+line.Cost
	}
	return requests, cost
}

func wantAt(t *testing.T, a *apptest.Answer, wants map[string]any) {
	t.Helper()
	for path, want := range wants {
		if got := a.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if t.Failed() {
		t.Logf("%s", a.Raw)
	}
}

func pizza(provider.KeywordQuery) ([]provider.KeywordFigures, error) {
	return pizzaFigures, nil
}

var pizzaFigures = []provider.KeywordFigures{
	{Keyword: "Pizza", Volume: of(40), CPC: of(1.5), Difficulty: of(33.4), Monthly: []provider.MonthVolume{{Year: 2026, Month: 1, Volume: 44}}},
	{Keyword: "not asked for", Volume: of(1)},
}

func TestFiguresAreAskedOnceAndNameTheirSource(t *testing.T) {
	told(t, func() []*providertest.Data { return one(&providertest.Data{Figures: pizza, Price: cent}) }, func(t *testing.T, p *apptest.Program, now *clock.Fake, data []*providertest.Data) {
		country := research.KeywordFile{LocationID: usa}
		if _, err := p.Research.ImportKeywords(t.Context(), strings.NewReader("Keyword,Avg. monthly searches\nunheard of,9\n"), country, nil, nil); err != nil {
			t.Fatal(err)
		}
		ask := func() *apptest.Answer {
			return post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"pizza", "unheard of"}, "location_id": decatur, "language_id": 1000}).Want(t, 200)
		}
		wantAt(t, ask(), map[string]any{
			"keywords.0.sv": 40.0, "keywords.0.svs": 2.0, "keywords.0.svn": 44.0, "keywords.0.cpc": 1.5, "keywords.0.ppc": nil, "keywords.0.source": "scripted", "keywords.0.ts": float64(start.Unix()),
			"keywords.0.seo": 33.0, "keywords.0.seo_source": "scripted", "keywords.0.seo_ts": float64(start.Unix()), "keywords.0.lid": float64(decatur),
			"keywords.1.sv": 9.0, "keywords.1.source": "planner", "keywords.1.lid": float64(usa), "keywords.1.seo": nil, "keywords.1.seo_source": nil, "incomplete": nil,
		})
		if q := data[0].LastFigures(); q.Country != "US" || q.Language != "en" || q.Location != "Decatur,Georgia,United States" || len(q.Keywords) != 2 {
			t.Errorf("asked %+v", q)
		}
		if ask(); data[0].Calls("figures") != 1 || lookups(t, p) != 1 {
			t.Errorf("asked %d times for what is known, or known not to be", data[0].Calls("figures"))
		}
		if requests, cost := spent(t, p, "scripted"); requests != 1 || cost != cent {
			t.Errorf("the ledger has %d requests for %s", requests, cost)
		}
		now.Advance(31 * 24 * time.Hour)
		if ask(); data[0].Calls("figures") != 2 {
			t.Errorf("old figures are not asked for again")
		}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "pro")
		p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/keyword-imports", As: &stranger, Body: map[string]any{"keywords": []string{"pizza"}, "location_id": decatur, "language_id": 1000}}).Want(t, 200)
		if data[0].Calls("figures") != 3 {
			t.Errorf("a stranger was shown what the owner paid for")
		}
	})
}

// A list is one question, however long, and a result page knows the difficulty better than a vendor.
func TestAListIsOneQuestion(t *testing.T) {
	told(t, func() []*providertest.Data { return one(&providertest.Data{Figures: pizza}) }, func(t *testing.T, p *apptest.Program, _ *clock.Fake, data []*providertest.Data) {
		importDomains(t, p, "tranco", "1,a.example\n")
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{"pizza": organic("https://a.example/")})
		kws := []string{"pizza"}
		for i := range 999 {
			kws = append(kws, fmt.Sprintf("keyword %d", i))
		}
		a := post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": kws, "location_id": decatur}).Want(t, 200)
		wantAt(t, a, map[string]any{"keywords.0.seo": 100.0, "keywords.0.seo_source": "seen", "keywords.0.sv": 40.0, "keywords.999.sv": nil})
		if n := len(data[0].LastFigures().Keywords); n != 1000 || data[0].Calls("figures") != 1 {
			t.Errorf("%d keywords in the last of %d questions", n, data[0].Calls("figures"))
		}
	})
}

func TestEqualQuestionsAtOnceAreAskedOnce(t *testing.T) {
	told(t, func() []*providertest.Data {
		return one(&providertest.Data{Figures: pizza, Ideas: func(provider.IdeaQuery) ([]provider.KeywordFigures, error) { return pizzaFigures[1:], nil }})
	}, func(t *testing.T, p *apptest.Program, _ *clock.Fake, data []*providertest.Data) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { get(t, p, "/keywordtool/related-keywords", "kw", "pizza").Want(t, 200) })
		}
		all.Wait()
		if data[0].Calls("figures") != 1 || data[0].Calls("ideas") != 1 || lookups(t, p) != 2 {
			t.Errorf("%d questions for figures, %d for ideas, %d look-ups", data[0].Calls("figures"), data[0].Calls("ideas"), lookups(t, p))
		}
	})
}

func TestTheNextProviderTakesOver(t *testing.T) {
	told(t, func() []*providertest.Data {
		return []*providertest.Data{
			{Name: "first", Price: cent, Figures: func(provider.KeywordQuery) ([]provider.KeywordFigures, error) { return nil, broke("first") }},
			{Name: "second", Price: 2 * cent, Figures: pizza},
		}
	}, func(t *testing.T, p *apptest.Program, _ *clock.Fake, data []*providertest.Data) {
		a := post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"pizza"}}).Want(t, 200)
		wantAt(t, a, map[string]any{"keywords.0.sv": 40.0, "keywords.0.source": "second", "incomplete": nil})
		for name, want := range map[string]provider.Money{"first": cent, "second": 2 * cent} {
			if _, cost := spent(t, p, name); cost != want {
				t.Errorf("%s has cost %s, want %s", name, cost, want)
			}
		}
	})
}

// What is known is shown although nobody answers, and the answer says why there is not more. Where nothing is known, that is
// the answer.
func TestNobodyAnswers(t *testing.T) {
	fails := func() []*providertest.Data {
		return one(&providertest.Data{
			Price:   cent,
			Figures: func(provider.KeywordQuery) ([]provider.KeywordFigures, error) { return nil, broke("Scripted") },
			Ideas:   func(provider.IdeaQuery) ([]provider.KeywordFigures, error) { return nil, broke("Scripted") },
			Ranks: func(provider.DomainQuery) (provider.DomainKeywords, error) {
				return provider.DomainKeywords{}, broke("Scripted")
			},
			Rivals:  func(provider.DomainQuery) ([]provider.Competitor, error) { return nil, broke("Scripted") },
			LinksOf: func(string) (provider.Links, error) { return provider.Links{}, broke("Scripted") },
		})
	}
	told(t, fails, func(t *testing.T, p *apptest.Program, _ *clock.Fake, data []*providertest.Data) {
		questions := []func() *apptest.Answer{
			func() *apptest.Answer {
				return post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"pizza"}})
			},
			func() *apptest.Answer { return get(t, p, "/keywordtool/related-keywords", "kw", "pizza") },
			func() *apptest.Answer { return get(t, p, "/keywordtool/suggested-keywords", "url", "site.example") },
			func() *apptest.Answer { return get(t, p, "/keywordtool/competitor-keywords", "url", "site.example") },
			func() *apptest.Answer {
				return post(t, p, "/keywordtool/gap-analysis", map[string]any{"domain": "other.example", "competitors": []string{"site.example"}})
			},
			func() *apptest.Answer { return get(t, p, "/keywordtool/competitor-domain", "url", "site.example") },
		}
		for i, ask := range questions {
			if a := ask().Want(t, 424); !strings.Contains(a.Text("error.message"), "no credits left") {
				t.Errorf("question %d: %s", i, a.Raw)
			}
		}
		if n := rows(t, p, "keywords") + rows(t, p, "keyword_words") + rows(t, p, "provider_answers") + lookups(t, p); n != 0 {
			t.Errorf("%d rows were stored, or look-ups taken", n)
		}
		asked := 0
		for _, capability := range []string{"figures", "ideas", "ranks", "competitors", "links"} {
			asked += data[0].Calls(capability)
		}
		if requests, cost := spent(t, p, "scripted"); requests != asked || cost != provider.Money(asked)*cent {
			t.Errorf("%d failed questions, %d in the ledger for %s", asked, requests, cost)
		}
		keep(t, p, p.Owner.ID, 0, start, map[string]provider.WebPage{"pizza": organic("https://site.example/", "https://rival.example/")})
		table(t, p, nil, "", "text/csv", "Keyword,Avg. monthly searches\npizza,7\npizza oven,8\n").Want(t, 200)
		for i, ask := range questions[:5] {
			a := ask().Want(t, 200)
			if i != 0 && !strings.Contains(a.Text("incomplete"), "no credits left") { // the first lacks nothing
				t.Errorf("question %d: %s", i, a.Raw)
			}
		}
		if a := questions[5]().Want(t, 200); strings.TrimSpace(string(a.Raw)) != `["rival.example"]` {
			t.Errorf("rivals %s", a.Raw)
		}
		wantAt(t, get(t, p, "/serpcheck/url-metrics", "url", "site.example").Want(t, 200), map[string]any{
			"incomplete": "The account at Scripted has no credits left.", "m.seen.v.keywords": 1.0, "m.scripted": nil,
		})
	})
}

func TestABudgetEndsTheQuestions(t *testing.T) {
	told(t, func() []*providertest.Data {
		return one(&providertest.Data{Figures: pizza, Price: 6 * cent, Budget: 10 * cent})
	}, func(t *testing.T, p *apptest.Program, now *clock.Fake, data []*providertest.Data) {
		ask := func(kws ...string) *apptest.Answer {
			return post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": kws})
		}
		ask("pizza").Want(t, 200)
		if a := ask("pasta").Want(t, 424); !strings.Contains(a.Text("error.message"), "$0.10") || !strings.Contains(a.Text("error.message"), "TRIGPOINT_SCRIPTED_BUDGET") {
			t.Errorf("%s", a.Raw)
		}
		a := ask("pizza", "pasta").Want(t, 200)
		if a.At("keywords.0.sv") != 40.0 || a.At("keywords.1.sv") != nil || !strings.Contains(a.Text("incomplete"), "budget") {
			t.Errorf("%s", a.Raw)
		}
		if data[0].Calls("figures") != 1 || lookups(t, p) != 1 {
			t.Errorf("%d questions and %d look-ups", data[0].Calls("figures"), lookups(t, p))
		}
		now.Advance(28 * 24 * time.Hour) // the next month
		if a := ask("pasta").Want(t, 200); a.At("incomplete") != nil {
			t.Errorf("%s", a.Raw)
		}
	})
}

func TestThePlanEndsTheQuestions(t *testing.T) {
	told(t, func() []*providertest.Data { return one(&providertest.Data{Figures: pizza}) }, func(t *testing.T, p *apptest.Program, now *clock.Fake, data []*providertest.Data) {
		ask := func(kws ...string) *apptest.Answer {
			return post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": kws})
		}
		ask("pizza", "pasta").Want(t, 200) // one of them fits into the store
		if a := ask("pizza", "pasta").Want(t, 200); data[0].Calls("figures") != 1 || !strings.Contains(a.Text("incomplete"), "research store") {
			t.Errorf("asked for what cannot be kept: %s", a.Raw)
		}
		if used(t, p, account.StoredKeywords) != 1 || rows(t, p, "keywords") != 1 {
			t.Errorf("%d keywords are counted and %d stored", used(t, p, account.StoredKeywords), rows(t, p, "keywords"))
		}
		now.Advance(31 * 24 * time.Hour)
		ask("pizza", "pasta").Want(t, 200) // what is stored is told anew
		if q := data[0].LastFigures().Keywords; data[0].Calls("figures") != 2 || len(q) != 1 {
			t.Errorf("asked %d times, last for %v", data[0].Calls("figures"), q)
		}
		if a := get(t, p, "/serpcheck/url-metrics", "url", "site.example").Want(t, 200); !strings.Contains(a.Text("incomplete"), "live look-ups") {
			t.Errorf("%s", a.Raw)
		}
	}, func(s *apptest.Setup) { s.Config.Plans = `{"agency":{"rate":0,"stored_keywords":1,"lookups":1}}` })
}

func TestIdeasOfProviders(t *testing.T) {
	told(t, func() []*providertest.Data {
		asked := 0 // one question after the other
		return one(&providertest.Data{Figures: pizza, Price: cent, Ideas: func(q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
			if asked++; asked > 1 {
				return nil, broke("Scripted")
			}
			if q.Country != "US" || q.Location != "" || q.Language != "en" {
				return nil, provider.Errorf(provider.BadQuery, "Scripted", "unexpected %+v", q)
			}
			return []provider.KeywordFigures{{Keyword: "Calzone", Volume: of(5), Difficulty: of(12.0)}, {Keyword: "stromboli"}, {Keyword: q.Keywords[0]}, {Keyword: strings.Repeat("x", 90)}}, nil
		}})
	}, func(t *testing.T, p *apptest.Program, now *clock.Fake, all []*providertest.Data) {
		data := all[0]
		table(t, p, nil, "?location_id=6252001&language_id=1000", "text/csv", "Keyword,Avg. monthly searches\npizza oven,9\n").Want(t, 200)
		related := func(place int) *apptest.Answer {
			return get(t, p, "/keywordtool/related-keywords", "kw", "pizza", "location_id", fmt.Sprint(place), "language_id", "1000").Want(t, 200)
		}
		a := related(usa)
		if got := strings.Join(texts(t, a, "keywords", "kw"), ", "); got != "pizza, calzone, pizza oven, stromboli" {
			t.Errorf("related: %s", got)
		}
		wantAt(t, a, map[string]any{
			"source": "scripted", "source_ts": float64(start.Unix()), "keywords.1.sv": 5.0, "keywords.1.source": "scripted", "keywords.1.seo": 12.0, "keywords.2.source": "planner", "keywords.3.sv": nil, "incomplete": nil,
		})
		if q := strings.Join(data.LastFigures().Keywords, ", "); q != "pizza, stromboli" {
			t.Errorf("figures were asked for %s", q)
		}
		if related(decatur); data.Calls("ideas") != 1 {
			t.Errorf("ideas for the country were asked %d times", data.Calls("ideas"))
		}
		now.Advance(31 * 24 * time.Hour)
		a = related(usa)
		if wantAt(t, a, map[string]any{"source": "scripted", "source_ts": float64(start.Unix())}); !strings.Contains(a.Text("incomplete"), "no credits") || data.Calls("ideas") != 2 {
			t.Errorf("old ideas, asked %d times: %s", data.Calls("ideas"), a.Raw)
		}
	})
}

func TestSuggestionsOfProviders(t *testing.T) {
	told(t, func() []*providertest.Data {
		return one(&providertest.Data{Ideas: func(q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
			return []provider.KeywordFigures{{Keyword: "like " + strings.Join(q.Keywords, "+"), Volume: of(5)}}, nil
		}})
	}, func(t *testing.T, p *apptest.Program, _ *clock.Fake, data []*providertest.Data) {
		keep(t, p, p.Owner.ID, usa, start, map[string]provider.WebPage{"pizza": organic("https://site.example/"), "pasta": organic("https://a.example/", "https://site.example/")})
		for range 2 {
			a := get(t, p, "/keywordtool/suggested-keywords", "url", "site.example", "location_id", fmt.Sprint(usa)).Want(t, 200)
			if got := strings.Join(texts(t, a, "keywords", "kw"), ", "); got != "pasta, pizza, like pizza+pasta" {
				t.Errorf("suggested: %s", got)
			}
			wantAt(t, a, map[string]any{"keywords.0.position": 2.0, "keywords.0.position_source": "seen", "keywords.2.position": nil, "keywords.2.position_source": nil, "keywords.2.position_ts": nil, "keywords.2.sv": 5.0})
		}
		fresh := get(t, p, "/keywordtool/suggested-keywords", "url", "joes-oven.example").Want(t, 200)
		if got := strings.Join(texts(t, fresh, "keywords", "kw"), ", "); got != "like joes oven" {
			t.Errorf("suggested for a new site: %s", got)
		}
		if data[0].Calls("ideas") != 2 {
			t.Errorf("asked %d times", data[0].Calls("ideas"))
		}
	})
}

func TestDomainsAsProvidersKnowThem(t *testing.T) {
	told(t, func() []*providertest.Data {
		return one(&providertest.Data{
			Ranks: func(provider.DomainQuery) (provider.DomainKeywords, error) {
				return provider.DomainKeywords{Total: 2, Items: []provider.RankedKeyword{
					{KeywordFigures: provider.KeywordFigures{Keyword: "Far Away", Volume: of(70)}, Rank: 55}, {KeywordFigures: provider.KeywordFigures{Keyword: "pizza"}, Rank: 9},
				}}, nil
			},
			Rivals: func(provider.DomainQuery) ([]provider.Competitor, error) {
				return []provider.Competitor{{Domain: "site.example"}, {Domain: "www.Rival.example"}, {Domain: "b.example"}}, nil
			},
			LinksOf: func(target string) (provider.Links, error) {
				return provider.Links{Rank: of(41.5), Domains: of(int64(12)), FirstSeen: "2019-03-01"}, nil
			},
		})
	}, func(t *testing.T, p *apptest.Program, now *clock.Fake, data []*providertest.Data) {
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{"pizza": organic("https://a.example/", "https://site.example/")})
		keywords := func(page string) *apptest.Answer {
			return get(t, p, "/keywordtool/competitor-keywords", "url", "site.example", "location_id", "4191124", "page", page).Want(t, 200)
		}
		wantAt(t, keywords("0"), map[string]any{
			"totalCount": 2.0, "keywords.0.kw": "pizza", "keywords.0.position": 2.0, "keywords.0.position_source": "seen", "keywords.1.kw": "far away", "keywords.1.position": 55.0,
			"keywords.1.position_source": "scripted", "keywords.1.position_ts": float64(start.Unix()), "keywords.1.sv": 70.0, "keywords.1.lid": float64(usa),
		})
		rivals := func() string {
			return strings.TrimSpace(string(get(t, p, "/keywordtool/competitor-domain", "url", "site.example", "location_id", fmt.Sprint(decatur)).Want(t, 200).Raw))
		}
		if got := rivals(); got != `["rival.example","b.example","a.example"]` {
			t.Errorf("rivals %s", got)
		}
		metrics := func() *apptest.Answer { return get(t, p, "/serpcheck/url-metrics", "url", "site.example").Want(t, 200) }
		wantAt(t, metrics(), map[string]any{
			"m.scripted.v.authority": 41.5, "m.scripted.v.domains": 12.0, "m.scripted.v.links": nil, "m.scripted.v.first_seen": 1551398400.0, "m.scripted.ts": float64(start.Unix()), "m.seen.v.keywords": 1.0,
		})
		again := func() { keywords("1"); rivals(); metrics() }
		for _, step := range []struct {
			wait                 time.Duration
			ranks, rivals, links int
		}{{0, 1, 1, 1}, {23 * time.Hour, 1, 1, 1}, {25 * time.Hour, 2, 2, 1}, {8 * 24 * time.Hour, 3, 3, 2}} {
			now.Advance(step.wait)
			again()
			if got := [3]int{data[0].Calls("ranks"), data[0].Calls("competitors"), data[0].Calls("links")}; got != [3]int{step.ranks, step.rivals, step.links} {
				t.Errorf("after %s: asked %v times", step.wait, got)
			}
		}
		many := map[string]provider.WebPage{}
		for i := range 10 {
			many[fmt.Sprint("keyword ", i)] = organic("https://site.example/", "https://c.example/")
		}
		keep(t, p, p.Owner.ID, decatur, now.Now(), many)
		now.Advance(25 * time.Hour)
		if got := rivals(); got != `["c.example","a.example"]` || data[0].Calls("competitors") != 3 {
			t.Errorf("result pages tell enough, and yet: %s", got)
		}
	})
}

// Each place is a question of its own: one request does not ask for a hundred.
func TestFiguresOfManyPlaces(t *testing.T) {
	told(t, func() []*providertest.Data { return one(&providertest.Data{Figures: pizza}) }, func(t *testing.T, p *apptest.Program, _ *clock.Fake, data []*providertest.Data) {
		for i, place := range []int{decatur, georgia, usa, london, 0} {
			keep(t, p, p.Owner.ID, place, start, map[string]provider.WebPage{fmt.Sprint("keyword ", i): organic("https://site.example/")})
		}
		for _, want := range []int{3, 5, 5} {
			if get(t, p, "/keywordtool/competitor-keywords", "url", "site.example").Want(t, 200); data[0].Calls("figures") != want {
				t.Errorf("%d questions, want %d", data[0].Calls("figures"), want)
			}
		}
	})
}
