package providertest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Subject is a provider under test and what it is expected to answer.
type Subject struct {
	// New makes the provider with this credential, asking at BaseURL. Clean up with t.
	New func(t testing.TB, s Setup) provider.Provider

	// Vendor replays the vendor's answers. nil for a provider in process, whose faults are its own.
	Vendor http.Handler

	Secret string // the credential; "" when the provider needs none

	// Unprove takes out of an answer what proves that the vendor has answered. What is left is a fault,
	// however much it looks like an answer.
	Unprove func(answer map[string]any)

	// Unproven is such an answer, in place of Unprove, where the vendor's are no objects.
	Unproven string

	// Nothing are bodies that the vendor sends, with status 200, when it has found nothing. They are answers.
	Nothing []string

	// What is asked, where the provider has the capability, and the answer in order.
	Place        string
	PlaceName    string
	UnknownPlace string
	Map          provider.MapQuery
	MapNames     []string
	Web          provider.WebQuery
	WebURLs      []string // organic results
	Ideas        provider.IdeaQuery
	IdeaNames    []string
	Keywords     provider.KeywordQuery
	KeywordNames []string // of those that the vendor knows
	Domain       provider.DomainQuery
	DomainNames  []string // keywords
	Rivals       []string // domains that compete with it
	Links        string   // a domain

	// Lacks names the odd rows of a map search that this vendor can never have, as recordsOddRows calls them.
	Lacks []string
}

// Setup is what New builds a provider from.
type Setup struct {
	BaseURL string
	Secret  string
	Timeout time.Duration // of one request; 0 is the provider's default
}

// Suite is what every provider passes. Run it once per provider, over recorded answers.
func Suite(t *testing.T, s Subject) {
	t.Helper()
	t.Run("describes itself", func(t *testing.T) { t.Parallel(); s.describes(t) })
	t.Run("finds places", func(t *testing.T) { t.Parallel(); s.findsPlaces(t) })
	t.Run("searches the map", func(t *testing.T) { t.Parallel(); s.searchesMap(t) })
	t.Run("searches the web", func(t *testing.T) { t.Parallel(); s.searchesWeb(t) })
	t.Run("has ideas", func(t *testing.T) { t.Parallel(); s.hasIdeas(t) })
	t.Run("knows keywords", func(t *testing.T) { t.Parallel(); s.knowsKeywords(t) })
	t.Run("knows domains", func(t *testing.T) { t.Parallel(); s.knowsDomains(t) })
	t.Run("knows links", func(t *testing.T) { t.Parallel(); s.knowsLinks(t) })
	t.Run("checks its access", func(t *testing.T) { t.Parallel(); s.checksAccess(t) })
	t.Run("is safe for concurrent use", func(t *testing.T) { t.Parallel(); s.concurrent(t) })
	t.Run("asks nothing when cancelled", func(t *testing.T) { t.Parallel(); s.cancelledBefore(t) })
	if s.Vendor != nil {
		t.Run("returns when cancelled", func(t *testing.T) { t.Parallel(); s.cancelledDuring(t) })
		t.Run("turns faults into typed errors", func(t *testing.T) { t.Parallel(); s.faults(t) })
		t.Run("keeps its key to itself", func(t *testing.T) { t.Parallel(); s.redirected(t) })
	}
}

// start makes the provider over a fake of its own; the fake is nil for a provider in process.
func (s Subject) start(t testing.TB, timeout time.Duration) (provider.Provider, *Fake) {
	setup := Setup{Secret: s.Secret, Timeout: timeout}
	var fake *Fake
	if s.Vendor != nil {
		fake = NewFake(t, s.Vendor)
		setup.BaseURL = fake.URL
	}
	return s.New(t, setup), fake
}

// question is one way to ask a provider, for checks that hold for all of them.
type question struct {
	name string
	ask  func(context.Context) error
}

func (s Subject) questions(p provider.Provider) []question {
	var all []question
	if f, ok := p.(provider.PlaceFinder); ok {
		all = append(all, question{"place", func(ctx context.Context) error { _, err := f.FindPlace(ctx, s.Place); return err }})
	}
	if f, ok := p.(provider.MapSearcher); ok {
		all = append(all, question{"map", func(ctx context.Context) error { _, err := f.SearchMap(ctx, s.Map); return err }})
	}
	if f, ok := p.(provider.WebSearcher); ok {
		all = append(all, question{"web", func(ctx context.Context) error { _, err := f.SearchWeb(ctx, s.Web); return err }})
	}
	if f, ok := p.(provider.KeywordIdeas); ok {
		all = append(all, question{"ideas", func(ctx context.Context) error { _, err := f.IdeasFor(ctx, s.Ideas); return err }})
	}
	if f, ok := p.(provider.KeywordSource); ok {
		all = append(all, question{"keywords", func(ctx context.Context) error { _, err := f.LookUpKeywords(ctx, s.Keywords); return err }})
	}
	if f, ok := p.(provider.DomainSource); ok {
		all = append(all, question{"domain", func(ctx context.Context) error { _, err := f.DomainKeywords(ctx, s.Domain); return err }})
	}
	if f, ok := p.(provider.CompetitorSource); ok {
		all = append(all, question{"competitors", func(ctx context.Context) error { _, err := f.Competitors(ctx, s.Domain); return err }})
	}
	if f, ok := p.(provider.LinkSource); ok {
		all = append(all, question{"links", func(ctx context.Context) error { _, err := f.LinksTo(ctx, s.Links); return err }})
	}
	if f, ok := p.(provider.Checker); ok {
		all = append(all, question{"access", func(ctx context.Context) error { _, err := f.CheckAccess(ctx); return err }})
	}
	return all
}

func (s Subject) describes(t *testing.T) {
	p, _ := s.start(t, 0)
	d := p.Describe()
	if d.Name == "" || strings.ToLower(d.Name) != d.Name || d.Title == "" {
		t.Errorf("name or title is missing: %+v", d)
	}
	if d.Pace.Concurrent < 1 || d.Pace.PerSecond < 0 {
		t.Errorf("pace %+v allows no request", d.Pace)
	}
	if (d.Secret == "") != (s.Secret == "") {
		t.Errorf("the credential is the setting %q", d.Secret)
	}
	s.hides(t, fmt.Sprintf("%+v", d))
	if len(s.questions(p)) == 0 {
		t.Error("the provider can do nothing")
	}
}

// hides fails when text shows the credential.
func (s Subject) hides(t *testing.T, text string) {
	t.Helper()
	if s.Secret != "" && strings.Contains(text, s.Secret) {
		t.Errorf("the key is shown in %q", text)
	}
}

func (s Subject) findsPlaces(t *testing.T) {
	p, _ := s.start(t, 0)
	f, ok := p.(provider.PlaceFinder)
	if !ok {
		t.Skip("not a PlaceFinder")
	}
	b, err := f.FindPlace(t.Context(), s.Place)
	if err != nil {
		t.Fatalf("find %s: %v", s.Place, err)
	}
	if b.Name != s.PlaceName || (b.PlaceID != s.Place && b.CID != s.Place) {
		t.Errorf("found %+v, want %s with the id %s", b, s.PlaceName, s.Place)
	}
	if !(provider.Point{Lat: b.Lat, Lng: b.Lng}).Valid() {
		t.Errorf("%s is at %v,%v", b.Name, b.Lat, b.Lng)
	}
	_, err = f.FindPlace(t.Context(), s.UnknownPlace)
	s.failsAs(t, err, provider.NotFound)
	for _, id := range []string{"", "a b", "\x00", strings.Repeat("a", 10_000)} {
		_, err := f.FindPlace(t.Context(), id)
		s.failsAs(t, err, provider.BadQuery)
	}
}

func (s Subject) searchesMap(t *testing.T) {
	p, _ := s.start(t, 0)
	m, ok := p.(provider.MapSearcher)
	if !ok {
		t.Skip("not a MapSearcher")
	}
	found, err := m.SearchMap(t.Context(), s.Map)
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	names := make([]string, len(found))
	for i, b := range found {
		names[i] = b.Name
	}
	if !slices.Equal(names, s.MapNames) {
		t.Errorf("found in order:\n%q, want\n%q", names, s.MapNames)
	}
	if len(found) > provider.MaxMapResults {
		t.Errorf("%d results", len(found))
	}
	if s.Vendor != nil {
		s.recordsOddRows(t, found)
	}
	shallow := s.Map
	shallow.Depth = 3
	if found, err := m.SearchMap(t.Context(), shallow); err != nil || len(found) != min(3, len(s.MapNames)) {
		t.Errorf("a depth of 3 gave %d results, %v", len(found), err)
	}
	for _, spoil := range []func(*provider.MapQuery){
		func(q *provider.MapQuery) { q.Keyword = " " },
		func(q *provider.MapQuery) { q.Keyword = strings.Repeat("k", 10_000) },
		func(q *provider.MapQuery) { q.At.Lat = 91 },
		func(q *provider.MapQuery) { q.Depth = 21 },
	} {
		bad := s.Map
		spoil(&bad)
		_, err := m.SearchMap(t.Context(), bad)
		s.failsAs(t, err, provider.BadQuery)
	}
}

// recordsOddRows wants a recording with the rows that break readers.
func (s Subject) recordsOddRows(t *testing.T, found []provider.Business) {
	t.Helper()
	if len(found) >= provider.MaxMapResults {
		t.Errorf("the recording has no room below its last result: %d rows", len(found))
	}
	for name, odd := range map[string]func(provider.Business) bool{
		"with a cid but no place id": func(b provider.Business) bool { return b.PlaceID == "" && b.CID != "" },
		"without coordinates":        func(b provider.Business) bool { return b.Lat == 0 && b.Lng == 0 },
		"without a rating":           func(b provider.Business) bool { return b.Rating == 0 && b.Reviews == 0 },
	} {
		if !slices.Contains(s.Lacks, name) && !slices.ContainsFunc(found, odd) {
			t.Errorf("the recording has no row %s", name)
		}
	}
}

func (s Subject) checksAccess(t *testing.T) {
	p, fake := s.start(t, 0)
	f, ok := p.(provider.Checker)
	if !ok {
		t.Skip("not a Checker")
	}
	learned, err := f.CheckAccess(t.Context())
	if err != nil || learned == "" || len(learned) > 100 {
		t.Errorf("learned %q, %v", learned, err)
	}
	s.hides(t, learned)
	if fake != nil && fake.Requests() != 1 {
		t.Errorf("%d requests", fake.Requests())
	}
}
