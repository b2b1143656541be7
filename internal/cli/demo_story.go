package cli

import (
	"math"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
)

// The demo's story: Benchmark Deli, three shops and a new menu, overtakes the delicatessen that everybody went
// to and that lets itself go, while a sandwich shop opens round the corner and grows fast.

// demoShop is a business of the story. Its fame moves from the first figures to the last ones around the week of
// its turn.
type demoShop struct {
	name, street, town, zip, phone, site string
	lat, lng                             float64
	categories                           []string
	reviews                              [2]int
	rating                               [2]float64
	turn, opens                          int
	climb                                float64 // of its site's standing, see webindex.Business
}

var (
	deliCategories = []string{"Delicatessen", "Sandwich Fast Food", "Coffee Shop"}

	demoDelis = []demoShop{
		{
			name: "Benchmark Deli", street: "112 Example Square", town: "Decatur", zip: "30030", phone: "+1 404-555-0142", site: "benchmark-deli.example",
			lat: 33.77465, lng: -84.29630, categories: deliCategories,
			reviews: [2]int{34, 640}, rating: [2]float64{3.8, 4.8}, turn: 40, climb: 0.5,
		},
		{
			name: "Benchmark Deli Oakhurst", street: "350 Example Avenue", town: "Decatur", zip: "30030", phone: "+1 404-555-0143", site: "benchmark-deli.example/oakhurst",
			lat: 33.75830, lng: -84.30720, categories: deliCategories,
			reviews: [2]int{45, 230}, rating: [2]float64{3.9, 4.6}, turn: 42,
		},
		{
			name: "Benchmark Deli Avondale", street: "18 Example Plaza", town: "Avondale Estates", zip: "30002", phone: "+1 404-555-0144", site: "benchmark-deli.example/avondale",
			lat: 33.77190, lng: -84.26790, categories: deliCategories,
			reviews: [2]int{0, 95}, rating: [2]float64{4.4, 4.7}, turn: 44, opens: 22,
		},
	}
	demoRivals = []demoShop{
		{
			name: "Osterwick Deli", street: "201 Example Square", town: "Decatur", zip: "30030", phone: "+1 404-555-0161", site: "osterwick-deli.example",
			lat: 33.77620, lng: -84.29240, categories: deliCategories,
			reviews: [2]int{780, 905}, rating: [2]float64{4.7, 2.9}, turn: 43, climb: -0.4,
		},
		{
			name: "Little Fennbrook Sandwiches", street: "77 Example Lane", town: "Decatur", zip: "30030", phone: "+1 404-555-0162", site: "little-fennbrook-sandwiches.example",
			lat: 33.77910, lng: -84.30150, categories: []string{"Sandwich Fast Food", "Delicatessen"},
			reviews: [2]int{0, 260}, rating: [2]float64{4.6, 4.6}, turn: 44, opens: 36, climb: 0.25,
		},
	}
)

// demoPlaces is the demo's market in a week of its history: the story's shops among a town of others.
func demoPlaces(market *placeindex.Market, week int) []placeindex.Place {
	places := market.Drift(week)
	for _, s := range demoShops() {
		if week >= s.opens {
			places = append(places, s.in(week))
		}
	}
	return places
}

func demoShops() []demoShop { return append(demoDelis[:len(demoDelis):len(demoDelis)], demoRivals...) }

// in is the shop as map search knows it in a week.
func (s demoShop) in(week int) placeindex.Place {
	id, cid := s.identity()
	share := 1 / (1 + math.Exp(float64(s.turn-week)/5))
	gain := s.rating[1] - s.rating[0]
	mood := 0.12 * math.Cos(0.9*float64(demoWeeks-1-week)) // good weeks and bad ones; the last is one of its way
	return placeindex.Place{
		ID: id, CID: cid, Name: s.name, Address: s.street + ", " + s.town + ", GA " + s.zip, Lat: s.lat, Lng: s.lng, CountryCode: "US",
		Categories: s.categories, Phone: s.phone, Website: "https://" + s.site, Source: placeindex.MarketSource,
		Reviews: s.reviews[0] + int(share*float64(s.reviews[1]-s.reviews[0])),
		Rating:  math.Round(10*(s.rating[0]+gain*(share+mood))) / 10,
	}
}

func (s demoShop) identity() (placeID, cid string) { return placeindex.Identify("demo:" + s.name) }

// demoSites are the businesses that the demo's web knows of: those of the story, and the first of the market.
func demoSites(market *placeindex.Market) []webindex.Business {
	var list []webindex.Business
	for _, s := range demoShops() {
		if !strings.Contains(s.site, "/") { // further shops share the site of the first
			list = append(list, webindex.Business{
				Name: s.name, Kind: s.categories[0], Town: s.town, Address: s.street + ", " + s.town + ", GA", Website: "https://" + s.site, Climb: s.climb,
			})
		}
	}
	for _, p := range market.Drift(demoWeeks - 1)[:demoSitesOfMarket] {
		street, rest, _ := strings.Cut(p.Address, ", ")
		town, _, _ := strings.Cut(rest, ",")
		list = append(list, webindex.Business{Name: p.Name, Kind: p.Categories[0], Town: town, Address: street + ", " + town + ", GA", Website: p.Website})
	}
	return list
}

// demoKeyword is a search and how often it is made in a month.
type demoKeyword struct {
	text   string
	volume int
	tag    string
}

// deliKeywords are what people search for who want what a deli sells: every dish in every way of asking.
func deliKeywords() []demoKeyword {
	dishes := []struct {
		name   string
		volume float64
	}{
		{"deli", 1900},
		{"sandwiches", 1600},
		{"bagels", 1300},
		{"pastrami", 480},
		{"reuben sandwich", 390},
		{"breakfast sandwiches", 720},
		{"matzo ball soup", 260},
		{"lunch catering", 590},
		{"party platters", 210},
		{"vegan sandwiches", 320},
		{"box lunches", 260},
	}
	ways := []struct {
		form, tag string
		share     float64
	}{
		{"%s decatur", "Decatur", 1},
		{"best %s decatur", "Decatur", 0.55},
		{"%s decatur ga", "Decatur", 0.4},
		{"%s near me", "Near me", 3.2},
		{"%s open now", "Near me", 0.9},
		{"%s delivery decatur", "Delivery", 0.35},
		{"%s takeout decatur", "Delivery", 0.2},
		{"%s avondale estates", "Towns around", 0.25},
		{"%s scottdale", "Towns around", 0.12},
		{"%s tucker", "Towns around", 0.3},
	}
	var all []demoKeyword
	for _, w := range ways {
		for _, d := range dishes {
			rounded := 10 * int(math.Round(d.volume*w.share/10)) // as keyword planners round
			all = append(all, demoKeyword{text: strings.Replace(w.form, "%s", d.name, 1), volume: max(10, rounded), tag: w.tag})
		}
	}
	return all
}
