package local

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/words"
)

func TestLocationsAreFoundByWords(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		profiles := []string{ // newest last
			`{"business_name":"Decatur Deli","city":"Decatur","address_line_1":"1 Main Street","phone_number":"+1 404-555-0123"}`,
			`{"business_name":"Café Étoile","city":"Lyon","zip":"69001","description":"Near a deli."}`,
			`{"business_name":"Main Street Deli","city":"Atlanta"}`,
		}
		var rows [][]any
		for i, profile := range profiles {
			rows = append(rows, []any{fmt.Sprintf("l%d", i), "owner", "COMPLETED", false, i, 1, profile, "[]"})
		}
		rows = append(rows,
			[]any{"frozen", "owner", "COMPLETED", true, 9, 1, `{"business_name":"Cold Deli"}`, "[]"},
			[]any{"theirs", "other", "COMPLETED", false, 9, 1, profiles[0], "[]"})
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			accounts := [][]any{{"owner", "owner@example.com", "free", "token", 0, 4}, {"other", "other@example.com", "free", "another", 0, 1}}
			if err := db.Insert(t.Context(), tx, "accounts", "id, email, plan, feed_token, created_at, locations", accounts, ""); err != nil {
				return err
			}
			return db.Insert(t.Context(), tx, "locations", locationColumns, rows, "")
		})
		if err == nil {
			_, err = (&Service{db: d}).deriveStored(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		awake := false
		for _, test := range []struct {
			query         string
			limit, offset int
			want          []string
			total         int64
		}{
			{"deli", 50, 0, []string{"l2", "l0"}, 2}, // not by its description, and neither frozen ones nor others'
			{"deli", 1, 1, []string{"l0"}, 2},
			{"DELI main", 50, 0, []string{"l2", "l0"}, 2},
			{"etoile 69", 50, 0, []string{"l1"}, 1},
			{"4045550", 50, 0, []string{"l0"}, 1},
			{"business_name", 50, 0, nil, 0},
			{"d%i", 50, 0, nil, 0},
			{"deli", 50, 2, nil, 2},
		} {
			page, total, err := searchLocations(t.Context(), d, "owner", locationFilter{frozen: &awake}, strings.Fields(words.Fold(test.query)), test.limit, test.offset)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range page {
				got = append(got, l.ID)
			}
			if !slices.Equal(got, test.want) || total != test.total {
				t.Errorf("%q from %d: %v of %d, want %v of %d", test.query, test.offset, got, total, test.want, test.total)
			}
		}
	})
}
