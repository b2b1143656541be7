package local

import (
	"context"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

// abandoned is how long an upload may take; an object without a record after that is deleted.
const abandoned = time.Hour

// objectTime bounds a call to the object store.
const objectTime = 20 * time.Second

// store puts the bytes of an image where its record will point. A row announces the object first, so
// that whatever happens next, an object without a record is found and deleted.
func (s *Service) store(ctx context.Context, pic *picture) error {
	refs, err := s.announce(ctx, pic.name)
	if db.IsNoRow(err) { // the same content is being deleted: see to it that this ends, and begin anew
		s.collectNow(ctx)
		refs, err = s.announce(ctx, pic.name)
	}
	switch {
	case db.IsNoRow(err):
		return errs.New(errs.Unavailable, "The same image is being deleted at the moment; try again.")
	case err != nil || refs > 0:
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, objectTime)
	defer cancel()
	if err := s.blobs.Put(bounded, pic.name, pic.contentType, pic.data); err != nil {
		s.release(ctx, pic.name)
		return errs.New(errs.Unavailable, "The image store cannot be reached at the moment; try again.").Because(err)
	}
	return nil
}

// announce makes or refreshes the row of an object and returns how many records use it. There is no row
// while the object is being deleted.
func (s *Service) announce(ctx context.Context, name string) (refs int64, err error) {
	err = s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		refs, err = db.One(ctx, tx, db.Value[int64], `INSERT INTO objects (name, refs, released, deleting, touched_at) VALUES ($1, 0, FALSE, FALSE, $2)
			ON CONFLICT (name) DO UPDATE SET released = FALSE, touched_at = excluded.touched_at WHERE NOT objects.deleting RETURNING refs`,
			name, db.Micros(s.clock.Now()))
		return err
	})
	return refs, err
}

// release gives up an object that no record came to use. The row may be gone already, the bytes not.
func (s *Service) release(ctx context.Context, name string) {
	ctx = context.WithoutCancel(ctx)
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO objects (name, refs, released, deleting, touched_at) VALUES ($1, 0, TRUE, FALSE, $2)
			ON CONFLICT (name) DO UPDATE SET released = TRUE WHERE objects.refs = 0`, name, db.Micros(s.clock.Now()))
		return err
	})
	if err != nil {
		s.log.Error("release object", "object", name, "error", err)
	}
	s.collectNow(ctx)
}

// addImage makes the record of a stored object.
func (s *Service) addImage(ctx context.Context, tx *db.Tx, accountID, locationID, kind, description string, pic *picture) (Image, error) {
	tx.AfterRollback(func() { s.release(ctx, pic.name) })
	l, err := editable(ctx, tx, accountID, locationID)
	if err != nil {
		return Image{}, err
	}
	n, err := tx.Exec(ctx, "UPDATE objects SET refs = refs + 1 WHERE name = $1 AND NOT deleting", pic.name)
	if err != nil {
		return Image{}, err
	}
	if n == 0 {
		return Image{}, errs.New(errs.Unavailable, "The upload took too long; try again.")
	}
	img := Image{
		ID: id.New(), Type: kind, URL: s.publicURL + MediaPath + pic.name, Description: description,
		CreateDate: &Time{s.clock.Now()}, accountID: accountID, object: pic.name,
	}
	_, err = tx.Exec(ctx, "INSERT INTO images (id, account_id, location_id, type, object, description, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
		img.ID, accountID, locationID, img.Type, img.object, img.Description, db.Micros(img.CreateDate.Time))
	if err != nil {
		return Image{}, err
	}
	return img, s.touch(ctx, tx, &l)
}

func (s *Service) removeImage(ctx context.Context, tx *db.Tx, accountID, imageID string) error {
	img, err := s.getImage(ctx, tx, accountID, imageID)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "DELETE FROM images WHERE id = $1", imageID); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE objects SET refs = refs - 1, released = TRUE WHERE name = $1", img.object); err != nil {
		return err
	}
	tx.AfterCommit(func() { s.collectNow(ctx) })
	l, err := lockLocation(ctx, tx, img.accountID, img.locationID)
	if err != nil {
		return err
	}
	return s.touch(ctx, tx, &l)
}

// collectNow deletes unused objects as part of the request that left them; the sweep finds what a fault
// leaves behind.
func (s *Service) collectNow(ctx context.Context) {
	if _, err := s.collectObjects(context.WithoutCancel(ctx)); err != nil {
		s.log.Error("delete unused images; it is tried again", "error", err)
	}
}

const unused = " refs = 0 AND (released OR deleting OR touched_at < $1)"

// collectObjects deletes objects without a record: marked first, then taken out of the object store, then
// forgotten. Whatever dies in between, the mark is found again.
func (s *Service) collectObjects(ctx context.Context) (more bool, err error) {
	horizon := db.Micros(s.clock.Now().Add(-abandoned))
	names, err := db.All(ctx, s.db, db.Value[string], "SELECT name FROM objects WHERE"+unused+" LIMIT 100", horizon)
	if err != nil {
		return false, err
	}
	for _, name := range names {
		if err := s.deleteObject(ctx, name, horizon); err != nil {
			return false, err
		}
	}
	return len(names) == 100, nil
}

func (s *Service) deleteObject(ctx context.Context, name string, horizon int64) error {
	marked := false
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		n, err := tx.Exec(ctx, "UPDATE objects SET deleting = TRUE WHERE"+unused+" AND name = $2", horizon, name)
		marked = n == 1
		return err
	})
	if err != nil || !marked {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, objectTime)
	defer cancel()
	if err := s.blobs.Delete(bounded, name); err != nil {
		return err
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM objects WHERE name = $1 AND deleting", name)
		return err
	})
}

// describeImage changes the caption of an image.
func (s *Service) describeImage(ctx context.Context, tx *db.Tx, accountID, imageID, description string) (Image, error) {
	img, err := s.getImage(ctx, tx, accountID, imageID)
	if err != nil {
		return img, err
	}
	l, err := editable(ctx, tx, accountID, img.locationID)
	if err != nil {
		return img, err
	}
	img.Description = description
	if _, err := tx.Exec(ctx, "UPDATE images SET description = $2 WHERE id = $1", imageID, description); err != nil {
		return img, err
	}
	return img, s.touch(ctx, tx, &l)
}
