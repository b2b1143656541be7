package job

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestABurstIsSweptTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		began := time.Now()
		var runs []time.Duration
		r := &Runner{log: slog.New(slog.DiscardHandler), meter: newMeter()}
		s := r.Sweep(&Sweep{Every: time.Hour, Gather: 25 * time.Millisecond, Run: func(context.Context) (bool, error) {
			runs = append(runs, time.Since(began))
			return false, nil
		}})
		go s.loop(ctx, r)
		synctest.Wait()
		for range 3 {
			s.Wake()
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		// A call that came while the sweep was gathering is looked after once more: its row may be newer than the look.
		if want := []time.Duration{0, 25 * time.Millisecond, 50 * time.Millisecond}; !slices.Equal(runs, want) {
			t.Errorf("ran at %v, want %v", runs, want)
		}
	})
}
