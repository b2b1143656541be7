package foreign_test

import (
	"archive/zip"
	"bytes"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/foreign"
)

// archive packs files as Search Console does.
func archive(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		part, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(part, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSearchConsole(t *testing.T) {
	t.Parallel()
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	export := archive(t,
		"Dates.csv", "Date,Clicks,Impressions,CTR,Position\n2026-03-01,5,1300,0.4%,8\n",
		"Queries.csv", "Top queries,Clicks,Impressions,CTR,Position\nDeli near me,3,\"1,200\",0.25%,7.5\nbagels,2,100,2%,12\nbread,10,2,2%,12\n",
		"Filters.csv", "Filter,Value\nSearch type,Web\nDate,2026-03-01\n")
	var left skips
	got, err := foreign.ReadSearchConsole(file("export.zip", export), foreign.SearchOptions{}, left.skip)
	want := []foreign.SearchDay{{Day: first, Queries: []foreign.SearchRow{
		{Query: "deli near me", Clicks: 3, Impressions: 1200, Position: 7.5}, {Query: "bagels", Clicks: 2, Impressions: 100, Position: 12},
	}}}
	if err != nil || !reflect.DeepEqual(got, want) || !slices.Equal(left, skips{"Dates.csv:1: Dates.csv is not taken: its figures are not told by query", "Queries.csv:4: it has more clicks (10) than impressions (2)"}) {
		t.Errorf("%+v, %q, %v", got, left, err)
	}

	queries := "Top queries,Clicks,Impressions,CTR,Position\ndeli,3,1200,0.25%,7.5\n"
	for _, c := range []struct {
		export []byte
		day    time.Time
		says   string
	}{
		{export, first.AddDate(0, 0, 1), "The export is of 2026-03-01, and --date says 2026-03-02"},
		{archive(t, "Queries.csv", queries, "Chart.csv", "Date,Clicks,Impressions,CTR,Position\n2026-01-01,5,13,,8\n2026-03-01,5,13,,8\n"), first, "the 2 days from 2026-01-01 to 2026-03-01. Figures are kept here by day: export a single one (Date → Custom)"},
		{archive(t, "Queries.csv", queries, "Filters.csv", "Filter,Value\nSearch type,Web\nDate,Last 3 months\n"), first, `it is of "Last 3 months"`},
		{archive(t, "Queries.csv", queries), time.Time{}, "give --date"},
		{[]byte(queries), time.Time{}, "give --date"},
	} {
		if got, err := foreign.ReadSearchConsole(file("export.zip", c.export), foreign.SearchOptions{Day: c.day}, left.skip); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v, %v, want %s", got, err, c.says)
		}
	}

	left = nil
	table := "\ufeffDate;Query;Page;Country;Device;Clicks;Impressions;CTR;Position\n" +
		"2026-03-02;deli;;United States;Mobile;1;10;10%;3,5\n2026-03-01;deli;https://deli.example/;USA;DESKTOP;0;4;0%;9\nlater;deli;;;;1;1;;1\n2026-03-03;deli;;;;1;1;;1\n"
	got, err = foreign.ReadSearchConsole(file("table.csv", []byte(table)), foreign.SearchOptions{Before: first.AddDate(0, 0, 2)}, left.skip)
	want = []foreign.SearchDay{
		{Day: first, Pages: []foreign.SearchRow{{Query: "deli", Page: "https://deli.example/", Country: "usa", Device: "DESKTOP", Impressions: 4, Position: 9}}},
		{Day: first.AddDate(0, 0, 1), Queries: []foreign.SearchRow{{Query: "deli", Country: "usa", Device: "MOBILE", Clicks: 1, Impressions: 10, Position: 3.5}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) || len(left) != 2 || left[1] != "5: there are no figures of 2026-03-03 yet" {
		t.Errorf("%+v, %q, %v", got, left, err)
	}
}
