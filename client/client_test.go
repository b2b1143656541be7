package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/keyword"
	"github.com/trigpoint/trigpoint/client/local"
	"github.com/trigpoint/trigpoint/client/maprank"
	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

const london = 2643743

var market = providertest.Market(providertest.Decatur, 60)

// badLine is a proxy that answers every request badly once: the first with 503, the next only when the server has done
// it and then not at all, and so on in turn.
type badLine struct {
	mu      sync.Mutex
	faults  int
	seen    map[string]bool
	forward *httputil.ReverseProxy
}

func (b *badLine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	request := r.Method + r.URL.String() + r.Header.Get("Idempotency-Key")
	b.mu.Lock()
	first := !b.seen[request]
	b.seen[request] = true
	if first {
		b.faults++
	}
	fault := b.faults
	b.mu.Unlock()
	switch {
	case !first:
		b.forward.ServeHTTP(w, r)
	case fault%2 == 0:
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		b.forward.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler) // cuts the connection
	}
}

func startBadLine(t *testing.T, program string) string {
	t.Helper()
	to, err := url.Parse(program)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&badLine{seen: map[string]bool{}, forward: httputil.NewSingleHostReverseProxy(to)})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func start(t *testing.T) *apptest.Program {
	t.Helper()
	return apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) {
		s.NoWorker = true
		s.Options.Web = &providertest.Scripted{Title: "Web"}
		s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
	})
}

func connect(t *testing.T, address, key string) *client.Client {
	t.Helper()
	c, err := client.New(address, client.Key(key))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func newLocation(name string) local.NewLocation {
	categories, _, _ := category.List("US", 1, 0)
	return local.NewLocation{
		BusinessName: name, PhoneNumber: "+1 404-555-0123", Country: "US", Region: client.Ptr("GA"), City: "Decatur", Zip: client.Ptr("30030"),
		AddressLine1: "1 Main Street", CategoryIDs: []string{categories[0].ID}, Description: client.Ptr("Sandwiches and soups."),
	}
}

// TestNothingIsDoneTwice makes, changes and removes things of every area over a line on which each request fails once,
// half of them after the server has done it.
func TestNothingIsDoneTwice(t *testing.T) {
	t.Parallel()
	p := start(t)
	c := connect(t, startBadLine(t, p.URL), p.Owner.Key)
	ctx := t.Context()

	deli := must[local.Location](t)(c.Locations.Create(ctx, newLocation("Deli")))
	must[local.Location](t)(c.Locations.Create(ctx, newLocation("Bakery")))
	changed := must[local.Location](t)(c.Locations.Update(ctx, deli.LocationID, local.LocationChange{BusinessName: client.Ptr("Decatur Deli"), Description: client.Ptr("")}))
	if changed.BusinessName != "Decatur Deli" || changed.Description != "" || changed.City != "Decatur" {
		t.Errorf("the location is now %q, %q, %q", changed.BusinessName, changed.Description, changed.City)
	}
	must[[]local.Listing](t)(c.Locations.Listings(ctx, deli.LocationID))
	if err := c.Locations.Delete(ctx, deli.LocationID); err != nil {
		t.Error(err)
	}
	if names := locations(t, c); !slices.Equal(names, []string{"Bakery"}) {
		t.Errorf("there are the locations %q", names)
	}

	made := must[maprank.Campaign](t)(c.Campaigns.Create(ctx, maprank.NewCampaign{PlaceID: market[0].PlaceID, Keywords: []string{"pizza"}}))
	must[time.Time](t)(c.Campaigns.Collect(ctx, made.ID))
	if n := must[int64](t)(c.Campaigns.Count(ctx, client.CampaignFilter{})); n != 1 {
		t.Errorf("there are %d campaigns", n)
	}
	if progress := must[maprank.CampaignProgress](t)(c.Campaigns.Progress(ctx, made.ID)); progress.Collecting == nil || progress.Collecting.Total != 25 {
		t.Errorf("the collection is %+v", progress)
	}

	tracking := must[keyword.TrackingCreated](t)(c.Trackings.Create(ctx, keyword.NewTracking{Domain: "deli.example", LocationID: london, PlatformID: 1, Keywords: []string{"deli"}})).Tracking
	must[keyword.KeywordsAdded](t)(c.Trackings.AddKeywords(ctx, tracking.ID, "bagel", "deli"))
	if words := must[[]keyword.TrackedKeyword](t)(c.Trackings.Keywords(ctx, tracking.ID)); len(words) != 2 {
		t.Errorf("%d keywords are tracked", len(words))
	}
	must[keyword.Annotation](t)(c.Trackings.Annotate(ctx, tracking.ID, time.Now().UTC().Format(time.DateOnly), "A new site."))
	stats := must[keyword.Stats](t)(c.Trackings.Rankings(ctx, tracking.ID, client.Period{}))
	if written := slices.DeleteFunc(stats.Annotations, func(a keyword.Annotation) bool { return a.Type != 0 }); len(written) != 1 {
		t.Errorf("there are the annotations %+v", written)
	}

	usage, err := c.Account.Usage(ctx)
	if err != nil || usage.Used.Locations != 1 || usage.Used.Campaigns != 1 || usage.Used.Trackings != 1 || usage.Credits.Used != 25 {
		t.Errorf("used are %+v: %v", usage, err)
	}
}

func locations(t *testing.T, c *client.Client) (names []string) {
	t.Helper()
	for location, err := range c.Locations.List(t.Context(), client.LocationFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, location.BusinessName)
	}
	return names
}

// TestPagesErrorsAndTokens reads more than a page, is told every problem by its field, and gets another token when the
// one it has is revoked.
func TestPagesErrorsAndTokens(t *testing.T) {
	t.Parallel()
	p := start(t)
	c := connect(t, p.URL, p.Owner.Key)
	ctx := t.Context()
	for range 51 {
		must[local.Location](t)(c.Locations.Create(ctx, newLocation("Deli")))
	}
	if n := len(locations(t, c)); n != 51 {
		t.Errorf("%d locations were listed", n)
	}

	wrong := newLocation("")
	wrong.PhoneNumber = "1"
	_, err := c.Locations.Create(ctx, wrong)
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != 400 || len(refused.Problems) != 2 || refused.Problems[0].Field == "" || refused.RequestID == "" {
		t.Errorf("two problems were told as %#v", err)
	}
	_, err = c.Trackings.Create(ctx, keyword.NewTracking{Domain: "deli.example", LocationID: london, PlatformID: 7, Keywords: []string{"deli"}})
	if !errors.As(err, &refused) || refused.Status != 422 || refused.Code != "ValidationError" || len(refused.Problems) != 1 {
		t.Errorf("an unknown platform was told as %#v", err)
	}

	must[int64](t)(c.Campaigns.Count(ctx, client.CampaignFilter{}))
	tokens, err := p.Accounts.Credentials(ctx, p.Owner.ID, account.Token)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range tokens {
		if err := p.Accounts.Revoke(ctx, account.Token, token.ID); err != nil {
			t.Fatal(err)
		}
	}
	must[int64](t)(c.Campaigns.Count(ctx, client.CampaignFilter{}))

	_, err = connect(t, p.URL, "tpk_wrong").Campaigns.Count(ctx, client.CampaignFilter{})
	if !errors.As(err, &refused) || refused.Status != 401 {
		t.Errorf("a wrong key was told as %#v", err)
	}
}
