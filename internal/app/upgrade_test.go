package app_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
)

// released is when the stores in testdata/release were left: the demo of the release before this one, with its latest reports.
var released = time.Date(2026, 11, 16, 7, 30, 0, 0, time.UTC)

// leave puts the store of the release in a place.
func leave(t *testing.T, o db.Options) {
	t.Helper()
	name := "sqlite.db.zst"
	if o.URL != "" {
		name = "postgres.sql.zst"
	}
	packed, err := os.ReadFile(filepath.Join("testdata", "release", name))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	store, err := reader.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	if o.URL == "" {
		if err := os.WriteFile(filepath.Join(o.Dir, "trigpoint.db"), store, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = d.Close() }()
	if _, err := d.Writer().ExecContext(t.Context(), string(store)); err != nil {
		t.Fatal(err)
	}
}

// rows counts them in each table of the program's own.
func rows(t *testing.T, d *db.DB) map[string]int {
	t.Helper()
	text := "SELECT name FROM sqlite_schema WHERE type = 'table'"
	if d.Dialect == db.Postgres {
		text = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
	}
	names, err := db.All(t.Context(), d, db.Value[string], text)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	for _, name := range names {
		if strings.HasPrefix(name, "river_") || strings.HasPrefix(name, "goose_") || strings.HasPrefix(name, "sqlite_") {
			continue
		}
		if all[name], err = db.One(t.Context(), d, db.Value[int], "SELECT count(*) FROM "+name); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// This program takes over the store of the last release: every row stays, everything is read, work goes on.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	dbtest.EachEmpty(t, func(t *testing.T, o db.Options) {
		leave(t, o)
		d, err := db.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		before := rows(t, d)
		if before["locations"] == 0 || before["reports"] == 0 || before["tracked_keywords"] == 0 {
			t.Fatalf("the store of the release holds too little: %v", before)
		}
		if err := job.Migrate(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		after := rows(t, d)
		for table, n := range before {
			if after[table] != n {
				t.Errorf("%s has %d rows, and had %d", table, after[table], n)
			}
		}
		p := apptest.Start(t, d, withMarket, func(s *apptest.Setup) {
			s.Email, s.Options.Clock = "", clock.NewFake(released)
			s.Options.Web = &providertest.Scripted{Web: func(context.Context, provider.WebQuery) (provider.WebPage, error) {
				return provider.WebPage{Pages: 1}, nil
			}}
		})
		p.Owner = ownerOf(t, p)
		readEverything(t, p)
		workGoesOn(t, p)
	})
}

func ownerOf(t *testing.T, p *apptest.Program) (owner apptest.Account) {
	t.Helper()
	var err error
	if owner.ID, err = db.One(t.Context(), p.DB, db.Value[string], "SELECT account_id FROM campaigns LIMIT 1"); err != nil {
		t.Fatal(err)
	}
	if owner.Key, _, err = p.Accounts.Issue(t.Context(), owner.ID, account.Issue{Kind: account.Key}); err != nil {
		t.Fatal(err)
	}
	if owner.Token, _, err = p.Accounts.Issue(t.Context(), owner.ID, account.Issue{Kind: account.Token}); err != nil {
		t.Fatal(err)
	}
	return owner
}

// asksOthers are reads that need a provider of data or a property of Google's.
var asksOthers = regexp.MustCompile("search-console|^/keywordtool|^/serpcheck|^/places")

// readEverything asks every read of the documents whose parameters are at hand.
func readEverything(t *testing.T, p *apptest.Program) {
	t.Helper()
	get := func(path string) *apptest.Answer {
		return p.Do(t, apptest.Call{Method: "GET", Path: path}).Want(t, 200)
	}
	campaign := get(maprank.Prefix + "/campaigns").Text("data.content.0.id")
	report := get(maprank.Prefix + "/campaigns/" + campaign)
	tracking := get(rankwatch.Prefix + "/rankwatch/trackings").Text("0._id")
	known := map[string]string{
		"location_id": get(local.Prefix + "/locations").Text("data.0.location_id"), "campaign_id": campaign, "campaignId": campaign,
		"keywordId": report.Text("data.keywords.0.id"), "reportDate": report.Text("data.lastReportDate"), "pointId": report.Text("data.points.0.id"), "cid": report.Text("data.business.cid"),
		"tracking_id": tracking, "tracked_keyword_id": get(rankwatch.Prefix + "/rankwatch/trackings/" + tracking + "/tracked-keywords").Text("0._id"),
		"country": "US", "kw": "deli", "url": "example.com", "query": "decatur",
	}
	asked := 0
	for _, area := range p.Areas {
		for path, item := range area.Document().Paths {
			if item.Get == nil || asksOthers.MatchString(path) {
				continue
			}
			query, complete := url.Values{}, true
			for _, param := range item.Get.Parameters {
				value := known[param.Name]
				switch {
				case !param.Required && param.Name != "cid": // which is one of two that are needed
				case value == "":
					complete = false
				case param.In == "path":
					path = strings.ReplaceAll(path, "{"+param.Name+"}", value)
				default:
					query.Set(param.Name, value)
				}
			}
			for _, way := range item.Get.Security {
				if _, person := way["session"]; person && len(item.Get.Security) == 1 {
					complete = false
				}
			}
			if complete {
				asked++
				if a := p.Do(t, apptest.Call{Method: "GET", Path: area.Prefix + path + "?" + query.Encode()}); a.Status != http.StatusOK {
					t.Errorf("%s answers %d %s", path, a.Status, a.Raw)
				}
			}
		}
	}
	if asked < 25 {
		t.Errorf("only %d reads were asked with %v", asked, known)
	}
}

// workGoesOn collects a campaign and checks a keyword.
func workGoesOn(t *testing.T, p *apptest.Program) {
	t.Helper()
	campaigns := maprank.Prefix + "/campaigns"
	campaign := campaigns + "/" + p.Do(t, apptest.Call{Method: "GET", Path: campaigns}).Want(t, 200).Text("data.content.0.id")
	date := p.Do(t, apptest.Call{Method: "PUT", Path: campaign + "/collect"}).Want(t, 200).Text("data.collectingReportDate")
	p.Eventually(t, apptest.Call{Method: "GET", Path: campaign}, func(a *apptest.Answer) bool {
		return a.Text("data.status") == "COLLECTED" && a.Text("data.lastReportDate") == date
	})
	trackings := rankwatch.Prefix + "/rankwatch/trackings"
	keywords := trackings + "/" + p.Do(t, apptest.Call{Method: "GET", Path: trackings}).Want(t, 200).Text("0._id") + "/tracked-keywords"
	p.Do(t, apptest.Call{Method: "POST", Path: keywords, Body: map[string]any{"keywords": []string{"words of the next release"}}}).Want(t, 201)
	p.Eventually(t, apptest.Call{Method: "GET", Path: keywords}, func(a *apptest.Answer) bool {
		return strings.Contains(string(a.Raw), "words of the next release") && !strings.Contains(string(a.Raw), `"last_checked_at":null`)
	})
}
