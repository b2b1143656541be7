package googleplaces_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/googleplaces"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

var atDecatur = provider.MapQuery{Keyword: "pizza", At: providertest.Decatur, Country: "US", Language: "en"}

// fake starts the scriptable vendor and a provider that asks it for these details.
func fake(t testing.TB, details string) (*providertest.GooglePlaces, *googleplaces.Provider) {
	t.Helper()
	vendor := providertest.NewGooglePlaces(t)
	return vendor, start(t, options(vendor, details))
}

func options(vendor *providertest.GooglePlaces, details string) googleplaces.Options {
	return googleplaces.Options{
		APIKey: providertest.GooglePlacesKey, Details: details, ProPrice: 0.017, Access: provider.Access{URL: vendor.URL, Price: 0.02},
	}
}

func replayed(t testing.TB) *googleplaces.Provider {
	t.Helper()
	server := providertest.NewFake(t, recorded(t))
	return start(t, googleplaces.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
}

func TestPlaceWithAllThereIs(t *testing.T) {
	t.Parallel()
	b, err := replayed(t).FindPlace(t.Context(), manana)
	want := provider.Business{
		PlaceID: manana, Name: "Café Mañana & Söhne", Address: "12 Invented St, Springfield, ZZ 00001, USA", Lat: 40.1000001, Lng: -75.2000001,
		Rating: 4.6, Reviews: 312, Categories: []string{"Cafe", "bakery"}, CountryCode: "US", Phone: "+1 555-010-0001", Website: "https://manana.example.org/",
		Hours: &provider.Hours{time.Monday: {{From: 420, To: 1080}}, time.Saturday: {{From: 1200, To: 1560}}},
	}
	if err != nil || !reflect.DeepEqual(b, want) {
		t.Errorf("got %+v, want %+v; %v", b, want, err)
	}
	if b, err := replayed(t).FindPlace(t.Context(), bakery); err != nil || b.Closed != provider.ClosedForGood {
		t.Errorf("closed for good: %+v, %v", b, err)
	}
	if b, err := replayed(t).FindPlace(t.Context(), plumber); err != nil || b.Lat != 0 || b.Hours != nil || b.Closed != "" {
		t.Errorf("without an address: %+v, %v", b, err)
	}
}

func TestHoursOfEverySort(t *testing.T) {
	t.Parallel()
	always := provider.Hours{}
	for day := range always {
		always[day] = []provider.Span{{From: 0, To: 1440}}
	}
	for name, c := range map[string]struct {
		periods string
		want    *provider.Hours
	}{
		"always":           {`[{"open":{"day":0,"hour":0,"minute":0}}]`, &always},
		"a whole day":      {`[{"open":{"day":2,"hour":0},"close":{"day":3,"hour":0}}]`, &provider.Hours{time.Tuesday: {{From: 0, To: 1440}}}},
		"noon and night":   {`[{"open":{"day":5,"hour":11,"minute":30},"close":{"day":5,"hour":14}},{"open":{"day":5,"hour":18},"close":{"day":6,"hour":1}}]`, &provider.Hours{time.Friday: {{From: 690, To: 840}, {From: 1080, To: 1500}}}},
		"over a weekend":   {`[{"open":{"day":5,"hour":18},"close":{"day":0,"hour":18}}]`, &provider.Hours{time.Friday: {{From: 1080, To: 1440}}, time.Saturday: {{From: 0, To: 1440 + 1080}}}},
		"none":             {`[]`, nil},
		"a day of 8":       {`[{"open":{"day":8,"hour":1},"close":{"day":1,"hour":2}}]`, nil},
		"never opens":      {`[{"close":{"day":1,"hour":2}}]`, nil},
		"a minute too far": {`[{"open":{"day":1,"hour":1},"close":{"day":1,"hour":2,"minute":61}}]`, nil},
	} {
		vendor, p := fake(t, "pro")
		vendor.Next(providertest.Body(`{"id":"` + manana + `","regularOpeningHours":{"periods":` + c.periods + `}}`))
		if b, err := p.FindPlace(t.Context(), manana); err != nil || !reflect.DeepEqual(b.Hours, c.want) {
			t.Errorf("%s: %v, want %v; %v", name, b.Hours, c.want, err)
		}
	}
}

func TestOnlyPlaceIDsOfGoogleAreLookedUp(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t, "pro")
	for _, id := range []string{"10304235947424929415", "osm:n123", "../places:searchText", "a/b"} {
		if _, err := p.FindPlace(t.Context(), id); provider.KindOf(err) != provider.NotFound {
			t.Errorf("%s: %v", id, err)
		}
	}
	if vendor.Requests() != 0 {
		t.Errorf("%d requests", vendor.Requests())
	}
	vendor.Next(providertest.GoogleError(400, "INVALID_ARGUMENT", "Not a valid Place ID: ChIJx", ""), providertest.Body("{}"))
	if _, err := p.FindPlace(t.Context(), "ChIJx"); provider.KindOf(err) != provider.NotFound {
		t.Errorf("a malformed id: %v", err)
	}
	if _, err := p.FindPlace(t.Context(), manana); provider.KindOf(err) != provider.Transient {
		t.Errorf("nothing is the answer to a search, not to a look-up: %v", err)
	}
}

// A collection asks at many points at once; what it finds is paid for once.
func TestDetailsArePaidForOnce(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t, "pro")
	var bill provider.Bill
	ctx := provider.WithBill(t.Context(), &bill)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			found, err := p.SearchMap(ctx, atDecatur)
			if err != nil || len(found) != 20 {
				t.Errorf("%d results, %v", len(found), err)
				return
			}
			for i, b := range found[:19] {
				if want := vendor.Market[i]; b.PlaceID != want.PlaceID || b.CID != want.CID || b.Name != want.Name || b.Rating != 0 {
					t.Errorf("rank %d is %+v", i+1, b)
				}
			}
			if last := found[19]; last.PlaceID != providertest.PlaceID(404, 404) || last.CID != "404" || last.Name != "" {
				t.Errorf("a place that is gone: %+v", last)
			}
		})
	}
	wg.Wait()
	for id, n := range vendor.Billed() {
		if n != 1 {
			t.Errorf("%s was asked %d times", id, n)
		}
	}
	if n, cost := bill.Total(); n != 19 || cost != 19*provider.USD(0.017) {
		t.Errorf("%d details cost %s", n, cost)
	}
	if n := vendor.Requests(); n != 8+20 {
		t.Errorf("%d requests for 8 searches and 20 places", n)
	}
}

func TestDetailsAreForgottenAfterADay(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewGooglePlaces(t)
	now := clock.NewFake(time.Date(2026, 8, 22, 9, 0, 0, 0, time.UTC))
	p, err := googleplaces.New(options(vendor, "pro"), now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	ask := func() int {
		before := vendor.Requests()
		if _, err := p.SearchMap(t.Context(), atDecatur); err != nil {
			t.Error(err)
		}
		return vendor.Requests() - before
	}
	for _, c := range []struct {
		later    time.Duration
		requests int
	}{{0, 21}, {23 * time.Hour, 1}, {time.Hour, 21}, {0, 1}} {
		now.Advance(c.later)
		if n := ask(); n != c.requests {
			t.Errorf("%s later: %d requests, want %d", c.later, n, c.requests)
		}
	}
	inSpanish := atDecatur
	inSpanish.Language = "es"
	before := vendor.Requests()
	if _, err := p.SearchMap(t.Context(), inSpanish); err != nil || vendor.Requests()-before != 21 {
		t.Errorf("another language: %d requests, %v", vendor.Requests()-before, err)
	}
}

func TestWhatDetailsCost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		details string
		cost    provider.Money
		named   bool
		rated   bool
	}{
		{"none", 0, false, false},
		{"pro", 19 * provider.USD(0.017), true, false},
		{"enterprise", 19 * provider.USD(0.02), true, true},
	} {
		_, p := fake(t, c.details)
		var bill provider.Bill
		found, err := p.SearchMap(provider.WithBill(t.Context(), &bill), atDecatur)
		if err != nil {
			t.Fatal(err)
		}
		if _, cost := bill.Total(); cost != c.cost || p.Describe().Prices.Map < cost || (found[0].Name != "") != c.named || (found[0].Rating != 0) != c.rated {
			t.Errorf("%s: %s for %+v", c.details, cost, found[0])
		}
		if _, err := p.FindPlace(provider.WithBill(t.Context(), &bill), found[0].PlaceID); err != nil {
			t.Error(err)
		}
		if _, cost := bill.Total(); cost != c.cost+provider.USD(0.02) {
			t.Errorf("%s: %s with a look-up", c.details, cost)
		}
	}
}

// A failure among the details fails the search, but what was paid for is kept for the next attempt.
func TestPartOfTheDetailsIsNoAnswer(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t, "pro")
	vendor.Next(nil, nil, nil, providertest.Unavailable(""))
	if found, err := p.SearchMap(t.Context(), atDecatur); provider.KindOf(err) != provider.Transient || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	before := vendor.Requests()
	if found, err := p.SearchMap(t.Context(), atDecatur); err != nil || len(found) != 20 || vendor.Requests()-before != 1+18 {
		t.Errorf("%d results after %d requests, %v", len(found), vendor.Requests()-before, err)
	}
}

// Who waits for the details that another asks for takes over when that one gives up.
func TestGivingUpLeavesTheQuestionToTheNext(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t, "pro")
	vendor.Next(nil, providertest.Stalled())
	ctx, giveUp := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() { _, err := p.SearchMap(ctx, atDecatur); first <- err }()
	<-vendor.Arrived()
	<-vendor.Arrived() // the details, which stall
	second := make(chan error, 1)
	go func() { _, err := p.SearchMap(t.Context(), atDecatur); second <- err }()
	<-vendor.Arrived()
	giveUp()
	if err := <-first; err == nil {
		t.Error("the first was answered")
	}
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
}

func TestDetailsKeepThePace(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t, "pro")
	d := p.Describe()
	d.Pace = provider.Pace{Concurrent: 4, PerSecond: 400}
	caller := provider.NewCaller(d, provider.CallerOptions{})
	began := time.Now()
	_, err := provider.Call(t.Context(), caller, func(ctx context.Context) ([]provider.Business, error) { return p.SearchMap(ctx, atDecatur) })
	if took := time.Since(began); err != nil || vendor.Requests() != 21 || took < 20*time.Second/400 {
		t.Errorf("%d requests at 400 a second took %s, %v", vendor.Requests(), took, err)
	}
}

func TestSearchAsksForIDsAtThePoint(t *testing.T) {
	t.Parallel()
	var asked map[string]any
	var mask string
	server := providertest.NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		mask = r.Header.Get("X-Goog-FieldMask")
		if err := json.Unmarshal(raw, &asked); err != nil {
			t.Error(err)
		}
		providertest.Body("{}")(w, r)
	}))
	p := start(t, googleplaces.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "fish & chips", At: provider.Point{Lat: 51.5, Lng: -0.1}, Country: "gb", Language: "en", Depth: 3})
	if err != nil || found == nil || len(found) != 0 {
		t.Errorf("nothing found: %v, %v", found, err)
	}
	want := map[string]any{
		"textQuery": "fish & chips", "languageCode": "en", "regionCode": "GB", "pageSize": 20.0, "includePureServiceAreaBusinesses": true,
		"locationBias": map[string]any{"circle": map[string]any{"center": map[string]any{"latitude": 51.5, "longitude": -0.1}, "radius": 500.0}},
	}
	if !reflect.DeepEqual(asked, want) || mask != "places.id" {
		t.Errorf("asked %v for %s, want %v", asked, mask, want)
	}
}

// Google has no mark of an empty answer but its emptiness: what holds any other word is a fault.
func TestOnlyAnEmptyObjectIsNothingFound(t *testing.T) {
	t.Parallel()
	bodies := []string{`null`, `[]`, `{"places":null}`, `{"places":[]}`, `{"places":[{}]}`, `{"places":[{"id":"a"},{"id":""}]}`, `{"places":[{"id":"a"}],"error":[]}`, `{"error":{}}`, `{"results":[]}`}
	for _, body := range bodies {
		vendor, p := fake(t, "none")
		vendor.Next(providertest.Body(body))
		if found, err := p.SearchMap(t.Context(), atDecatur); provider.KindOf(err) != provider.Transient {
			t.Errorf("%s was believed: %v, %v", body, found, err)
		}
	}
	vendor, p := fake(t, "none")
	vendor.Next(providertest.Body(`{}`), providertest.Body(`{"places":[{"id":"a"},{"id":"b"}]}`))
	for _, want := range [][]string{nil, {"a", "b"}} {
		found, err := p.SearchMap(t.Context(), atDecatur)
		var ids []string
		for _, b := range found {
			ids = append(ids, b.PlaceID)
		}
		if err != nil || !slices.Equal(ids, want) {
			t.Errorf("%v, want %v; %v", ids, want, err)
		}
	}
}
