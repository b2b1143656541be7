package placeindex

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

// What has changed is read before it is used, once in a while; after a failure at every use, and users are told.
func TestReadingIsBeforeUse(t *testing.T) {
	t.Parallel()
	ends := make(chan error, 10)
	var reads atomic.Int64
	f := freshness{read: func(context.Context) error {
		reads.Add(1)
		return <-ends
	}}
	for round := range int64(2) {
		ends <- nil
		f.looked.Store(0) // it is time again
		for range 3 {
			if err := f.refresh(t.Context(), false); err != nil || reads.Load() != round+1 {
				t.Fatalf("%d readings in round %d, %v", reads.Load(), round+1, err)
			}
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.refresh(gone, true); !errors.Is(err, context.Canceled) {
		t.Errorf("one that has gone: %v", err)
	}
	broken := errors.New("broken")
	for _, now := range []bool{true, false} {
		ends <- broken
		ends <- broken
		if err := f.refresh(t.Context(), now); !errors.Is(err, broken) {
			t.Errorf("one that waits: %v", err)
		}
	}
}
