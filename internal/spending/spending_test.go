package spending_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/source"
)

const costs = httpapi.AccountPrefix + "/costs"

// each runs a test on the program with Serper as the only source, at a tenth of a cent a credit.
func each(t *testing.T, test func(t *testing.T, p *apptest.Program, vendor *providertest.Serper)) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		vendor := providertest.NewSerper(t)
		test(t, apptest.Start(t, d, func(s *apptest.Setup) {
			s.Config.MapProvider, s.Config.SerpProvider = []string{"serper"}, []string{"serper"}
			s.Config.SerpDepth = 10
			s.Config.Vendors = []provider.Vendor{provider.NewVendor("serper", &serper.Options{
				APIKey: providertest.SerperKey, Access: provider.Access{URL: vendor.URL, Price: 0.001, Concurrency: 8, Rate: 1000},
			}, serper.New)}
		}), vendor)
	})
}

func record(t *testing.T, p *apptest.Program, month int, charges ...source.Charge) {
	t.Helper()
	err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
		if err := p.Ledger.Record(t.Context(), tx, charges...); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), "UPDATE costs SET month = $1 WHERE provider = $2", month, charges[0].Provider)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a campaign and a tracking have cost is told by their names, and to nobody else.
func TestAnAccountSeesWhatItsQuestionsCost(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, vendor *providertest.Serper) {
		campaign := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
			"placeId": vendor.Market[0].PlaceID, "keywords": []string{"pizza"}, "name": "Pizza in Decatur",
		}}).Want(t, 200).Text("data.id")
		p.Do(t, apptest.Call{Method: "PUT", Path: maprank.Prefix + "/campaigns/" + campaign + "/collect"}).Want(t, 200)
		tracking := p.Do(t, apptest.Call{Method: "POST", Path: rankwatch.Prefix + "/rankwatch/trackings", Body: map[string]any{
			"domain": "site.com", "location_id": 2643743, "platform_id": 1, "keywords": []string{"pizza"},
		}}).Want(t, 201).Text("tracking._id")
		if err := p.Ledger.SetBudget(t.Context(), p.Owner.ID, provider.USD(50)); err != nil {
			t.Fatal(err)
		}

		const points = 25.0
		told := p.Eventually(t, apptest.Call{Method: "GET", Path: costs}, func(a *apptest.Answer) bool {
			return a.Len("data.costs") == 3 && a.At("data.costs.0.requests") == points
		})
		month := source.MonthText(source.Month(p.Clock.Now()))
		for path, want := range map[string]any{
			"meta.total": 3.0, "data.budget_usd": 50.0, "data.spent_usd": 0.079,
			"data.costs.0.month": month, "data.costs.0.provider": "serper", "data.costs.0.campaign_id": campaign, "data.costs.0.name": "Pizza in Decatur", "data.costs.0.cost_usd": 0.075,
			"data.costs.1.requests": 1.0, "data.costs.1.cost_usd": 0.003, "data.costs.1.campaign_id": nil, "data.costs.1.tracking_id": nil, // the place was looked up before there was a campaign
			"data.costs.2.tracking_id": tracking, "data.costs.2.campaign_id": nil, "data.costs.2.name": "site.com", "data.costs.2.cost_usd": 0.001,
		} {
			if got := told.At(path); got != want {
				t.Errorf("%s is %v, want %v", path, got, want)
			}
		}

		other := p.NewAccount(t, "other@trigpoint.example", "pro")
		nothing := p.Do(t, apptest.Call{Method: "GET", Path: costs, As: &other}).Want(t, 200)
		if nothing.Len("data.costs") != 0 || nothing.At("data.spent_usd") != 0.0 || nothing.At("data.budget_usd") != nil {
			t.Errorf("another account sees %s", nothing.Raw)
		}

		metrics := httptest.NewRecorder()
		p.Admin.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
		for _, line := range []string{`trigpoint_provider_requests_total{provider="serper"} 27`, `trigpoint_provider_cost_dollars_total{provider="serper"} 0.07`} {
			if !strings.Contains(metrics.Body.String(), line) {
				t.Errorf("the metrics lack %s", line)
			}
		}
	})
}

func TestCostsByMonth(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p *apptest.Program, _ *providertest.Serper) {
		removed := id.New()
		for name, month := range map[string]int{"old": 202512, "older": 202511} {
			mine := source.Purpose{AccountID: p.Owner.ID, Subject: removed}
			record(t, p, month, source.Charge{Provider: name, Purpose: mine, Requests: 2, Cost: provider.USD(0.5)})
		}
		get := func(query string) *apptest.Answer {
			return p.Do(t, apptest.Call{Method: "GET", Path: costs + query})
		}
		for path, want := range map[string]any{
			"data.costs.0.month": "2025-12", "data.costs.1.month": "2025-11", "data.costs.0.campaign_id": id.Dashed(removed), "data.costs.0.name": nil, "data.spent_usd": 0.0,
		} {
			if got := get("").Want(t, 200).At(path); got != want {
				t.Errorf("of all months %s is %v, want %v", path, got, want)
			}
		}
		if one := get("?month=2025-11").Want(t, 200); one.Len("data.costs") != 1 || one.Text("data.costs.0.provider") != "older" || one.At("data.spent_usd") != 0.5 {
			t.Errorf("of a month: %s", one.Raw)
		}
		if page := get("?limit=1&offset=1").Want(t, 200); page.Text("data.costs.0.provider") != "older" || page.At("meta.total") != 2.0 {
			t.Errorf("the second page: %s", page.Raw)
		}
		for _, wrong := range []string{"?month=2025-13", "?month=November", "?month=", "?limit=1001"} {
			get(wrong).Want(t, 400)
		}
	})
}
