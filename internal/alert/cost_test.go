package alert_test

import (
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/event"
)

// Where nobody waits for anything, events that no rule can name cost nothing, and a whole batch of others one look by an index.
func TestNoRuleCostsNothing(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		about := func(change func(tx *db.Tx) error) (n int) {
			t.Helper()
			asked.Taken()
			if err := d.Tx(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			for _, statement := range asked.Taken() {
				if strings.Contains(statement, "alert") {
					n++
				}
			}
			return n
		}
		now := time.Date(2026, 3, 10, 9, 30, 0, 0, time.UTC)
		emit := func(kind event.Kind, data any) func(tx *db.Tx) error {
			return func(tx *db.Tx) error {
				return event.Emit(t.Context(), tx, now, event.Event{AccountID: "a", Kind: kind, Subject: "s", Data: data})
			}
		}
		if n := about(emit(event.LocationChanged, event.Location{})); n != 0 {
			t.Errorf("an event that no rule names takes %d statements", n)
		}
		if n := about(emit(event.CreditsLow, event.Quota{})); n != 1 {
			t.Errorf("an event that a rule may name takes %d statements", n)
		}
		many := make([]alertrule.Fact, 200)
		for i := range many {
			many[i] = alertrule.Fact{AccountID: string(rune('a' + i%20)), On: alertrule.Tracking, Happened: alertrule.SnippetLost}
		}
		if n := about(func(tx *db.Tx) error { return alertrule.Happened(t.Context(), tx, now, many) }); n != 1 {
			t.Errorf("a batch takes %d statements", n)
		}
	})
}
