package db

import "context"

// Batches writes the rows of an import in transactions of a bounded size, so that other writers hardly wait. What
// one of them has committed stays, whatever becomes of the rest. It is not safe for concurrent use.
type Batches[T any] struct {
	db       *DB
	size     int
	write    func(tx *Tx, rows []T) error
	progress func(kept int)
	rows     []T
	kept     int
	failed   bool
}

// NewBatches starts an import of size rows a transaction. progress, which may be nil, is told after each of them
// how many rows are kept so far.
func NewBatches[T any](d *DB, size int, write func(tx *Tx, rows []T) error, progress func(kept int)) *Batches[T] {
	return &Batches[T]{db: d, size: size, write: write, progress: progress, rows: make([]T, 0, size)}
}

// Add takes a row, and writes when there are enough.
func (b *Batches[T]) Add(ctx context.Context, row T) error {
	if b.rows = append(b.rows, row); len(b.rows) < b.size {
		return ctx.Err()
	}
	return b.Flush(ctx)
}

// Flush writes the rows that are left. After a write that failed there are none: its error has been told.
func (b *Batches[T]) Flush(ctx context.Context) error {
	if b.failed || len(b.rows) == 0 {
		return nil
	}
	if err := b.db.Tx(ctx, func(tx *Tx) error { return b.write(tx, b.rows) }); err != nil {
		b.failed = true
		return err
	}
	b.kept += len(b.rows)
	b.rows = b.rows[:0]
	if b.progress != nil {
		b.progress(b.kept)
	}
	return nil
}

// Kept is how many rows are committed.
func (b *Batches[T]) Kept() int { return b.kept }
