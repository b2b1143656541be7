package local

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// A list tells its total without counting all locations; it must be what counting them would give.
func TestListsFindAndCountWhatMatches(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var all []Location // newest first
		var rows [][]any
		held := 0
		for _, status := range []Status{Completed, Processing, Failed} {
			for _, frozen := range []bool{false, true} {
				for range len(all) + 1 { // a number of its own of each kind
					l := Location{ID: fmt.Sprintf("location %02d", len(rows)), Status: status, Frozen: frozen}
					rows = append(rows, []any{l.ID, "owner", string(status), frozen, len(rows), 1, "{}", "[]"})
					all = append(all, l)
					if status != Failed {
						held++
					}
				}
			}
		}
		slices.Reverse(all)
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			owner := [][]any{{"owner", "owner@example.com", "free", "token", 0, held}, {"other", "other@example.com", "free", "another", 0, 1}}
			if err := db.Insert(t.Context(), tx, "accounts", "id, email, plan, feed_token, created_at, locations", owner, ""); err != nil {
				return err
			}
			return db.Insert(t.Context(), tx, "locations", locationColumns, append(rows, []any{"other's", "other", "COMPLETED", false, 0, 1, "{}", "[]"}), "")
		})
		if err != nil {
			t.Fatal(err)
		}
		yes, no := true, false
		for _, statuses := range [][]Status{nil, {Completed}, {Processing}, {Failed}, {Completed, Failed}, {Processing, Failed}} {
			for _, frozen := range []*bool{nil, &yes, &no} {
				f := locationFilter{statuses, frozen}
				name := fmt.Sprintf("statuses %v, frozen %v", statuses, frozen != nil && *frozen)
				if frozen == nil {
					name = fmt.Sprintf("statuses %v", statuses)
				}
				var want []string
				for _, l := range all {
					if f.matches(l.Status, l.Frozen) {
						want = append(want, l.ID)
					}
				}
				total, err := countLocations(t.Context(), d, "owner", f)
				if err != nil || total != int64(len(want)) {
					t.Errorf("%s: %d in all (%v), want %d", name, total, err, len(want))
				}
				page, err := listLocations(t.Context(), d, "owner", f, 5, 1)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, l := range page {
					got = append(got, l.ID)
				}
				if want = want[min(1, len(want)):min(6, len(want))]; cmp.Or(len(got), len(want)) > 0 && !slices.Equal(got, want) {
					t.Errorf("%s: the page has %v, want %v", name, got, want)
				}
			}
		}
	})
}
