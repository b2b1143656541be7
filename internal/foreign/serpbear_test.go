package foreign_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/foreign"
)

// serpBear makes a database as SerpBear has it: of this version, or of one from before cities.
func serpBear(t *testing.T, city bool, inserts string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "data base.sqlite")
	base, err := sql.Open("sqlite", "file:"+strings.ReplaceAll(path, " ", "%20"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = base.Close() }()
	extra := ""
	if city {
		extra = "`city` VARCHAR(255) DEFAULT '', `latlong` VARCHAR(255) DEFAULT '', `settings` VARCHAR(255), "
	}
	_, err = base.Exec("CREATE TABLE `keyword` (`ID` INTEGER PRIMARY KEY AUTOINCREMENT, `keyword` VARCHAR(255) NOT NULL, `device` VARCHAR(255) DEFAULT 'desktop', " +
		"`country` VARCHAR(255) DEFAULT 'US', " + extra + "`domain` VARCHAR(255) NOT NULL DEFAULT '{}', `lastUpdated` VARCHAR(255), `added` VARCHAR(255), " +
		"`position` INTEGER NOT NULL DEFAULT 0, `history` VARCHAR(255) DEFAULT '[]', `url` VARCHAR(255) DEFAULT '[]', `tags` VARCHAR(255) DEFAULT '[]', " +
		"`lastResult` VARCHAR(255) DEFAULT '[]', `sticky` TINYINT(1) DEFAULT 1, `updating` TINYINT(1) DEFAULT 0);" + inserts)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSerpBear(t *testing.T) {
	t.Parallel()
	path := serpBear(t, true, `INSERT INTO keyword (keyword, domain, device, country, city, history, url, tags) VALUES
		('deli near me', 'deli.example', 'desktop', 'US', '', '{"2026-1-9":12,"2026-1-10":0}', 'https://deli.example/menu', '["Menu","Near me"]'),
		('bagels', 'deli.example', 'mobile', 'us', 'Decatur', '{}', '', '[]'),
		('soup', 'deli.example', 'desktop', 'US', NULL, '[]', NULL, 'broken'),
		('bread', 'deli.example', 'tablet', 'US', '', '{"yesterday":3,"2026-02-01":7,"2026-02-02":null,"2026-02-03":1.5}', '[]', NULL)`)
	var left skips
	got, err := foreign.ReadSerpBear(t.Context(), path, left.skip)
	if err != nil {
		t.Fatal(err)
	}
	day := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	want := []foreign.Site{
		{Domain: "deli.example", Country: "US", Keywords: []foreign.SiteKeyword{
			{Text: "deli near me", Tags: []string{"Menu", "Near me"}, URL: "https://deli.example/menu", Ranks: []foreign.DayRank{{day(1, 9), 12}, {day(1, 10), 0}}},
			{Text: "soup"},
			{Text: "bread", Ranks: []foreign.DayRank{{day(2, 1), 7}}},
		}},
		{Domain: "deli.example", Country: "US", City: "Decatur", Mobile: true, Keywords: []foreign.SiteKeyword{{Text: "bagels", Tags: []string{}}}},
	}
	slices.SortFunc(got, func(a, b foreign.Site) int { return strings.Compare(a.City, b.City) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if wantLeft := (skips{`3: "soup": its tags cannot be read`, `4: "bread": its ranks are of the device "tablet", which is not told apart here; they are taken as of desktop; its history has rank null on "2026-02-02"; its history has rank 1.5 on "2026-02-03"; its history has rank 3 on "yesterday"`}); !slices.Equal(left, wantLeft) {
		t.Errorf("%q", left)
	}

	old := serpBear(t, false, `INSERT INTO keyword (keyword, domain, history) VALUES ('deli', 'deli.example', '{"2023-4-5":1}')`)
	if got, err := foreign.ReadSerpBear(t.Context(), old, left.skip); err != nil || len(got) != 1 || got[0].Keywords[0].Ranks[0].Rank != 1 {
		t.Errorf("an old database: %+v, %v", got, err)
	}
	none := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(none, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := foreign.ReadSerpBear(t.Context(), none, left.skip); err == nil || !strings.Contains(err.Error(), "data/database.sqlite") {
		t.Errorf("no database: %v", err)
	}
}
