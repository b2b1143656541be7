package backup_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/backup"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/local"
)

// errand is work that waits while a backup is made.
type errand struct {
	To string `json:"to"`
}

// Kind implements job.Args.
func (errand) Kind() string { return "test.errand" }

func installation(t *testing.T, d *db.DB) *backup.Installation {
	t.Helper()
	return &backup.Installation{DB: d, Blobs: blob.NewFolder(t.TempDir()), EachObject: local.EachObject}
}

// elsewhere is an empty installation on each engine, one after the other.
func elsewhere(t *testing.T, test func(t *testing.T, in *backup.Installation)) {
	t.Helper()
	for name, empty := range map[string]func() db.Options{
		"to sqlite":   func() db.Options { return db.Options{Dir: t.TempDir()} },
		"to postgres": func() db.Options { return dbtest.EmptyPostgres(t) },
	} {
		t.Run(name, func(t *testing.T) { test(t, installation(t, open(t, empty()))) })
	}
}

func open(t *testing.T, o db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func write(t *testing.T, in *backup.Installation, key *backup.Key) ([]byte, *backup.Totals) {
	t.Helper()
	var file bytes.Buffer
	totals, err := in.Write(t.Context(), &file, key, "test")
	if err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), totals
}

func restore(t *testing.T, in *backup.Installation, file []byte, key *backup.Key) *backup.Totals {
	t.Helper()
	_, totals, err := in.Restore(t.Context(), bytes.NewReader(file), key)
	if err != nil {
		t.Fatal(err)
	}
	return totals
}

// The program is used all the while. What was archived is one moment of it, on either engine; and when it has come to rest
// every row, job and object arrives as it was.
func TestBackupUnderLoadIsRestoredOnEitherEngine(t *testing.T) {
	t.Parallel()
	dbtest.EachOptions(t, func(t *testing.T, o db.Options) {
		here := installation(t, open(t, o))
		p := apptest.Start(t, here.DB, func(s *apptest.Setup) { s.NoWorker, s.Options.Blobs = true, here.Blobs })
		stopWork, err := p.Work(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		unusualRows(t, here.DB)
		enqueue(t, p)

		stop, busy := use(t, p)
		busy(6)
		file, totals := write(t, here, nil)
		busy(3)
		stop()
		stopWork()
		if len(totals.Lost) > 0 {
			t.Errorf("objects %q are missing", totals.Lost)
		}
		elsewhere(t, func(t *testing.T, there *backup.Installation) {
			restore(t, there, file, nil)
			checkConsistent(t, there)
		})

		file, totals = write(t, here, nil)
		if totals.Jobs.Number != 2 {
			t.Errorf("%d jobs wait", totals.Jobs.Number)
		}
		elsewhere(t, func(t *testing.T, there *backup.Installation) {
			restore(t, there, file, nil)
			arrived := contents(t, there.DB)
			for table, rows := range contents(t, here.DB) {
				if !slices.Equal(arrived[table], rows) {
					t.Errorf("%s: %d rows arrived of %d, or others", table, len(arrived[table]), len(rows))
				}
			}
			checkConsistent(t, there)
		})
	})
}

// use has people make locations and pictures and delete them again until it is told to stop.
func use(t *testing.T, p *apptest.Program) (stop func(), busy func(rounds int64)) {
	t.Helper()
	categories, _, _ := category.List("US", 1, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	var rounds atomic.Int64
	round := make(chan struct{}, 1)
	for person := range 2 {
		done.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				location := p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: map[string]any{
					"business_name": "Decatur Deli", "phone_number": "+1 404-555-0123", "country": "US", "region": "GA", "city": "Decatur", "zip": "30030",
					"address_line_1": "1 Main Street", "category_ids": []string{categories[0].ID},
				}}).Want(t, 200).Text("data.location_id")
				for i := range 2 {
					picture := p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations/" + location + "/images", Body: map[string]any{
						"content": drawn(t, 300+10*n+2*person+i), "type": "PHOTO",
					}}).Want(t, 200).Text("data.id")
					if i == 0 {
						p.Do(t, apptest.Call{Method: "DELETE", Path: local.Prefix + "/images/" + picture}).Want(t, 200)
					}
				}
				rounds.Add(1)
				select {
				case round <- struct{}{}:
				default:
				}
			}
		})
	}
	stop = func() { cancel(); done.Wait() }
	return stop, func(more int64) {
		for until := rounds.Load() + more; rounds.Load() < until; {
			<-round
		}
	}
}

func drawn(t *testing.T, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, 300))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// unusualRows are values at the ends of what columns can hold, and more of them than one part of an archive has room for.
func unusualRows(t *testing.T, d *db.DB) {
	t.Helper()
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		pages := [][]any{{"a", "https://a.example/", "<b>\"Käse\" & 🧀\u2028</b>", "", strings.Repeat("cheese ", 300_000), "", "de"}}
		for n := range 2_000 {
			pages = append(pages, []any{fmt.Sprint(n), "", "", "", strings.Repeat("x", 600), "", ""})
		}
		return errorsOf(
			db.Insert(t.Context(), tx, "pages", "address, url, title, description, body, country, language", pages, ""),
			db.Insert(t.Context(), tx, "campaign_points", "id, campaign_id, points", [][]any{{"empty", "", []byte{}}, {"all", "", everyByte()}}, ""),
			db.Insert(t.Context(), tx, "costs", "month, provider, account_id, subject, requests, cost",
				[][]any{{math.MaxInt32, "p", "", "", int64(math.MaxInt64), int64(math.MinInt64)}, {math.MinInt32, "p", "", "", int64(1)<<53 + 1, 0}}, ""),
			db.Insert(t.Context(), tx, "keywords", "kw, account_id, location_id, language_id, source, told_at, volume, cpc, ppc, bid, bid_currency, difficulty, months",
				[][]any{{"k", "", 0, 0, "s", 0, nil, 0.1, 1e300, math.SmallestNonzeroFloat64, "", math.Copysign(0, -1), ""}}, ""),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func everyByte() (all []byte) {
	for b := range 256 {
		all = append(all, byte(b))
	}
	return all
}

// enqueue adds a job of which no second may wait, and one that has failed before.
func enqueue(t *testing.T, p *apptest.Program) {
	t.Helper()
	tomorrow := time.Now().Add(24 * time.Hour).Truncate(time.Millisecond)
	err := p.DB.Tx(t.Context(), func(tx *db.Tx) error {
		single := job.Single(7)
		single.ScheduledAt = tomorrow
		return errorsOf(
			p.Jobs.Enqueue(t.Context(), tx, errand{"the baker"}, single),
			p.Jobs.Enqueue(t.Context(), tx, errand{"the butcher"}, &job.Insert{ScheduledAt: tomorrow, MaxAttempts: 5, Tags: []string{"far"}}),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DB.Writer().ExecContext(t.Context(), "UPDATE river_job SET attempt = 3 WHERE max_attempts = 5"); err != nil {
		t.Fatal(err)
	}
}

// checkConsistent wants rows, counts, objects and jobs to be of one moment.
func checkConsistent(t *testing.T, in *backup.Installation) {
	t.Helper()
	objects := 0
	err := local.EachObject(t.Context(), in.DB, func(name string) error {
		objects++
		r, err := in.Blobs.Get(t.Context(), name)
		if err != nil {
			return err
		}
		return r.Close()
	})
	if err != nil || objects < 3 {
		t.Errorf("%d objects are named, and %v", objects, err)
	}
	for what, wrong := range map[string]string{
		"accounts that count other locations": "SELECT count(*) FROM accounts a WHERE locations <> (SELECT count(*) FROM locations l WHERE l.account_id = a.id)",
		"images without their object":         "SELECT count(*) FROM images i WHERE NOT EXISTS (SELECT 1 FROM objects o WHERE o.name = i.object AND o.refs > 0)",
		"jobs without their attempts":         "SELECT count(*) FROM river_job WHERE kind = 'test.errand' AND max_attempts = 5 AND attempt <> 3",
	} {
		if n, err := db.One(t.Context(), in.DB, db.Value[int], wrong); err != nil || n != 0 {
			t.Errorf("%d %s, %v", n, what, err)
		}
	}
	jobs, err := job.New(in.DB, job.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = in.DB.Tx(t.Context(), func(tx *db.Tx) error { return jobs.Enqueue(t.Context(), tx, errand{"the baker"}, job.Single(7)) })
	if err != nil {
		t.Fatal(err)
	}
	if n, err := db.One(t.Context(), in.DB, db.Value[int], "SELECT count(*) FROM river_job WHERE max_attempts = 7"); err != nil || n != 1 {
		t.Errorf("%d jobs wait where one may, %v", n, err)
	}
}

// contents are the rows of all tables, as texts in order.
func contents(t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := d.Snapshot(t.Context(), func(tx *db.Tx) error {
		_, tables, err := tx.Schema(t.Context())
		if err != nil {
			return err
		}
		for _, table := range tables {
			if job.IsTable(table.Name) {
				continue
			}
			all[table.Name], err = db.All(t.Context(), tx, func(row db.Scanner) (string, error) { return textOf(row, table) }, "SELECT "+table.List()+" FROM "+table.Name)
			if err != nil {
				return err
			}
			slices.Sort(all[table.Name])
		}
		return nil
	})
	if err != nil || len(all) < 50 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	return all
}

func textOf(row db.Scanner, table db.Table) (string, error) {
	values, into := make([]any, len(table.Columns)), make([]any, len(table.Columns))
	for i := range values {
		into[i] = &values[i]
	}
	if err := row.Scan(into...); err != nil {
		return "", err
	}
	var text strings.Builder
	for i, v := range values {
		switch was := v.(type) {
		case []byte: // an empty one is nil on SQLite
			v = fmt.Sprintf("%s %x", table.Columns[i].Kind, was)
		case float64:
			v = was + 0 // SQLite has no -0
		case int64: // a boolean on SQLite
			if table.Columns[i].Kind == db.Boolean {
				v = was != 0
			}
		}
		fmt.Fprintf(&text, "%s=%#v ", table.Columns[i].Name, v)
	}
	return text.String(), nil
}
