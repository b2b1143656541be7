package job_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
)

// An operator sees what waits, since when, and which sweep is behind, also from a process that works nothing itself.
func TestMetricsTellWhatWaits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		r := newRunner(t, d, func(context.Context, *job.Job[note]) error { return nil })
		hourAgo := db.Micros(time.Now().Add(-time.Hour))
		r.Sweep(&job.Sweep{Name: "late", Every: time.Hour, Due: fmt.Sprintf("SELECT %d", hourAgo)})
		r.Sweep(&job.Sweep{Name: "idle", Every: time.Hour, Due: "SELECT min(version_id) FROM goose_db_version WHERE version_id < 0"})
		for _, text := range []string{"a", "b"} {
			if err := enqueue(t, d, r, text, nil); err != nil {
				t.Fatal(err)
			}
		}
		registry := prometheus.NewPedanticRegistry()
		registry.MustRegister(r.Metrics()...)
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]float64{}
		for _, f := range families {
			for _, m := range f.GetMetric() {
				var labels []string
				for _, l := range m.GetLabel() {
					labels = append(labels, l.GetValue())
				}
				told[f.GetName()+" "+strings.Join(labels, " ")] = m.GetGauge().GetValue()
			}
		}
		if got := told["trigpoint_jobs default available"]; got != 2 {
			t.Errorf("%v jobs wait, want 2: %v", got, told)
		}
		if got, known := told["trigpoint_job_oldest_seconds default"]; !known || got < 0 || got > 60 {
			t.Errorf("the oldest job waits %v seconds: %v", got, told)
		}
		if got := told["trigpoint_sweep_behind_seconds late"]; got < 3600 || got > 3700 {
			t.Errorf("a sweep is %v seconds behind, want an hour", got)
		}
		if got, known := told["trigpoint_sweep_behind_seconds idle"]; !known || got != 0 {
			t.Errorf("a sweep with nothing to do is %v seconds behind", got)
		}
	})
}
