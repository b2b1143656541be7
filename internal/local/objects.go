package local

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
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
func (s *Service) store(ctx context.Context, pic *picture) error {
	ctx, cancel := context.WithTimeout(ctx, s.objectTime)
	defer cancel()
	refs, err := s.announce(ctx, pic.name)
	for db.IsNoRow(err) { // the same content is being deleted, which takes a moment
		select {
		case <-ctx.Done():
			return errs.New(errs.Unavailable, "The same image is being deleted at the moment; try again.")
		case <-time.After(20 * time.Millisecond):
			refs, err = s.announce(ctx, pic.name)
		}
	}
	if err != nil || refs > 0 {
		return err
	}
	if err := s.blobs.Put(ctx, pic.name, pic.contentType, pic.data); err != nil {
		s.release(ctx, pic.name)
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

// uploaded ends an upload, for the row $1 at the time $2. Without another one under way, the object is due
// once no record uses it.
const uploaded = `uploads = CASE WHEN uploads > 0 THEN uploads - 1 ELSE 0 END, due_at = CASE WHEN uploads > 1 THEN due_at ELSE $2 END`

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

// addImage makes the record of a stored object.
func (s *Service) addImage(ctx context.Context, tx *db.Tx, accountID, locationID, kind, description string, pic *picture) (Image, error) {
	tx.AfterRollback(func() { s.release(ctx, pic.name) })
	if _, err := s.accounts.Take(ctx, tx, accountID, account.ImageBytes, int64(len(pic.data))); err != nil {
		return Image{}, err
	}
	l, err := editable(ctx, tx, accountID, locationID)
	if err != nil {
		return Image{}, err
	}
	n, err := tx.Exec(ctx, "UPDATE objects SET refs = refs + 1, "+uploaded+" WHERE name = $1 AND NOT deleting", pic.name, db.Micros(s.clock.Now()))
	if err != nil {
		return Image{}, err
	}
	if n == 0 {
		return Image{}, errs.New(errs.Unavailable, "The upload took too long; try again.")
	}
	img := Image{
		ID: id.New(), Type: kind, URL: s.publicURL + MediaPath + pic.name, Description: description,
		CreateDate: s.now(), accountID: accountID, object: pic.name,
	}
	_, err = tx.Exec(ctx, "INSERT INTO images ("+imageColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
		img.ID, accountID, locationID, img.Type, img.object, len(pic.data), img.Description, db.Micros(img.CreateDate.Time))
	if err != nil {
		return Image{}, err
	}
	return img, s.touch(ctx, tx, &l)
}

// unreferenced makes an object due at the time $2 unless it is being uploaded again.
const unreferenced = "due_at = CASE WHEN uploads > 0 THEN due_at ELSE $2 END"

// removeImage locks in the order that holds everywhere: account, location, image, object.
func (s *Service) removeImage(ctx context.Context, tx *db.Tx, accountID, imageID string) error {
	img, err := s.getImage(ctx, tx, accountID, imageID, "")
	if err != nil {
		return err
	}
	if _, err := s.accounts.Give(ctx, tx, accountID, account.ImageBytes, 0, img.bytes); err != nil {
		return err
	}
	l, err := lockLocation(ctx, tx, accountID, img.locationID)
	if err != nil {
		return err
	}
	if img, err = s.getImage(ctx, tx, accountID, imageID, tx.ForUpdate()); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM images WHERE id = $1", imageID); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE objects SET refs = refs - 1, "+unreferenced+" WHERE name = $1", img.object, db.Micros(s.clock.Now())); err != nil {
		return err
	}
	tx.AfterCommit(s.collector.Wake)
	return s.touch(ctx, tx, &l)
}

// describeImage changes the caption of an image.
func (s *Service) describeImage(ctx context.Context, tx *db.Tx, accountID, imageID, description string) (Image, error) {
	img, err := s.getImage(ctx, tx, accountID, imageID, "")
	if err != nil {
		return img, err
	}
	l, err := editable(ctx, tx, accountID, img.locationID)
	if err != nil {
		return img, err
	}
	if img, err = s.getImage(ctx, tx, accountID, imageID, tx.ForUpdate()); err != nil {
		return img, err
	}
	img.Description = description
	if _, err := tx.Exec(ctx, "UPDATE images SET description = $2 WHERE id = $1", imageID, description); err != nil {
		return img, err
	}
	return img, s.touch(ctx, tx, &l)
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
	if fault := s.blobs.Delete(bounded, name); fault != nil {
		s.log.Warn("an unused image could not be deleted; it is tried again", "object", name, "attempt", attempt, "error", fault)
		pause := min(firstRetry<<min(attempt-1, 10), lastRetry)
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
