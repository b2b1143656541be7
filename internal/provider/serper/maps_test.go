package serper_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

func TestRowsKeepTheirIdentity(t *testing.T) {
	t.Parallel()
	server := providertest.NewFake(t, recorded(t))
	p := start(t, serper.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]provider.Business{}
	for _, b := range found {
		byName[b.Name] = b
	}
	if b := byName["Row Without Place Id"]; b.PlaceID != "" || b.CID != "10304235947426163982" {
		t.Errorf("a row with a cid only: %+v", b)
	}
	if b := byName["Pizzeria Über Größe"]; b.CID != "10304235947427398549" {
		t.Errorf("the cid of a feature id: %+v", b)
	}
	if b := byName["Only A Place Id"]; b.CID != "10304235947428633116" {
		t.Errorf("the cid of a place id: %+v", b)
	}
	if b := byName["Cart Without Any Id"]; b.PlaceID != "" || b.CID != "" || b.Address != "Decatur Square" {
		t.Errorf("a row without ids: %+v", b)
	}
	if b := byName["Nobody Rated Us"]; b.Rating != 0 || b.Reviews != 0 || !slices.Equal(b.Categories, []string{"Pizza restaurant", "Italian restaurant", "Restaurant"}) {
		t.Errorf("a row without rating and type: %+v", b)
	}
	want := provider.Business{
		PlaceID: antico, CID: anticoCID, Name: "Antico Decatur", Address: "101 Church St, Decatur, GA 30030",
		Lat: 33.771, Lng: -84.291, Rating: 4.1, Reviews: 107, Phone: "+1 404-555-0101", Website: "https://www.pizza-1.example/",
		Categories: []string{"Pizza restaurant", "Italian restaurant", "Restaurant"},
	}
	if got := byName["Antico Decatur"]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// Hours come in the language asked; a look-up asks in English and reads them, whatever day they begin with.
func TestPlaceHasItsHours(t *testing.T) {
	t.Parallel()
	var asked providertest.SerperMaps
	answer := recorded(t)
	server := providertest.NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(raw, &asked); err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		answer.ServeHTTP(w, r)
	}))
	p := start(t, serper.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
	b, err := p.FindPlace(t.Context(), antico)
	if err != nil || b.Hours == nil || asked != (providertest.SerperMaps{PlaceID: antico, HL: "en"}) {
		t.Fatalf("%+v, %v; asked %+v", b, err, asked)
	}
	day := []provider.Span{{From: 660, To: 1320}}
	want := provider.Hours{
		{{From: 0, To: 1440}}, nil, day, day, day, {{From: 690, To: 870}, {From: 1020, To: 1380}}, {{From: 1020, To: 1500}},
	}
	if !reflect.DeepEqual(*b.Hours, want) {
		t.Errorf("hours %v, want %v", *b.Hours, want)
	}
}

func TestMapSearchAsksAtThePoint(t *testing.T) {
	t.Parallel()
	vendor := providertest.NewSerper(t)
	var asked providertest.SerperMaps
	vendor.Places = func(q providertest.SerperMaps) []providertest.SerperPlace { asked = q; return nil }
	p := start(t, serper.Options{APIKey: providertest.SerperKey, Access: provider.Access{URL: vendor.URL}})

	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "fish & chips", At: provider.Point{Lat: 51.50735091234, Lng: -0.1277583}, Country: "GB", Language: "en"})
	if err != nil || found == nil || len(found) != 0 {
		t.Errorf("no results are an empty answer, got %v, %v", found, err)
	}
	want := providertest.SerperMaps{Q: "fish & chips", LL: "@51.5073509,-0.1277583,15z", GL: "gb", HL: "en", Page: 1}
	if asked != want {
		t.Errorf("asked %+v, want %+v", asked, want)
	}
	if _, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "x", At: provider.Point{Lat: 1e-9}, Country: "US", Language: "es"}); err != nil {
		t.Fatal(err)
	}
	want = providertest.SerperMaps{Q: "x", LL: "@0.0000000,0.0000000,15z", GL: "us", HL: "es", Page: 1}
	if asked != want {
		t.Errorf("asked %+v, want %+v", asked, want)
	}
}

func TestAtMostTwentyAndPaidRowsTakeNoRank(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	vendor.Places = func(providertest.SerperMaps) []providertest.SerperPlace {
		rows := []providertest.SerperPlace{{Title: "Paid first", Sponsored: true}}
		for _, b := range vendor.Market[:30] {
			rows = append(rows, providertest.SerperRow(b))
		}
		return append(rows[:5:5], append([]providertest.SerperPlace{{Title: "Paid between", Sponsored: true}}, rows[5:]...)...)
	}
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
	if err != nil || len(found) != 20 {
		t.Fatalf("%d results, %v", len(found), err)
	}
	for i, b := range found {
		if b.Name != vendor.Market[i].Name || b.CID != vendor.Market[i].CID {
			t.Errorf("rank %d is %s", i+1, b.Name)
		}
	}
}

func TestPlaceLookUp(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	known := vendor.Market[7]
	for _, id := range []string{known.PlaceID, known.CID} {
		if b, err := p.FindPlace(t.Context(), id); err != nil || b.PlaceID != known.PlaceID || b.CID != known.CID {
			t.Errorf("by %s: %+v, %v", id, b, err)
		}
	}
	for _, c := range []struct {
		name, id, places, wantCID string
		kind                      provider.Kind
	}{
		{"no rows at all", antico, `[]`, "", provider.NotFound},
		{"another place", antico, `[{"title":"Other","placeId":"` + elsewhere + `","cid":"99"}]`, "", provider.NotFound},
		{"another cid without a place id", antico, `[{"title":"Other","cid":"99"}]`, "", provider.NotFound},
		{"row has a cid only", antico, `[{"title":"Mine","cid":"` + anticoCID + `"}]`, anticoCID, provider.Unknown},
		{"row has a numeric cid", antico, `[{"title":"Mine","cid":` + anticoCID + `}]`, anticoCID, provider.Unknown},
		{"row has no ids", antico, `[{"title":"Mine"}]`, "", provider.Transient},
		{"id that carries no cid", "EiRNYWluIFN0", `[{"title":"Mine","cid":"99"}]`, "99", provider.Unknown},
		{"second of two", antico, `[{"title":"Other","cid":"99"},{"title":"Mine","placeId":"` + antico + `"}]`, anticoCID, provider.Unknown},
	} {
		vendor.Next(providertest.Body(`{"searchParameters":{"placeId":"` + c.id + `","type":"maps"},"places":` + c.places + `}`))
		b, err := p.FindPlace(t.Context(), c.id)
		if provider.KindOf(err) != c.kind || (err == nil) != (c.kind == provider.Unknown) {
			t.Errorf("%s: %+v, %v", c.name, b, err)
		}
		if err == nil && (b.Name != "Mine" || b.PlaceID != c.id || b.CID != c.wantCID) {
			t.Errorf("%s: %+v", c.name, b)
		}
	}
}
