package placeindex

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

type osmMember struct {
	kind string // n, w or r
	id   int64
	role string
}

type osmRelation struct {
	id      int64
	tags    []string
	members []osmMember
}

// relations adds a block of relations.
func (w *pbfWriter) relations(list ...osmRelation) {
	strs := []string{""}
	index := func(s string) uint64 {
		strs = append(strs, s)
		return uint64(len(strs) - 1)
	}
	var group []byte
	for _, r := range list {
		keys, values := pairs(r.tags, index)
		m := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(r.id))
		m = field1(field1(m, 2, keys), 3, values)
		var roles, kinds []byte
		for _, member := range r.members {
			roles = protowire.AppendVarint(roles, index(member.role))
			kinds = protowire.AppendVarint(kinds, uint64(strings.Index("nwr", member.kind)))
		}
		m = field1(field1(m, 8, roles), 9, deltaList(len(r.members), func(i int) int64 { return r.members[i].id }))
		group = field1(group, 4, field1(m, 10, kinds))
	}
	var table []byte
	for _, s := range strs {
		table = field1(table, 1, []byte(s))
	}
	w.blocks = append(w.blocks, field1(field1(nil, 1, table), 2, group))
}

// campus has one relation for each way in which a relation tells where it is.
func campus() *pbfWriter {
	w := &pbfWriter{}
	w.block([]osmNode{
		{id: 1, lat: 33.70, lng: -84.30},
		{id: 2, lat: 33.70, lng: -84.20},
		{id: 3, lat: 33.80, lng: -84.20},
		{id: 4, lat: 33.74, lng: -84.26},
		{id: 5, lat: 33.75, lng: -84.25},
		{id: 6, lat: 33.71, lng: -84.21},
		{id: 7, lat: 10, lng: 179.9},
		{id: 8, lat: 10.2, lng: -179.7},
	}, nil, nil)
	w.block(nil, nil, []osmWay{
		{id: 10, nodes: []int64{1, 2}},
		{id: 11, nodes: []int64{2, 3}},
		{id: 12, nodes: []int64{4, 5}},
		{id: 13, nodes: []int64{7, 8}},
	})
	bar := func(name string) []string { return []string{"type", "multipolygon", "amenity", "bar", "name", name} }
	w.relations(
		osmRelation{1, bar("Outer"), []osmMember{{"w", 12, "inner"}, {"w", 10, "outer"}, {"w", 11, "outer"}}},
		osmRelation{2, bar("Label"), []osmMember{{"w", 10, "outer"}, {"n", 6, "label"}}},
		osmRelation{3, bar("Nodes"), []osmMember{{"n", 4, "entrance"}, {"n", 5, ""}}},
		osmRelation{4, bar("Date line"), []osmMember{{"w", 13, ""}}},
		osmRelation{5, bar("Elsewhere"), []osmMember{{"w", 99, "outer"}, {"r", 1, "outer"}}},
		osmRelation{6, []string{"type", "route", "name", "Bus 6"}, []osmMember{{"w", 10, ""}}},
	)
	return w
}

func TestRelationsArePlaces(t *testing.T) {
	t.Parallel()
	places, problems, err := readAll(bytes.NewReader(campus().file()), PBF, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range places {
		got = append(got, fmt.Sprintf("%s %v,%v", p.Name, p.Lat, p.Lng))
	}
	want := "Outer 33.75,-84.25; Label 33.71,-84.21; Nodes 33.745,-84.255; Date line 10.1,-179.9"
	if strings.Join(got, "; ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "; "), want)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "relation/5: nothing that it is made of is in the file") {
		t.Errorf("problems %q", problems)
	}
	if id, _ := Identify("osm:relation/1"); len(places) > 0 && places[0].ID != id {
		t.Errorf("the relation's id is %s, not %s", places[0].ID, id)
	}
}

func TestPlacesWithoutANameOfTheirOwn(t *testing.T) {
	t.Parallel()
	w := &pbfWriter{}
	w.block([]osmNode{
		{id: 1, lat: 33.7, lng: -84.3, tags: []string{"name:en", "Tarnley", "name:ja", "タ", "amenity", "bar"}},
		{id: 2, lat: 33.7, lng: -84.3, tags: []string{"brand", "Marlford", "shop", "bakery"}},
		{id: 3, lat: 33.7, lng: -84.3, tags: []string{"shop", "bakery", "cuisine", "nothing"}},
	}, nil, nil)
	places, problems, err := readAll(bytes.NewReader(w.file()), PBF, testOptions())
	if err != nil || names(places) != "Tarnley Marlford" || len(problems) > 0 {
		t.Errorf("%s, %q, %v", names(places), problems, err)
	}
}

func TestCuisinesAndDietsAreWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ cuisine, diet, want string }{
		{"Malaysian;noodle_bar", "only", "amenity.restaurant|malaysian|noodle bar|vegan food"},
		{"restaurant; Malaysian ;malaysian", "no", "amenity.restaurant|malaysian"},
		{"", "", "amenity.restaurant"},
		{strings.Repeat("x", maxCategory+1), "Yes", "amenity.restaurant|vegan food"},
	} {
		got := osmCategories("amenity.restaurant", map[string]string{"cuisine": c.cuisine, "diet:vegan": c.diet})
		if strings.Join(got, "|") != c.want {
			t.Errorf("%q, %q: %q, want %q", c.cuisine, c.diet, got, c.want)
		}
	}
}

func featureLine(id, properties string) string {
	return fmt.Sprintf(`{"type":"Feature","id":%q,"geometry":{"type":"Point","coordinates":[-84.3,33.7]},"properties":{%s}}`+"\n", id, properties)
}

// What is on a map is not all places; somebody's own file is, whatever its properties are called.
func TestGeoJSONOfAnExtractHoldsOnlyPlaces(t *testing.T) {
	t.Parallel()
	extract := featureLine("w1", `"name":"Main Street","highway":"residential"`) +
		featureLine("a4", `"name":"Old Town","place":"suburb"`) +
		featureLine("a6", `"name":"Mill Pond","natural":"water"`) +
		featureLine("n7", `"name":"A hill that has no other tag"`) +
		featureLine("n8", `"amenity":"bar"`) +
		featureLine("n9", `"amenity":"bench","name":"A bench"`) +
		featureLine("n10", `"amenity":"bar","name":"Tarnley"`) +
		featureLine("a22", `"amenity":"bar","brand":"Marlford"`)
	own := featureLine("n1", `"name":"Ruskdell","address":"1 Main St"`) +
		featureLine("n2", `"name":"Lummwick","category":"pizza","building":"Tower 3","place":"Decatur"`) +
		featureLine("way/5", `"name":"Only an id"`)
	for _, c := range []struct{ file, want string }{
		{extract, "Tarnley Marlford"}, {own, "Ruskdell Lummwick"},
	} {
		places, problems, err := readAll(strings.NewReader(c.file), GeoJSON, testOptions())
		if err != nil || names(places) != c.want || len(problems) > 0 {
			t.Errorf("%s, %q, %v; want %s", names(places), problems, err, c.want)
		}
	}
}

func TestObjectsAreKnownByEverySpellingOfTheirID(t *testing.T) {
	t.Parallel()
	for want, spellings := range map[string][]string{
		"node/42":     {featureLine("n42", ``), featureLine("node/42", ``), featureLine("", `"@id":"node/42"`), featureLine("", `"@type":"node","@id":42`)},
		"way/42":      {featureLine("w42", ``), featureLine("a84", ``), featureLine("", `"osm_type":"way","osm_id":"42"`)},
		"relation/42": {featureLine("r42", ``), featureLine("a85", ``), featureLine("relation/42", ``)},
	} {
		id, _ := Identify("osm:" + want)
		for _, f := range spellings {
			f = strings.Replace(f, `"properties":{`, `"properties":{"amenity":"bar","name":"Tarnley",`, 1)
			f = strings.Replace(f, ",}", "}", 1)
			places, problems, err := readAll(strings.NewReader(f), GeoJSON, testOptions())
			if err != nil || len(places) != 1 || places[0].ID != id {
				t.Errorf("%s is not %s: %+v, %q, %v", strings.TrimSpace(f), want, places, problems, err)
			}
		}
	}
}
