package db_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// released is the last migration of the release before this one. Processes of that release work on the store while those of this
// one start, and its tables may be large.
const released = "00034"

// small are tables of a few rows, or that no release has filled yet, which may be locked for a moment.
var small = []string{"one_time_links", "place_revision", "report_schedules", "web_revision"}

// accepted are statements that were let pass, by file, with the reason.
var accepted = map[string]string{
	"00036_location_search.sql": "UPDATE locations", // touches a flag of each row once, before there was a release with many of them
	"00052_webhook_replays.sql": "UPDATE webhooks",  // touches the few that a wrong key had paused
}

// breaks are statements that an older process, or the traffic, does not survive.
var breaks = []struct {
	statement *regexp.Regexp
	why       string
}{
	{regexp.MustCompile(`(?i)^DROP TABLE|^ALTER TABLE \w+ DROP`), "a process of the last release still uses what is dropped: stop using it in this release, drop it in the next"},
	{regexp.MustCompile(`(?i)\bRENAME\b`), "a process of the last release knows the old name: add the new one beside it, write both, drop the old one in the next release"},
	{regexp.MustCompile(`(?i)^ALTER TABLE \w+ ALTER (COLUMN )?\w+ (SET DATA )?TYPE`), "the table is rewritten under a lock: add a column of the new type and fill it with a sweep"},
	{regexp.MustCompile(`(?i)^ALTER TABLE \w+ ALTER (COLUMN )?\w+ SET NOT NULL`), "a process of the last release may still write NULL, and the whole table is read under a lock"},
	{regexp.MustCompile(`(?i)^ALTER TABLE \w+ ADD (COLUMN )?\w+ .*\b(UNIQUE|PRIMARY KEY|CHECK|FOREIGN KEY)\b|^ALTER TABLE \w+ ADD (CONSTRAINT|UNIQUE|PRIMARY|CHECK|FOREIGN)`), "the whole table is checked under a lock"},
}

var (
	addsRequired = regexp.MustCompile(`(?i)^ALTER TABLE \w+ ADD (COLUMN )?\w+ .*\bNOT NULL\b`)
	makesTable   = regexp.MustCompile(`(?i)^CREATE TABLE (?:IF NOT EXISTS )?(\w+)`)
	makesIndex   = regexp.MustCompile(`(?i)^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON (\w+)`)
	changesRows  = regexp.MustCompile(`(?i)^(?:UPDATE|DELETE FROM|INSERT INTO) (\w+)`)
)

// findings says what is wrong with a migration for those who work on the store meanwhile.
func findings(text string) (all []string) {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	alone := strings.Contains(up, "+goose NO TRANSACTION")
	up = regexp.MustCompile(`--[^\n]*`).ReplaceAllString(up, "")
	var fresh []string // made by this very file
	for statement := range strings.SplitSeq(up, ";") {
		statement = strings.Join(strings.Fields(statement), " ")
		find := func(why string) { all = append(all, statement+": "+why) }
		for _, b := range breaks {
			if b.statement.MatchString(statement) {
				find(b.why)
			}
		}
		if addsRequired.MatchString(statement) && !strings.Contains(strings.ToUpper(statement), " DEFAULT ") {
			find("a process of the last release writes rows without the column: give it a default")
		}
		if m := makesTable.FindStringSubmatch(statement); m != nil {
			fresh = append(fresh, m[1])
		}
		quick := func(table string) bool { return slices.Contains(fresh, table) || slices.Contains(small, table) }
		if m := makesIndex.FindStringSubmatch(statement); m != nil && !quick(m[2]) && (m[1] == "" || !alone) {
			find("nobody writes to the table while the index is made: use CREATE INDEX CONCURRENTLY in a file of its own that begins with -- +goose NO TRANSACTION")
		}
		if m := changesRows.FindStringSubmatch(statement); m != nil && !quick(m[1]) {
			find("as many rows as there are stay locked until the last is done: let a sweep do it in batches")
		}
	}
	return all
}

func TestMigrationsLetOthersWork(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if name[:len(released)] <= released {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range findings(string(text)) {
			if known := accepted[name]; known == "" || !strings.HasPrefix(found, known) {
				t.Errorf("%s: %s", name, found)
			}
		}
	}
}

func TestMigrationsThatWouldLockAreFound(t *testing.T) {
	t.Parallel()
	const head = "-- +goose Up\n"
	for text, want := range map[string]string{
		head + "DROP TABLE locations;":                                                         "drop it in the next",
		head + "ALTER TABLE locations DROP COLUMN search;":                                     "drop it in the next",
		head + "ALTER TABLE locations RENAME COLUMN search TO words;":                          "write both",
		head + "ALTER TABLE locations ALTER COLUMN version TYPE TEXT;":                         "rewritten",
		head + "ALTER TABLE locations ALTER search SET NOT NULL;":                              "may still write NULL",
		head + "ALTER TABLE locations ADD COLUMN a TEXT NOT NULL;":                             "give it a default",
		head + "ALTER TABLE locations ADD COLUMN a TEXT UNIQUE;":                               "checked under a lock",
		head + "CREATE INDEX a ON locations (id);":                                             "CONCURRENTLY",
		head + "CREATE INDEX CONCURRENTLY a ON locations (id);":                                "NO TRANSACTION",
		head + "UPDATE locations\n SET version = 1;":                                           "sweep",
		"-- +goose NO TRANSACTION\n" + head + "CREATE INDEX CONCURRENTLY a ON locations (id);": "",
		head + "CREATE TABLE a (id TEXT); CREATE INDEX b ON a (id); INSERT INTO a VALUES (1);": "",
		head + "ALTER TABLE locations ADD COLUMN a TEXT NOT NULL DEFAULT '';":                  "",
		head + "SELECT 1;\n-- +goose Down\nDROP TABLE locations;":                              "",
	} {
		switch found := findings(text); {
		case want == "" && len(found) > 0:
			t.Errorf("%q: %s", text, found)
		case want != "" && (len(found) != 1 || !strings.Contains(found[0], want)):
			t.Errorf("%q is found to be %q, want one with %q", text, found, want)
		}
	}
}
