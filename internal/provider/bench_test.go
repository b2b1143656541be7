package provider_test

import (
	"context"
	"testing"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// BenchmarkCall is what a Caller adds to a request.
func BenchmarkCall(b *testing.B) {
	caller := provider.NewCaller(paced(100, 0), provider.CallerOptions{})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := provider.Call(b.Context(), caller, func(context.Context) (int, error) { return 1, nil }); err != nil {
				b.Error(err)
			}
		}
	})
}
