package webindex

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// WebSource says where the pages of a Web come from.
const WebSource = "demo web: invented for the demo, no such site exists"

// Business is a business of the demo market as its web knows it.
type Business struct {
	Name    string
	Kind    string // a category such as "Pizza Restaurant" or "Dentist"
	Town    string
	Address string
	Website string  // https://name.example
	Climb   float64 // what its standing gains towards the end of the year, or loses; 0 leaves it to chance
}

// Web is the invented web of a market around Decatur, Georgia: the sites of its businesses,
// directories that list them, blogs and a few national sites, all on domains that can never exist. It is
// the same for the same seed and businesses, and it changes over time as a real one does: sites gain and
// lose standing a little every day and more at a few updates a year, some are rewritten, posts appear.
type Web struct {
	seed  uint64
	sites map[string]*site // by domain
	pages []datedPage
}

// site is a domain and how its standing moves.
type site struct {
	base, trend   float64 // standing on day 0, and change a year
	swing, period float64 // of a slow wave, the period in days
	phase         float64
	climb         float64
}

// datedPage is online in the weeks [from, until).
type datedPage struct {
	Page
	from, until int
}

const (
	demoWeeks = 53
	always    = math.MinInt
	forever   = math.MaxInt

	climbDay, climbDays = 330, 12.0 // the middle of a climb, and how gently it begins and ends
)

// updates are the days of a year on which the engine re-weighs all sites at once.
var updates = []int{38, 121, 214, 301}

// NewWeb invents the web around the given businesses; those whose website is not a valid address on
// .example have no site of their own, only entries in directories.
func NewWeb(seed uint64, businesses []Business) *Web {
	w := &Web{seed: seed, sites: map[string]*site{}}
	businesses = slices.Clone(businesses)
	slices.SortStableFunc(businesses, func(a, b Business) int { return cmp.Compare(a.Name, b.Name) })
	m := newMarket(businesses)
	for _, b := range businesses {
		w.addBusiness(b)
	}
	w.addDirectories(businesses, m)
	w.addBlogs(m)
	w.addNational()
	return w
}

// Pages lists what is online in a week; week 0 is the first of a year of history, later weeks go on.
func (w *Web) Pages(week int) []Page {
	pages := make([]Page, 0, len(w.pages))
	for _, p := range w.pages {
		if p.from <= week && week < p.until {
			pages = append(pages, p.Page)
		}
	}
	return pages
}

// Prior is the standing of each domain on a day, 0..1.
func (w *Web) Prior(day int) func(domain string) float64 {
	return func(domain string) float64 {
		s, ok := w.sites[domain]
		if !ok {
			return 0
		}
		standing := s.base + s.trend*float64(day)/365 + s.swing*math.Sin(2*math.Pi*float64(day)/s.period+s.phase)
		standing += s.climb * (1/(1+math.Exp((climbDay-float64(day))/climbDays)) - 0.5)
		for year := 0; year*365 <= day; year++ {
			for i, at := range updates {
				if day >= year*365+at {
					standing += 0.1 * w.chance(domain, -1-year*len(updates)-i)
				}
			}
		}
		return min(max(standing+0.03*w.chance(domain, day), 0), 1)
	}
}

// Index is the web as it stands on a day. To follow it day by day, build once a week and move the
// standings with WithPrior.
func (w *Web) Index(day int) (*Index, error) {
	b := NewBuilder()
	for _, p := range w.Pages(week(day)) {
		if err := b.Add(p); err != nil {
			return nil, fmt.Errorf("demo web: %w", err)
		}
	}
	return b.Build(w.Prior(day)), nil
}

func week(day int) int { return int(math.Floor(float64(day) / 7)) }

// chance is a fixed figure in -1..1 for a domain and an occasion.
func (w *Web) chance(domain string, occasion int) float64 {
	r := w.rand(domain, uint64(occasion))
	return 2*r.Float64() - 1
}

// rand gives every name its own dice, so that one business more or less changes nothing elsewhere.
func (w *Web) rand(name string, salt uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, w.seed))
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(h.Sum64(), salt))
}

// settle gives a domain its standing.
func (w *Web) settle(domain string, low, high float64) {
	r := w.rand(domain, 1)
	w.sites[domain] = &site{
		base: low + (high-low)*r.Float64(), trend: 0.15 * r.NormFloat64(),
		swing: 0.04 * r.Float64(), period: 60 + 160*r.Float64(), phase: 2 * math.Pi * r.Float64(),
	}
}

// put adds a page on a domain.
func (w *Web) put(domain, path, title, description, body string, from, until int) {
	w.pages = append(w.pages, datedPage{
		Page: Page{URL: "https://" + domain + path, Title: title, Description: description, Body: body, Country: "us", Language: "en"},
		from: from, until: until,
	})
}

// InventBusinesses makes n businesses for a web without a market of places.
func InventBusinesses(seed uint64, n int) []Business {
	r := rand.New(rand.NewPCG(seed, 0x77656221))
	list := make([]Business, 0, n)
	taken := map[string]int{}
	for i := range n {
		topic := topics[i%len(topics)]
		name := pick(r, firstHalves) + pick(r, secondHalves) + " " + pick(r, topic.called)
		if taken[name]++; taken[name] > 1 {
			name = fmt.Sprintf("%s No. %d", name, taken[name])
		}
		town := pick(r, towns)
		list = append(list, Business{
			Name: name, Kind: topic.kind, Town: town,
			Address: fmt.Sprintf("%d %s%s Street, %s, GA", 100+r.IntN(900), pick(r, firstHalves), pick(r, secondHalves), town),
			Website: "https://" + slug(name) + ".example",
		})
	}
	return list
}

func pick(r *rand.Rand, words []string) string { return words[r.IntN(len(words))] }

// slug is a name as part of an address.
func slug(name string) string {
	var words []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) {
		words = append(words, word)
	}
	return strings.Join(words, "-")
}
