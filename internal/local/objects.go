package local

import (
	"context"
	"encoding/json"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
)

// abandoned is how long an upload may take; an object without a record after that is deleted.
const abandoned = time.Hour

// store puts the bytes of an image where its record will point. A row announces the object first, so
// that whatever happens next, an object without a record is found and deleted.
func (s *Service) store(ctx context.Context, pic *picture) error {
	var refs int64
	err := s.db.Tx(ctx, func(tx *db.Tx) (err error) {
		refs, err = db.One(ctx, tx, db.Value[int64], `INSERT INTO objects (name, refs, released, touched_at) VALUES ($1, 0, FALSE, $2)
			ON CONFLICT (name) DO UPDATE SET released = FALSE, touched_at = excluded.touched_at RETURNING refs`, pic.name, db.Micros(s.clock.Now()))
		return err
	})
	if err != nil || refs > 0 {
		return err
	}
	if err := s.blobs.Put(ctx, pic.name, pic.contentType, pic.data); err != nil {
		s.release(ctx, pic.name)
		return errs.New(errs.Unavailable, "The image store cannot be reached at the moment; try again.").Because(err)
	}
	return nil
}

// release gives up an object that no record came to use.
func (s *Service) release(ctx context.Context, name string) {
	ctx = context.WithoutCancel(ctx)
	err := s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE objects SET released = TRUE WHERE name = $1 AND refs = 0", name)
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
	n, err := tx.Exec(ctx, "UPDATE objects SET refs = refs + 1 WHERE name = $1", pic.name)
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
	return s.touchOf(ctx, tx, img)
}

// touchOf publishes the location of an image again.
func (s *Service) touchOf(ctx context.Context, tx *db.Tx, img Image) error {
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

const unused = " refs = 0 AND (released OR touched_at < $1)"

// collectObjects deletes objects without a record. The object goes while its row is locked: an upload of
// the same content waits, and puts it anew.
func (s *Service) collectObjects(ctx context.Context) (more bool, err error) {
	horizon := db.Micros(s.clock.Now().Add(-abandoned))
	names, err := db.All(ctx, s.db, db.Value[string], "SELECT name FROM objects WHERE"+unused+" LIMIT 100", horizon)
	for _, name := range names {
		err = s.db.Tx(ctx, func(tx *db.Tx) error {
			n, err := tx.Exec(ctx, "DELETE FROM objects WHERE"+unused+" AND name = $2", horizon, name)
			if err != nil || n == 0 {
				return err
			}
			return s.blobs.Delete(ctx, name)
		})
		if err != nil {
			return false, err
		}
	}
	return len(names) == 100, err
}

func encodeProblems(all []errs.Detail) (string, error) {
	text, err := json.Marshal(all)
	return string(text), err
}

// describeImage changes the caption of an image.
func (s *Service) describeImage(ctx context.Context, tx *db.Tx, accountID, imageID, description string) (Image, error) {
	img, err := s.getImage(ctx, tx, accountID, imageID)
	if err != nil {
		return img, err
	}
	img.Description = description
	if _, err := tx.Exec(ctx, "UPDATE images SET description = $2 WHERE id = $1", imageID, description); err != nil {
		return img, err
	}
	return img, s.touchOf(ctx, tx, img)
}
