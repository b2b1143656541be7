package research

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"os"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func BenchmarkScan(b *testing.B) {
	dir := os.TempDir() + "/zzprof"
	fresh := false
	if _, err := os.Stat(dir); err != nil { fresh = true }
	d, err := db.Open(b.Context(), db.Options{Dir: dir})
	if err != nil { b.Fatal(err) }
	defer d.Close()
	if fresh {
		if err := d.Migrate(b.Context()); err != nil { b.Fatal(err) }
		s, owner := newService(b, d, 0)
		for from := 0; from < 10000; from += 100 {
			var packed []PackedSerp
			for n := from; n < from+100; n++ {
				r := rand.New(rand.NewPCG(uint64(n), 1))
				var page provider.WebPage
				for i := range 100 {
					host := fmt.Sprintf("site%d.example", (n/10*50+r.IntN(500))%20000)
					page.Items = append(page.Items, provider.WebItem{Type: provider.Organic, Rank: i + 1, URL: fmt.Sprintf("https://%s/some/page-%d", host, r.IntN(1000)), Domain: host,
						Title: fmt.Sprintf("A result about keyword %d and %d", n, r.IntN(1000)), Description: fmt.Sprintf("What the page says of it, in a sentence or two: %d, %d and %d.", r.Int(), r.Int(), i)})
				}
				p, _ := s.PackSerp(FetchedSerp{AccountID: owner, Keyword: fmt.Sprintf("keyword %d of many", n), LocationID: 4191124, PlatformID: 1, FetchedAt: time.Now(), Page: page})
				packed = append(packed, p)
			}
			if err := d.Tx(b.Context(), func(tx *db.Tx) error { return s.KeepSerps(b.Context(), tx, packed) }); err != nil { b.Fatal(err) }
		}
	}
	owner, err := db.One(b.Context(), d, db.Value[string], "SELECT id FROM accounts")
	if err != nil { b.Fatal(err) }
	m := anywhere()
	b.Run("like", func(b *testing.B) { for b.Loop() { if _, err := searchesWith(b.Context(), d, owner, m, "site300.example"); err != nil { b.Fatal(err) } } })
	b.Run("all", func(b *testing.B) { for b.Loop() { if _, err := searchesWith(b.Context(), d, owner, m); err != nil { b.Fatal(err) } } })
	all, _ := searchesWith(b.Context(), d, owner, m)
	t := target(b, "site300.example")
	b.Run("rivals", func(b *testing.B) { for b.Loop() { rivals(all, t) } })
	b.Run("suggest", func(b *testing.B) { for b.Loop() { suggest(all, t) } })
	b.Run("standings", func(b *testing.B) { for b.Loop() { standings(all, func(s *search) int { return s.position(t) }) } })
	b.Run("words", func(b *testing.B) { for b.Loop() { if _, err := keywordsByWords(b.Context(), d, owner, words("keyword 77 of many"), maxByWords); err != nil { b.Fatal(err) } } })
	b.Run("serp", func(b *testing.B) {
		s := &Service{db: d, packer: newPacker(), ctr: func(int) float64 { return 0 }}
		here, _ := newMarket(4191124, 0)
		b.Run("cached", func(b *testing.B) { for b.Loop() { if _, err := cachedSerp(b.Context(), d, searchKey{owner, "keyword 77 of many", 4191124, 1}, time.Unix(0, 0)); err != nil { b.Fatal(err) } } })
		rec, err := cachedSerp(b.Context(), d, searchKey{owner, "keyword 77 of many", 4191124, 1}, time.Unix(0, 0))
		if err != nil { b.Fatal(err) }
		b.Run("unpack", func(b *testing.B) { for b.Loop() { s.packer.unpack(rec.packed) } })
		page, _ := s.packer.unpack(rec.packed)
		b.Run("show", func(b *testing.B) { for b.Loop() { if _, err := s.show(b.Context(), rec, page, here); err != nil { b.Fatal(err) } } })
	})
}
