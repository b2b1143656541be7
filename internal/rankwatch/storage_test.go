package rankwatch_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// stored is the size of tables with their indexes, in bytes.
func stored(t testing.TB, d *db.DB, tables ...string) (total int64) {
	t.Helper()
	query := "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master WHERE tbl_name = $1)"
	if d.Dialect == db.Postgres {
		query = "SELECT pg_total_relation_size($1::text::regclass)"
	}
	for _, table := range tables {
		size, err := db.One(t.Context(), d, db.Value[int64], query, table)
		if err != nil {
			t.Fatal(err)
		}
		total += size
	}
	return total
}

// A year of keywords that move every day: the rank wanders, features come and go, now and then another
// page ranks.
func TestADayOfAKeywordTakesFewBytes(t *testing.T) {
	t.Parallel()
	const keywords, days = 100, 365
	each(t, func(t *testing.T, w *world) {
		list := make([]string, keywords)
		for i := range list {
			list[i] = fmt.Sprintf("some keyword %d", i)
		}
		_, ids := w.track(t, list...)
		tables := []string{"rank_states", "rank_years"}
		before := stored(t, w.DB, tables...)
		r := rand.New(rand.NewPCG(1, 2))
		today := series.DayOf(w.clock.Now())
		past := make([]rankwatch.PastChecks, keywords)
		for i, id := range ids {
			past[i].KeywordID = id
			o := series.Observation{Rank: uint16(1 + r.IntN(90)), Features: series.SimilarQuestions | series.LocalPack}
			url := 0
			for day := days; day > 0; day-- {
				o.Rank = uint16(min(max(int(o.Rank)+r.IntN(5)-2, 1), 100))
				if r.IntN(3) == 0 {
					o.Features ^= 1 << r.IntN(9)
				}
				if r.IntN(12) == 0 {
					url = r.IntN(4)
				}
				past[i].Checks = append(past[i].Checks, rankwatch.PastCheck{Day: today - series.Day(day), Observation: o, URL: fmt.Sprintf("https://www.site.com/page-%d", url)})
			}
		}
		if err := w.RankWatch.ImportHistory(t.Context(), w.Owner.ID, past); err != nil {
			t.Fatal(err)
		}
		grown := float64(stored(t, w.DB, tables...)-before) / (keywords * days)
		if grown >= 8 {
			t.Errorf("%.2f bytes a keyword and day, want less than 8", grown)
		}
		t.Logf("%.2f bytes a keyword and day, row and index overhead included", grown)
	}, func(s *apptest.Setup) { s.NoWorker = true })
}
