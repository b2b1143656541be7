package local_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
)

// exported is the table that the API answers with, a map for each row.
func exported(t *testing.T, p *apptest.Program, who *apptest.Account, query string) (rows []map[string]string) {
	t.Helper()
	answer := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/export?" + query, As: who}).Want(t, 200)
	table, err := csv.NewReader(bytes.NewReader(answer.Raw)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range table[1:] {
		row := map[string]string{}
		for i, name := range table[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func update(t *testing.T, d *db.DB, statement string, args ...any) {
	t.Helper()
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), statement, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestExportOfPublishedLocations(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		deli := create(t, p, with(valid(t), "business_name", "=HYPERLINK(\"x\")"))
		published(t, p, deli)
		picture := upload(t, p, deli, pngOf(t, 300, 300)).Text("data.url")
		published(t, p, deli)
		plumber := create(t, p, with(with(valid(t), "suppress_address", true), "service_area_places", []map[string]string{{"name": "Decatur, GA", "place_id": "x"}}))
		published(t, p, plumber)
		for _, state := range []string{"frozen = TRUE", "status = 'FAILED'"} {
			other := create(t, p, valid(t))
			published(t, p, other)
			update(t, p.DB, "UPDATE locations SET "+state+" WHERE id = $1", other)
		}

		rows := exported(t, p, nil, "for=bing")
		if len(rows) != 2 || rows[0]["Store Id"] != plumber || rows[1]["Store Id"] != deli {
			t.Fatalf("rows %v", rows)
		}
		if r := rows[0]; r["Address Line 1"] != "" || r["City"] != "Decatur" || r["Service Area"] != "Decatur, GA" {
			t.Errorf("of a business that hides its address: %v", r)
		}
		if r := rows[1]; r["Business Name"] != "'=HYPERLINK(\"x\")" || r["Phone Number"] != "+14045550123" || r["Photo URLs"] != picture {
			t.Errorf("of the deli, with the picture %s: %v", picture, r)
		}
		if r := exported(t, p, nil, "for=apple&format=csv")[1]; r["Partners Location ID"] != deli || r["Location Status"] != "OPEN" {
			t.Errorf("for Apple: %v", r)
		}

		stranger := p.NewAccount(t, "stranger@example.com", "pro")
		if rows := exported(t, p, &stranger, "for=bing"); len(rows) != 0 {
			t.Errorf("a stranger sees %v", rows)
		}
	})
}

func TestExportAsWorkbook(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, with(valid(t), "business_name", "=1+1"))
		published(t, p, id)
		answer := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/export?for=apple&format=xlsx"}).Want(t, 200)
		if got := answer.Header.Get("Content-Disposition"); got != `attachment; filename="locations-apple.xlsx"` {
			t.Errorf("it is to be saved as %s", got)
		}
		archive, err := zip.NewReader(bytes.NewReader(answer.Raw), int64(len(answer.Raw)))
		if err != nil {
			t.Fatal(err)
		}
		sheet, err := archive.Open("xl/worksheets/sheet1.xml")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(sheet)
		if err != nil || !bytes.Contains(text, []byte(">"+id+"<")) || !bytes.Contains(text, []byte(`t="inlineStr"><is><t xml:space="preserve">=1+1<`)) {
			t.Errorf("the sheet is %s (%v)", text, err)
		}
	})
}

func TestExportRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, query := range []string{"", "for=yelp", "for=bing&format=ods", "for="} {
			p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/export?" + query}).Want(t, 400)
		}
	})
}

// An export of several pages is whole and has each location once; one that fails before it has begun is answered as any
// failure, and one that fails on its way does not look whole.
func TestExportOfManyPages(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		const many = 1_100 // more than two pages
		id := create(t, p, valid(t))
		published(t, p, id)
		copyLocation(t, p.DB, id, many-1)
		seen := map[string]bool{}
		rows := exported(t, p, nil, "for=bing")
		for _, r := range rows {
			seen[r["Store Id"]] = true
		}
		if len(rows) != many || len(seen) != many || rows[0]["Store Id"] != id {
			t.Errorf("%d rows, %d of them distinct, the first %v", len(rows), len(seen), rows[0])
		}

		update(t, p.DB, "UPDATE locations SET profile = 'broken' WHERE id = $1", fmt.Sprintf("%s-%d", id, many-1))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL+base+"/locations/export?for=bing", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Apikey "+p.Owner.Key)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if part, err := io.ReadAll(res.Body); err == nil || len(part) == 0 {
			t.Errorf("the last page failed, and %d bytes were answered as if whole", len(part))
		}

		update(t, p.DB, "UPDATE locations SET profile = 'broken' WHERE id = $1", id)
		p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/export?for=bing"}).Want(t, 500)
	})
}
