package desk_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

const (
	base   = httpapi.AccountPrefix
	london = 2643743
)

var (
	now    = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	market = providertest.Market(providertest.Decatur, 60)
)

func prepare(s *apptest.Setup) {
	s.NoWorker = true
	s.Options.Clock = clock.NewFake(now)
	s.Options.Web = &providertest.Scripted{Title: "Web"} // whose checks fail: they are no observations
	s.Options.Map.Provider = &providertest.Scripted{Place: providertest.Known(market), Map: providertest.NearestFirst(market)}
}

func get(t *testing.T, p *apptest.Program, path string, as ...apptest.Account) *apptest.Answer {
	t.Helper()
	call := apptest.Call{Method: "GET", Path: base + path}
	if len(as) > 0 {
		call.As = &as[0]
	}
	return p.Do(t, call).Want(t, 200)
}

// expect compares values of an answer.
func expect(t *testing.T, a *apptest.Answer, want map[string]any) {
	t.Helper()
	for path, value := range want {
		if got := a.At(path); got != value {
			t.Errorf("%s is %v, want %v", path, got, value)
		}
	}
	if t.Failed() {
		t.Logf("the answer was %s", a.Raw)
	}
}

// campaign makes a campaign whose business had these ranks, by days ago, everywhere.
func campaign(t *testing.T, p *apptest.Program, name string, ranks map[int]int) string {
	t.Helper()
	id := p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", Body: map[string]any{
		"placeId": market[0].PlaceID, "keywords": []string{"pizza"}, "name": name,
	}}).Want(t, 200).Text("data.id")
	for daysAgo, rank := range ranks {
		err := p.MapRank.ImportReport(t.Context(), id, now.AddDate(0, 0, -daysAgo), func(string, grid.Coordinates) []provider.Business {
			others := append([]provider.Business{}, market[1:rank]...)
			return append(others, market[0])
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return id
}

// tracking makes a tracking whose keywords had these ranks, by days ago.
func tracking(t *testing.T, p *apptest.Program, domain string, ranks map[string]map[int]uint16) string {
	t.Helper()
	var keywords []string
	for kw := range ranks {
		keywords = append(keywords, kw)
	}
	made := p.Do(t, apptest.Call{Method: "POST", Path: rankwatch.Prefix + "/rankwatch/trackings", Body: map[string]any{
		"domain": domain, "location_id": london, "platform_id": 1, "keywords": keywords,
	}}).Want(t, 201)
	var past []rankwatch.PastChecks
	for i, kw := range keywords {
		checks := rankwatch.PastChecks{KeywordID: made.Text(fmt.Sprintf("keywords.%d._id", i))}
		for daysAgo, rank := range ranks[kw] {
			c := rankwatch.PastCheck{Day: series.DayOf(now) - series.Day(daysAgo), Observation: series.Observation{Rank: rank}}
			if rank > 0 {
				c.URL = "https://" + domain + "/"
			}
			checks.Checks = append(checks.Checks, c)
		}
		past = append(past, checks)
	}
	if err := p.RankWatch.ImportHistory(t.Context(), p.Owner.ID, past); err != nil {
		t.Fatal(err)
	}
	return made.Text("tracking._id")
}

func location(t *testing.T, p *apptest.Program, name string) string {
	t.Helper()
	categories, _, ok := category.List("US", 1, 0)
	if !ok {
		t.Fatal("no categories")
	}
	return p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: map[string]any{
		"business_name": name, "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
		"address_line_1": "1 Main Street", "category_ids": []string{categories[0].ID}, "place_id": market[0].PlaceID,
	}}).Want(t, 200).Text("data.location_id")
}

func work(t *testing.T, p *apptest.Program) {
	t.Helper()
	stop, err := p.Work(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
}

func exec(t *testing.T, p *apptest.Program, text string, args ...any) {
	t.Helper()
	err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
		n, err := tx.Exec(t.Context(), text, args...)
		if err == nil && n == 0 {
			t.Errorf("%s changed nothing", text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheOverviewShowsWhatChangedWithinAWeek(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		empty := get(t, p, "/overview")
		expect(t, empty, map[string]any{
			"data.since": "2026-11-08T12:00:00Z", "data.campaigns.total": 0.0, "data.trackings.total": 0.0, "data.locations.total": 0.0, "data.locations.attention_total": 0.0,
		})
		for _, list := range []string{"campaigns.items", "campaigns.winners", "campaigns.losers", "trackings.items", "trackings.winners", "trackings.losers", "locations.attention"} {
			if empty.Len("data."+list) != 0 {
				t.Errorf("an empty account has %s: %s", list, empty.Raw)
			}
		}

		climbed := campaign(t, p, "climbed", map[int]int{20: 8, 8: 5, 3: 4, 1: 2})
		campaign(t, p, "stood still", map[int]int{30: 1, 20: 9})
		campaign(t, p, "new", nil)
		fell := campaign(t, p, "fell", map[int]int{7: 1, 0: 7})
		site := tracking(t, p, "site.com", map[string]map[int]uint16{"pizza": {7: 9, 1: 3}, "pasta": {7: 2, 1: 0}, "tea": {7: 5, 1: 5}, "cake": {1: 1}})
		tracking(t, p, "still.com", map[string]map[int]uint16{"pizza": {7: 4, 1: 4}})
		p.Clock.(*clock.Fake).Advance(3 * time.Second)
		work(t, p)

		o := p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/overview"}, func(a *apptest.Answer) bool {
			return a.Len("data.trackings.items") == 2 && a.At("data.trackings.items.0.visibility_index") != nil && a.At("data.trackings.items.1.visibility_index") != nil
		})
		expect(t, o, map[string]any{
			"data.campaigns.total": 4.0, "data.campaigns.collecting": 0.0,
			"data.campaigns.items.0.id": fell, "data.campaigns.items.0.averagePosition": 7.0, "data.campaigns.items.0.averagePositionDiff": -6.0,
			"data.campaigns.items.1.id": climbed, "data.campaigns.items.1.name": "climbed", "data.campaigns.items.1.business": market[0].Name,
			"data.campaigns.items.1.averagePosition": 2.0, "data.campaigns.items.1.averagePositionDiff": 3.0, "data.campaigns.items.1.lastReportDate": "2026-11-14T12:00:00Z",
			"data.campaigns.items.1.trend.0": 8.0, "data.campaigns.items.1.trend.3": 2.0,
			"data.campaigns.items.2.name": "new", "data.campaigns.items.2.averagePosition": nil, "data.campaigns.items.2.averagePositionDiff": nil, "data.campaigns.items.2.lastReportDate": nil,
			"data.campaigns.items.3.name": "stood still", "data.campaigns.items.3.averagePositionDiff": 0.0,
			"data.campaigns.winners.0.id": climbed, "data.campaigns.winners.0.averagePositionDiff": 3.0, "data.campaigns.losers.0.id": fell, "data.campaigns.losers.0.averagePosition": 7.0,

			"data.trackings.total": 2.0, "data.trackings.items.0.id": site, "data.trackings.items.0.domain": "site.com", "data.trackings.items.0.keywords": 4.0, "data.trackings.items.0.platform_id": 1.0,
			"data.trackings.items.1.domain": "still.com", "data.trackings.items.1.visibility_change": 0.0,
			"data.trackings.winners.0.kw": "pizza", "data.trackings.winners.0.change": 6.0, "data.trackings.winners.0.rank": 3.0, "data.trackings.winners.0.tracking_id": site, "data.trackings.winners.0.domain": "site.com",
			"data.trackings.losers.0.kw": "pasta", "data.trackings.losers.0.change": -99.0, "data.trackings.losers.0.rank": nil,
		})
		if share, _ := o.At("data.campaigns.items.1.averageShareOfVoiceDiff").(float64); share <= 0 {
			t.Errorf("a climb won %v points of share", share)
		}
		if o.Len("data.trackings.winners") != 1 || o.Len("data.trackings.losers") != 1 {
			t.Errorf("others than pizza and pasta moved: %s", o.Raw)
		}
		if o.Len("data.campaigns.winners") != 1 || o.Len("data.campaigns.losers") != 1 {
			t.Errorf("others than two campaigns moved: %s", o.Raw)
		}
		stats := p.Do(t, apptest.Call{Method: "GET", Path: rankwatch.Prefix + "/rankwatch/trackings"}).Want(t, 200)
		for i, domain := range []string{"still.com", "site.com"} { // newest first
			index := stats.At(fmt.Sprintf("%d.stats.timeframes.2026-11-15.visibility_index", i))
			if told := o.At(fmt.Sprintf("data.trackings.items.%d.visibility_index", 1-i)); told != index || stats.Text(fmt.Sprintf("%d.domain", i)) != domain {
				t.Errorf("%s has the visibility %v, and %v in its stats", domain, told, index)
			}
		}

		p.Do(t, apptest.Call{Method: "DELETE", Path: rankwatch.Prefix + "/rankwatch/trackings/" + site}).Want(t, 204)
		gone := get(t, p, "/overview")
		if gone.Len("data.trackings.items") != 1 || gone.Len("data.trackings.winners") != 0 || gone.At("data.trackings.total") != 1.0 {
			t.Errorf("a deleted tracking is still there: %s", gone.Raw)
		}
		other := p.NewAccount(t, "other@trigpoint.example", "pro")
		if a := get(t, p, "/overview", other); a.At("data.campaigns.total") != 0.0 || a.Len("data.campaigns.items") != 0 || a.Len("data.trackings.items") != 0 {
			t.Errorf("another account sees %s", a.Raw)
		}
	}, prepare)
}

func TestLocationsThatNeedAttention(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		frozen := location(t, p, "Frozen")
		refused := location(t, p, "Refused")
		failing := location(t, p, "Failing")
		well := location(t, p, "Well")
		exec(t, p, `UPDATE locations SET status = 'FAILED', errors = '[{"error_status":"DIRECTORY_REJECTED","message":"The directory takes no such phone number."}]' WHERE id = $1`, refused)
		exec(t, p, "UPDATE accounts SET locations = locations - 1 WHERE id = $1", p.Owner.ID)
		exec(t, p, "UPDATE locations SET status = 'COMPLETED' WHERE id <> $1", refused)
		exec(t, p, "UPDATE locations SET frozen = TRUE WHERE id = $1", frozen)
		for i, l := range []struct{ location, directory, detail string }{
			{failing, "map", "The map knows no such place."}, {failing, "feed", ""}, {refused, "map", "It is beside the point."}, {well, "webhook", "No webhook URL is configured."},
		} {
			exec(t, p, `INSERT INTO listings (id, account_id, location_id, directory, status, wanted, url, detail, version, updated_at) VALUES ($1, $2, $3, $4, 'UNAVAILABLE', TRUE, '', $5, 1, $6)`,
				fmt.Sprint("listing", i), p.Owner.ID, l.location, l.directory, l.detail, 100-i)
		}
		o := get(t, p, "/overview")
		expect(t, o, map[string]any{
			"data.locations.total": 4.0, "data.locations.attention_total": 3.0,
			"data.locations.attention.0.location_id": refused, "data.locations.attention.0.severity": "error", "data.locations.attention.0.reason": "The directory takes no such phone number.",
			"data.locations.attention.1.location_id": frozen, "data.locations.attention.1.severity": "warning", "data.locations.attention.1.business_name": "Frozen",
			"data.locations.attention.2.location_id": failing, "data.locations.attention.2.severity": "warning", "data.locations.attention.3": nil,
		})
		if reason := o.Text("data.locations.attention.2.reason"); !strings.HasSuffix(reason, ": The map knows no such place.") {
			t.Errorf("the reason of a failing listing is %q", reason)
		}
	}, prepare)
}

// However much an account holds, the overview takes the same few statements.
func TestTheOverviewTakesFewStatements(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		p := apptest.Start(t, d, prepare)
		for i := range 10 {
			campaign(t, p, fmt.Sprint("campaign ", i), map[int]int{8: i + 2, 1: 2})
			tracking(t, p, fmt.Sprintf("site%d.com", i), map[string]map[int]uint16{"pizza": {7: 9, 1: 3}})
		}
		frozen := location(t, p, "Frozen")
		exec(t, p, "UPDATE locations SET frozen = TRUE WHERE id = $1", frozen)
		asked.Taken()
		get(t, p, "/overview")
		if texts := asked.Taken(); len(texts) > 12 || len(texts) == 0 {
			t.Errorf("%d statements, want at most 12:\n%s", len(texts), strings.Join(texts, "\n"))
		}
	})
}

func TestUsageProvidersAndShares(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := tracking(t, p, "site.com", map[string]map[int]uint16{"pizza": nil, "pasta": nil})
		shown := campaign(t, p, "one", nil)
		usage := get(t, p, "/usage")
		expect(t, usage, map[string]any{
			"data.plan": "agency", "data.limits.credits": 1_000_000.0, "data.limits.campaigns": 10_000.0, "data.limits.stored_keywords": 20_000_000.0,
			"data.used.trackings": 1.0, "data.used.keywords": 2.0, "data.used.campaigns": 1.0, "data.used.lookups": 2.0, "data.used.credits": 0.0,
			"data.lookups.used": 2.0, "data.lookups.limit": 2_000_000.0, "data.lookups.resets_at": "2026-12-01T00:00:00Z", "data.lookups.runs_out_at": nil,
		})
		exec(t, p, "UPDATE quota_months SET used = 1500000 WHERE account_id = $1 AND quota = 'lookups'", p.Owner.ID)
		expect(t, get(t, p, "/usage"), map[string]any{"data.lookups.used": 1_500_000.0, "data.lookups.runs_out_at": "2026-11-20T12:00:00Z"})

		asked := get(t, p, "/providers")
		expect(t, asked, map[string]any{"data.map.0.name": "scripted", "data.web.0.title": "Web", "data.spent_usd": 0.0, "data.budget_usd": nil})
		if asked.Len("data.keyword") != 0 {
			t.Errorf("the providers are %s", asked.Raw)
		}
		for range 2 {
			if err := p.Ledger.SetBudget(t.Context(), p.Owner.ID, provider.USD(50)); err != nil {
				t.Fatal(err)
			}
		}
		if told := p.Told(t, "account.changed", nil); told.Len("data") != 1 || told.At("data.0.data.budget_usd") != 50.0 {
			t.Errorf("told of the budget: %s", told.Raw)
		}
		expect(t, get(t, p, "/providers"), map[string]any{"data.budget_usd": 50.0})

		shares := get(t, p, "/shares")
		expect(t, shares, map[string]any{"data.0.kind": "tracking", "data.0.id": id, "data.0.name": "site.com", "data.0.created_at": "2026-11-15T12:00:00Z", "data.1": nil})
		_, token, _ := strings.Cut(shares.Text("data.0.url"), "/shared/tracking/"+id+"?share_token=")
		p.Do(t, apptest.Call{Method: "GET", Path: rankwatch.Prefix + "/rankwatch/trackings/" + id + "/detail?share_token=" + token, As: &apptest.Account{}}).Want(t, 200)
		p.Do(t, apptest.Call{Method: "PATCH", Path: rankwatch.Prefix + "/rankwatch/trackings/" + id, Body: map[string]any{"shared": false}}).Want(t, 200)
		if get(t, p, "/shares").Len("data") != 0 {
			t.Error("what is shared no more is still listed")
		}
		p.Do(t, apptest.Call{Method: "PATCH", Path: maprank.Prefix + "/campaigns/" + shown, Body: map[string]any{"shared": true}}).Want(t, 200)
		link := get(t, p, "/shares")
		expect(t, link, map[string]any{"data.0.kind": "campaign", "data.0.id": shown, "data.0.name": "one", "data.1": nil})
		_, token, _ = strings.Cut(link.Text("data.0.url"), "/shared/campaign/"+shown+"?share_token=")
		p.Do(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + shown + "?share_token=" + token, Header: http.Header{"Authorization": nil}}).Want(t, 200)
	}, prepare)
}

func encoded(t *testing.T, encode func(io.Writer, image.Image) error, width, height int) string {
	t.Helper()
	var data bytes.Buffer
	if err := encode(&data, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(data.Bytes())
}

func asJPEG(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }

func TestABrandIsShownWithWhatIsShared(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		put := func(body map[string]any) *apptest.Answer {
			return p.Do(t, apptest.Call{Method: "PUT", Path: base + "/brand", Body: body})
		}
		fetch := func(path string) *http.Response {
			res, err := http.Get(p.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = res.Body.Close() })
			return res
		}
		id := tracking(t, p, "site.com", map[string]map[int]uint16{"pizza": nil})
		detail := apptest.Call{Method: "GET", Path: rankwatch.Prefix + "/rankwatch/trackings/" + id + "/detail"}
		expect(t, get(t, p, "/brand"), map[string]any{"data.name": "", "data.colour": "", "data.logo_url": ""})
		expect(t, p.Do(t, detail).Want(t, 200), map[string]any{"whiteLabel": nil})

		set := put(map[string]any{"name": " Peachtree  Local ", "colour": "#0F766E", "logo": encoded(t, png.Encode, 64, 16)}).Want(t, 200)
		expect(t, set, map[string]any{"data.name": "Peachtree Local", "data.colour": "#0f766e"})
		logo := set.Text("data.logo_url")
		expect(t, p.Do(t, detail).Want(t, 200), map[string]any{"whiteLabel.name": "Peachtree Local", "whiteLabel.logo_url": logo})
		res := fetch(logo)
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != "image/png" || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") || res.Header.Get("Content-Security-Policy") != "default-src 'none'" {
			t.Errorf("the logo is served as %d %v", res.StatusCode, res.Header)
		}
		if m, err := png.Decode(res.Body); err != nil || m.Bounds().Dx() != 64 {
			t.Errorf("the logo is served as another picture: %v", err)
		}

		expect(t, put(map[string]any{"name": "Other", "colour": "#112233"}).Want(t, 200), map[string]any{"data.name": "Other", "data.logo_url": logo})
		other := put(map[string]any{"name": "Other", "colour": "#112233", "logo": encoded(t, asJPEG, 16, 16)}).Want(t, 200).Text("data.logo_url")
		if res := fetch(other); res.Header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("a JPEG is served as %s", res.Header.Get("Content-Type"))
		}
		if res := fetch(logo); res.StatusCode != 404 {
			t.Errorf("a logo that was replaced is served with %d", res.StatusCode)
		}
		expect(t, put(map[string]any{"name": "Other", "colour": "#112233", "logo": nil}).Want(t, 200), map[string]any{"data.logo_url": ""})

		for what, body := range map[string]map[string]any{
			"name":    {"colour": "#112233"},
			"colour":  {"name": "X", "colour": "teal"},
			"logo":    {"name": "X", "colour": "#112233", "logo": encoded(t, png.Encode, 15, 200)},
			"logo ":   {"name": "X", "colour": "#112233", "logo": "PHN2Zz4="},
			"logo  ":  {"name": "X", "colour": "#112233", "logo": base64.StdEncoding.EncodeToString(make([]byte, 256<<10+1))},
			"name ":   {"name": strings.Repeat("x", 81), "colour": "#112233"},
			"colour ": {"name": "X"},
		} {
			if a := put(body).Want(t, 400); a.Text("error.details.0.field") != strings.TrimSpace(what) {
				t.Errorf("a wrong %s answers %s", what, a.Raw)
			}
		}
		if all := put(map[string]any{"name": 7, "colour": 7, "logo": "?"}).Want(t, 400); all.Len("error.details") != 3 {
			t.Errorf("not every problem is told: %s", all.Raw)
		}
		second := p.NewAccount(t, "other@trigpoint.example", "pro")
		expect(t, get(t, p, "/brand", second), map[string]any{"data.name": ""})
		put(map[string]any{"name": ""}).Want(t, 200)
		expect(t, get(t, p, "/brand"), map[string]any{"data.name": ""})

		put(map[string]any{"name": "X", "colour": "#112233", "logo": encoded(t, png.Encode, 64, 64)}).Want(t, 200)
		if err := p.DeleteAccount(t.Context(), p.Owner.ID); err != nil {
			t.Fatal(err)
		}
		left, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT (SELECT count(*) FROM brands) + (SELECT count(*) FROM tracking_summaries)")
		if err != nil || left != 0 {
			t.Errorf("a removed account leaves %d rows, %v", left, err)
		}
	}, prepare)
}

func TestAProgramCannotMakeOrRevokeKeys(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		listed := get(t, p, "/credentials")
		if listed.Len("data") != 2 || strings.Contains(string(listed.Raw), p.Owner.Key) || strings.Contains(string(listed.Raw), p.Owner.Token) {
			t.Fatalf("the credentials of a new account are %s", listed.Raw)
		}
		refused := p.Do(t, apptest.Call{Method: "POST", Path: base + "/credentials", Body: map[string]any{"kind": "key", "name": "mine"}}).Want(t, 403)
		if !strings.Contains(refused.Text("error.message"), "sign in to the dashboard") || refused.Text("error.details.0.error_status") != "SESSION_REQUIRED" {
			t.Errorf("the refusal does not teach: %s", refused.Raw)
		}
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/credentials/" + listed.Text("data.0.id")}).Want(t, 403)
		if get(t, p, "/credentials").At("data.0.revoked_at") != nil {
			t.Error("a key has revoked another")
		}
	}, prepare)
}

func TestAPersonMakesAKeyAndRevokesIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		var session string
		err := p.DB.Tx(t.Context(), func(tx *db.Tx) (err error) {
			session, err = p.Accounts.StartSession(t.Context(), tx, p.Owner.ID, account.Browser{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		signed := func(method, path string, body any) *apptest.Answer {
			header := http.Header{"Authorization": nil, "Cookie": {httpapi.SessionCookie(false) + "=" + session}, "Idempotency-Key": {"the same"}}
			return p.Do(t, apptest.Call{Method: method, Path: base + path, Body: body, Header: header})
		}
		made := signed("POST", "/credentials", map[string]any{"kind": "key", "name": " Reporting script ", "read_only": true, "expires_in_days": 30}).Want(t, 200)
		expect(t, made, map[string]any{"data.kind": "key", "data.name": "Reporting script", "data.read_only": true, "data.expires_at": "2026-12-15T12:00:00Z"})
		secret := made.Text("data.secret")
		if !strings.HasPrefix(secret, made.Text("data.hint")) {
			t.Errorf("the hint of the secret is %q", made.Text("data.hint"))
		}
		kept, err := db.One(t.Context(), p.DB, db.Value[int], "SELECT count(*) FROM idempotency")
		if err != nil || kept != 0 {
			t.Errorf("%d answers with a secret are kept, %v", kept, err)
		}
		mine := apptest.Account{Key: secret}
		if listed := get(t, p, "/credentials", mine); listed.Text("data.0.id") != made.Text("data.id") || strings.Contains(string(listed.Raw), secret) {
			t.Errorf("the list with the new key is %s", listed.Raw)
		}
		p.Do(t, apptest.Call{Method: "PUT", Path: base + "/brand", Body: map[string]any{"name": ""}, As: &mine}).Want(t, 403)
		if all := signed("POST", "/credentials", map[string]any{"kind": "password", "name": " ", "read_only": "yes", "expires_in_days": 3651}).Want(t, 400); all.Len("error.details") != 4 {
			t.Errorf("not every problem is told: %s", all.Raw)
		}
		if all := signed("POST", "/credentials", map[string]any{}).Want(t, 400); all.Len("error.details") != 2 {
			t.Errorf("what is missing is not told: %s", all.Raw)
		}
		signed("DELETE", "/credentials/"+made.Text("data.id"), nil).Want(t, 200)
		signed("DELETE", "/credentials/"+made.Text("data.id"), nil).Want(t, 404)
		p.Do(t, apptest.Call{Method: "GET", Path: base + "/credentials", As: &mine}).Want(t, 401)
	}, prepare)
}

func TestCredentialsBelongToTheirAccount(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		ctx, a := t.Context(), p.Accounts
		other := p.NewAccount(t, "other@trigpoint.example", "pro")
		end := func(accountID, id string) error {
			return p.DB.Tx(ctx, func(tx *db.Tx) error { return a.End(ctx, tx, accountID, id) })
		}
		key, err := a.Authenticate(ctx, account.Key, p.Owner.Key)
		if err != nil {
			t.Fatal(err)
		}
		token, _, err := a.Exchange(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		made, err := a.Made(ctx, p.Owner.ID)
		if err != nil || len(made) != 2 {
			t.Fatalf("%d credentials, %v; those made with a key do not count", len(made), err)
		}
		keyID := made[0].ID
		if made[0].Kind != account.Key {
			keyID = made[1].ID
		}
		if end(other.ID, keyID) == nil {
			t.Error("another account has revoked the key")
		}
		if err := a.KeepUses(ctx); err != nil {
			t.Fatal(err)
		}
		if err := end(p.Owner.ID, keyID); err != nil {
			t.Fatal(err)
		}
		if end(p.Owner.ID, keyID) == nil {
			t.Error("a key is revoked twice")
		}
		for kind, secret := range map[account.Kind]string{account.Key: p.Owner.Key, account.Token: token} {
			if _, err := a.Authenticate(ctx, kind, secret); err == nil {
				t.Errorf("a %s works after the key was revoked", kind)
			}
		}
		if made, err = a.Made(ctx, p.Owner.ID); err != nil || made[1].ID != keyID || made[1].RevokedAt == nil {
			t.Errorf("the revoked key is not the last: %+v, %v", made, err)
		}
		if used := made[1].LastUsed; used == nil || !used.Equal(p.Clock.Now()) {
			t.Errorf("the key was last used at %v", used)
		}
		if made[0].LastUsed != nil {
			t.Error("a token that nobody used has a last use")
		}
		makeOne := func() error {
			return p.DB.Tx(ctx, func(tx *db.Tx) error {
				_, _, err := a.Make(ctx, tx, p.Owner.ID, account.Issue{Kind: account.Token, Name: "one more"})
				return err
			})
		}
		for range 199 {
			if err := makeOne(); err != nil {
				t.Fatal(err)
			}
		}
		if err := makeOne(); err == nil {
			t.Error("a credential too many was made")
		}
	}, prepare)
}
