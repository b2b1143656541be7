package placeindex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// MarketSource is the Source of every place of a Market.
const MarketSource = "demo market: invented for the demo, no such business exists"

const (
	marketRadiusKm = 12
	clusteredShare = 0.75 // of all businesses; the others lie anywhere
	yearWeeks      = 52
)

// Market is an invented town economy on real coordinates: businesses around the centre of Decatur, Georgia,
// clustered as shops are, some loved and most not. It is the same for the same seed and size, and it changes
// from week to week, so that reports made over it have a history.
type Market struct {
	businesses []business
}

// business is a place and how it fares over time.
type business struct {
	place          Place
	opens, closes  int     // weeks in which it is first, and no longer, there
	reviews        float64 // in the week it opens, or in week 0
	weekly         float64 // new reviews a week, on average
	season, period float64 // how much and how long that swings, 0..1 and weeks
	rating, trend  float64 // in week 0, and change a year
	wobble, phase  float64
}

// MarketCenter is the middle of every Market.
func MarketCenter() geo.Point { return geo.Point{Lat: 33.7745, Lng: -84.2951} }

// NewMarket invents n businesses.
func NewMarket(seed uint64, n int) *Market {
	g := generator{
		Rand: rand.New(rand.NewPCG(seed, 0x7269677069)), seed: seed,
		names: make(map[string]int, n), kinds: marketKinds(), towns: marketTowns(), words: newMarketWords(),
	}
	for i := range g.kinds {
		g.weight += g.kinds[i].share
	}
	g.placeClusters(min(max(n/60, 6), 80))
	m := &Market{businesses: make([]business, 0, n)}
	for i := range n {
		m.businesses = append(m.businesses, g.business(i))
	}
	return m
}

// Drift lists the businesses that are open in a week of the market's history, as they stand then. Week 0
// is the first; reviews only ever grow, ratings wander, and a few businesses open or close.
func (m *Market) Drift(week int) []Place {
	places := make([]Place, 0, len(m.businesses))
	for i := range m.businesses {
		if b := &m.businesses[i]; b.opens <= week && week < b.closes {
			places = append(places, b.in(week))
		}
	}
	return places
}

func (b *business) in(week int) Place {
	p := b.place
	age := float64(week - max(0, b.opens))
	turn := 2 * math.Pi / b.period
	// The integral of weekly * (1 + season*sin), which never falls as long as season <= 1.
	grown := b.weekly * (age + b.season/turn*(math.Cos(b.phase)-math.Cos(turn*age+b.phase)))
	p.Reviews = int(b.reviews + grown)
	if p.Reviews == 0 {
		return p
	}
	steadiness := 1 + math.Log10(1+float64(p.Reviews)) // many reviews move slowly
	rating := b.rating + b.trend*float64(week)/yearWeeks + b.wobble/steadiness*math.Sin(float64(week)/5+b.phase)
	p.Rating = math.Round(min(5, max(1, rating))*10) / 10
	return p
}

// generator holds what the inventing of a market needs.
type generator struct {
	*rand.Rand
	seed     uint64
	names    map[string]int
	kinds    []marketKind
	weight   float64
	towns    []marketTown
	words    marketWords
	clusters []marketCluster
}

type marketCluster struct {
	at     geo.Point
	spread float64 // km
}

func (g *generator) placeClusters(n int) {
	g.clusters = append(g.clusters, marketCluster{MarketCenter(), 0.5})
	for len(g.clusters) < n {
		// Denser towards the middle than an even spread.
		at := geo.Destination(MarketCenter(), g.Float64()*2*math.Pi, marketRadiusKm*g.Float64())
		g.clusters = append(g.clusters, marketCluster{at, 0.15 + 0.5*g.Float64()})
	}
}

func (g *generator) point() geo.Point {
	for {
		at, reach := MarketCenter(), marketRadiusKm*math.Sqrt(g.Float64())
		if g.Float64() < clusteredShare {
			// The first clusters are the busiest.
			c := g.clusters[int(float64(len(g.clusters))*math.Pow(g.Float64(), 1.8))]
			at, reach = c.at, math.Abs(g.NormFloat64())*c.spread
		}
		p := geo.Destination(at, g.Float64()*2*math.Pi, reach)
		if geo.Distance(p, MarketCenter()) <= marketRadiusKm {
			return geo.Point{Lat: math.Round(p.Lat*1e6) / 1e6, Lng: math.Round(p.Lng*1e6) / 1e6}
		}
	}
}

func (g *generator) business(i int) business {
	kind, at := g.kind(), g.point()
	name := g.name(kind)
	town := g.town(at)
	reviews := math.Exp(math.Log(kind.reviews) + 1.1*g.NormFloat64())
	b := business{
		opens: math.MinInt, closes: math.MaxInt,
		reviews: reviews, weekly: reviews / 250 * math.Exp(0.8*g.NormFloat64()),
		season: g.Float64(), period: 13 + 39*g.Float64(), phase: g.Float64() * 2 * math.Pi,
		rating: min(4.9, max(2.4, 4.25+0.35*g.NormFloat64())), trend: 0.15 * g.NormFloat64(), wobble: 0.4 * g.Float64(),
	}
	switch luck := g.Float64(); {
	case luck < 0.06: // a newcomer grows faster from nothing
		b.opens, b.reviews, b.weekly = 1+g.IntN(yearWeeks-2), 0, 0.5+b.weekly*3
	case luck < 0.10:
		b.closes = 4 + g.IntN(yearWeeks-6)
	}
	id, cid := Identify(fmt.Sprintf("market:%d/%d", g.seed, i))
	b.place = Place{
		ID: id, CID: cid, Name: name, Lat: at.Lat, Lng: at.Lng, CountryCode: "US",
		Address:    fmt.Sprintf("%d %s, %s, GA %s", 100+g.IntN(4800), g.street(), town.name, town.zip),
		Categories: []string{kind.category},
		Phone:      fmt.Sprintf("+1 404-555-01%02d", g.IntN(100)), // numbers kept free for fiction
		Website:    "https://" + strings.ReplaceAll(phrase(tokens(name)), " ", "-") + ".example",
		Source:     MarketSource,
	}
	return b
}

func (g *generator) kind() marketKind {
	at := g.Float64() * g.weight
	for _, k := range g.kinds {
		if at -= k.share; at < 0 {
			return k
		}
	}
	return g.kinds[len(g.kinds)-1]
}

func (g *generator) town(at geo.Point) marketTown {
	best := g.towns[0]
	for _, t := range g.towns {
		if geo.Distance(at, t.at) < geo.Distance(at, best.at) {
			best = t
		}
	}
	return best
}

// name invents a name that the market does not have yet; a large market numbers the repeated ones.
func (g *generator) name(k marketKind) string {
	name := g.word() + " " + pick(g, k.called)
	if g.Float64() < 0.4 {
		name = pick(g, g.words.adjectives) + " " + name
	}
	g.names[name]++
	if n := g.names[name]; n > 1 {
		name = fmt.Sprintf("%s No. %d", name, n)
	}
	return name
}

func (g *generator) street() string {
	return g.word() + " " + pick(g, g.words.streets)
}

// word invents a proper noun that can be read: no letter three times.
func (g *generator) word() string {
	for {
		start, end := pick(g, g.words.starts), pick(g, g.words.ends)
		if start[len(start)-1] != end[0] {
			return start + end
		}
	}
}

func pick(g *generator, words []string) string { return words[g.IntN(len(words))] }
