package googleautocomplete_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/googleautocomplete"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorded answers as the browser is answered that asks, with the question repeated.
func recorded(t testing.TB) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := os.ReadFile("testdata/" + r.FormValue("client") + ".json")
		var answer []any
		if err != nil || json.Unmarshal(raw, &answer) != nil || r.URL.Path != "/complete/search" {
			t.Errorf("%s: %v", r.URL, err)
		}
		answer[0] = r.FormValue("q")
		w.Header().Set("Content-Type", "text/javascript; charset=UTF-8")
		_ = json.NewEncoder(w).Encode(answer)
	})
}

func TestSuite(t *testing.T) {
	t.Parallel()
	for client, want := range map[string][]string{
		"firefox": {"coffee shop near me", "coffee shops open now", "coffee shop façade"},
		"chrome":  {"coffee shop near me"},
	} {
		t.Run(client, func(t *testing.T) {
			t.Parallel()
			providertest.Suite(t, providertest.Subject{
				New: func(t testing.TB, s providertest.Setup) provider.Provider {
					return start(t, googleautocomplete.Options{Client: client, Access: provider.Access{URL: s.BaseURL}, Timeout: s.Timeout})
				},
				Vendor:    recorded(t),
				Unproven:  `["another question",["coffee shop"],[],{}]`,
				Ideas:     provider.IdeaQuery{Keywords: []string{"coffee sh"}, Country: "US", Language: "en"},
				IdeaNames: want,
			})
		})
	}
}

func start(t testing.TB, opts googleautocomplete.Options) *googleautocomplete.Provider {
	t.Helper()
	p, err := googleautocomplete.New(opts, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func fake(t testing.TB) (*providertest.Fake, *googleautocomplete.Provider) {
	t.Helper()
	vendor := providertest.NewFake(t, recorded(t))
	return vendor, start(t, googleautocomplete.Options{Client: "firefox", Access: provider.Access{URL: vendor.URL}})
}

func TestAnswersOfEveryAge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"older":   {`["caf",["café"]]`, []string{"café"}},
		"Latin-1": {"[\"caf\",[\"caf\xe9\",\"fa\xe7ade\"],[],{}]", []string{"café", "façade"}},
		"empty":   {`["caf",[],[],{"google:suggestsubtypes":[]}]`, nil},
		"repeats": {`["caf",["Cafe","cafe ","caf"],[]]`, []string{"Cafe"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			vendor, p := fake(t)
			vendor.Always(providertest.Body(c.body))
			ideas, err := p.IdeasFor(t.Context(), provider.IdeaQuery{Keywords: []string{"caf"}})
			var names []string
			for _, idea := range ideas {
				names = append(names, idea.Keyword)
				if idea.Volume != nil || idea.CPC != nil {
					t.Errorf("figures that nobody told: %+v", idea)
				}
			}
			if err != nil || !slices.Equal(names, c.want) {
				t.Errorf("%q, %v, want %q", names, err, c.want)
			}
		})
	}
}

func TestARiddleForPeopleIsAPause(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Always(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://www.google.example/sorry/index", http.StatusFound)
	})
	_, err := p.IdeasFor(t.Context(), provider.IdeaQuery{Keywords: []string{"pizza"}})
	var e *provider.Error
	if !errors.As(err, &e) || e.Kind != provider.RateLimited || e.RetryAfter != 10*time.Minute {
		t.Errorf("%#v (%v)", e, err)
	}
}

func TestSuggestionsAreThoseOfTheMarket(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	var asked []string
	answer := recorded(t)
	vendor.Always(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.FormValue("q")+" "+r.FormValue("gl")+" "+r.FormValue("hl")+" "+r.FormValue("oe"))
		answer.ServeHTTP(w, r)
	})
	if _, err := p.IdeasFor(t.Context(), provider.IdeaQuery{Keywords: []string{"kaffee", "tee"}, Country: "AT", Language: "de"}); err != nil {
		t.Fatal(err)
	}
	if want := []string{"kaffee at de utf-8", "tee at de utf-8"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}

func TestAnotherClientIsRefusedAtStart(t *testing.T) {
	t.Parallel()
	if _, err := googleautocomplete.New(googleautocomplete.Options{Client: "toolbar", Access: provider.Access{URL: "https://g.example"}}, clock.System{}); err == nil {
		t.Error("toolbar was accepted")
	}
}
