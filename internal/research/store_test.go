package research

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/location"
)

// counting counts the queries of a store.
type counting struct {
	db.Queryer
	queries int
}

// Query implements db.Queryer.
func (c *counting) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	c.queries++
	return c.Queryer.Query(ctx, text, args...)
}

// A page of keywords may come from as many places as it has keywords.
func TestKeywordsOfManyPlacesAreReadAtOnce(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	_, owner := newService(t, d, 0)
	cost := func(places int) int {
		found := location.Search("san", places)
		if len(found) != places {
			t.Fatalf("%d places", len(found))
		}
		var list []asked
		for i := range pageSize {
			m, _ := newMarket(found[i%places].ID, 0)
			list = append(list, asked{fmt.Sprint("keyword ", i), &m})
		}
		q := &counting{Queryer: d}
		if _, err := knownFigures(t.Context(), q, owner, list); err != nil {
			t.Fatal(err)
		}
		if _, err := judgements(t.Context(), q, owner, list); err != nil {
			t.Fatal(err)
		}
		return q.queries
	}
	if one, many := cost(1), cost(pageSize); many != one {
		t.Errorf("%d queries for one place, %d for %d", one, many, pageSize)
	}
}

// Checks that are kept together are those of many accounts.
func TestKeywordsOfManyAccountsAreLearnedAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.EachTraced(t, func(t *testing.T, d *db.DB, asked *dbtest.Statements) {
		keywords := map[string][]string{}
		for i := range 20 {
			keywords[fmt.Sprint("account ", i)] = []string{"tennis club", fmt.Sprint("pizza ", i)}
		}
		asked.Taken()
		if err := d.Tx(t.Context(), func(tx *db.Tx) error { return Learn(t.Context(), tx, keywords) }); err != nil {
			t.Fatal(err)
		}
		if taken := asked.Taken(); len(taken) != 1 {
			t.Errorf("%d statements for %d accounts, want 1", len(taken), len(keywords))
		}
		for owner, want := range map[string]string{"account 0": "tennis club", "account 19": "tennis club", "account 20": ""} {
			found, err := keywordsByWords(t.Context(), d, owner, tellingWords("tennis"), 10)
			if err != nil || strings.Join(found, ", ") != want {
				t.Errorf("%s finds %q, %v", owner, found, err)
			}
		}
	})
}
