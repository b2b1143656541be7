package local

import (
	"context"
	"io"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/picture"
)

const (
	// abandoned is how long an upload may take; an object without a record after that is deleted.
	abandoned = time.Hour
	// objectTime bounds a call to the object store.
	objectTime = 20 * time.Second
	// A deletion that fails is tried again after a minute, then after twice as long each time.
	firstRetry, lastRetry = time.Minute, 6 * time.Hour
)

// store puts the bytes of an image where its record will point. A row announces the object first, so
// that whatever happens next, an object without a record is found and deleted.
func (s *Service) store(ctx context.Context, pic *picture.Picture) error {
	ctx, cancel := context.WithTimeout(ctx, s.objectTime)
	defer cancel()
	refs, err := s.announce(ctx, pic.Name)
	for db.IsNoRow(err) { // the same content is being deleted, which takes a moment
		select {
		case <-ctx.Done():
			return errs.New(errs.Unavailable, "The same image is being deleted at the moment; try again.")
		case <-time.After(20 * time.Millisecond):
			refs, err = s.announce(ctx, pic.Name)
		}
	}
	if err != nil || refs > 0 {
		return err
	}
	if err := s.blobs.Put(ctx, pic.Name, pic.ContentType, pic.Data); err != nil {
		s.release(ctx, pic.Name)
		return errs.New(errs.Unavailable, "The image store cannot be reached at the moment; try again.").Because(err)
	}
	return nil
}

// announce counts an upload of an object, makes its row if there is none, and returns how many records use
// it. There is no row while the object is being deleted; a deletion that has died is no hindrance.
func (s *Service) announce(ctx context.Context, name string) (refs int64, err error) {
	now := s.clock.Now()
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		refs, err = db.One(ctx, tx, db.Value[int64], `INSERT INTO objects (name, refs, uploads, deleting, due_at) VALUES ($1, 0, 1, FALSE, $2)
			ON CONFLICT (name) DO UPDATE SET uploads = objects.uploads + 1, deleting = FALSE, due_at = excluded.due_at, attempts = 0
			WHERE NOT objects.deleting OR objects.due_at <= $3 RETURNING refs`, name, db.Micros(now.Add(abandoned)), db.Micros(now))
		return err
	})
	return refs, err
}

// release gives up an upload that no record came of.
func (s *Service) release(ctx context.Context, name string) {
	ctx = context.WithoutCancel(ctx)
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE objects SET "+uploaded+" WHERE name = $1", name, db.Micros(s.clock.Now()))
		return err
	})
	if err != nil {
		s.log.Error("release object", "object", name, "error", err)
	}
	s.collector.Wake()
}

// collectObjects deletes objects without a record. Each is on its own: one that cannot be deleted now is
// tried again later and holds up no other.
func (s *Service) collectObjects(ctx context.Context) (more bool, err error) {
	const batch, atOnce = 100, 8
	names, err := db.All(ctx, s.db, db.Value[string], "SELECT name FROM objects WHERE refs = 0 AND due_at <= $1 ORDER BY due_at LIMIT $2", db.Micros(s.clock.Now()), batch)
	if err != nil {
		return false, err
	}
	var deletions errgroup.Group
	deletions.SetLimit(atOnce)
	for _, name := range names {
		deletions.Go(func() error { return s.deleteObject(ctx, name) })
	}
	return len(names) == batch, deletions.Wait()
}

// deleteObject marks an object, takes it out of the object store, and forgets it. Whatever dies in between,
// the mark is found again when it is due.
func (s *Service) deleteObject(ctx context.Context, name string) error {
	now := s.clock.Now()
	attempt := 0
	err := s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		attempt, err = db.One(ctx, tx, db.Value[int], `UPDATE objects SET deleting = TRUE, uploads = 0, attempts = attempts + 1, due_at = $3
			WHERE name = $1 AND refs = 0 AND due_at <= $2 RETURNING attempts`, name, db.Micros(now), db.Micros(now.Add(firstRetry)))
		return err
	})
	if db.IsNoRow(err) { // it is in use again, or another process has it
		return nil
	}
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, s.objectTime)
	defer cancel()
	if fault := s.deleteStored(bounded, name); fault != nil {
		s.log.Warn("an unused image could not be deleted; it is tried again", "object", name, "attempt", attempt, "error", fault)
		pause := job.Backoff(attempt, firstRetry, lastRetry)
		return s.db.Tx(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, "UPDATE objects SET deleting = FALSE, due_at = $2 WHERE name = $1 AND deleting", name, db.Micros(s.clock.Now().Add(pause)))
			return err
		})
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM objects WHERE name = $1 AND deleting", name)
		return err
	})
}

// deleteStored takes an image out of the object store, and before it all sizes that were made of it.
func (s *Service) deleteStored(ctx context.Context, name string) error {
	for _, width := range directory.MediaWidths {
		if err := s.blobs.Delete(ctx, scaledName(name, width)); err != nil {
			return err
		}
	}
	return s.blobs.Delete(ctx, name)
}

// EachObject calls fn with the name of every object that the record of an image points to.
func EachObject(ctx context.Context, q db.Queryer, fn func(name string) error) error {
	return db.Each(ctx, q, func(row db.Scanner) error {
		name, err := db.Value[string](row)
		if err != nil {
			return err
		}
		return fn(name)
	}, "SELECT name FROM objects WHERE refs > 0")
}

// object is an image being read from the object store. A store that hangs ends the reading; a client that
// reads slowly does not.
type object struct {
	io.ReadSeekCloser
	limit time.Duration // of one call to the store
	hangs *time.Timer
	end   context.CancelFunc
}

func (s *Service) openObject(ctx context.Context, name string) (*object, error) {
	ctx, end := context.WithCancel(ctx)
	hangs := time.AfterFunc(s.objectTime, end)
	opened, err := s.blobs.Get(ctx, name)
	hangs.Stop()
	if err != nil {
		end()
		return nil, err
	}
	return &object{opened, s.objectTime, hangs, end}, nil
}

// readObject reads an image whole.
func (s *Service) readObject(ctx context.Context, name string) ([]byte, error) {
	o, err := s.openObject(ctx, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = o.Close() }()
	return io.ReadAll(io.LimitReader(o, maxImageBytes))
}

// Read implements io.Reader.
func (o *object) Read(p []byte) (int, error) {
	o.hangs.Reset(o.limit)
	defer o.hangs.Stop()
	return o.ReadSeekCloser.Read(p)
}

// Close implements io.Closer.
func (o *object) Close() error {
	defer o.end()
	return o.ReadSeekCloser.Close()
}
