package serper_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
	"github.com/trigpoint/trigpoint/internal/provider/serper"
)

var atDecatur = provider.MapQuery{Keyword: "pizza", At: providertest.Decatur, Country: "US", Language: "en"}

// ready starts a vendor whose twenty results are encoded beforehand, so that its own work weighs little.
func ready(b *testing.B, access provider.Access) (*providertest.Serper, *serper.Provider) {
	b.Helper()
	vendor := providertest.NewSerper(b)
	access.URL = vendor.URL
	rows := make([]providertest.SerperPlace, 20)
	for i := range rows {
		rows[i] = providertest.SerperRow(vendor.Market[i])
	}
	answer, err := json.Marshal(map[string]any{"searchParameters": map[string]any{"q": atDecatur.Keyword, "type": "maps"}, "places": rows})
	if err != nil {
		b.Fatal(err)
	}
	vendor.Always(providertest.Body(string(answer)))
	return vendor, start(b, serper.Options{APIKey: providertest.SerperKey, Access: access})
}

// BenchmarkSearchMap is one search over loopback, both ends of it.
func BenchmarkSearchMap(b *testing.B) {
	_, p := ready(b, provider.Access{})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := p.SearchMap(b.Context(), atDecatur); err != nil {
				b.Error(err)
			}
		}
	})
}

// BenchmarkSlowVendor asks 1,000 questions of a vendor that takes 200 ms and allows 100 at a time:
// it cannot take less than 2 s.
func BenchmarkSlowVendor(b *testing.B) {
	const questions, at, latency = 1_000, 100, 200 * time.Millisecond
	vendor, p := ready(b, provider.Access{Concurrency: at, Rate: 1e6})
	vendor.Delay(latency)
	caller := provider.NewCaller(p.Describe(), provider.CallerOptions{})
	for b.Loop() {
		var wg sync.WaitGroup
		for range questions {
			wg.Go(func() {
				_, err := provider.Call(b.Context(), caller, func(ctx context.Context) ([]provider.Business, error) {
					return p.SearchMap(ctx, atDecatur)
				})
				if err != nil {
					b.Error(err)
				}
			})
		}
		wg.Wait()
	}
	least := latency * questions / at
	b.ReportMetric(100*(float64(b.Elapsed())/float64(b.N)/float64(least)-1), "%over")
	if vendor.Peak() > at {
		b.Errorf("%d at once", vendor.Peak())
	}
}
