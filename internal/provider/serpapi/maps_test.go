package serpapi_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serpapi"
)

func replayed(t testing.TB) *serpapi.Provider {
	t.Helper()
	server := providertest.NewFake(t, recorded(t))
	return start(t, serpapi.Options{APIKey: "k", Access: provider.Access{URL: server.URL}})
}

func TestRowsKeepTheirIdentity(t *testing.T) {
	t.Parallel()
	found, err := replayed(t).SearchMap(t.Context(), atSpringfield)
	if err != nil {
		t.Fatal(err)
	}
	want := provider.Business{
		PlaceID: manana, CID: "1111111111111111111", Name: "Café Mañana & Söhne", Address: "12 Invented St, Springfield, ZZ 00001",
		Lat: 40.1000001, Lng: -75.2000001, Rating: 4.6, Reviews: 312, Categories: []string{"Coffee shop", "Bakery"},
		Phone: "(555) 010-0001", Website: "https://manana.example.org/",
	}
	if !reflect.DeepEqual(found[0], want) {
		t.Errorf("got %+v, want %+v", found[0], want)
	}
	if found[1].Closed != provider.ClosedTemporarily || found[0].Closed != "" {
		t.Errorf("closed: %q and %q", found[0].Closed, found[1].Closed)
	}
	if b := found[3]; b.PlaceID != "" || b.CID != "4444444444444444444" {
		t.Errorf("a row with a cid only: %+v", b)
	}
}

func TestPlaceHasItsHours(t *testing.T) {
	t.Parallel()
	b, err := replayed(t).FindPlace(t.Context(), manana)
	if err != nil || b.Hours == nil {
		t.Fatalf("%+v, %v", b, err)
	}
	day := []provider.Span{{From: 420, To: 1080}}
	want := provider.Hours{
		nil, {{From: 0, To: 1440}}, day, day, {{From: 690, To: 840}, {From: 1020, To: 1320}}, day, {{From: 1200, To: 1560}},
	}
	if !reflect.DeepEqual(*b.Hours, want) {
		t.Errorf("hours %v, want %v", *b.Hours, want)
	}
	if !slices.Equal(b.Categories, []string{"Coffee shop", "Bakery"}) {
		t.Errorf("categories %q", b.Categories)
	}
}

func TestPlaceIsFoundByIDAndCID(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	known := vendor.Market[7]
	for _, id := range []string{known.PlaceID, known.CID} {
		if b, err := p.FindPlace(t.Context(), id); err != nil || b.PlaceID != known.PlaceID || b.CID != known.CID {
			t.Errorf("by %s: %+v, %v", id, b, err)
		}
	}
	for _, c := range []struct {
		name, answer string
		kind         provider.Kind
		closed       provider.Closed
	}{
		{"closed for good", `"place_results":{"title":"Mine","place_id":"` + manana + `","open_state":"Permanently closed"}`, provider.Unknown, provider.ClosedForGood},
		{"a list of one", `"local_results":[{"title":"Mine","place_id":"` + manana + `","hours":"Closed ⋅ Opens 7 AM"}]`, provider.Unknown, ""},
		{"another place", `"place_results":{"title":"Other","place_id":"` + nowhere + `","data_cid":"99"}`, provider.NotFound, ""},
		{"no ids", `"place_results":{"title":"Mine"}`, provider.Transient, ""},
		{"nothing", `"error":"Google hasn't returned any results for this query."`, provider.NotFound, ""},
		{"silence", `"search_information":{}`, provider.Transient, ""},
	} {
		vendor.Next(providertest.Body(`{"search_metadata":{"status":"Success"},"search_parameters":{"engine":"google_maps","place_id":"` + manana + `"},` + c.answer + `}`))
		b, err := p.FindPlace(t.Context(), manana)
		if provider.KindOf(err) != c.kind || (err == nil) != (c.kind == provider.Unknown) {
			t.Errorf("%s: %+v, %v", c.name, b, err)
		}
		if err == nil && (b.Name != "Mine" || b.Closed != c.closed || b.Hours != nil) {
			t.Errorf("%s: %+v", c.name, b)
		}
	}
}

// An answer is believed only where the search succeeded, the question is repeated, and there are results or the word that there are none.
func TestWhatProvesAMapSearch(t *testing.T) {
	t.Parallel()
	const (
		success = `"search_metadata":{"status":"Success"}`
		echo    = `"search_parameters":{"engine":"google_maps","q":"Coffee","ll":"@40.1,-75.2,15z"}`
		row     = `"local_results":[{"title":"A","data_cid":"7"}]`
		none    = `"error":"Google Maps hasn't returned any results for this query."`
	)
	for _, c := range []struct {
		name, body string
		rows       int // -1 is a fault
	}{
		{"rows", success + "," + echo + "," + row, 1},
		{"one place", success + "," + echo + `,"place_results":{"title":"A","data_cid":"7"}`, 1},
		{"none", success + "," + echo + "," + none, 0},
		{"fully empty", success + "," + echo + `,"search_information":{"local_results_state":"Fully empty"}`, 0},

		{"silence", success + "," + echo, -1},
		{"null", success + "," + echo + `,"local_results":null`, -1},
		{"an empty list", success + "," + echo + `,"local_results":[]`, -1},
		{"rows and the word that there are none", success + "," + echo + "," + row + "," + none, -1},
		{"still at work", `"search_metadata":{"status":"Processing"},` + echo + "," + none, -1},
		{"another error", success + "," + echo + `,"error":"Oops"`, -1},
		{"no echo", success + "," + row, -1},
		{"another question", success + `,"search_parameters":{"engine":"google_maps","q":"tea"},` + row, -1},
		{"another engine", success + `,"search_parameters":{"engine":"google","q":"coffee"},` + row, -1},
		{"another point", success + `,"search_parameters":{"engine":"google_maps","q":"coffee","ll":"@41.1,-75.2,15z"},` + row, -1},
		{"another zoom", success + `,"search_parameters":{"engine":"google_maps","q":"coffee","ll":"@40.1,-75.2,8z"},` + row, -1},
		{"rows without ids", success + "," + echo + `,"local_results":[{"title":"A"}]`, -1},
	} {
		vendor, p := fake(t)
		vendor.Next(providertest.Body("{" + c.body + "}"))
		found, err := p.SearchMap(t.Context(), atSpringfield)
		if c.rows < 0 && provider.KindOf(err) != provider.Transient {
			t.Errorf("%s was believed: %v, %v", c.name, found, err)
		}
		if c.rows >= 0 && (err != nil || found == nil || len(found) != c.rows) {
			t.Errorf("%s: %v, %v", c.name, found, err)
		}
	}
}

func TestMapSearchOfTheFakeHasTwentyRows(t *testing.T) {
	t.Parallel()
	vendor, p := fake(t)
	found, err := p.SearchMap(t.Context(), provider.MapQuery{Keyword: "pizza", At: providertest.Decatur})
	if err != nil || len(found) != 20 {
		t.Fatalf("%d rows, %v", len(found), err)
	}
	for i, b := range found {
		if b.CID != vendor.Market[i].CID {
			t.Errorf("rank %d is %s", i+1, b.Name)
		}
	}
}
