package db_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

func TestBatchesKeepWhatWasCommitted(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	full := errors.New("full")
	writes := 0
	var told []int
	b := db.NewBatches(d, 3, func(tx *db.Tx, names []string) error {
		rows := make([][]any, len(names))
		for i, name := range names {
			rows[i] = []any{name, name + "@example.com", "free", name, 0}
		}
		if err := db.Insert(t.Context(), tx, "accounts", "id, email, plan, feed_token, created_at", rows, ""); err != nil {
			return err
		}
		if writes++; writes == 3 {
			return full
		}
		return nil
	}, func(kept int) { told = append(told, kept) })
	var err error
	for i := 0; err == nil && i < 20; i++ {
		err = b.Add(t.Context(), fmt.Sprint(i))
	}
	if !errors.Is(err, full) {
		t.Fatalf("the third write ends with %v, want %v", err, full)
	}
	if err := b.Flush(t.Context()); err != nil || writes != 3 {
		t.Errorf("a write that failed was tried again: %d writes, %v", writes, err)
	}
	if n := count(t, d); n != 6 || b.Kept() != 6 {
		t.Errorf("%d rows are stored and %d told, want the 6 of two batches", n, b.Kept())
	}
	if want := []int{3, 6}; !slices.Equal(told, want) {
		t.Errorf("progress %v, want %v", told, want)
	}
}

func TestBatchesWriteWhatIsLeft(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	var sizes []int
	b := db.NewBatches(d, 2, func(_ *db.Tx, rows []int) error {
		sizes = append(sizes, len(rows))
		return nil
	}, nil)
	for i := range 5 {
		if err := b.Add(t.Context(), i); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the second has nothing to write
		if err := b.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if want := []int{2, 2, 1}; !slices.Equal(sizes, want) || b.Kept() != 5 {
		t.Errorf("batches of %v with %d rows kept, want %v with 5", sizes, b.Kept(), want)
	}
}
