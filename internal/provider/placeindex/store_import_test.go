package placeindex_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// csvFile has rows named after what they are, one in a hundred of them bad.
func csvFile(what string, rows int) string {
	var b strings.Builder
	b.WriteString("place_id,name,lat,lng\n")
	for i := range rows {
		if i%100 == 99 {
			b.WriteString("bad,,0,0\n")
			continue
		}
		fmt.Fprintf(&b, "%s%d,%s %d,%f,%f\n", what, i, what, i, center.Lat, center.Lng)
	}
	return b.String()
}

func csvImport(source, text string) placeindex.File {
	fingerprint, err := placeindex.Fingerprint(strings.NewReader(text), int64(len(text)), placeindex.CSV)
	if err != nil {
		panic(err)
	}
	return placeindex.File{
		Reader: strings.NewReader(text), Format: placeindex.CSV, Fingerprint: fingerprint, Options: placeindex.Options{Source: source},
	}
}

func mustImport(t *testing.T, l *placeindex.Library, source, text string) {
	t.Helper()
	if _, err := l.Import(t.Context(), csvImport(source, text)); err != nil {
		t.Fatal(err)
	}
}

// stopImport ends an import in its middle, as a kill does: what is committed stays, nothing is tidied.
func stopImport(t *testing.T, l *placeindex.Library, f placeindex.File) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	f.Progress = func(i placeindex.Imported) {
		if i.Kept >= 1_000 {
			cancel()
		}
	}
	if done, err := l.Import(ctx, f); !errors.Is(err, context.Canceled) || done.Kept != 1_000 {
		t.Fatalf("stopped with %v after %+v", err, done)
	}
}

func rows(t *testing.T, d *db.DB, table string) int64 {
	t.Helper()
	n, err := db.One(t.Context(), d, db.Value[int64], "SELECT count(*) FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// seen is what a process that has been there finds, and one that has just been started.
func seen(t *testing.T, l *placeindex.Library, d *db.DB, words string) string {
	t.Helper()
	found := search(t, l, words)
	if fresh := search(t, placeindex.NewLibrary(d, noCategories{}, nil), words); fresh != found {
		t.Errorf("%q finds %q, and in a new process %q", words, found, fresh)
	}
	return found
}

// An import that is stopped goes on where it was: no row is kept twice, no bad row is told twice.
func TestImportGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		text := csvFile("Pizzeria", 2_000)
		l := placeindex.NewLibrary(d, noCategories{}, nil)
		stopImport(t, l, csvImport("test", text))
		var told []int64
		file := csvImport("test", text)
		file.Skipped = func(at int64, _ string) { told = append(told, at) }
		second, err := l.Import(t.Context(), file)
		if err != nil || second.Resumed < 1_000 || second.Kept != 1_980 || second.Bad != 20 {
			t.Errorf("the second run: %+v, %v", second, err)
		}
		if len(told) == 0 || told[0] <= 1_000 {
			t.Errorf("bad rows of the first run are told again: %v", told)
		}
		index, err := l.Index(t.Context())
		if err != nil || index.Len() != 1_980 {
			t.Errorf("%d places, %v", index.Len(), err)
		}
		again, err := l.Import(t.Context(), csvImport("test", text))
		if err != nil || again.Resumed != 0 || again.Kept != 1_980 {
			t.Errorf("a third run: %+v, %v", again, err)
		}
		if n := rows(t, d, "places"); n != 1_980 {
			t.Errorf("%d rows are kept", n)
		}
	})
}

// What was there is seen until an import has come to its end, and then nothing of it: neither rows that left the file
// nor what a stopped import has written.
func TestImportReplacesItsSourceAtOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := placeindex.NewLibrary(d, noCategories{}, nil)
		mustImport(t, l, "other", csvFile("Zither", 1))
		mustImport(t, l, "town", csvFile("Bakery", 2))

		stopImport(t, l, csvImport("town", csvFile("Pizzeria", 2_000)))
		if got := seen(t, l, d, "bakery"); got != "Bakery 0, Bakery 1" {
			t.Errorf("during an import: %s", got)
		}
		if got := seen(t, l, d, "pizzeria"); got != "" {
			t.Errorf("a half of an import is seen: %s", got)
		}
		if _, err := l.FindPlace(t.Context(), "Pizzeria1"); provider.KindOf(err) != provider.NotFound {
			t.Errorf("a half of an import is found: %v", err)
		}

		mustImport(t, l, "town", csvFile("Florist", 1))
		for words, want := range map[string]string{"bakery": "", "pizzeria": "", "florist": "Florist 0", "zither": "Zither 0"} {
			if got := seen(t, l, d, words); got != want {
				t.Errorf("%s: %q, want %q", words, got, want)
			}
		}
		if places, imports := rows(t, d, "places"), rows(t, d, "place_imports"); places != 2 || imports != 2 {
			t.Errorf("%d places of %d imports are kept", places, imports)
		}
	})
}

func TestImportOfNothingChangesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := placeindex.NewLibrary(d, noCategories{}, nil)
		mustImport(t, l, "town", csvFile("Bakery", 1))
		done, err := l.Import(t.Context(), csvImport("town", "name,lat,lng\n,0,0\n"))
		if !errors.Is(err, placeindex.ErrNothing) || done.Bad != 1 {
			t.Errorf("%+v, %v", done, err)
		}
		if got := seen(t, l, d, "bakery"); got != "Bakery 0" {
			t.Errorf("afterwards: %s", got)
		}
		if n := rows(t, d, "place_imports"); n != 1 {
			t.Errorf("%d imports are kept", n)
		}
	})
}

// What cannot be read again from its middle, such as an answer, leaves nothing when it breaks off.
func TestImportThatCannotGoOnLeavesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := placeindex.NewLibrary(d, noCategories{}, nil)
		mustImport(t, l, "town", csvFile("Bakery", 1))
		brokenOff := errors.New("broken off")
		answer := csvImport("town", "")
		answer.Reader, answer.Fingerprint = io.MultiReader(strings.NewReader(csvFile("Pizzeria", 2_000)), iotest.ErrReader(brokenOff)), ""
		written := int64(0)
		answer.Progress = func(i placeindex.Imported) { written = i.Kept }
		if _, err := l.Import(t.Context(), answer); !errors.Is(err, brokenOff) || written == 0 {
			t.Errorf("ended in %v after %d places", err, written)
		}
		if places, imports := rows(t, d, "places"), rows(t, d, "place_imports"); places != 1 || imports != 1 {
			t.Errorf("%d places of %d imports are kept", places, imports)
		}
		if got := seen(t, l, d, "bakery"); got != "Bakery 0" {
			t.Errorf("afterwards: %s", got)
		}
	})
}

// Two runs of one import never mix: the one that began last goes on, the other ends.
func TestImportEndsWhenAnotherHasTakenOver(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l, other := placeindex.NewLibrary(d, noCategories{}, nil), placeindex.NewLibrary(d, noCategories{}, nil)
		text := csvFile("Pizzeria", 2_000)
		first := csvImport("town", text)
		first.Progress = func(i placeindex.Imported) {
			if i.Kept == 500 {
				mustImport(t, other, "town", text)
			}
		}
		if _, err := l.Import(t.Context(), first); !errors.Is(err, placeindex.ErrOvertaken) {
			t.Errorf("the first run: %v", err)
		}
		if index, err := l.Index(t.Context()); err != nil || index.Len() != 1_980 {
			t.Errorf("%d places, %v", index.Len(), err)
		}
	})
}

func TestSourcesAreListedAndRemoved(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := placeindex.NewLibrary(d, noCategories{}, nil)
		mustImport(t, l, "old", csvFile("Bakery", 1_200))
		mustImport(t, l, "new", "place_id,name,lat,lng\nBakery0,Renamed,33.7745,-84.2951\n")
		stopImport(t, l, csvImport("slow", csvFile("Pizzeria", 2_000)))
		list, err := l.Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range list {
			got = append(got, fmt.Sprintf("%s %d %d %v", h.Source, h.Places, h.Bad, h.Running))
		}
		if want := "new 1 0 false, old 1188 12 false, slow 1000 10 true"; strings.Join(got, ", ") != want {
			t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
		}

		if got := seen(t, l, d, "renamed"); got != "Renamed" {
			t.Errorf("of two sources with one place the newest counts: %q", got)
		}
		if n, err := l.Remove(t.Context(), "new"); err != nil || n != 1 {
			t.Errorf("removed %d, %v", n, err)
		}
		if b, err := l.FindPlace(t.Context(), "Bakery0"); err != nil || b.Name != "Bakery 0" {
			t.Errorf("what the other source says is back: %+v, %v", b, err)
		}
		if n, err := l.Remove(t.Context(), "old"); err != nil || n != 1188 {
			t.Errorf("removed %d, %v", n, err)
		}
		if _, err := l.Remove(t.Context(), "slow"); err != nil {
			t.Error(err)
		}
		if places, imports := rows(t, d, "places"), rows(t, d, "place_imports"); places != 0 || imports != 0 {
			t.Errorf("%d places of %d imports are left", places, imports)
		}
		if _, err := l.Remove(t.Context(), "old"); !errors.Is(err, placeindex.ErrNoSource) {
			t.Errorf("removed again: %v", err)
		}
	})
}

// A place is found by its id without reading any other: one that cannot be read is not in the way, and the source is
// asked only for what has changed.
func TestFindPlaceReadsNothingElse(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var asked []int64
		l := placeindex.NewLibrary(d, noCategories{}, &placeindex.Source{
			Changes: func(_ context.Context, after int64, _ func(string, *placeindex.Place) error) (int64, bool, error) {
				asked = append(asked, after)
				return 7, false, nil
			},
		})
		mustImport(t, l, "town", csvFile("Bakery", 2))
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), "UPDATE places SET categories = 'broken' WHERE id = 'Bakery1'")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if b, err := l.FindPlace(t.Context(), "Bakery0"); err != nil || b.Name != "Bakery 0" || len(asked) > 0 {
			t.Errorf("found %+v, %v, and asked the source for what came after %v", b, err, asked)
		}
		for range 2 {
			if _, err := l.FindPlace(t.Context(), "nobody"); provider.KindOf(err) != provider.NotFound {
				t.Errorf("an unknown place: %v", err)
			}
		}
		if len(asked) != 2 || asked[0] != 0 || asked[1] != 7 {
			t.Errorf("asked the source for what came after %v", asked)
		}
	})
}
