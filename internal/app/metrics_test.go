package app_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// What an operator is told after a collection is true, and well-formed by Prometheus' own rules.
func TestMetrics(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := apptest.Start(t, d, program(t, "map", serperVendor))
		collected(t, p, somewhere(t, p))
		if err := p.Accounts.Measure(t.Context()); err != nil {
			t.Fatal(err)
		}
		var text string
		lacking := func(wants []string) []string {
			told := httptest.NewRecorder()
			p.Admin.ServeHTTP(told, httptest.NewRequest("GET", "/metrics", nil))
			text = told.Body.String()
			return slices.DeleteFunc(slices.Clone(wants), func(want string) bool { return strings.Contains(text, want) })
		}
		wants := []string{
			"trigpoint_store_up 1\n", "trigpoint_store_bytes ", `go_sql_max_open_connections{db_name="write"} `, `trigpoint_accounts{plan="agency"} 1` + "\n",
			`trigpoint_reports_total{outcome="collected"} 1` + "\n", `trigpoint_job_seconds_count{kind="map_slice",outcome="done"} 2` + "\n",
			`trigpoint_sweep_seconds_count{outcome="done",sweep="start due collections"} `, `trigpoint_sweep_behind_seconds{sweep="start due collections"} 0` + "\n",
			`trigpoint_sweep_behind_seconds{sweep="send webhooks"} 0` + "\n",
			`trigpoint_provider_call_seconds_count{outcome="answered",provider="serper"} `, "trigpoint_locations_waiting 0\n",
			`trigpoint_account_stored_bytes{account="` + p.Owner.ID + `",kind="reports"} `, `trigpoint_account_stored_bytes{account="` + p.Owner.ID + `",kind="events"} `,
		}
		for deadline := time.Now().Add(apptest.Patience); len(lacking(wants)) > 0 && time.Now().Before(deadline); { // a job is measured when it has ended, a little after its report
			time.Sleep(20 * time.Millisecond)
		}
		for _, want := range lacking(wants) {
			t.Errorf("the metrics lack %s", want)
		}
		problems, err := promlint.New(strings.NewReader(text)).Lint()
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range problems {
			t.Errorf("%s: %s", problem.Metric, problem.Text)
		}
		if t.Failed() {
			t.Log(text)
		}
	})
}

// Whatever the board and the alerts of deploy/ ask for is a metric of the program.
func TestBoardAndAlertsAskForWhatExists(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) { s.NoWorker = true })
	known := map[string]bool{}
	descriptions := make(chan *prometheus.Desc)
	go func() {
		defer close(descriptions)
		for _, c := range p.Metrics() {
			c.Describe(descriptions)
		}
	}()
	named := regexp.MustCompile(`fqName: "(\w+)"`)
	for d := range descriptions {
		known[named.FindStringSubmatch(d.String())[1]] = true
	}
	known["trigpoint_http_request_seconds"] = true // the server's own
	asked := regexp.MustCompile(`\b(?:trigpoint|go_sql)_\w+`)
	for _, file := range []string{"grafana/trigpoint.json", "prometheus/rules.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range asked.FindAllString(string(text), -1) {
			base := strings.TrimSuffix(strings.TrimSuffix(name, "_count"), "_bucket")
			if !known[base] {
				t.Errorf("%s asks for %s, which nobody tells", file, name)
			}
		}
	}
}
