package webindex

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

var vocabulary = strings.Fields(`alpha bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar
	papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu`)

// generated makes pages whose words are as unevenly common as those of a language.
func generated(n int) []Page {
	r := rand.New(rand.NewPCG(7, 7))
	word := func() string {
		rank := int(math.Pow(30_000, r.Float64()))
		return fmt.Sprintf("%s%d", vocabulary[rank%len(vocabulary)], rank/len(vocabulary))
	}
	text := func(words int) string {
		var b strings.Builder
		for range words {
			w := word()
			b.WriteString(strings.TrimSuffix(w, "0"))
			b.WriteByte(' ')
		}
		return b.String()
	}
	pages := make([]Page, n)
	for i := range pages {
		pages[i] = Page{
			URL:   fmt.Sprintf("https://site%d.example/%d", r.IntN(n/5+1), i),
			Title: text(6), Description: text(20), Body: text(250), Country: "us", Language: "en",
		}
	}
	return pages
}

const benchPages = 50_000

func BenchmarkBuild50000(b *testing.B) {
	pages := generated(benchPages)
	b.ReportAllocs()
	for b.Loop() {
		builder := NewBuilder()
		for _, p := range pages {
			if err := builder.Add(p); err != nil {
				b.Fatal(err)
			}
		}
		builder.Build(nil)
	}
}

func BenchmarkSearch50000(b *testing.B) {
	var before, after runtime.MemStats
	pages := generated(benchPages)
	runtime.GC()
	runtime.ReadMemStats(&before)
	x := build(b, nil, pages...)
	runtime.GC()
	runtime.ReadMemStats(&after)
	memory := float64(after.HeapAlloc-before.HeapAlloc) / 1e6
	for _, query := range []string{"bravo", "kilo12 mike40", "zulu3 bravo7 golf100 november"} {
		b.Run(strings.ReplaceAll(query, " ", "+"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if len(x.Search(Query{Words: query, Limit: 100})) == 0 {
					b.Fatal("nothing found")
				}
			}
			b.ReportMetric(memory, "index-MB")
		})
	}
	runtime.KeepAlive(pages)
}
