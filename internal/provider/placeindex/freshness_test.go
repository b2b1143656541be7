package placeindex

import (
	"context"
	"errors"
	"testing"
)

// The first waits; later ones go on while it is read; after a failure they wait again, and are told.
func TestReadingIsBesideThoseWhoUseIt(t *testing.T) {
	t.Parallel()
	ends := make(chan error, 10)
	f := freshness{read: func(context.Context) error { return <-ends }}
	ends <- nil
	if err := f.refresh(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	f.looked.Store(0) // it is time again
	for range 3 {
		if err := f.refresh(t.Context(), false); err != nil {
			t.Fatal(err)
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
