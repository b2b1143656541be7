// Package provider owns what a data provider is: the capabilities it may have, the plain types they
// speak, the kinds of failure, the HTTP client that vendors share, and the Caller through which
// workers ask. It does not score, store or read the environment; vendors live in folders of their own.
package provider

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// Provider is a source of data. What it can do is found by type assertion to the capabilities below.
// All methods of a provider and of its capabilities may be called concurrently. An answer is whole or
// an error, never a part. A provider asks once: retrying is the Caller's work.
type Provider interface {
	Describe() Descriptor
}

// PlaceFinder looks a business up by its place id, or by its cid where the vendor knows it.
// An unknown one is an error of kind NotFound.
type PlaceFinder interface {
	FindPlace(ctx context.Context, placeID string) (Business, error)
}

// MapSearcher asks a map search at a point. The rank of a business is its index + 1: paid rows are
// left out, and there are at most MaxMapResults.
type MapSearcher interface {
	SearchMap(ctx context.Context, q MapQuery) ([]Business, error)
}

// WebSearcher asks a web search, over as many pages as the depth needs.
type WebSearcher interface {
	SearchWeb(ctx context.Context, q WebQuery) (WebPage, error)
}

// KeywordSource knows search volume and prices. Keywords that it does not know are absent from the answer.
type KeywordSource interface {
	LookUpKeywords(ctx context.Context, q KeywordQuery) ([]KeywordFigures, error)
}

// DomainSource knows which keywords a domain or URL ranks for, best first.
type DomainSource interface {
	DomainKeywords(ctx context.Context, q DomainQuery) (DomainKeywords, error)
}

// KeywordIdeas proposes keywords for others, best first, with their figures as far as it knows them.
type KeywordIdeas interface {
	IdeasFor(ctx context.Context, q IdeaQuery) ([]KeywordFigures, error)
}

// CompetitorSource knows which domains rank for the same keywords as a domain, closest first.
type CompetitorSource interface {
	Competitors(ctx context.Context, q DomainQuery) ([]Competitor, error)
}

// LinkSource knows how domains and pages are linked to.
type LinkSource interface {
	LinksTo(ctx context.Context, target string) (Links, error)
}

// Checker proves that the settings work with the cheapest real request there is, and says in a few words
// what it learned, such as the credits left.
type Checker interface {
	CheckAccess(ctx context.Context) (string, error)
}

// Queue takes questions in bulk and answers them later, for less.
type Queue[Question, Answer any] interface {
	// Post hands in up to MaxPost orders and returns one ticket for each, in their order.
	Post(ctx context.Context, orders []Order[Question]) ([]Ticket, error)

	// Ready lists tickets whose answers can be fetched, not necessarily all of them.
	Ready(ctx context.Context) ([]Ticket, error)

	// Fetch gets the answer to a ticket; until it is there, the error is of kind Pending. Of kind NotFound is a ticket that will never
	// have one: the task has failed or is no longer kept. Fetching again is free.
	Fetch(ctx context.Context, ticket string, q Question) (Answer, error)
}

// MaxPost is how many orders a Queue takes at once.
const MaxPost = 100

// Order is a question with a tag of ours, by which its ticket is found again should the answer to Post be lost.
type Order[Question any] struct {
	Tag      string
	Question Question
}

// Ticket is the vendor's promise of an answer.
type Ticket struct {
	ID   string
	Tag  string
	Cost Money // what handing it in has cost
	Err  error // why this order was not taken; nil when it was
}

// Queues is a provider that can be asked through queues. They are nil where its settings ask for answers at once.
type Queues interface {
	MapQueue() Queue[MapQuery, []Business]
	WebQueue() Queue[WebQuery, WebPage]
}

// Descriptor says what an open provider is called and how it may be asked. It never holds a credential.
type Descriptor struct {
	Name    string // lower-case word used in configuration
	Title   string // as people write it
	Secret  string // setting that holds the credential, such as api_key; "" for a provider that needs none
	Pace    Pace
	Account string   // fingerprint of the account that requests count against; "" for a provider in process
	Devices []Device // that its web search can be; none for a provider that does not search the web
	Whole   bool     // it searches the web from whole countries only, not from a town or region
	Google  bool     // its cids are those of Google Maps
	Later   bool     // searches that have a key are promised, and their answers fetched later
	Prices  Prices
	Budget  Money // that may be spent in a calendar month (UTC); 0 is no limit
}

// Prices are what one question of each sort costs at most, as far as the settings tell; 0 is nothing. A web search
// is billed by the page of ten results.
type Prices struct{ Place, Map, WebPage, Keywords, Domain, Links Money }

// SearchesAs tells whether a web search can be made as this device. The provider refuses any other one.
func (d Descriptor) SearchesAs(device Device) bool {
	return slices.Contains(d.Devices, cmp.Or(device, Desktop))
}

// SearchesFrom tells whether a web search can be made from this place; "" is a whole country. The provider refuses any other one.
func (d Descriptor) SearchesFrom(place string) bool { return place == "" || !d.Whole }

// Pace is how hard an account at a provider may be asked, by all who ask with it.
type Pace struct {
	Concurrent int     // requests under way at once, at least 1
	PerSecond  float64 // requests started a second; 0 is no limit
}

// interval is the time between the starts of two requests.
func (p Pace) interval() time.Duration {
	if p.PerSecond <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / p.PerSecond)
}

// Env is the environment variable of a setting: TRIGPOINT_SERPER_API_KEY for api_key of serper.
func (d Descriptor) Env(setting string) string {
	return "TRIGPOINT_" + strings.ToUpper(d.Name+"_"+setting)
}

// NeedKey refuses to ask a vendor without the key, and says where it is set.
func (d Descriptor) NeedKey(key string) error {
	if key != "" {
		return nil
	}
	return Errorf(Unauthorized, d.Title, "%s needs an API key: set %s.", d.Title, d.Env(d.Secret))
}
