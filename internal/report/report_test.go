package report_test

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

var (
	start  = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	market = providertest.Market(providertest.Decatur, 40)
)

type object = map[string]any

// world is a program with a campaign that was collected at the end of October and in the middle of November.
type world struct {
	*apptest.Program
	t        *testing.T
	campaign string
}

func prepare(s *apptest.Setup) {
	s.Options.Clock = clock.NewFake(start)
	s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
	s.NoWorker = true
}

func begin(t *testing.T, d *db.DB, changes ...func(*apptest.Setup)) *world {
	t.Helper()
	w := &world{Program: apptest.Start(t, d, append([]func(*apptest.Setup){prepare}, changes...)...), t: t}
	w.campaign = w.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: object{
		"placeId": market[0].PlaceID, "keywords": []string{"pizza", "Καφές"}, "gridSettings": object{"template": "7x7"},
	}}).Want(t, 200).Text("data.id")
	w.collect(start.AddDate(0, 0, -20), 3)
	w.collect(start.AddDate(0, 0, -4), 0)
	return w
}

// collect makes a report in which the nearest businesses are missing.
func (w *world) collect(at time.Time, missing int) {
	w.t.Helper()
	search := providertest.NearestFirst(market)
	err := w.MapRank.ImportReport(w.t.Context(), w.campaign, at, func(keyword string, at grid.Coordinates) []provider.Business {
		found, err := search(w.t.Context(), provider.MapQuery{Keyword: keyword, At: provider.Point(at)})
		if err != nil {
			w.t.Fatal(err)
		}
		return found[missing:]
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) get(path string, as *apptest.Account) *apptest.Answer {
	w.t.Helper()
	return w.Do(w.t, apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/reports/" + path, As: as})
}

func TestReportOfACampaign(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		w := begin(t, d)
		at := "campaigns/" + w.campaign
		asked.Taken()
		page := w.get(at+"?from=2026-11-01&to=2026-11-15", nil).Want(t, http.StatusOK)
		if texts := asked.Taken(); len(texts) == 0 || len(texts) > 8 {
			t.Errorf("%d statements:\n%s", len(texts), strings.Join(texts, "\n"))
		}
		file := w.get(at+"?from=2026-11-01&to=2026-11-15&format=pdf&paper=letter", nil).Want(t, http.StatusOK)

		view := w.Do(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + w.campaign + "/view"}).Want(t, http.StatusOK)
		now, won := view.At("data.keywords.0.averagePosition").(float64), view.At("data.keywords.0.averagePositionDiff").(float64)
		text := textOf(t, file.Raw)
		for _, want := range []string{
			market[0].Name, "1 – 15 November 2026", "27 October 2026", "12 November 2026", "pizza", "Καφές", "Trigpoint",
			fmt.Sprintf("%.1f", now), fmt.Sprintf("▼ %.1f", -won), fmt.Sprintf("%.0f%%", view.At("data.keywords.0.top3Share").(float64)), "Page 3 of 3",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the PDF does not say %q:\n%s", want, text)
			}
			if !strings.Contains(string(page.Raw), want) && !strings.HasPrefix(want, "Page") {
				t.Errorf("the page does not say %q", want)
			}
		}
		if points := strings.Count(string(page.Raw), "<circle"); points < 4*49 {
			t.Errorf("the page draws %d points", points)
		}
		if policy := page.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || bytes.Contains(page.Raw, []byte("<script")) {
			t.Errorf("the page runs under %q", policy)
		}
		if name := file.Header.Get("Content-Disposition"); !strings.Contains(name, "-2026-11-15.pdf") {
			t.Errorf("it is saved as %s", name)
		}

		only := string(w.get(at+"?keyword=pizza", nil).Want(t, http.StatusOK).Raw)
		if strings.Contains(only, "Καφές") {
			t.Error("a report of one keyword tells of another")
		}
		if early := w.get(at+"?from=2026-01-01&to=2026-01-31", nil).Want(t, http.StatusOK); !strings.Contains(string(early.Raw), "Nothing was collected") {
			t.Errorf("before the first report: %s", early.Raw)
		}
		w.get(at+"?keyword=nothing", nil).Want(t, http.StatusNotFound)
		w.get(at+"?from=2025-01-01&to=2026-11-01", nil).Want(t, http.StatusBadRequest)
		w.get(at+"?from=yesterday", nil).Want(t, http.StatusBadRequest)
		w.get(at+"?from=2026-11-16", nil).Want(t, http.StatusOK)
		if future := w.get(at+"?from=2026-11-17&to=2026-11-30", nil).Want(t, http.StatusBadRequest); future.Len("error.details") != 2 || !bytes.Contains(future.Raw, []byte("from must not be after today, which is 2026-11-16")) {
			t.Errorf("days to come: %s", future.Raw)
		}

		stranger := w.NewAccount(t, "stranger@trigpoint.example", "free")
		w.get(at, &stranger).Want(t, http.StatusNotFound)
		w.Do(t, apptest.Call{Method: "PATCH", Path: maprank.Prefix + "/campaigns/" + w.campaign, Body: object{"shared": true}}).Want(t, http.StatusOK)
		token := w.Do(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + w.campaign}).Text("data.sharingStatus.shareToken")
		nobody := apptest.Call{Method: "GET", Path: httpapi.AccountPrefix + "/reports/" + at + "?share_token=" + token, Header: http.Header{"Authorization": nil}}
		w.Do(t, nobody).Want(t, http.StatusOK)
		nobody.Path += "x"
		w.Do(t, nobody).Want(t, http.StatusUnauthorized)
	})
}

// Whoever tracks nothing still gets a report that says so; what is tracked is in it.
func TestReportsOfATrackingAndTheAccount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := begin(t, d)
		tracking := w.Do(t, apptest.Call{Method: "POST", Path: rankwatch.Prefix + "/rankwatch/trackings", Body: object{
			"domain": "decatur.example", "location_id": 2643743, "platform_id": 1, "keywords": []string{"deli", "寿司"},
		}}).Want(t, http.StatusCreated).Text("tracking._id")
		stranger := w.NewAccount(t, "stranger@trigpoint.example", "free")
		for path, want := range map[string][]string{
			"trackings/" + tracking: {"decatur.example", "London", "Nothing was checked"},
			"account":               {market[0].Name, "decatur.example", "1 campaign, 1 tracking and 0 locations", "0 of 1 campaign climbed"},
		} {
			text := textOf(t, w.get(path+"?format=pdf", nil).Want(t, http.StatusOK).Raw)
			page := string(w.get(path, nil).Want(t, http.StatusOK).Raw)
			for _, words := range want {
				if !strings.Contains(text, words) || !strings.Contains(page, words) {
					t.Errorf("%s does not say %q:\n%s", path, words, text)
				}
			}
		}
		w.get("trackings/"+tracking, &stranger).Want(t, http.StatusNotFound)
		if page := string(w.get("account", &stranger).Want(t, http.StatusOK).Raw); !strings.Contains(page, "There are no campaigns") {
			t.Errorf("a stranger reads %s", page)
		}
	})
}

// What two weeks changed adds up to what both together did: a move on the first day of a week is told in it.
func TestWeeksAddUp(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := begin(t, d)
		moving, keyword := w.track("moving.example")
		w.checked(keyword, map[string]uint16{"2026-10-30": 10, "2026-11-02": 3, "2026-11-05": 3, "2026-11-09": 1, "2026-11-15": 1})
		_, keyword = w.track("once.example")
		w.checked(keyword, map[string]uint16{"2026-11-10": 2})
		for period, want := range map[string][]string{ // the first has nothing before it
			"from=2026-10-26&to=2026-11-08": {"on 30 October 2026 it was 1 of 1", "▲ 29.6", "▲ 7"},
			"from=2026-11-02&to=2026-11-08": {"on 1 November 2026 it was 1 of 1", "▲ 29.6", "▲ 7"},
			"from=2026-11-09&to=2026-11-15": {"on 8 November 2026 it was 1 of 1", "▲ 64.2", "▲ 2"},
			"from=2026-11-02&to=2026-11-15": {"on 1 November 2026 it was 1 of 1", "▲ 93.8", "▲ 9"},
			"from=2026-11-16":               {"Nothing was checked on these days."},
		} {
			page := string(w.get("trackings/"+moving+"?"+period, nil).Want(t, http.StatusOK).Raw)
			account := string(w.get("account?"+period, nil).Want(t, http.StatusOK).Raw)
			for i, words := range want {
				if !strings.Contains(page, words) {
					t.Errorf("%s: the tracking does not say %q:\n%s", period, words, page)
				}
				if i == 1 && (!strings.Contains(account, words) || !strings.Contains(account, "1 of 2 trackings gained visibility, none lost it.")) {
					t.Errorf("%s: the account does not say %q:\n%s", period, words, account)
				}
			}
			if strings.Contains(account, "as before") {
				t.Errorf("%s: one check is compared with itself:\n%s", period, account)
			}
		}
	})
}

// track adds a tracking of one keyword.
func (w *world) track(domain string) (tracking, keyword string) {
	w.t.Helper()
	added := w.Do(w.t, apptest.Call{Method: "POST", Path: rankwatch.Prefix + "/rankwatch/trackings", Body: object{
		"domain": domain, "location_id": 2643743, "platform_id": 1, "keywords": []string{"deli"},
	}}).Want(w.t, http.StatusCreated)
	return added.Text("tracking._id"), added.Text("keywords.0._id")
}

// checked gives a keyword ranks on some days of the past.
func (w *world) checked(keyword string, ranks map[string]uint16) {
	w.t.Helper()
	past := rankwatch.PastChecks{KeywordID: keyword}
	for date, rank := range ranks {
		day, err := series.ParseDay(date)
		if err != nil {
			w.t.Fatal(err)
		}
		past.Checks = append(past.Checks, rankwatch.PastCheck{Day: day, Observation: series.Observation{Rank: rank}, URL: "https://moving.example/"})
	}
	if err := w.RankWatch.ImportHistory(w.t.Context(), w.Owner.ID, []rankwatch.PastChecks{past}); err != nil {
		w.t.Fatal(err)
	}
}

// stream finds what a PDF has packed, and shown the texts of a page in it.
var (
	stream = regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`)
	shown  = regexp.MustCompile(`(?s)Td \((.*?[^\\]|)\) Tj`)
	plain  = strings.NewReplacer(`\\`, `\`, `\(`, `(`, `\)`, `)`, `\r`, "\r")
)

// textOf is the text of a PDF, as a reader would select it.
func textOf(t *testing.T, file []byte) string {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("%PDF-")) || !bytes.Contains(file, []byte("%%EOF")) {
		t.Fatalf("no PDF: %.100q", file)
	}
	var text strings.Builder
	for _, packed := range stream.FindAllSubmatch(file, -1) {
		r, err := zlib.NewReader(bytes.NewReader(packed[1]))
		if err != nil {
			continue // a font or a picture
		}
		content, err := io.ReadAll(r)
		if err != nil {
			continue
		}
		for _, m := range shown.FindAllSubmatch(content, -1) {
			raw := plain.Replace(string(m[1]))
			var units []uint16
			for i := 0; i+1 < len(raw); i += 2 {
				units = append(units, uint16(raw[i])<<8|uint16(raw[i+1]))
			}
			text.WriteString(string(utf16.Decode(units)) + "\n")
		}
	}
	return text.String()
}
