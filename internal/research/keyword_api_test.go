package research_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research"
)

func post(t testing.TB, p *apptest.Program, path string, body any) *apptest.Answer {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "POST", Path: base + path, Body: body})
}

// table sends a planner export.
func table(t testing.TB, p *apptest.Program, as *apptest.Account, query, media, text string) *apptest.Answer {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/keyword-imports" + query, Body: text, As: as, Header: http.Header{"Content-Type": {media}}})
}

func utf16le(s string) string {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, append([]uint16{0xfeff}, utf16.Encode([]rune(s))...))
	return b.String()
}

const planner = "Keyword Stats 2026-03-01 at 10_00_00\nMarch 1, 2025 - February 28, 2026\n" +
	"Keyword\tCurrency\tAvg. monthly searches\tThree month change\tYoY change\tCompetition\tCompetition (indexed value)\tTop of page bid (low range)\tTop of page bid (high range)\tSearches: Jan 2026\tSearches: Feb 2026\n" +
	"Pizza Delivery\tUSD\t5,400\t0%\t10%\tMedium\t44\t1.00\t3.00\t5000\t6000\n" +
	"pizza catering\tUSD\t1K – 10K\t0%\t0%\tLow\t\t\t\t\t\n" +
	"\tUSD\t10\n" +
	"pizza zero\tUSD\t0\t0%\t0%\tLow\t0\t\t\t\t\n"

func TestPlannerExportFillsTheAccountsStore(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		made := table(t, p, nil, "?location_id=4191124&language_id=1000", "text/tab-separated-values; charset=utf-16le", utf16le(planner)).Want(t, 200)
		if made.Len("keywords") != 3 || made.At("countKeywordsBeforeLimit") != 3.0 || made.At("countRejected") != 1.0 || made.At("rejected.0.line") != 6.0 || made.Text("language.label") != "English" {
			t.Errorf("%s", made.Raw)
		}
		known := post(t, p, "/keywordtool/keyword-imports", map[string]any{
			"keywords": []string{"unheard of", "PIZZA  delivery", "pizza catering", "pizza delivery", "pizza zero"}, "location_id": decatur, "language_id": 1000,
		}).Want(t, 200)
		if known.Len("keywords") != 4 || known.At("countKeywordsBeforeLimit") != 4.0 || known.Text("location.label") != "Decatur, Georgia, United States" {
			t.Fatalf("%s", known.Raw)
		}
		for path, want := range map[string]any{
			"0.kw": "unheard of", "0.sv": nil, "0.svs": 0.0, "0.svn": nil, "0.cpc": nil, "0.ppc": nil, "0.ts": 0.0, "0.seo": nil, "0.seo_ts": nil,
			"1.kw": "pizza delivery", "1.sv": 5400.0, "1.svs": 1.0, "1.svn": 5500.0, "1.cpc": 2.0, "1.ppc": 44.0, "1.lid": float64(decatur), "1.msv.0.0": 2026.0, "1.msv.0.1": 0.0, "1.msv.1.2": 6000.0,
			"2.sv": 3162.0, "2.cpc": nil, "3.sv": 0.0, "3.ppc": 0.0,
		} {
			if got := known.At("keywords." + path); got != want {
				t.Errorf("%s is %v, want %v", path, got, want)
			}
		}
		for _, unknown := range []string{"keywords.0.msv", "keywords.2.msv"} {
			if list, ok := known.At(unknown).([]any); !ok || len(list) != 0 {
				t.Errorf("%s is %v", unknown, known.At(unknown))
			}
		}
		for name, want := range map[string]any{"4191124": 5400.0, "4197000": nil, "2643743": nil} { // here, around it, elsewhere
			a := get(t, p, "/keywordtool/related-keywords", "kw", "pizza delivery", "location_id", name).Want(t, 200)
			if a.At("keywords.0.sv") != want {
				t.Errorf("in %s the volume is %v, want %v", name, a.At("keywords.0.sv"), want)
			}
		}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "pro")
		theirs := p.Do(t, apptest.Call{Method: "GET", Path: address("/keywordtool/related-keywords", "kw", "pizza", "location_id", "4191124"), As: &stranger}).Want(t, 200)
		if theirs.Len("keywords") != 1 {
			t.Errorf("a stranger is told of the owner's keywords: %s", theirs.Raw)
		}
		table(t, p, nil, "?location_id=4191124&language_id=1000", "text/csv", planner).Want(t, 200)
		if n := rows(t, p, "keywords"); n != 4 { // with the one that was asked for
			t.Errorf("%d rows after importing twice", n)
		}
	})
}

func TestOperatorsImportServesEveryAccount(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for range 2 {
			kept, err := p.Research.ImportKeywords(t.Context(), strings.NewReader(planner), research.KeywordFile{LocationID: usa}, nil, nil)
			if err != nil || kept != 3 {
				t.Fatal(kept, err)
			}
		}
		stranger := p.NewAccount(t, "stranger@trigpoint.example", "pro")
		a := p.Do(t, apptest.Call{Method: "GET", Path: address("/keywordtool/related-keywords", "kw", "pizza", "location_id", "4191124"), As: &stranger}).Want(t, 200)
		if a.Len("keywords") != 4 || a.At("keywords.1.lid") != float64(usa) || a.At("keywords.0.lid") != float64(decatur) {
			t.Errorf("%s", a.Raw)
		}
		// One's own figures of the place win over the operator's of the country.
		table(t, p, &stranger, "?location_id=4191124", "text/csv", "Keyword,Avg. monthly searches\npizza delivery,7\n").Want(t, 200)
		own := p.Do(t, apptest.Call{Method: "GET", Path: address("/keywordtool/related-keywords", "kw", "pizza delivery", "location_id", "4191124"), As: &stranger}).Want(t, 200)
		mine := get(t, p, "/keywordtool/related-keywords", "kw", "pizza delivery", "location_id", "4191124").Want(t, 200)
		if own.At("keywords.0.sv") != 7.0 || mine.At("keywords.0.sv") != 5400.0 {
			t.Errorf("%v and %v", own.At("keywords.0.sv"), mine.At("keywords.0.sv"))
		}
	})
}

func TestBadImports(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		const path = "/keywordtool/keyword-imports"
		wantErrors(t, post(t, p, path, map[string]any{}).Want(t, 422), "1 to 1000")
		wantErrors(t, post(t, p, path, map[string]any{"keywords": []string{"ok", "", strings.Repeat("x", 81)}, "location_id": 77, "language_id": "en"}).Want(t, 422),
			"keywords[1] is not specified", "keywords[2]", "77 is unknown", "language_id must be a whole number")
		wantErrors(t, post(t, p, path+"?location_id=here", map[string]any{"keywords": []string{""}, "language_id": "en"}).Want(t, 422),
			"location_id", "keywords[0] is not specified", "language_id must be a whole number")
		wantErrors(t, post(t, p, path, map[string]any{"keywords": []any{"ok", 5}}).Want(t, 422), "keywords must be a string")
		wantErrors(t, post(t, p, path, map[string]any{"keywords": "pizza"}).Want(t, 422), "keywords must be an array")
		for _, body := range []string{`{"keywords":["a"]`, `[`, `{"keywords":["a"]} x`, "{\"keywords\":[\"\xff\"]}", `{"keywords":["\u0000"]}`, strings.Repeat("[", 10_000)} {
			if a := post(t, p, path, body).Want(t, 400); a.Text("error.type") != "InvalidInput" {
				t.Errorf("%s", a.Raw)
			}
		}
		many := make([]string, 100_000)
		for i := range many {
			many[i] = fmt.Sprint(i)
		}
		wantErrors(t, post(t, p, path, map[string]any{"keywords": many}).Want(t, 422), "not 100000")
		for i := range many {
			many[i] = fmt.Sprint("keyword ", i)
		}
		post(t, p, path, map[string]any{"keywords": many}).Want(t, 413)

		for _, media := range []string{"text/plain", "application/xml", "", "text/csv; charset", "multipart/form-data; boundary=x"} {
			table(t, p, nil, "", media, planner).Want(t, 415)
		}
		for name, file := range map[string]string{
			"empty": "", "no table": "hello\nworld\n", "only bad rows": "Keyword,Avg. monthly searches\n,5\n", "binary": "\x00\x01\x02\xff\xfe", "half a character": "\xff\xfeK",
		} {
			if a := table(t, p, nil, "", "text/csv", file); a.Status != 422 && a.Status != 400 {
				t.Errorf("%s: %d %s", name, a.Status, a.Raw)
			}
		}
		table(t, p, nil, "?location_id=77&language_id=1", "text/csv", planner).Want(t, 422)
		var long strings.Builder
		long.WriteString("Keyword,Avg. monthly searches\n")
		for i := range 10_001 {
			fmt.Fprintf(&long, "keyword %d,%d\n", i, i)
		}
		wantErrors(t, table(t, p, nil, "", "text/csv", long.String()).Want(t, 422), "more than 10000")
		table(t, p, nil, "", "text/csv", strings.Repeat("x", 7<<20)).Want(t, 413)
		if n := rows(t, p, "keywords") + rows(t, p, "keyword_words"); n != 0 {
			t.Errorf("refused imports left %d rows", n)
		}
	})
}

func TestOtherLanguagesHeaders(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		german := "Keyword;Währung;Durchschnittliche Suchanfragen pro Monat;Wettbewerb;Wettbewerb (indexierter Wert);Gebot (unterer Bereich);Gebot (oberer Bereich)\n" +
			"\"pizza, groß\";EUR;1.300;Mittel;50;0,50;1,00\npizza klein;USD;10;Mittel;50;0,50;1,00\n"
		a := table(t, p, nil, "?language_id=1001", "text/csv", german).Want(t, 200)
		if a.Text("keywords.0.kw") != "pizza, groß" || a.At("keywords.0.sv") != 1300.0 || a.At("keywords.0.ppc") != 50.0 || a.At("keywords.0.cpc") != nil {
			t.Errorf("%s", a.Raw)
		}
		// A bid in another currency is no cost in USD; it is shown as it was told.
		kept := get(t, p, "/keywordtool/related-keywords", "kw", "pizza, groß", "language_id", "1001").Want(t, 200)
		if kept.At("keywords.0.cpc") != nil || kept.At("keywords.0.bid") != 0.75 || kept.Text("keywords.0.bid_currency") != "EUR" || kept.At("keywords.1.cpc") != 0.75 || kept.At("keywords.1.bid") != nil {
			t.Errorf("%s", kept.Raw)
		}
	})
}

func TestImportsAndKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		body := map[string]any{"keywords": []string{"pizza"}}
		key := http.Header{"Idempotency-Key": {"one"}}
		first := p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/keyword-imports", Body: body, Header: key}).Want(t, 200)
		table(t, p, nil, "", "text/csv", "Keyword,Avg. monthly searches\npizza,9\n").Want(t, 200)
		again := p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/keyword-imports", Body: body, Header: key}).Want(t, 200)
		if !bytes.Equal(first.Raw, again.Raw) {
			t.Errorf("the same key got %s", again.Raw)
		}
		secret, _, err := p.Accounts.Issue(t.Context(), p.Owner.ID, account.Issue{Kind: account.Key, ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		reader := apptest.Account{Key: secret}
		p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/keyword-imports", Body: body, As: &reader}).Want(t, 403)
		p.Do(t, apptest.Call{Method: "POST", Path: base + "/keywordtool/gap-analysis", Body: map[string]any{"domain": "a.example", "competitors": []string{"b.example"}}, As: &reader}).Want(t, 200)
	})
}

func texts(t testing.TB, a *apptest.Answer, list, field string) []string {
	t.Helper()
	raw, err := json.Marshal(a.At(list))
	if err != nil {
		t.Fatal(err)
	}
	var items []map[string]any
	if err := json.Unmarshal(raw, &items); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	var all []string
	for _, item := range items {
		all = append(all, fmt.Sprint(item[field]))
	}
	return all
}

func TestRelatedKeywords(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		seed := organic("https://a.example/", "https://b.example/", "https://c.example/")
		seed.Related = []string{"Calzone"}
		keep(t, p, p.Owner.ID, decatur, start, map[string]provider.WebPage{
			"best pizza": seed, "italian restaurant": organic("https://c.example/", "https://b.example/", "https://a.example/"), "shoes": organic("https://shoes.example/"),
		})
		table(t, p, nil, "?location_id=4191124", "text/csv", "Keyword,Avg. monthly searches\npizza near me,100\nbest pizzas in town,50\nrunning shoes,10\n").Want(t, 200)
		a := get(t, p, "/keywordtool/related-keywords", "kw", "Best Pizza", "location_id", "4191124").Want(t, 200)
		// shared words 2/3 and 1/2, proposed 0.5, three of ten results 0.3
		if got := strings.Join(texts(t, a, "keywords", "kw"), ", "); got != "best pizza, best pizzas in town, calzone, pizza near me, italian restaurant" {
			t.Errorf("related: %s", got)
		}
		if a.At("countKeywordsBeforeLimit") != 5.0 || a.At("source") != nil || a.Text("_id") != a.Text("keywords.0._id") || a.At("keywords.3.sv") != 100.0 {
			t.Errorf("%s", a.Raw)
		}
		alone := get(t, p, "/keywordtool/related-keywords", "kw", "never heard").Want(t, 200)
		if alone.Len("keywords") != 1 || alone.Text("keywords.0.kw") != "never heard" {
			t.Errorf("%s", alone.Raw)
		}
	})
}

func TestRelatedKeywordsAreBounded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		var file strings.Builder
		file.WriteString("Keyword,Avg. monthly searches\n")
		for i := range 1500 {
			fmt.Fprintf(&file, "pizza %d,%d\n", i, i)
		}
		table(t, p, nil, "", "text/csv", file.String()).Want(t, 200)
		a := get(t, p, "/keywordtool/related-keywords", "kw", "pizza").Want(t, 200)
		if a.Len("keywords") != 1000 || a.At("countKeywordsBeforeLimit") != 1501.0 {
			t.Errorf("%d of %v", a.Len("keywords"), a.At("countKeywordsBeforeLimit"))
		}
	})
}
