package httpapi

import (
	"context"
	"testing"

	"github.com/trigpoint/trigpoint/internal/errs"
)

func TestMemoryIsSharedByAccounts(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel() // who would have to wait is refused
	m := NewMemory(400)
	take := func(account string, n int64, fits bool) {
		t.Helper()
		if _, err := m.take(ended, account, n); (err == nil) != fits || err != nil && errs.CodeOf(err) != errs.Unavailable {
			t.Errorf("%d for %s: %v", n, account, err)
		}
	}
	take("a", 100, true)
	take("a", 1, false) // a quarter is its share
	take("b", 1_000, true)
	take("b", 1, false) // and what is larger than the share fills it
	take("c", 60, true)
	take("c", 60, false)
	take("c", 40, true)
	take("d", 90, true)
	take("e", 11, false) // all of it is given out
	take("e", 10, true)
	m.give("a", 100)
	take("e", 90, true)
	take("a", 11, false)

	waiting := make(chan error)
	go func() {
		_, err := m.take(t.Context(), "a", 50)
		waiting <- err
	}()
	m.give("b", 100)
	if err := <-waiting; err != nil {
		t.Error(err)
	}
	for account, n := range map[string]int64{"a": 50, "c": 100, "d": 90, "e": 100} {
		m.give(account, n)
	}
	if m.free != 400 || len(m.held) != 0 || m.waiting != 0 {
		t.Errorf("in the end %d are free, held %v", m.free, m.held)
	}
}
