package maplisting

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestWhatALookThatFindsNothingMeans(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err    error
		detail string
		reason string // of an error
	}{
		"gone":           {provider.Errorf(provider.NotFound, "Map", "No."), "The map does not know the place abc, or no longer does.", ""},
		"of another map": {provider.Errorf(provider.BadQuery, "Map", "That is no id of this map."), "That is no id of this map.", ""},
		"over budget":    {provider.Errorf(provider.OverBudget, "Map", "The budget is used up."), "", "The budget is used up."},
	} {
		l := New(Options{Title: "Map", Clock: clock.System{}, Find: func(context.Context, string, string) (provider.Business, error) { return provider.Business{}, c.err }})
		outcome, err := l.Look(t.Context(), directory.Item{LocationID: "x", PlaceID: "abc"})
		var undelivered *directory.Undelivered
		if c.reason != "" {
			if !errors.As(err, &undelivered) || undelivered.Reason != c.reason {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || outcome.Status != directory.Unavailable || outcome.Detail != c.detail || outcome.LookAfter <= 0 {
			t.Errorf("%s: %+v, %v", name, outcome, err)
		}
	}
}

func TestLooksAreSpreadOverTheWeek(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC))
	l := New(Options{Clock: now})
	days := map[int]bool{}
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		after := l.untilNext(id)
		if after < 24*time.Hour || after > 8*24*time.Hour {
			t.Errorf("%s is looked at again after %s", id, after)
		}
		days[int(after.Hours())/24] = true
		next := now.Now().Add(after)
		if again := New(Options{Clock: clock.NewFake(next)}).untilNext(id); again != week {
			t.Errorf("%s: the look after the next is after %s", id, again)
		}
	}
	if len(days) < 4 {
		t.Errorf("twelve locations are looked at on %d days", len(days))
	}
}
