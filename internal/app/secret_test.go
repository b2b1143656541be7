package app_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
	"github.com/trigpoint/trigpoint/internal/research"
)

// hush is part of every secret of a vendor's settings.
const hush = "hush"

// A vendor that refuses us and quotes our credential: nothing that anybody can read afterwards has it.
func TestNoSecretOfAVendorIsShown(t *testing.T) {
	t.Parallel()
	for _, v := range app.Vendors() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			d := dbtest.SQLite(t)
			home := apptest.Start(t, d, func(s *apptest.Setup) { s.NoWorker = true })
			places := placeindex.NewMarket(7, 50).Drift(0)
			if err := home.Places.Save(t.Context(), places); err != nil {
				t.Fatal(err)
			}
			campaign := newCampaign(t, home, nil, places[0].ID).Want(t, 200).Text("data.id")

			quoting := newQuotingVendor(t)
			var log safeBuffer
			p := apptest.Start(t, d, func(s *apptest.Setup) {
				s.Email = "another@trigpoint.example"
				s.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				use(s, setUp(t, v.Name, quoting.URL))
			})
			var told strings.Builder // all that was answered
			for _, manner := range manners {
				quoting.behave(manner)
				fmt.Fprintln(&told, askEverything(t, p, home.Owner, campaign, places[1].ID, manner))
			}
			if quoting.asked() == 0 {
				t.Fatal("the vendor was not asked")
			}
			metrics := httptest.NewRecorder()
			p.Admin.ServeHTTP(metrics, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
			if metrics.Code != http.StatusOK {
				t.Fatalf("metrics answered %d", metrics.Code)
			}
			for what, text := range map[string]string{"an answer": told.String(), "the log": log.String(), "the metrics": metrics.Body.String(), "the store": dump(t, d)} {
				for _, secret := range append(quoting.encoded(), hush) {
					if at := strings.Index(text, secret); at >= 0 {
						t.Errorf("%s has a secret: %s", what, text[max(at-200, 0):min(at+100, len(text))])
					}
				}
			}
		})
	}
}

// setUp fills in the settings of a vendor: its secrets are recognisable, its addresses are the fake's.
func setUp(t *testing.T, name, url string) provider.Vendor {
	t.Helper()
	for _, v := range apptest.Vendors(t) {
		if v.Name != name {
			continue
		}
		fillIn(reflect.ValueOf(v.Settings).Elem(), url)
		if missing := v.Missing(); len(missing) > 0 {
			t.Fatalf("not set: %v", missing)
		}
		return v
	}
	t.Fatalf("no vendor %s", name)
	return provider.Vendor{}
}

func fillIn(settings reflect.Value, url string) {
	for field, value := range settings.Fields() {
		_, secret := field.Tag.Lookup("secret")
		_, needed := field.Tag.Lookup("needed")
		switch {
		case value.Kind() == reflect.Struct:
			fillIn(value, url)
		case secret:
			value.SetString(hush + "/" + field.Tag.Get("name"))
		case strings.HasSuffix(field.Name, "URL"):
			value.SetString(url)
		case field.Name == "Rate":
			value.SetFloat(10_000)
		case field.Name == "Username": // without which a password is not sent
			value.SetString("user")
		case needed:
			value.SetString("1234567890")
		}
	}
}

// use has a vendor asked for all that it can do.
func use(s *apptest.Setup, v provider.Vendor) {
	s.Config.Vendors = []provider.Vendor{v}
	if provider.Can[maprank.MapProvider](v) {
		s.Config.MapProvider = []string{v.Name}
	}
	if provider.Can[app.WebProvider](v) {
		s.Config.SerpProvider = []string{v.Name}
	}
	if provider.KnowsKeywords(v) {
		s.Config.KeywordProvider = []string{v.Name}
	}
}

func newCampaign(t *testing.T, p *apptest.Program, as *apptest.Account, placeID string) *apptest.Answer {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "POST", Path: maprank.Prefix + "/campaigns", As: as, Body: map[string]any{
		"placeId": placeID, "keywords": []string{"pizza"}, "gridSettings": map[string]any{"template": "3x3"},
	}})
}

// askEverything asks each area for what it asks providers, waits for the background work, and returns all answers.
func askEverything(t *testing.T, p *apptest.Program, owner apptest.Account, campaign, placeID string, m manner) string {
	t.Helper()
	word := fmt.Sprintf("pizza%d", m.status)
	if m.nested {
		word += "nested"
	}
	answers := []*apptest.Answer{newCampaign(t, p, nil, placeID)}
	for _, path := range []string{
		"/serpcheck/serps?kw=" + word, "/serpcheck/url-metrics?url=" + word + ".com", "/keywordtool/related-keywords?kw=" + word, "/keywordtool/suggested-keywords?url=" + word + ".com",
		"/keywordtool/competitor-keywords?url=" + word + ".com", "/keywordtool/competitor-domain?url=" + word + ".com",
	} {
		answers = append(answers, p.Do(t, apptest.Call{Method: "GET", Path: research.Prefix + path}))
	}
	answers = append(answers, p.Do(t, apptest.Call{Method: "POST", Path: research.Prefix + "/keywordtool/keyword-imports", Body: map[string]any{"keywords": []string{word}}}))
	p.Do(t, apptest.Call{Method: "PUT", Path: maprank.Prefix + "/campaigns/" + campaign + "/collect", As: &owner}).Want(t, 200)
	answers = append(answers, p.Eventually(t, apptest.Call{Method: "GET", Path: maprank.Prefix + "/campaigns/" + campaign, As: &owner}, func(a *apptest.Answer) bool {
		return a.Text("data.status") != "COLLECTING"
	}))
	tracking := p.Do(t, apptest.Call{Method: "POST", Path: trackings, Body: map[string]any{
		"domain": word + ".com", "location_id": 6252001, "platform_id": 1, "keywords": []string{word},
	}}).Want(t, 201).Text("tracking._id")
	answers = append(answers, p.Eventually(t, apptest.Call{Method: "GET", Path: trackings + "/" + tracking + "/tracked-keywords"}, func(a *apptest.Answer) bool {
		return bytes.Contains(a.Raw, []byte(`"check_error":`)) || !bytes.Contains(a.Raw, []byte(`"last_checked_at":null`))
	}))
	var all strings.Builder
	for _, a := range answers {
		fmt.Fprintf(&all, "%d %v %s\n", a.Status, a.Header, a.Raw)
	}
	return all.String()
}

// manner is how a vendor refuses.
type manner struct {
	status int
	nested bool // its words are in an object
}

var manners = []manner{{400, false}, {400, true}, {401, false}, {401, true}}

// quotingVendor refuses everything, in words that have all that it was sent.
type quotingVendor struct {
	*httptest.Server

	mu       sync.Mutex
	manner   manner
	requests int
	basic    []string
}

func newQuotingVendor(t *testing.T) *quotingVendor {
	q := &quotingVendor{}
	q.Server = httptest.NewServer(http.HandlerFunc(q.refuse))
	t.Cleanup(q.Close)
	return q
}

func (q *quotingVendor) behave(m manner) { q.mu.Lock(); defer q.mu.Unlock(); q.manner = m }
func (q *quotingVendor) asked() int      { q.mu.Lock(); defer q.mu.Unlock(); return q.requests }

// encoded are the credentials that came as base64.
func (q *quotingVendor) encoded() []string { q.mu.Lock(); defer q.mu.Unlock(); return q.basic }

func (q *quotingVendor) refuse(w http.ResponseWriter, r *http.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.requests++
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	words := fmt.Sprintf("Wrong key %s %s", credentials(r), sent)
	if user, password, ok := r.BasicAuth(); ok {
		words = password + " of " + user + " is wrong. " + words
		_, encoded, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		q.basic = append(q.basic, encoded)
	}
	w.Header().Set("Content-Type", "application/json")
	if q.manner.nested && bytes.Contains(sent, []byte("grant_type")) { // so that what it opens is asked too
		_, _ = io.WriteString(w, `{"access_token": "`+hush+`-access-token", "token_type": "Bearer", "expires_in": 3600}`)
		return
	}
	said := map[string]any{"error": words, "message": words, "error_description": words, "status_message": words, "status_code": 40000}
	if q.manner.nested {
		said["error"] = map[string]any{"code": q.manner.status, "message": words, "detail": words, "status": "INVALID_ARGUMENT"}
	}
	w.Header().Set("X-Refused", words)
	w.WriteHeader(q.manner.status)
	_ = json.NewEncoder(w).Encode(said)
}

// credentials are the headers and parameters of a request that hold a secret, as they came and decoded.
func credentials(r *http.Request) string {
	var found []string
	for _, values := range r.Header {
		for _, value := range values {
			if strings.Contains(value, hush) || strings.HasPrefix(value, "Basic ") {
				found = append(found, value)
			}
		}
	}
	for _, values := range r.URL.Query() {
		found = append(found, values...)
	}
	return strings.Join(append(found, r.URL.RawQuery), " ")
}

// dump is all that stands in the tables of a SQLite store.
func dump(t *testing.T, d *db.DB) string {
	t.Helper()
	tables, err := db.All(t.Context(), d, func(row db.Scanner) (name string, err error) { return name, row.Scan(&name) },
		"SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil || len(tables) < 20 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	var all strings.Builder
	for _, table := range tables {
		rows, err := d.Query(t.Context(), `SELECT * FROM "`+table+`"`)
		if err != nil {
			t.Fatal(err)
		}
		if err := write(&all, rows); err != nil {
			t.Fatalf("%s: %v", table, err)
		}
	}
	return all.String()
}

func write(out io.Writer, rows *sql.Rows) error {
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, places := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range values {
		places[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return err
		}
		for _, value := range values {
			if _, err := fmt.Fprintf(out, "%s ", value); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// safeBuffer is a buffer for a log.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}
func (b *safeBuffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.text.String() }
