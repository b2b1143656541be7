package research_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/dataforseo"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// One setting and an account at the vendor fill an empty store: every question of research is answered, and paid for once.
func TestDataForSEOBehindResearch(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		vendor := providertest.NewDataForSEO(t)
		p := apptest.Start(t, d, func(s *apptest.Setup) {
			s.Config.KeywordProvider = []string{"dataforseo"}
			s.Config.Vendors = []provider.Vendor{provider.NewVendor("dataforseo", &dataforseo.Options{
				Login: providertest.DataForSEOLogin, Password: providertest.DataForSEOPassword, Difficulty: true, Access: provider.Access{URL: vendor.URL},
			}, dataforseo.New)}
		})
		country := fmt.Sprint(usa)
		ask := func() {
			known := post(t, p, "/keywordtool/keyword-imports", map[string]any{"keywords": []string{"pizza", "unknown word"}, "location_id": decatur, "language_id": 1000}).Want(t, 200)
			wantAt(t, known, map[string]any{
				"keywords.0.sv": 50.0, "keywords.0.cpc": 0.98, "keywords.0.ppc": 12.0, "keywords.0.source": "dataforseo", "keywords.0.seo": 0.0, "keywords.0.seo_source": "dataforseo", "keywords.1.sv": nil, "incomplete": nil,
			})
			related := get(t, p, "/keywordtool/related-keywords", "kw", "pizza", "location_id", country, "language_id", "1000").Want(t, 200)
			if got := strings.Join(texts(t, related, "keywords", "kw"), ", "); !strings.Contains(got, "pizza delivery") || !strings.Contains(got, "best pizza") || related.Text("source") != "dataforseo" {
				t.Errorf("related: %s, by %s", got, related.Text("source"))
			}
			ranks := get(t, p, "/keywordtool/competitor-keywords", "url", "site.example", "location_id", country).Want(t, 200)
			wantAt(t, ranks, map[string]any{"totalCount": 3.0, "keywords.0.kw": "pizza decatur", "keywords.0.position": 1.0, "keywords.0.position_source": "dataforseo", "keywords.0.sv": 130.0})
			rivals := get(t, p, "/keywordtool/competitor-domain", "url", "site.example", "location_id", country).Want(t, 200)
			if got := strings.TrimSpace(string(rivals.Raw)); got != `["rival-1.example","rival-2.example"]` {
				t.Errorf("rivals %s", got)
			}
			links := get(t, p, "/serpcheck/url-metrics", "url", "site.example").Want(t, 200)
			wantAt(t, links, map[string]any{"m.dataforseo.v.authority": 18.0, "m.dataforseo.v.links": 420.0, "m.dataforseo.v.domains": 51.0, "incomplete": nil})
		}
		ask()
		paid := vendor.Spent()
		ask()
		if _, cost := spent(t, p, "dataforseo"); paid == 0 || vendor.Spent() != paid || cost != paid {
			t.Errorf("the vendor billed %s, then %s; the ledger has %s", paid, vendor.Spent(), cost)
		}
	})
}

// An account without the subscription that links need still gets all else.
func TestDataForSEOWithoutLinks(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		importDomains(t, p, "tranco", "7,site.example\n")
		a := get(t, p, "/serpcheck/url-metrics", "url", "site.example").Want(t, 200)
		if a.At("topRank") != 7.0 || a.At("m.dataforseo") != nil || !strings.Contains(a.Text("incomplete"), "DataForSEO") || strings.Contains(string(a.Raw), providertest.DataForSEOPassword) {
			t.Errorf("%s", a.Raw)
		}
	}, func(s *apptest.Setup) {
		vendor := providertest.NewDataForSEO(t)
		vendor.NoBacklinks = true
		s.Config.KeywordProvider = []string{"dataforseo"}
		s.Config.Vendors = []provider.Vendor{provider.NewVendor("dataforseo", &dataforseo.Options{
			Login: providertest.DataForSEOLogin, Password: providertest.DataForSEOPassword, Access: provider.Access{URL: vendor.URL},
		}, dataforseo.New)}
	})
}
