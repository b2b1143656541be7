package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/trigpoint/trigpoint/internal/trace"
)

// groupCommit runs SQLite write transactions one after another and commits all that were waiting with
// one disk sync. Each runs in a savepoint of its own, so a failing one takes nothing with it; one that
// takes the whole transaction with it, as a full disk does, fails alone and the others run again.
type groupCommit struct {
	db    *sql.DB
	queue chan *groupWrite
	quit  chan struct{}
	done  chan struct{}
	once  sync.Once
}

type groupWrite struct {
	ctx      context.Context
	span     trace.Span
	fn       func(*Tx) error
	tx       *Tx
	err      error
	panicked any
	done     chan struct{}
}

// maxGroup bounds how much one commit carries, so that the first of a group does not wait for long.
const maxGroup = 128

var errClosed = errors.New("the store is closed")

func startGroupCommit(db *sql.DB) *groupCommit {
	g := &groupCommit{
		db:    db,
		queue: make(chan *groupWrite, maxGroup),
		quit:  make(chan struct{}),
		done:  make(chan struct{}),
	}
	go g.loop()
	return g
}

func (g *groupCommit) stop() {
	g.once.Do(func() { close(g.quit) })
	<-g.done
}

func (g *groupCommit) run(ctx context.Context, span trace.Span, fn func(*Tx) error) error {
	w := &groupWrite{ctx: ctx, span: span, fn: fn, done: make(chan struct{})}
	select {
	case g.queue <- w:
	case <-g.quit:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	// From here on the outcome is waited for even if the caller has gone: it must not be told that
	// nothing happened when something did.
	select {
	case <-w.done:
	case <-g.done:
		select {
		case <-w.done:
		default:
			return errClosed
		}
	}
	if w.tx != nil {
		w.tx.ended(w.err == nil)
	}
	if w.panicked != nil {
		panic(w.panicked)
	}
	return w.err
}

func (g *groupCommit) loop() {
	defer close(g.done)
	for {
		var batch []*groupWrite
		select {
		case w := <-g.queue:
			batch = append(batch, w)
		case <-g.quit:
			return
		}
		for len(batch) < maxGroup {
			select {
			case w := <-g.queue:
				batch = append(batch, w)
				continue
			default:
			}
			break
		}
		g.commit(batch)
		for _, w := range batch {
			close(w.done)
		}
	}
}

func (g *groupCommit) commit(batch []*groupWrite) {
	for len(batch) > 0 {
		batch = g.commitOnce(batch)
	}
}

// commitOnce commits a batch, or returns those of it that must run again.
func (g *groupCommit) commitOnce(batch []*groupWrite) (again []*groupWrite) {
	fail := func(err error) {
		for _, w := range batch {
			if w.err == nil {
				w.err = err
			}
		}
	}
	sqlTx, err := g.db.BeginTx(context.Background(), nil)
	if err != nil {
		fail(err)
		return nil
	}
	wrote := false
	for i, w := range batch {
		if w.err = w.ctx.Err(); w.err != nil {
			continue
		}
		if w.err = w.apply(sqlTx); w.err == nil {
			wrote = true
		}
		if errors.Is(w.err, errTransactionLost) {
			_ = sqlTx.Rollback()
			return slices.DeleteFunc(slices.Concat(batch[:i], batch[i+1:]), func(other *groupWrite) bool { return other.err != nil })
		}
	}
	if !wrote {
		_ = sqlTx.Rollback()
		return nil
	}
	if err := sqlTx.Commit(); err != nil {
		_ = sqlTx.Rollback()
		fail(fmt.Errorf("commit: %w", err))
	}
	return nil
}

// errTransactionLost says that SQLite has rolled back the whole transaction under a member of the group.
var errTransactionLost = errors.New("the transaction was lost")

func (w *groupWrite) apply(sqlTx *sql.Tx) (err error) {
	if _, err := sqlTx.ExecContext(context.Background(), "SAVEPOINT member"); err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			w.panicked = r
			err = fmt.Errorf("panic in a transaction: %v", r)
		}
		end := "RELEASE member"
		if err != nil {
			end = "ROLLBACK TO member; RELEASE member"
		}
		if _, endErr := sqlTx.ExecContext(context.Background(), end); endErr != nil { // there is no savepoint any more
			err = fmt.Errorf("%w: %w", errTransactionLost, errors.Join(err, endErr))
		}
	}()
	w.tx = &Tx{SQL: sqlTx, Dialect: SQLite, span: w.span}
	return w.fn(w.tx)
}
