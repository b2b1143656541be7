package googleads_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/googleads"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSuite(t *testing.T) {
	t.Parallel()
	providertest.Suite(t, providertest.Subject{
		New: func(t testing.TB, s providertest.Setup) provider.Provider {
			opts := options(s.BaseURL, providertest.NewFake(t, tokenEndpoint(t)).URL)
			opts.DeveloperToken, opts.Timeout = s.Secret, s.Timeout
			return start(t, opts)
		},
		Vendor:  recorded(t),
		Secret:  "developer-token-of-the-recording",
		Unprove: func(answer map[string]any) { answer["results"] = nil },
		Nothing: []string{"{}"}, // of ideas; TestMetricsWithoutRowsAreAFault has the rest
		Ideas:   provider.IdeaQuery{Keywords: []string{"coffee shop springfield"}, Country: "US", Language: "en"},
		IdeaNames: []string{
			"café mañana", "咖啡", "coffee near me",
		},
		Keywords:     provider.KeywordQuery{Keywords: []string{"Coffee  Shops Springfield", "zzqx unknown", "coffee shop springfield", "no, never"}, Country: "US", Language: "en"},
		KeywordNames: []string{"Coffee  Shops Springfield", "coffee shop springfield"},
	})
}

// options are those of an account that is set up.
func options(url, tokenURL string) googleads.Options {
	return googleads.Options{
		DeveloperToken: "developer-token", CustomerID: "123-456-7890", LoginCustomerID: "111-222-3333", ClientID: "client",
		ClientSecret: "client-secret", RefreshToken: "refresh-token", TokenURL: tokenURL, Dollars: 1, Access: provider.Access{URL: url},
	}
}

func start(t testing.TB, opts googleads.Options) *googleads.Provider {
	t.Helper()
	p, err := googleads.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func tokenEndpoint(t testing.TB) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("grant_type") != "refresh_token" || r.FormValue("refresh_token") != "refresh-token" || r.FormValue("client_secret") != "client-secret" {
			t.Errorf("asked for a token with %v", r.Form)
		}
		providertest.Body(`{"access_token":"ya29.INVENTED","expires_in":3599,"scope":"https://www.googleapis.com/auth/adwords","token_type":"Bearer"}`)(w, r)
	})
}

// recorded replays the files of testdata, and wants the headers that Google wants.
func recorded(t testing.TB) http.Handler {
	replay := func(name string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if h := r.Header; h.Get("Authorization") != "Bearer ya29.INVENTED" || h.Get("login-customer-id") != "1112223333" || h.Get("developer-token") == "" {
				t.Errorf("asked with the headers %v", h)
			}
			var q struct {
				PageToken string `json:"pageToken"`
			}
			if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
				t.Error(err)
			}
			if name == "ideas-1" && q.PageToken == "INVENTED" {
				name = "ideas-2"
			}
			raw, err := os.ReadFile("testdata/" + name + ".json")
			if err != nil {
				t.Error(err)
			}
			w.Header().Set("Content-Type", "application/json")
			w.Write(raw)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /customers/{method}", func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("method") {
		case "1234567890:generateKeywordHistoricalMetrics":
			replay("metrics")(w, r)
		case "1234567890:generateKeywordIdeas":
			replay("ideas-1")(w, r)
		default:
			http.NotFound(w, r)
		}
	})
	return mux
}

type account struct {
	ads, tokens *providertest.Fake
	*googleads.Provider
}

func fake(t testing.TB, change func(*googleads.Options)) account {
	t.Helper()
	a := account{ads: providertest.NewFake(t, recorded(t)), tokens: providertest.NewFake(t, tokenEndpoint(t))}
	opts := options(a.ads.URL, a.tokens.URL)
	if change != nil {
		change(&opts)
	}
	a.Provider = start(t, opts)
	return a
}

func TestFiguresInOurUnits(t *testing.T) {
	t.Parallel()
	a := fake(t, func(o *googleads.Options) { o.Dollars = 2 })
	found, err := a.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"coffee shop springfield"}, Country: "US"})
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	volume, cpc, competition := 1300, (0.41+2.35)/2*2, 12.0
	want := provider.KeywordFigures{
		Keyword: "coffee shop springfield", Volume: &volume, CPC: &cpc, Competition: &competition,
		Monthly: []provider.MonthVolume{{Year: 2026, Month: 5, Volume: 1600}, {Year: 2026, Month: 6, Volume: 1900}},
	}
	if !reflect.DeepEqual(found[0], want) {
		t.Errorf("%+v, want %+v", found[0], want)
	}
	ideas, err := a.IdeasFor(t.Context(), provider.IdeaQuery{Keywords: []string{"coffee"}})
	if err != nil || len(ideas) != 4 {
		t.Fatalf("%v, %v", ideas, err)
	}
	if last := ideas[3]; last.CPC == nil || *last.CPC != 1.96 || len(last.Monthly) != 2 || last.Monthly[0] != (provider.MonthVolume{Year: 2025, Month: 11, Volume: 74000}) {
		t.Errorf("%+v", last)
	}
	if unknown := ideas[2]; unknown.Volume != nil || unknown.CPC != nil || unknown.Competition != nil {
		t.Errorf("figures that nobody told: %+v", unknown)
	}
}

func TestMetricsWithoutRowsAreAFault(t *testing.T) {
	t.Parallel()
	a := fake(t, nil)
	a.ads.Always(providertest.Body("{}"))
	if _, err := a.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"coffee"}}); provider.KindOf(err) != provider.Transient {
		t.Errorf("%v", err)
	}
	if ideas, err := a.IdeasFor(t.Context(), provider.IdeaQuery{Keywords: []string{"coffee"}}); err != nil || len(ideas) != 0 {
		t.Errorf("no ideas: %v, %v", ideas, err)
	}
}

func TestMarkets(t *testing.T) {
	t.Parallel()
	a := fake(t, nil)
	var asked struct {
		Keywords []string `json:"keywords"`
		Language string   `json:"language"`
		Geo      []string `json:"geoTargetConstants"`
		Network  string   `json:"keywordPlanNetwork"`
	}
	a.ads.Always(func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewDecoder(r.Body).Decode(&asked)
		providertest.Body(`{"results":[{"text":"x"}]}`)(w, r)
	})
	q := provider.KeywordQuery{Keywords: []string{"kaffee", "with (brackets)", strings.Repeat("w ", 11), strings.Repeat("k", 81)}, Country: "at", Language: "de-AT"}
	if _, err := a.LookUpKeywords(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(asked.Keywords, []string{"kaffee"}) || asked.Language != "languageConstants/1001" || !slices.Equal(asked.Geo, []string{"geoTargetConstants/2040"}) || asked.Network != "GOOGLE_SEARCH" {
		t.Errorf("asked %+v", asked)
	}
	before := a.ads.Requests()
	for _, q := range []provider.KeywordQuery{
		{Keywords: []string{"a"}, Country: "ZZ"}, {Keywords: []string{"a"}, Language: "tlh"},
	} {
		if _, err := a.LookUpKeywords(t.Context(), q); provider.KindOf(err) != provider.BadQuery {
			t.Errorf("%+v was answered: %v", q, err)
		}
	}
	if a.ads.Requests() != before {
		t.Error("requests were spent on what cannot be answered")
	}
}

func TestTownsAreLookedUpOnce(t *testing.T) {
	t.Parallel()
	a := fake(t, nil)
	var geo []string
	a.ads.Always(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/geoTargetConstants:suggest" {
			providertest.Body(`{"geoTargetConstantSuggestions":[
				{"geoTargetConstant":{"resourceName":"geoTargetConstants/1012873","status":"ENABLED","canonicalName":"Decatur,Alabama,United States"}},
				{"geoTargetConstant":{"resourceName":"geoTargetConstants/1015254","status":"ENABLED","canonicalName":"Decatur,Georgia,United States"}}]}`)(w, r)
			return
		}
		var asked struct {
			Geo []string `json:"geoTargetConstants"`
		}
		_ = json.NewDecoder(r.Body).Decode(&asked)
		geo = append(geo, asked.Geo...)
		providertest.Body(`{"results":[{"text":"x"}]}`)(w, r)
	})
	q := provider.KeywordQuery{Keywords: []string{"coffee"}, Country: "US", Location: "Decatur,Georgia,United States"}
	for range 2 {
		if _, err := a.LookUpKeywords(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"geoTargetConstants/1015254", "geoTargetConstants/1015254"}; !slices.Equal(geo, want) || a.ads.Requests() != 3 {
		t.Errorf("asked for %q in %d requests", geo, a.ads.Requests())
	}
	for _, body := range []string{"{}", `{"geoTargetConstantSuggestions":[{"geoTargetConstant":{"resourceName":"geoTargetConstants/1","canonicalName":"Nowhere,Texas,United States"}}]}`} {
		a.ads.Always(providertest.Body(body))
		q.Location = "Nowhere,Ohio,United States"
		if _, err := a.LookUpKeywords(t.Context(), q); provider.KindOf(err) != provider.BadQuery || !strings.Contains(err.Error(), "Nowhere,Ohio") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestManyKeywordsAreAskedInPortions(t *testing.T) {
	t.Parallel()
	a := fake(t, nil)
	keywords := make([]string, 10_001)
	for i := range keywords {
		keywords[i] = fmt.Sprint("keyword ", i)
	}
	if _, err := a.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: keywords}); err != nil || a.ads.Requests() != 2 {
		t.Errorf("%d requests, %v", a.ads.Requests(), err)
	}
	if a.tokens.Requests() != 1 {
		t.Errorf("%d access tokens were asked for", a.tokens.Requests())
	}
}

func adsError(status int, code, name, more string) providertest.Fault {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"code":%d,"message":"Request failed.","status":"X","details":[{"@type":"type.googleapis.com/google.ads.googleads.v25.errors.GoogleAdsFailure","errors":[{"errorCode":{%q:%q},"message":"What went wrong."%s}],"requestId":"r"}]}}`, status, code, name, more)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault providertest.Fault
		kind  provider.Kind
		after time.Duration
		words string
	}{
		"bad keyword":  {adsError(400, "keywordPlanIdeaError", "INVALID_VALUE", `,"trigger":{"stringValue":"x"}`), provider.BadQuery, 0, "What went wrong."},
		"test token":   {adsError(403, "authorizationError", "DEVELOPER_TOKEN_NOT_APPROVED", ""), provider.Unauthorized, 0, "basic access"},
		"no customer":  {adsError(403, "authorizationError", "USER_PERMISSION_DENIED", ""), provider.Unauthorized, 0, "TRIGPOINT_GOOGLEADS_LOGIN_CUSTOMER_ID"},
		"second":       {adsError(429, "quotaError", "RESOURCE_TEMPORARILY_EXHAUSTED", `,"details":{"quotaErrorDetails":{"retryDelay":"30s"}}`), provider.RateLimited, 30 * time.Second, "fewer requests"},
		"day":          {adsError(429, "quotaError", "RESOURCE_EXHAUSTED", `,"details":{"quotaErrorDetails":{"retryDelay":"40000s"}}`), provider.QuotaSpent, 0, "no credits"},
		"old version":  {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>404</html>", 404) }, provider.BadQuery, 0, "TRIGPOINT_GOOGLEADS_URL"},
		"in a success": {providertest.Body(`{"error":{"code":500,"message":"Internal"}}`), provider.Transient, 0, "status 500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := fake(t, nil)
			a.ads.Always(c.fault)
			_, err := a.LookUpKeywords(t.Context(), provider.KeywordQuery{Keywords: []string{"coffee"}})
			var e *provider.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.RetryAfter != c.after || !strings.Contains(e.Error(), c.words) {
				t.Errorf("%#v (%v), want %s after %s with %q", e, err, c.kind, c.after, c.words)
			}
		})
	}
}

func TestRefusedTokens(t *testing.T) {
	t.Parallel()
	refuse := func(status int, body string) providertest.Fault {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	for name, c := range map[string]struct {
		fault providertest.Fault
		kind  provider.Kind
		words string
	}{
		"revoked":      {refuse(400, `{"error":"invalid_grant","error_description":"Token refresh-token has been expired or revoked."}`), provider.Unauthorized, "TRIGPOINT_GOOGLEADS_REFRESH_TOKEN"},
		"wrong client": {refuse(401, `{"error":"invalid_client","error_description":"client-secret is wrong"}`), provider.Unauthorized, "TRIGPOINT_GOOGLEADS_CLIENT_SECRET"},
		"down":         {refuse(503, `client-secret`), provider.Transient, "status 503"},
		"busy":         {refuse(429, `{"error":"rate_limit_exceeded"}`), provider.RateLimited, "fewer requests"},
		"gone":         {providertest.Dropped(), provider.Transient, "could not be reached"},
		"elsewhere":    {providertest.Redirect("http://127.0.0.1:1/"), provider.Transient, "status 307"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := fake(t, nil)
			a.tokens.Always(c.fault)
			_, err := a.CheckAccess(t.Context())
			if provider.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) {
				t.Fatalf("%v, want %s with %q", err, c.kind, c.words)
			}
			if strings.Contains(err.Error(), "client-secret") || strings.Contains(err.Error(), "refresh-token") {
				t.Errorf("a secret is shown in %v", err)
			}
			if a.ads.Requests() != 0 {
				t.Error("asked without a token")
			}
			a.tokens.Always(nil)
			if _, err := a.CheckAccess(t.Context()); err != nil {
				t.Errorf("after the fault: %v", err)
			}
		})
	}
}

func TestSettingsAreNeeded(t *testing.T) {
	t.Parallel()
	a := fake(t, func(o *googleads.Options) { o.RefreshToken = "" })
	if _, err := a.CheckAccess(t.Context()); provider.KindOf(err) != provider.Unauthorized || !strings.Contains(err.Error(), "TRIGPOINT_GOOGLEADS_REFRESH_TOKEN") {
		t.Errorf("%v", err)
	}
	for setting, spoil := range map[string]func(*googleads.Options){
		"CUSTOMER_ID": func(o *googleads.Options) { o.CustomerID = "customers/12" },
		"DOLLARS":     func(o *googleads.Options) { o.Dollars = -1 },
	} {
		opts := options("https://ads.example", "https://tokens.example")
		spoil(&opts)
		if _, err := googleads.New(opts, clock.System{}); err == nil || !strings.Contains(err.Error(), "TRIGPOINT_GOOGLEADS_"+setting) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}
