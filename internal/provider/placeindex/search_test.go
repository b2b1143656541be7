package placeindex

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/geo"
)

// place makes a place so many km east of the market's centre.
func place(id, name, category string, eastKm float64) Place {
	at := geo.Destination(MarketCenter(), math.Pi/2, eastKm)
	return Place{
		ID: id, Name: name, Lat: at.Lat, Lng: at.Lng, Categories: []string{category},
		Address: "1 Main Street, Decatur, GA 30030",
	}
}

func (p Place) rated(rating float64, reviews int) Place {
	p.Rating, p.Reviews = rating, reviews
	return p
}

func (p Place) in(address string) Place {
	p.Address = address
	return p
}

func indexOf(t testing.TB, places ...Place) *Index {
	t.Helper()
	x := New(testCategories())
	if err := x.Load(sequence(places)); err != nil {
		t.Fatal(err)
	}
	return x
}

func ids(hits []Hit) string {
	list := make([]string, len(hits))
	for i, h := range hits {
		list[i] = h.Place.ID
	}
	return strings.Join(list, " ")
}

func TestSearchRanksTheObvious(t *testing.T) {
	t.Parallel()
	const pizza, cafe = "amenity/restaurant/pizza", "amenity/cafe/coffee_shop"
	for _, c := range []struct {
		name, query string
		places      []Place
		want        string
	}{
		{
			"nearer first", "pizza",
			[]Place{place("far", "Marlford", pizza, 3), place("near", "Tarnley", pizza, 1), place("mid", "Ruskdell", pizza, 2)},
			"near mid far",
		}, {
			"better known first", "pizza",
			[]Place{
				place("new", "Marlford", pizza, 1), place("famous", "Tarnley", pizza, 1).rated(4.6, 2000),
				place("known", "Ruskdell", pizza, 1).rated(4.6, 100), place("disliked", "Lummwick", pizza, 1).rated(2.1, 100),
			},
			"famous known disliked new",
		}, {
			"a famous place wins over a slightly nearer one", "pizza",
			[]Place{place("near", "Marlford", pizza, 0.2), place("famous", "Tarnley", pizza, 1.2).rated(4.7, 3000)},
			"famous near",
		}, {
			"but not over one much nearer", "pizza",
			[]Place{place("near", "Marlford", pizza, 0.2), place("famous", "Tarnley", pizza, 6).rated(4.7, 3000)},
			"near famous",
		}, {
			"a name that says so is the better match", "pizza",
			[]Place{place("plain", "Marlford", pizza, 1), place("named", "Tarnley Pizza", pizza, 1)},
			"named plain",
		}, {
			"the kind wins over the name alone", "pizza",
			[]Place{place("supplier", "Pizza Box Printing", "shop/shoes", 1), place("kind", "Tarnley", pizza, 1)},
			"kind supplier",
		}, {
			"a business asked for by name", "Joe's Pizza",
			[]Place{
				place("other", "Tarnley Pizza", pizza, 0.5).rated(4.5, 300), place("joe", "Joe's Pizza", pizza, 5).rated(4.4, 200),
				place("diner", "Joe's Diner", "amenity/restaurant/mexican", 0.1),
			},
			"joe other",
		}, {
			"a synonym", "pizzeria near me",
			[]Place{place("pizza", "Marlford", pizza, 1), place("bakery", "Tarnley", "shop/bakery", 0.1)},
			"pizza",
		}, {
			"a synonym of two words is not its words", "coffee shop",
			[]Place{place("cafe", "Marlford", cafe, 2), place("shoes", "Tarnley Shop", "shop/shoes", 0.1)},
			"cafe",
		}, {
			"the parent's name finds the child", "restaurant",
			[]Place{place("pizza", "Marlford", pizza, 1), place("any", "Tarnley", "amenity/restaurant", 1), place("bar", "Ruskdell", "amenity/bar", 0.1)},
			"any pizza",
		}, {
			"a synonym that names another kind does not count", "bar",
			[]Place{place("restaurant", "Marlford", "amenity/restaurant", 0.1), place("bar", "Tarnley", "amenity/bar", 2)},
			"bar",
		}, {
			"one of two names", "gym",
			[]Place{place("gym", "Marlford", "leisure/fitness_centre", 2), place("doctor", "Tarnley", "amenity/doctors", 0.1)},
			"gym",
		}, {
			"free words as category", "taxidermist",
			[]Place{place("free", "Marlford", "taxidermist", 2), place("bar", "Tarnley", "amenity/bar", 0.1)},
			"free",
		}, {
			"free words that the catalogue knows", "pizzeria",
			[]Place{place("free", "Marlford", "pizza_restaurant", 2), place("bar", "Tarnley", "amenity/bar", 0.1)},
			"free",
		}, {
			"a word that is rare does not replace the kind", "emergency plumber",
			[]Place{
				place("plumber", "Marlford", "craft/plumber", 1), place("dental", "Emergency Dental", "amenity/dentist", 0.1),
				place("both", "Emergency Plumbing", "craft/plumber", 1),
			},
			"both plumber",
		}, {
			"nor does it send people far away", "emergency plumber",
			[]Place{
				place("near", "Marlford", "craft/plumber", 0.1), place("next", "Tarnley", "craft/plumber", 0.2),
				place("both", "Emergency Plumbing", "craft/plumber", 8),
			},
			"near next both",
		}, {
			"free words that narrow a category down", "restaurant",
			[]Place{place("free", "Marlford", "vegan_restaurant", 2), place("bar", "Tarnley", "amenity/bar", 0.1)},
			"free",
		}, {
			"words that nobody has are ignored", "gluten free vegan pizza",
			[]Place{place("pizza", "Marlford", pizza, 1)},
			"pizza",
		}, {
			"plurals, case and accents", "CAFÉS",
			[]Place{place("cafe", "Marlford", "amenity/cafe", 1), place("bar", "Tarnley", "amenity/bar", 0.1)},
			"cafe",
		}, {
			"the town in the query", "pizza in Decatur",
			[]Place{
				place("atlanta", "Marlford", pizza, 0.5).in("2 Oak Street, Atlanta, GA 30307"),
				place("decatur", "Tarnley", pizza, 2), place("bar", "Decatur Bar", "amenity/bar", 0.1),
			},
			"decatur atlanta",
		}, {
			"the other town", "pizza atlanta",
			[]Place{
				place("atlanta", "Marlford", pizza, 2).in("2 Oak Street, Atlanta, GA 30307"),
				place("decatur", "Tarnley", pizza, 0.5), place("bar", "Ruskdell", "amenity/bar", 0.1),
			},
			"atlanta decatur",
		}, {
			"only a town", "atlanta",
			[]Place{
				place("atlanta", "Marlford", pizza, 2).in("2 Oak Street, Atlanta, GA 30307"), place("decatur", "Tarnley", pizza, 0.5),
			},
			"atlanta",
		}, {
			"nothing but filler", "the best",
			[]Place{place("best", "The Best", pizza, 1), place("other", "Tarnley", pizza, 0.1)},
			"best",
		}, {
			"equal scores by place id", "pizza",
			[]Place{place("b", "Marlford", pizza, 1), place("c", "Tarnley", pizza, 1), place("a", "Ruskdell", pizza, 1)},
			"a b c",
		}, {
			"too far away", "pizza",
			[]Place{place("in", "Marlford", pizza, MaxKm-0.1), place("out", "Tarnley", pizza, MaxKm+0.1)},
			"in",
		}, {
			"no match", "zeppelin", []Place{place("bar", "Tarnley", "amenity/bar", 1)}, "",
		}, {
			"no words", "", []Place{place("bar", "Tarnley", "amenity/bar", 1)}, "",
		}, {
			"no places", "pizza", nil, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			// Fourteen others elsewhere make the words' frequencies realistic.
			others := []Place{}
			for i := range 14 {
				far := place(fmt.Sprint("far", i), "Fennwold", "craft/electrician", 200)
				others = append(others, far.in("3 Elm Street, Decatur, GA 30030"))
			}
			if got := ids(indexOf(t, append(others, c.places...)...).Search(c.query, MarketCenter(), 20)); got != c.want {
				t.Errorf("%q found %q, want %q", c.query, got, c.want)
			}
		})
	}
}

func TestSearchAcrossTheDateLine(t *testing.T) {
	t.Parallel()
	p := Place{ID: "fiji", Name: "Dateline Diving", Lat: -16.8, Lng: -179.99}
	hits := indexOf(t, p).Search("diving", geo.Point{Lat: -16.8, Lng: 179.99}, 20)
	if len(hits) != 1 || hits[0].Km > 3 {
		t.Errorf("hits = %+v, want the place 2 km away", hits)
	}
}

func TestSearchBounds(t *testing.T) {
	t.Parallel()
	var places []Place
	for i := range 150 {
		places = append(places, place(fmt.Sprintf("p%03d", i), "Tarnley", "amenity/bar", 1))
	}
	x := indexOf(t, places...)
	for limit, want := range map[int]int{-1: 0, 0: 0, 1: 1, 20: 20, 1000: maxHits} {
		if got := len(x.Search("bar", MarketCenter(), limit)); got != want {
			t.Errorf("limit %d returned %d places, want %d", limit, got, want)
		}
	}
	if hits := x.Search("bar", geo.Point{Lat: math.NaN()}, 20); hits != nil {
		t.Errorf("a search nowhere found %d places", len(hits))
	}
	if hits := x.Search(strings.Repeat("bar tavern pub ", 1000), MarketCenter(), 20); len(hits) != 20 {
		t.Errorf("a long query found %d places, want 20", len(hits))
	}
}

// exhaustive scores every place by itself: what Search must find, without blocks, bounds or postings.
type exhaustive struct {
	places []Place
	fields []map[string]field
}

func newExhaustive(places []Place) exhaustive {
	e := exhaustive{places: places}
	v := newVocabulary(testCategories())
	for i := range places {
		e.fields = append(e.fields, analyse(v, &places[i]))
	}
	return e
}

func (e exhaustive) search(query string, at geo.Point) []Hit {
	plan := newPlan(query, len(e.places), countFunc(func(key string) (c counts) {
		for _, found := range e.fields {
			in := found[key]
			c.what += min(1, int(in&whatFields))
			c.where += min(1, int(in&inAddress))
			c.kind += min(1, int(in&kindFields))
		}
		return c
	}))
	if plan == nil {
		return nil
	}
	var hits []Hit
	for i, p := range e.places {
		in := make([]field, len(plan.keys))
		for k, key := range plan.keys {
			in[k] = e.fields[i][key]
		}
		text, km := plan.text(in), geo.Distance(at, p.At())
		if text > 0 && km <= MaxKm {
			prominence := 1 + ReviewWeight*math.Log10(1+float64(p.Reviews))*math.Pow(cmp.Or(p.Rating, NeutralRating)/5, 2)
			hits = append(hits, Hit{p, math.Pow(text, TextPower) / (1 + km/HalfKm) * prominence, text, km, prominence})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Place.ID, b.Place.ID))
	})
	return hits
}

// sameHits compares by score and, where scores differ clearly, by place.
func sameHits(got, want []Hit) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d hits, want %d: %s / %s", len(got), len(want), ids(got), ids(want))
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9*max(1, b) }
	for i := range got {
		tied := i > 0 && near(want[i].Score, want[i-1].Score) || i+1 < len(want) && near(want[i].Score, want[i+1].Score)
		last := i+1 == len(want) // may be tied with one cut off
		if !near(got[i].Score, want[i].Score) || got[i].Place.ID != want[i].Place.ID && !tied && !last {
			return fmt.Errorf("hit %d is %s (%v), want %s (%v)", i, got[i].Place.ID, got[i].Score, want[i].Place.ID, want[i].Score)
		}
	}
	return nil
}

func TestSearchFindsWhatExhaustiveScoringFinds(t *testing.T) {
	t.Parallel()
	places := NewMarket(7, 1500).Drift(0)
	x, all := indexOf(t, places...), newExhaustive(places)
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.SampledFrom([]string{
			"pizza", "coffee shop near me", "emergency plumber", "best dentist in decatur", "restaurant", "gym",
			"quillmere pizza", "old tarnley", "italian restaurant atlanta", "hair salon 30030", "decatur", "copper",
			"plumbing & drain", "car repair", "store", "family practice tucker",
		}).Draw(t, "query")
		at := geo.Destination(MarketCenter(),
			rapid.Float64Range(0, 6.28).Draw(t, "bearing"), rapid.Float64Range(0, 60).Draw(t, "km"))
		limit := rapid.IntRange(1, 40).Draw(t, "limit")
		want := all.search(query, at)
		if err := sameHits(x.Search(query, at, limit), want[:min(limit, len(want))]); err != nil {
			t.Fatalf("%q at %v: %v", query, at, err)
		}
	})
}

func TestScoreIsMonotone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Float64Range(0.01, 1).Draw(t, "text")
		near, further := rapid.Float64Range(0, MaxKm).Draw(t, "km"), rapid.Float64Range(0.001, 10).Draw(t, "further")
		rating := math.Round(rapid.Float64Range(1, 4.8).Draw(t, "rating")*10) / 10
		reviews := rapid.IntRange(1, maxReviews-1).Draw(t, "reviews")
		fame := prominence(rating, reviews)
		base := score(text, near, fame)
		for name, worse := range map[string]float64{
			"further away":  score(text, near+further, fame),
			"fewer reviews": score(text, near, prominence(rating, reviews/2)),
			"worse match":   score(text*0.99, near, fame),
		} {
			if worse >= base {
				t.Fatalf("%s scores %v, not below %v", name, worse, base)
			}
		}
		if better := score(text, near, prominence(rating+0.1, reviews)); better <= base {
			t.Fatalf("a better rating scores %v, not above %v", better, base)
		}
	})
}

// The search stops early because a union of fields bounds each place; that holds only if text never
// falls when a field is added.
func TestTextIsMonotoneInFields(t *testing.T) {
	t.Parallel()
	x := indexOf(t, NewMarket(3, 400).Drift(0)...)
	rapid.Check(t, func(t *rapid.T) {
		query := rapid.SampledFrom([]string{
			"coffee shop decatur", "emergency plumber tucker", "quillmere old pizza", "tarnwick fennmere", "hair salon spa",
		}).Draw(t, "query")
		plan := newPlan(query, x.Len(), x.Snapshot())
		in := make([]field, len(plan.keys))
		for i := range in {
			in[i] = field(rapid.IntRange(0, int(fieldSets)-1).Draw(t, "fields"))
		}
		before := plan.text(in)
		in[rapid.IntRange(0, len(in)-1).Draw(t, "key")] |= 1 << rapid.IntRange(0, 6).Draw(t, "added")
		if after := plan.text(in); after < before || after > 1+rounding {
			t.Fatalf("text went from %v to %v", before, after)
		}
	})
}

// countFunc is a lexicon that knows no other language.
type countFunc func(key string) counts

func (f countFunc) count(key string) counts { return f(key) }

func (countFunc) translated(string) []string { return nil }
