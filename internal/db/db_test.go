package db_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

func count(t *testing.T, d *db.DB) int64 {
	t.Helper()
	n, err := db.One(t.Context(), d, db.Value[int64], "SELECT count(*) FROM accounts")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func insert(ctx context.Context, tx *db.Tx, name string) error {
	_, err := tx.Exec(ctx, "INSERT INTO accounts (id, email, plan, feed_token, created_at) VALUES ($1, $1, 'free', $1, 0)", name)
	return err
}

func TestTxCommitsEachOfManyOrNone(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		refuse := errors.New("refused")
		var committed sync.WaitGroup
		var wg sync.WaitGroup
		for i := range 200 {
			if i%2 == 0 {
				committed.Add(1)
			}
			wg.Go(func() {
				err := d.Tx(t.Context(), func(tx *db.Tx) error {
					tx.AfterCommit(committed.Done)
					if err := insert(t.Context(), tx, fmt.Sprint(i)); err != nil {
						return err
					}
					if i%2 == 1 {
						return refuse
					}
					return nil
				})
				if (i%2 == 1) != errors.Is(err, refuse) {
					t.Errorf("write %d: %v", i, err)
				}
			})
		}
		wg.Wait()
		committed.Wait() // panics below zero if a refused write was announced as committed
		if n := count(t, d); n != 100 {
			t.Fatalf("%d rows, want the 100 that were not refused", n)
		}
	})
}

// Two transactions that lock each other's row: PostgreSQL ends one, which runs again. What it had put
// beside the store must still be there then, so nothing is undone before the transaction has failed for good.
func TestRollbackHooksRunOnceAndOnlyAfterTheLastAttempt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for _, name := range []string{"a", "b"} {
			if err := d.Tx(t.Context(), func(tx *db.Tx) error { return insert(t.Context(), tx, name) }); err != nil {
				t.Fatal(err)
			}
		}
		var attempts, undone, told atomic.Int32
		first := make(chan struct{}, 2) // both hold their first row; on SQLite one waits for the other
		var wg sync.WaitGroup
		for _, order := range [][]string{{"a", "b"}, {"b", "a"}} {
			wg.Go(func() {
				err := d.Tx(t.Context(), func(tx *db.Tx) error {
					tx.AfterRollback(func() { undone.Add(1) })
					tx.AfterCommit(func() { told.Add(1) })
					for i, name := range order {
						if _, err := tx.Exec(t.Context(), "UPDATE accounts SET plan = plan WHERE id = $1", name); err != nil {
							return err
						}
						if i == 0 && attempts.Add(1) <= 2 && tx.Dialect == db.Postgres {
							first <- struct{}{}
							for len(first) < 2 {
								runtime.Gosched()
							}
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if d.Dialect == db.Postgres && attempts.Load() != 3 {
			t.Fatalf("%d attempts; the two did not meet", attempts.Load())
		}
		if undone.Load() != 0 || told.Load() != 2 {
			t.Errorf("%d undone, %d told", undone.Load(), told.Load())
		}
		for name, fail := range map[string]func() error{
			"an error": func() error { return errors.New("refused") }, "a panic": func() error { panic("boom") },
		} {
			undone.Store(0)
			func() {
				defer func() { _ = recover() }()
				_ = d.Tx(t.Context(), func(tx *db.Tx) error { tx.AfterRollback(func() { undone.Add(1) }); return fail() })
			}()
			if undone.Load() != 1 {
				t.Errorf("undone %d times after %s", undone.Load(), name)
			}
		}
	})
}

func TestTxPanicReachesItsCallerAloneAndWritesNothing(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		func() {
			defer func() {
				if r := recover(); r != "boom" {
					t.Errorf("recovered %v", r)
				}
			}()
			_ = d.Tx(t.Context(), func(tx *db.Tx) error {
				if err := insert(t.Context(), tx, "a"); err != nil {
					t.Error(err)
				}
				panic("boom")
			})
		}()
		if err := d.Tx(t.Context(), func(tx *db.Tx) error { return insert(t.Context(), tx, "b") }); err != nil {
			t.Fatal(err)
		}
		if n := count(t, d); n != 1 {
			t.Fatalf("%d rows, want 1", n)
		}
	})
}

func TestUniqueFaultIsRecognised(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var err error
		for range 2 {
			err = d.Tx(t.Context(), func(tx *db.Tx) error { return insert(t.Context(), tx, "a") })
		}
		if !db.IsUnique(err) || db.IsUnavailable(err) {
			t.Fatalf("a duplicate gave %v", err)
		}
	})
}

// One member whose failure takes SQLite's whole transaction with it must not take the others.
func TestLostTransactionFailsItsMemberAlone(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	entered, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { // holds the writer until the others have queued up
		_ = d.Tx(t.Context(), func(*db.Tx) error { close(entered); <-release; return nil })
	})
	<-entered
	faults := make([]error, 3)
	for i, name := range []string{"before", "culprit", "after"} {
		wg.Go(func() {
			faults[i] = d.Tx(t.Context(), func(tx *db.Tx) error {
				if err := insert(t.Context(), tx, name); err != nil {
					return err
				}
				if name == "culprit" {
					_, err := tx.SQL.ExecContext(t.Context(), "ROLLBACK")
					return errors.Join(errors.New("interrupted"), err)
				}
				return nil
			})
		})
	}
	close(release)
	wg.Wait()
	if faults[0] != nil || faults[1] == nil || faults[2] != nil {
		t.Fatalf("%v", faults)
	}
	if n := count(t, d); n != 2 {
		t.Fatalf("%d rows, want the 2 of the innocent", n)
	}
}
