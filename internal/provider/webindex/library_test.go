package webindex_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
)

func library(d *db.DB) *webindex.Library {
	return webindex.NewLibrary(d, func(rank int64) float64 { return 1 / float64(rank) })
}

func importPages(t *testing.T, l *webindex.Library, pages ...webindex.Page) int {
	t.Helper()
	kept, err := l.Import(t.Context(), func(yield func(webindex.Page) error) error {
		for _, p := range pages {
			if err := yield(p); err != nil {
				return err
			}
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func urls(t *testing.T, l *webindex.Library, keyword string) string {
	t.Helper()
	page, err := l.SearchWeb(t.Context(), provider.WebQuery{Keyword: keyword})
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, item := range page.Items {
		found = append(found, item.URL)
	}
	return strings.Join(found, " ")
}

func TestLibraryFollowsTheStore(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := library(d)
		if got := urls(t, l, "pizza"); got != "" {
			t.Fatalf("an empty store finds %s", got)
		}
		a := webindex.Page{URL: "https://a.example/", Title: "Pizza in Decatur", Body: "Pizza\x00 and \xff more."}
		b := webindex.Page{URL: "https://b.example/", Title: "Pizza in Decatur"}
		importPages(t, l, a, b)
		if got := urls(t, l, "pizza"); got != "https://a.example/ https://b.example/" {
			t.Fatalf("found %s", got)
		}
		importPages(t, l, webindex.Page{URL: "http://www.a.example", Title: "Shoes"})
		if n, err := l.Len(t.Context()); n != 2 || err != nil {
			t.Errorf("%d pages: %v", n, err)
		}
		if got := urls(t, l, "pizza"); got != "https://b.example/" {
			t.Errorf("found %s after one was replaced", got)
		}
		if got := urls(t, library(d), "shoes"); got != "http://www.a.example" {
			t.Errorf("another process finds %s", got)
		}
	})
}

// The standing of a domain comes from the imported lists: the better place ranks first.
func TestLibraryRanksByStanding(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := library(d)
		importPages(t, l, webindex.Page{URL: "https://a.example/", Title: "Pizza"}, webindex.Page{URL: "https://b.example/", Title: "Pizza"})
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(t.Context(), "INSERT INTO domain_ranks (domain, source, rank, told_at) VALUES ('a.example', 'x', 50, 0), ('b.example', 'x', 900, 0), ('b.example', 'y', 2, 0)")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if got := urls(t, library(d), "pizza"); got != "https://b.example/ https://a.example/" {
			t.Errorf("found %s", got)
		}
	})
}

func TestImportKeepsWhatCameBeforeAnError(t *testing.T) {
	t.Parallel()
	l := library(dbtest.SQLite(t))
	broken := errors.New("the file ends here")
	var told []int
	kept, err := l.Import(t.Context(), func(yield func(webindex.Page) error) error {
		for i := range 250 {
			if err := yield(webindex.Page{URL: fmt.Sprintf("https://a.example/%d", i), Title: "Pizza"}); err != nil {
				return err
			}
		}
		return broken
	}, func(n int) { told = append(told, n) })
	if !errors.Is(err, broken) || kept != 250 || fmt.Sprint(told) != "[100 200 250]" {
		t.Errorf("%d kept, progress %v: %v", kept, told, err)
	}
	if urls(t, l, "pizza") == "" {
		t.Error("what was kept is not found")
	}
	if _, err := l.Import(t.Context(), func(yield func(webindex.Page) error) error { return yield(webindex.Page{URL: "ftp://x"}) }, nil); err == nil {
		t.Error("a page without an address was taken")
	}
}

// An import that is interrupted, as by Ctrl-C or a kill, has announced the pages that it kept.
func TestInterruptedImportIsAnnounced(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		serving := library(d)
		importPages(t, serving, webindex.Page{URL: "https://first.example/", Title: "Pizza"})
		if got := urls(t, serving, "pizza"); got != "https://first.example/" {
			t.Fatalf("found %s", got)
		}
		before, err := db.One(t.Context(), d, db.Value[int64], "SELECT CAST(sum(version) AS BIGINT) FROM web_versions")
		if err != nil {
			t.Fatal(err)
		}
		ctx, interrupt := context.WithCancel(t.Context())
		kept, err := library(d).Import(ctx, func(yield func(webindex.Page) error) error {
			for i := range 150 {
				if err := yield(webindex.Page{URL: fmt.Sprintf("https://second.example/%d", i), Title: "Pizza"}); err != nil {
					return err
				}
			}
			interrupt()
			return ctx.Err()
		}, nil)
		if !errors.Is(err, context.Canceled) || kept != 100 {
			t.Fatalf("%d kept: %v", kept, err)
		}
		after, err := db.One(t.Context(), d, db.Value[int64], "SELECT CAST(sum(version) AS BIGINT) FROM web_versions")
		if err != nil || after <= before {
			t.Errorf("the version is %d after %d: other processes do not look: %v", after, before, err)
		}
	})
}

// Searches go on while pages are imported.
func TestSearchDuringImport(t *testing.T) {
	t.Parallel()
	l := library(dbtest.SQLite(t))
	importPages(t, l, webindex.Page{URL: "https://a.example/", Title: "Pizza"})
	ctx, stop := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	for range 4 {
		searching.Go(func() {
			for ctx.Err() == nil {
				if page, err := l.SearchWeb(t.Context(), provider.WebQuery{Keyword: "pizza"}); err != nil || len(page.Items) == 0 {
					t.Errorf("%d found: %v", len(page.Items), err)
					return
				}
			}
		})
	}
	for i := range 20 {
		importPages(t, l, webindex.Page{URL: fmt.Sprintf("https://b%d.example/", i), Title: "Pizza"})
	}
	stop()
	searching.Wait()
	if got := urls(t, l, "pizza"); strings.Count(got, ".example") != 10 {
		t.Errorf("found %s", got)
	}
}
