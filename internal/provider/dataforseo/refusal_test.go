package dataforseo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/dataforseo"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestRefusalsInPlainWords(t *testing.T) {
	t.Parallel()
	task := func(code int, words string) providertest.Fault { return providertest.DataForSEOCode(code, words, 0) }
	for _, c := range []struct {
		name    string
		fault   providertest.Fault
		kind    provider.Kind
		message string
	}{
		{"login", providertest.Body(`{"status_code":40100,"status_message":"You are not authorized.","tasks":null}`), provider.Unauthorized, "DataForSEO refused the API key: check TRIGPOINT_DATAFORSEO_PASSWORD. The login is TRIGPOINT_DATAFORSEO_LOGIN; both are shown at app.dataforseo.com/api-access."},
		{"address", task(40207, "Access denied. Your IP is not whitelisted."), provider.Unauthorized, "DataForSEO refused the API key: check TRIGPOINT_DATAFORSEO_PASSWORD. The account answers listed addresses only: add this server's at app.dataforseo.com."},
		{"Google failed", task(40101, "Internal SE Server Error."), provider.Transient, "DataForSEO sent no answer to what was asked."},
		{"execution failed", task(40103, "Task execution failed."), provider.Transient, "DataForSEO sent no answer to what was asked."},
		{"unpaid", task(40200, "Payment Required."), provider.QuotaSpent, "The account at DataForSEO has no credits left."},
		{"no funds", task(40210, "Insufficient Funds."), provider.QuotaSpent, "The account at DataForSEO has no credits left."},
		{"rate", task(40202, "You've exceeded the limit of 2000 calls per minute."), provider.RateLimited, "DataForSEO asks for fewer requests."},
		{"too many at once", task(40209, "Too many simultaneous requests."), provider.RateLimited, "DataForSEO asks for fewer requests."},
		{"own limit", task(40203, "The cost limit per day has been exceeded."), provider.OverBudget, "DataForSEO did not accept the request: The cost limit per day has been exceeded (40203). Raise the limit that is set at app.dataforseo.com, or wait until it begins anew."},
		{"no subscription", task(40204, "Access denied."), provider.BadQuery, "DataForSEO did not accept the request: Access denied (40204). This part of DataForSEO needs a subscription of its own."},
		{"the same too often", task(40205, "Duplicate tasks."), provider.BadQuery, "DataForSEO did not accept the request: Duplicate tasks (40205)."},
		{"path", task(40402, "Invalid Path."), provider.BadQuery, "DataForSEO did not accept the request: Invalid Path (40402). Check TRIGPOINT_DATAFORSEO_URL."},
		{"field", task(40501, "Invalid Field: 'location_name'."), provider.BadQuery, "DataForSEO did not accept the request: Invalid Field: 'location_name' (40501). DataForSEO knows no location of this name."},
		{"unknown field", task(40506, "Unknown Fields in POST Data."), provider.BadQuery, "DataForSEO did not accept the request: Unknown Fields in POST Data (40506)."},
		{"fault of theirs", task(50000, "Internal Error."), provider.Transient, "DataForSEO sent no answer to what was asked."},
		{"two answers to one task", providertest.Body(`{"status_code":20000,"tasks":[{"status_code":20000,"result":[{"type":"maps"}]},{"status_code":20000}]}`), provider.Transient, "DataForSEO sent no answer to what was asked."},
		{"no result", providertest.Body(`{"status_code":20000,"tasks":[{"status_code":20000,"result":null}]}`), provider.Transient, "DataForSEO sent no answer to what was asked."},
		{"items that are missing", providertest.Body(`{"status_code":20000,"tasks":[{"status_code":20000,"result":[{"type":"maps","items_count":7,"items":null}]}]}`), provider.Transient, "DataForSEO sent no answer to what was asked."},
		{"results of another search", providertest.Body(`{"status_code":20000,"tasks":[{"status_code":20000,"result":[{"type":"news","items_count":0,"items":[]}]}]}`), provider.Transient, "DataForSEO sent no answer to what was asked."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(c.fault)
			_, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.Message != c.message {
				t.Fatalf("got %v, want %q: %s", err, c.kind, c.message)
			}
			if want := map[string]time.Duration{"rate": 15 * time.Second}[c.name]; e.RetryAfter != want {
				t.Errorf("come back after %s, want %s", e.RetryAfter, want)
			}
		})
	}
}

// Nothing found and a failed search look alike, but for their code. Both are billed.
func TestNothingFoundIsAnAnswerAndAFailedSearchIsNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		body  string
		found bool
		cost  float64
	}{
		{"nothing", string(recording(t, "maps_no_results")), true, 0.002},
		{"nothing, in a list", `{"status_code":20000,"tasks":[{"status_code":20000,"cost":0.002,"result":[{"type":"maps","items_count":0,"items":null}]}]}`, true, 0.002},
		{"Google failed", string(recording(t, "maps_se_error")), false, 0.002},
		{"Google failed, at a price that is not told", `{"status_code":20000,"tasks":[{"status_code":40101,"result":null}]}`, false, 0.002},
		{"a bad field", string(recording(t, "error_field")), false, 0},
	} {
		vendor, p := fake(t)
		vendor.Next(providertest.Body(c.body))
		var bill provider.Bill
		found, err := p.SearchMap(provider.WithBill(t.Context(), &bill), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
		if (err == nil) != c.found || (c.found && found == nil) || len(found) != 0 {
			t.Errorf("%s: %v, %v", c.name, found, err)
		}
		if _, cost := bill.Total(); cost != provider.USD(c.cost) {
			t.Errorf("%s was billed %s, want $%v", c.name, cost, c.cost)
		}
	}
}

func TestLoginIsNeeded(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewDataForSEO(t)
	opts := settings(vendor.URL)
	opts.Password = ""
	_, err := start(t, opts).FindPlace(t.Context(), manana)
	if provider.KindOf(err) != provider.Unauthorized || !strings.Contains(err.Error(), "TRIGPOINT_DATAFORSEO_LOGIN and TRIGPOINT_DATAFORSEO_PASSWORD") || vendor.Requests() != 0 {
		t.Errorf("without a password: %v after %d requests", err, vendor.Requests())
	}
	opts.Password = "wrong-password"
	if _, err = start(t, opts).FindPlace(t.Context(), manana); provider.KindOf(err) != provider.Unauthorized {
		t.Errorf("with a wrong password: %v", err)
	}
	if learned, err := start(t, settings(vendor.URL)).CheckAccess(t.Context()); err != nil || learned != "$50.00 left" {
		t.Errorf("with the right one: %q, %v", learned, err)
	}
}

func TestSettingsThatCannotWorkAreRefusedAtStart(t *testing.T) {
	t.Parallel()
	opts := settings("https://api.dataforseo.com")
	opts.KeywordRate = -1
	if _, err := dataforseo.New(opts, clock.System{}); err == nil || !strings.Contains(err.Error(), "dataforseo-keyword-rate") {
		t.Errorf("a rate below 0: %v", err)
	}
	if _, err := dataforseo.New(settings("api.dataforseo.com"), clock.System{}); err == nil || !strings.Contains(err.Error(), "TRIGPOINT_DATAFORSEO_URL") {
		t.Errorf("a URL without a scheme: %v", err)
	}
}

func TestPricesFollowTheMode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode     string
		priority int
		want     provider.Money
	}{{"live", 1, 2000}, {"live", 2, 2000}, {"queue", 1, 600}, {"queue", 2, 1200}} {
		opts := settings("https://api.dataforseo.com")
		opts.Mode, opts.Priority = c.mode, c.priority
		if d := start(t, opts).Describe(); d.Prices.Map != c.want || d.Prices.WebPage != c.want || d.Prices.Place != 5400 {
			t.Errorf("%s at priority %d costs %+v, want %s", c.mode, c.priority, d.Prices, c.want)
		}
	}
}
