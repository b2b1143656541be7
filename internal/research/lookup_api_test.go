package research_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

// knowing is a provider that knows figures of keywords and the ranks of domains.
type knowing struct {
	providertest.Scripted
	failure         error
	asked           atomic.Pointer[provider.KeywordQuery]
	lookups, audits atomic.Int64
}

// LookUpKeywords knows one keyword.
func (k *knowing) LookUpKeywords(_ context.Context, q provider.KeywordQuery) ([]provider.KeywordFigures, error) {
	k.lookups.Add(1)
	k.asked.Store(&q)
	volume, cpc := 40, 1.5
	return []provider.KeywordFigures{
		{Keyword: "Pizza", Volume: &volume, CPC: &cpc, Monthly: []provider.MonthVolume{{Year: 2026, Month: 1, Volume: 44}}}, {Keyword: "not asked for"},
	}, k.failure
}

// DomainKeywords knows two keywords of every domain.
func (k *knowing) DomainKeywords(_ context.Context, q provider.DomainQuery) (provider.DomainKeywords, error) {
	k.audits.Add(1)
	volume := 70
	return provider.DomainKeywords{Total: 2, Items: []provider.RankedKeyword{
		{KeywordFigures: provider.KeywordFigures{Keyword: "Far Away", Volume: &volume}, Rank: 55}, {KeywordFigures: provider.KeywordFigures{Keyword: "pizza"}, Rank: 9},
	}}, k.failure
}

func TestProviderWithKeywordFigures(t *testing.T) {
	t.Parallel()
	known := fleet(func() *knowing { return &knowing{} })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		now := p.Clock.(*clock.Fake)
		k := known.of(p)
		ask := func() *apptest.Answer {
			return post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"pizza", "unheard of"}, "location_id": decatur, "language_id": 1000}).Want(t, 200)
		}
		a := ask()
		if a.At("keywords.0.sv") != 40.0 || a.At("keywords.0.cpc") != 1.5 || a.At("keywords.0.ppc") != nil || a.At("keywords.0.svn") != 44.0 || a.At("keywords.0.svs") != 2.0 || lookups(t, p) != 1 || a.At("keywords.1.sv") != nil {
			t.Errorf("%s", a.Raw)
		}
		if q := k.asked.Load(); q.Country != "US" || q.Language != "en" || q.Location != "Decatur,Georgia,United States" || len(q.Keywords) != 2 {
			t.Errorf("asked %+v", q)
		}
		if ask(); k.lookups.Load() != 1 {
			t.Errorf("asked %d times for what is known", k.lookups.Load())
		}
		now.Advance(31 * 24 * time.Hour)
		if ask(); k.lookups.Load() != 2 {
			t.Errorf("old figures are not asked for again")
		}
	}, known.setup)
}

func TestProviderWithDomainRanks(t *testing.T) {
	t.Parallel()
	known := fleet(func() *knowing { return &knowing{} })
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		k := known.of(p)
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{"pizza": organic("https://a.example/", "https://site.example/")})
		a := get(t, p, "/keywordtool/competitor-keywords", "url", "site.example", "location_id", "4191124").Want(t, 200)
		if a.At("totalCount") != 2.0 || a.At("keywords.0.position") != 2.0 || a.Text("keywords.1.kw") != "far away" || a.At("keywords.1.position") != 55.0 || a.At("keywords.1.sv") != 70.0 {
			t.Errorf("%s", a.Raw)
		}
		before := k.audits.Load()
		get(t, p, "/keywordtool/competitor-keywords", "url", "site.example", "location_id", "4191124", "page", "1").Want(t, 200)
		if k.audits.Load() != before {
			t.Error("the next page was billed again")
		}
	}, known.setup)
}

func TestFailingKeywordSource(t *testing.T) {
	t.Parallel()
	failing := func(s *apptest.Setup) {
		s.Options.Web = &knowing{failure: provider.Errorf(provider.QuotaSpent, "Scripted", "The account at Scripted has no credits left.")}
	}
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"pizza"}}).Want(t, 424)
		get(t, p, "/keywordtool/competitor-keywords", "url", "site.example").Want(t, 424)
		if n := rows(t, p, "keywords") + rows(t, p, "keyword_words") + rows(t, p, "domain_lookups"); n != 0 {
			t.Errorf("%d rows were stored", n)
		}
	}, failing)
}

// The program asks a live vendor when it is configured to: its key, its faults, its pages of ten.
func TestSerperBehindTheAPI(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		key    string
		fault  providertest.Fault
		status int
		says   string
	}{
		{"all is well", providertest.SerperKey, nil, 200, ""},
		{"wrong key", "wrong", nil, 424, "TRIGPOINT_SERPER_API_KEY"},
		{"no credits", providertest.SerperKey, providertest.NoCredits(), 424, "no credits left"},
		{"asked to wait an hour", providertest.SerperKey, providertest.TooManyRequests("3600"), 424, "fewer requests"},
		{"nothing, with 200", providertest.SerperKey, providertest.Body("{}"), 424, "no answer"},
		{"points elsewhere", providertest.SerperKey, providertest.Redirect("http://127.0.0.1:1/"), 424, "TRIGPOINT_SERPER_URL"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			vendor := providertest.NewSerper(t)
			if test.fault != nil {
				vendor.Always(test.fault)
			}
			configured := func(s *apptest.Setup) {
				s.Config.SerpProvider = []string{"serper"}
				s.Config.Vendors = []provider.Vendor{provider.NewVendor("serper", &serper.Options{
					APIKey: test.key, Access: provider.Access{URL: vendor.URL},
				}, serper.New)}
			}
			apptest.Each(t, func(t *testing.T, p *apptest.Program) {
				a := get(t, p, "/serpcheck/serps", "kw", "pizza", "location_id", "4191124").Want(t, test.status)
				if !strings.Contains(a.Text("error.message"), test.says) || strings.Contains(string(a.Raw), test.key) {
					t.Errorf("%s", a.Raw)
				}
				want := int64(0)
				if test.status == 200 {
					want = 1
					if a.At("results") != nil || a.At("serp_results") != 20.0 {
						t.Errorf("%v results", a.At("serp_results"))
					}
					get(t, p, "/serpcheck/serps", "kw", "pizza", "platform_id", "2").Want(t, 424) // it has no mobile ranks
				}
				if n := rows(t, p, "serps"); n != want {
					t.Errorf("%d pages kept, want %d", n, want)
				}
			}, configured)
		})
	}
}
