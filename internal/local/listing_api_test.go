package local_test

import (
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

func fetch(t testing.TB, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// listings returns a location's listings by directory name.
func listings(t testing.TB, p *apptest.Program, id string) map[string]listing {
	t.Helper()
	var body struct{ Data []listing }
	p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/listings"}).Want(t, 200).Into(t, &body)
	named := map[string]listing{}
	for _, l := range body.Data {
		named[l.Name] = l
	}
	return named
}

type listing struct {
	ID, Name, Status, URL string
	Controllable          bool
	ParentID              string `json:"parent_id"`
	Detail                string `json:"status_detail"`
}

func switchTo(t testing.TB, p *apptest.Program, l listing, verb string, want int) *apptest.Answer {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "POST", Path: base + "/listings/" + l.ID + "/" + verb}).Want(t, want)
}

func TestBuiltInDirectories(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		body := with(valid(t), "business_name", `<script>alert(1)</script> "Deli" & Söhne`)
		body["description"] = "</script><img src=x onerror=alert(2)>"
		id := create(t, p, body)
		published(t, p, id)
		all := listings(t, p, id)
		page, sitemap, feed, hook := all["Hosted page"], all["Sitemap"], all["Partner feed"], all["Webhook"]
		if page.Status != "CONNECTED" || sitemap.Status != "CONNECTED" || feed.Status != "SUBMITTED" || hook.Status != "UNAVAILABLE" || hook.Detail == "" || hook.Controllable {
			t.Fatalf("listings %+v", all)
		}
		if sitemap.ParentID != page.ID || page.ParentID != "" || sitemap.Controllable || !page.Controllable {
			t.Errorf("parents %+v", all)
		}

		status, html := fetch(t, page.URL)
		if status != 200 || strings.Contains(html, "<script>alert") || strings.Contains(html, "<img src=x") || !strings.Contains(html, `<link rel="canonical" href="`+page.URL+`">`) {
			t.Errorf("page %d: %s", status, html)
		}
		linked := between(html, `<script type="application/ld+json">`, `</script>`)
		var data map[string]any
		if err := json.Unmarshal([]byte(linked), &data); err != nil || data["@type"] != "LocalBusiness" || data["name"] != body["business_name"] || data["description"] != body["description"] {
			t.Errorf("linked data %v: %s", err, linked)
		}
		if _, xml := fetch(t, p.URL+"/sitemap.xml"); !strings.Contains(xml, "<loc>"+page.URL+"</loc>") {
			t.Errorf("sitemap %s", xml)
		}

		if status, text := fetch(t, feed.URL); status != 200 || !strings.Contains(text, id) {
			t.Errorf("feed %d: %s", status, text)
		}
		if got := listings(t, p, id)["Partner feed"]; got.Status != "CONNECTED" {
			t.Errorf("a pulled feed is %s", got.Status)
		}
		if status, text := fetch(t, strings.TrimSuffix(feed.URL, ".json")+".csv"); status != 200 || !strings.Contains(text, "location_id,business_name") || !strings.Contains(text, id) {
			t.Errorf("csv feed %d: %s", status, text)
		}
		if status, _ := fetch(t, p.URL+"/feeds/tpf_wrong.json"); status != 404 {
			t.Errorf("a wrong feed answered %d", status)
		}

		switchTo(t, p, page, "enable", 409)
		switchTo(t, p, page, "disable", 200)
		switchTo(t, p, page, "disable", 409)
		all = listings(t, p, id)
		if all["Hosted page"].Status != "DISCONNECTED" || all["Sitemap"].Status != "DISCONNECTED" || all["Hosted page"].URL != "" {
			t.Errorf("after disable %+v", all)
		}
		if status, _ := fetch(t, page.URL); status != 404 {
			t.Errorf("a disabled page answered %d", status)
		}
		if _, xml := fetch(t, p.URL+"/sitemap.xml"); strings.Contains(xml, id) {
			t.Error("a disabled page is in the sitemap")
		}
		if answer := switchTo(t, p, all["Sitemap"], "enable", 409); answer.Text("error.details.0.error_status") != "LISTING_NOT_CONTROLLABLE" {
			t.Errorf("switching a child answered %s", answer.Raw)
		}
		p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=city", Body: `{"city":"Atlanta"}`}).Want(t, 200)
		published(t, p, id)
		if got := listings(t, p, id)["Hosted page"].Status; got != "DISCONNECTED" {
			t.Errorf("an update brought a disabled listing back: %s", got)
		}
		switchTo(t, p, page, "enable", 200)
		if status, html := fetch(t, page.URL); status != 200 || !strings.Contains(html, "Atlanta") {
			t.Errorf("an enabled page answered %d", status)
		}
		filtered := p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/listings?listing_statuses=CONNECTED"}).Want(t, 200)
		if filtered.Len("data") != 2 {
			t.Errorf("filtered %s", filtered.Raw)
		}
		p.Do(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/listings?listing_statuses=LIVE"}).Want(t, 400)
	})
}

func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return s
}

var webhookSecret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("a secret of at least 24 bytes"))

// partner is a webhook receiver that checks signatures and can be told to misbehave.
type partner struct {
	*httptest.Server
	mu     sync.Mutex
	events []string
	answer func(http.ResponseWriter, *http.Request)
}

func newPartner(t *testing.T, answer func(http.ResponseWriter, *http.Request)) *partner {
	verifier, err := standardwebhooks.NewWebhook(webhookSecret)
	if err != nil {
		t.Fatal(err)
	}
	p := &partner{answer: answer}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if err := verifier.Verify(body, r.Header); err != nil {
			t.Errorf("signature: %v", err)
		}
		var event struct {
			Type string
			Data struct {
				ID string `json:"location_id"`
			}
		}
		_ = json.Unmarshal(body, &event)
		p.mu.Lock()
		p.events = append(p.events, event.Type+" "+event.Data.ID)
		p.mu.Unlock()
		p.answer(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *partner) got(event string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events {
		if e == event {
			return true
		}
	}
	return false
}

func withWebhook(url string) func(*apptest.Setup) {
	return func(s *apptest.Setup) { s.Config.WebhookURL, s.Config.WebhookSecret = url, webhookSecret }
}

func awaitListing(t testing.TB, p *apptest.Program, id, status string) listing {
	t.Helper()
	var last listing
	p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id + "/listings"}, func(*apptest.Answer) bool {
		last = listings(t, p, id)["Webhook"]
		return last.Status == status
	})
	return last
}

func TestWebhookIsToldOfEverything(t *testing.T) {
	t.Parallel()
	receiver := newPartner(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"url":"https://partner.example/page"}`)
	})
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		l := awaitListing(t, p, id, "CONNECTED")
		if l.URL != "https://partner.example/page" || !receiver.got("location.published "+id) {
			t.Errorf("listing %+v", l)
		}
		switchTo(t, p, l, "disable", 200)
		awaitListing(t, p, id, "DISCONNECTED")
		switchTo(t, p, l, "enable", 200)
		awaitListing(t, p, id, "CONNECTED")
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool { return receiver.got("location.deleted " + id) })
		if !receiver.got("location.withdrawn " + id) {
			t.Error("the withdrawal was not pushed")
		}
	}, withWebhook(receiver.URL))
}

func TestWebhookThatRejectsTheDataFailsTheLocation(t *testing.T) {
	t.Parallel()
	receiver := newPartner(t, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the phone number is <b>wrong</b>", http.StatusUnprocessableEntity)
	})
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		failed := p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}, func(a *apptest.Answer) bool {
			return a.Text("data.location_status") == "FAILED"
		})
		if failed.Text("data.errors.0.error_status") != "DIRECTORY_REJECTED" || !strings.Contains(failed.Text("data.errors.0.message"), "phone number") {
			t.Errorf("failed with %s", failed.Raw)
		}
		if l := listings(t, p, id)["Webhook"]; l.Status != "UNAVAILABLE" || l.Detail == "" {
			t.Errorf("listing %+v", l)
		}
	}, withWebhook(receiver.URL))
}

func TestWebhookAtAPrivateAddressIsNotReached(t *testing.T) {
	t.Parallel()
	var reached bool
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(receiver.Close)
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		id := create(t, p, valid(t))
		published(t, p, id)
		p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations/" + id}, func(*apptest.Answer) bool {
			return attempts(t, p) > 0
		})
		if reached {
			t.Error("loopback was reached")
		}
	}, withWebhook(receiver.URL), func(s *apptest.Setup) { s.Config.WebhookAllowPrivate = false })
}

// attempts counts the failed deliveries on the queue.
func attempts(t testing.TB, p *apptest.Program) int {
	t.Helper()
	jobs, err := p.DB.Query(t.Context(), "SELECT errors FROM river_job WHERE kind = 'directory_push' AND errors IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = jobs.Close() }()
	n := 0
	for jobs.Next() {
		n++
	}
	return n
}

// Whatever became of earlier pushes, a directory that may know the location hears of its end.
func TestDirectoryThatRefusedAnUpdateHearsOfTheDeletion(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var refuse atomic.Bool
		receiver := newPartner(t, func(w http.ResponseWriter, _ *http.Request) {
			if refuse.Load() {
				w.WriteHeader(http.StatusUnprocessableEntity)
			}
		})
		p := apptest.Start(t, d, withWebhook(receiver.URL))
		id := create(t, p, valid(t))
		awaitListing(t, p, id, "CONNECTED")
		refuse.Store(true)
		p.Do(t, apptest.Call{Method: "PATCH", Path: base + "/locations/" + id + "?update_mask=city", Body: `{"city":"Atlanta"}`}).Want(t, 200)
		awaitListing(t, p, id, "UNAVAILABLE")
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + id}).Want(t, 200)
		p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool { return receiver.got("location.deleted " + id) })
	})
}

func TestHiddenAddressIsNotInTheFeed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		body := with(valid(t), "suppress_address", true)
		body["address_line_1"] = "7 Secret Street"
		body["coordinates"] = map[string]float64{"latitude": 12.3456, "longitude": 7}
		body["service_area_places"] = []map[string]string{{"name": "Decatur", "place_id": "x"}}
		id := create(t, p, body)
		published(t, p, id)
		feed := listings(t, p, id)["Partner feed"]
		for _, url := range []string{feed.URL, strings.TrimSuffix(feed.URL, "json") + "csv", listings(t, p, id)["Hosted page"].URL} {
			if status, text := fetch(t, url); status != 200 || strings.Contains(text, "Secret Street") || strings.Contains(text, "12.3456") || !strings.Contains(text, "Decatur Deli") {
				t.Errorf("%s: %d %s", url, status, text)
			}
		}
	})
}

func TestSitemapWithoutPagesHasTheHomePage(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		for _, path := range []string{"/sitemap.xml", "/sitemaps/0.xml"} {
			_, text := fetch(t, p.URL+path)
			var sitemap struct {
				XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
				Pages   []string `xml:"url>loc"`
			}
			if err := xml.Unmarshal([]byte(text), &sitemap); err != nil || !slices.Equal(sitemap.Pages, []string{p.URL + "/"}) {
				t.Errorf("%s: %v %s", path, err, text)
			}
		}
	})
}

func TestFeedsCarryHoursAndImages(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		body := with(valid(t), "business_hours", map[string]any{"monday_hours": []map[string]string{{"from": "09:00", "to": "12:00"}, {"from": "22:00", "to": "02:00"}}, "sunday_hours": []map[string]string{{"from": "00:00", "to": "00:00"}}})
		body["special_hours"] = []map[string]any{{"type": "CLOSED", "day": "2030-12-25"}, {"type": "OPENED_ALL_DAY", "day": "2030-01-01"}}
		body["payment_options"] = []string{"CASH", "CREDIT_CARD"}
		id := create(t, p, body)
		image := upload(t, p, id, pngOf(t, 300, 300)).Want(t, 200).Text("data.url")
		published(t, p, id)
		feed := listings(t, p, id)["Partner feed"].URL
		_, text := fetch(t, feed)
		var told struct {
			Locations []struct {
				Hours  map[string]any `json:"business_hours"`
				Images []struct{ Type, URL string }
			}
		}
		if err := json.Unmarshal([]byte(text), &told); err != nil || len(told.Locations) != 1 || len(told.Locations[0].Hours) != 7 || len(told.Locations[0].Images) != 1 || told.Locations[0].Images[0].URL != image {
			t.Errorf("%v: %s", err, text)
		}
		_, table := fetch(t, strings.TrimSuffix(feed, "json")+"csv")
		rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v: %s", err, table)
		}
		for column, want := range map[string]string{
			"opening_hours":   "Mo 09:00-12:00,22:00-02:00; Tu off; We off; Th off; Fr off; Sa off; Su 00:00-24:00; 2030 Jan 01 00:00-24:00; 2030 Dec 25 off",
			"payment_options": "CASH|CREDIT_CARD", "images": image,
		} {
			if got := rows[1][slices.Index(rows[0], column)]; got != want {
				t.Errorf("%s: %q, want %q", column, got, want)
			}
		}
	})
}

// A feed of several pages is whole, in order, and each location in it once.
func TestFeedOfManyPages(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		const many = 1_100 // more than two pages
		id := create(t, p, valid(t))
		published(t, p, id)
		copyLocation(t, p.DB, id, many-1)
		_, text := fetch(t, listings(t, p, id)["Partner feed"].URL)
		var feed struct {
			Locations []struct {
				ID string `json:"location_id"`
			}
		}
		if err := json.Unmarshal([]byte(text), &feed); err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, l := range feed.Locations {
			seen[l.ID] = true
		}
		if len(feed.Locations) != many || len(seen) != many {
			t.Errorf("the feed has %d locations, %d of them distinct, want %d", len(feed.Locations), len(seen), many)
		}
		if newest := feed.Locations[0].ID; newest != id {
			t.Errorf("the feed begins with %s, want the newest, %s", newest, id)
		}
		if _, xml := fetch(t, p.URL+"/sitemap.xml"); strings.Count(xml, "<loc>") != many || !strings.HasSuffix(xml, "</urlset>\n") {
			t.Errorf("%d pages in the sitemap", strings.Count(xml, "<loc>"))
		}
		if status, _ := fetch(t, p.URL+"/sitemaps/777.xml"); status != 404 {
			t.Errorf("a part beyond the end: %d", status)
		}
	})
}

// copyLocation stores n older copies of a published location and of its listings.
func copyLocation(t *testing.T, d *db.DB, id string, n int) {
	t.Helper()
	const numbers = " WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $2) "
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO locations (id, account_id, status, frozen, submitted_at, version, profile, errors)"+numbers+
			"SELECT id || '-' || n, account_id, status, frozen, submitted_at - n, version, profile, errors FROM locations, numbers WHERE id = $1", id, n)
		if err != nil {
			return err
		}
		_, err = tx.Exec(t.Context(), "INSERT INTO listings (id, account_id, location_id, directory, status, wanted, url, detail, version, updated_at)"+numbers+
			"SELECT id || '-' || n, account_id, location_id || '-' || n, directory, status, wanted, url, detail, version, updated_at FROM listings, numbers WHERE location_id = $1", id, n)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
