package providertest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The suite must also hold for a provider in process, which has no vendor to fake.
func TestScriptedPassesTheSuite(t *testing.T) {
	t.Parallel()
	market := providertest.Market(providertest.Decatur, 40)
	names := make([]string, 20)
	for i := range names {
		names[i] = market[i].Name
	}
	urls := []string{"https://a.example/", "https://b.example/", "https://www.c.example/", "https://d.example/"}
	providertest.Suite(t, providertest.Subject{
		New: func(testing.TB, providertest.Setup) provider.Provider {
			return &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market), Web: pages(urls)}
		},
		Place:        market[3].PlaceID,
		PlaceName:    market[3].Name,
		UnknownPlace: providertest.PlaceID(1, 1),
		Map:          provider.MapQuery{Keyword: "pizza", At: providertest.Decatur},
		MapNames:     names,
		Web:          provider.WebQuery{Keyword: "pizza"},
		WebURLs:      urls,
	})
}

func pages(urls []string) func(context.Context, provider.WebQuery) (provider.WebPage, error) {
	return func(_ context.Context, q provider.WebQuery) (provider.WebPage, error) {
		if err := q.Check(); err != nil {
			return provider.WebPage{}, err
		}
		page := provider.WebPage{Pages: 1}
		for i, url := range urls[:min(len(urls), q.Limit())] {
			host := strings.TrimPrefix(strings.Trim(strings.TrimPrefix(url, "https:"), "/"), "www.")
			page.Items = append(page.Items, provider.WebItem{Type: provider.Organic, Rank: i + 1, URL: url, Domain: host})
		}
		return page, nil
	}
}

func TestScriptedCountsAndRefusesWhatItCannot(t *testing.T) {
	t.Parallel()
	both := make(chan struct{}, 2)
	s := &providertest.Scripted{Map: func(ctx context.Context, _ provider.MapQuery) ([]provider.Business, error) {
		both <- struct{}{}
		for len(both) < 2 && ctx.Err() == nil { // until both calls are under way
			time.Sleep(100 * time.Microsecond)
		}
		return nil, nil
	}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s.SearchMap(t.Context(), provider.MapQuery{}) })
	}
	wg.Wait()
	if s.Calls() != 2 || s.Peak() != 2 {
		t.Errorf("%d calls, %d at once", s.Calls(), s.Peak())
	}
	if _, err := s.SearchWeb(t.Context(), provider.WebQuery{}); provider.KindOf(err) != provider.BadQuery {
		t.Errorf("without a script: %v", err)
	}
}

func TestFaultsComeInOrder(t *testing.T) {
	t.Parallel()
	fake := providertest.NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") }))
	fake.Next(providertest.Status(500, "x"), nil, providertest.TooManyRequests("3"))
	fake.When(func(n int) providertest.Fault {
		if n == 5 {
			return providertest.Status(403, "fifth")
		}
		return nil
	})
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	for i, want := range []string{"500 ", "200 ", "429 3", "200 ", "403 ", "200 "} {
		res, err := client.Post(fake.URL, "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if got := fmt.Sprintf("%d %s", res.StatusCode, res.Header.Get("Retry-After")); got != want {
			t.Errorf("request %d: %q, want %q", i+1, got, want)
		}
	}
	if fake.Requests() != 6 || fake.Peak() != 1 || len(fake.Arrived()) != 6 {
		t.Errorf("%d requests, %d at once, %d signals", fake.Requests(), fake.Peak(), len(fake.Arrived()))
	}
}

func TestFakeSeesConcurrency(t *testing.T) {
	t.Parallel()
	fake := providertest.NewFake(t, http.NotFoundHandler())
	fake.Always(providertest.Stalled())
	ctx, cancel := context.WithCancel(t.Context())
	client := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(client.CloseIdleConnections)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, fake.URL, strings.NewReader("{}"))
			if err != nil {
				t.Error(err)
				return
			}
			res, err := client.Do(req)
			if err == nil {
				_, err = io.ReadAll(res.Body)
				res.Body.Close()
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("a stalled answer ended with %v", err)
			}
		})
	}
	for range 8 {
		<-fake.Arrived()
	}
	cancel()
	wg.Wait()
	if fake.Peak() != 8 {
		t.Errorf("saw %d at once", fake.Peak())
	}
}

func TestMarketIsTheSameEachTimeAndWellFormed(t *testing.T) {
	t.Parallel()
	a, b := providertest.Market(providertest.Decatur, 50), providertest.Market(providertest.Decatur, 50)
	seen := map[string]bool{}
	for i := range a {
		cid, ok := provider.CIDOf(a[i].PlaceID)
		if !ok || cid != a[i].CID || a[i].PlaceID != b[i].PlaceID || seen[cid] {
			t.Errorf("business %d: %+v", i, a[i])
		}
		seen[cid] = true
	}
}
