package placeindex

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider/overpass/overpasstest"
)

func TestReadOverpass(t *testing.T) {
	t.Parallel()
	places, problems, err := readAll(iotest.OneByteReader(strings.NewReader(overpasstest.Interpreter)), Overpass, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "overpass.golden", places, problems)
	for i, object := range []string{"node/900000001", "way/900000002"} {
		if id, _ := Identify("osm:" + object); places[i].ID != id {
			t.Errorf("%s is %s, not %s as in an extract", object, places[i].ID, id)
		}
	}
}

func TestOverpassElements(t *testing.T) {
	t.Parallel()
	bar := `"tags":{"amenity":"bar","name":"A"}`
	for _, c := range []struct{ name, elements, want, bad string }{
		{"an empty center", `{"type":"way","id":7,"center":{},` + bar + `}`, "", "way/7: where it is"},
		{"no center", `{"type":"relation","id":7,` + bar + `}`, "", "relation/7: where it is"},
		{"the position of a node alone counts", `{"type":"way","id":7,"lat":1,"lon":2,` + bar + `}`, "", "way/7: where it is"},
		{"no tags", `{"type":"node","id":7,"lat":1,"lon":2}`, "", ""},
		{"no name", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"amenity":"bar"}}`, "", ""},
		{"only a brand", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"amenity":"bar","brand":"B"}}`, "B", ""},
		{"no kind of place", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"amenity":"bench","name":"A"}}`, "", ""},
		{"disused", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"disused:amenity":"bar","was:shop":"bakery","name":"A"}}`, "", ""},
		{"disused beside its old tags", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"amenity":"bar","disused":"yes","name":"A"}}`, "", ""},
		{"another place where one was", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"amenity":"bar","was:shop":"bakery","name":"A"}}`, "A", ""},
		{"null island", `{"type":"node","id":7,"lat":0,"lon":0,` + bar + `}`, "", "node/7: coordinates are 0,0"},
		{"off the globe", `{"type":"node","id":7,"lat":91,"lon":0,` + bar + `}`, "", "node/7: coordinates 91,0 are not on the globe"},
		{"tags that are no text", `{"type":"node","id":7,"lat":1,"lon":2,"tags":{"name":7}},{"type":"node","id":8,"lat":1,"lon":2,` + bar + `}`, "A", "1: not an element"},
		{"an unknown type", `{"type":"area","id":7}`, "", `"area" is no type`},
		{"no object", `7,{"type":"node","id":8,"lat":1,"lon":2,` + bar + `}`, "A", "not an object"},
		{"none", ``, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			places, problems, err := readAll(strings.NewReader(`{"version":0.6,"elements":[`+c.elements+`]}`), Overpass, testOptions())
			if err != nil {
				t.Error(err)
			}
			if got := names(places); got != c.want {
				t.Errorf("places %q, want %q", got, c.want)
			}
			if got := strings.Join(problems, "\n"); (c.bad == "") != (got == "") || !strings.Contains(got, c.bad) {
				t.Errorf("problems %q, want %q", got, c.bad)
			}
		})
	}
}

// Half an answer, and one of a query that failed, must not pass for a whole one.
func TestOverpassAnswersThatAreNotWhole(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, answer, fails string }{
		{"timed out", overpasstest.Timeout, `runtime error: Query timed out in "query" at line 1 after 26 seconds. A smaller radius`},
		{"out of memory after elements", overpasstest.Interrupted(), "runtime error: Query run out of memory"},
		{"a remark before the elements", `{"remark":"runtime error: \u001b[31m","elements":[]}`, "runtime error: [31m. A smaller"},
		{"a long remark", `{"elements":[],"remark":"runtime error: ` + strings.Repeat("x", 1<<20) + `"}`, "runtime error: xxx"},
		{"cut in an element", overpasstest.Interpreter[:len(overpasstest.Interpreter)/2], "cut off"},
		{"cut behind the elements", `{"elements":[]`, "cut off"},
		{"empty", ``, "cut off"},
		{"something else", `{"message":"hello","deeper":{"elements":[]}}`, "no list of elements"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := readAll(strings.NewReader(c.answer), Overpass, testOptions())
			if err == nil || !strings.Contains(err.Error(), c.fails) || len(err.Error()) > 2*maxRemark {
				t.Errorf("err = %.300v, want %q", err, c.fails)
			}
		})
	}
}

func TestOverpassQuery(t *testing.T) {
	t.Parallel()
	const want = `[out:json][timeout:180];
(
nwr["shop"][~"^(name|name:en|brand)$"~"."](around:2500,33.7745,-84.2951);
nwr["craft"][~"^(name|name:en|brand)$"~"."](around:2500,33.7745,-84.2951);
nwr["amenity"][~"^(name|name:en|brand)$"~"."](around:2500,33.7745,-84.2951);
nwr["leisure"][~"^(name|name:en|brand)$"~"."](around:2500,33.7745,-84.2951);
);
out center tags;
`
	if got := OverpassQuery(testCategories(), geo.Point{Lat: 33.7745, Lng: -84.2951}, 2.5); got != want {
		t.Errorf("got %s", got)
	}
}
