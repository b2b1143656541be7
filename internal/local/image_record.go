package local

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/picture"
)

// imageURL is where the bytes of an image are served.
func (s *Service) imageURL(img Image) string { return s.publicURL + directory.MediaPath + img.object }

// imagesOf finds what is published of the images of each location.
func (s *Service) imagesOf(ctx context.Context, q db.Queryer, locationIDs ...string) (map[string][]directory.Image, error) {
	images, err := newestImages(ctx, q, locationIDs)
	published := map[string][]directory.Image{}
	for _, img := range images {
		published[img.locationID] = append(published[img.locationID], directory.Image{Type: img.Type, URL: s.imageURL(img), Description: img.Description, Bytes: img.bytes})
	}
	return published, err
}

// addImage makes the record of a stored object.
func (s *Service) addImage(ctx context.Context, tx *db.Tx, accountID, locationID, kind, description string, pic *picture.Picture) (Image, error) {
	tx.AfterRollback(func() { s.release(ctx, pic.Name) })
	if _, err := s.accounts.Take(ctx, tx, accountID, account.ImageBytes, int64(len(pic.Data))); err != nil {
		return Image{}, err
	}
	l, err := editable(ctx, tx, accountID, locationID)
	if err != nil {
		return Image{}, err
	}
	n, err := tx.Exec(ctx, "UPDATE objects SET refs = refs + 1, "+uploaded+" WHERE name = $1 AND NOT deleting", pic.Name, db.Micros(s.clock.Now()))
	if err != nil {
		return Image{}, err
	}
	if n == 0 {
		return Image{}, errs.New(errs.Unavailable, "The upload took too long; try again.")
	}
	img := Image{
		ID: id.New(), Type: kind, Description: description, CreateDate: s.now(),
		accountID: accountID, locationID: locationID, object: pic.Name, bytes: int64(len(pic.Data)),
	}
	img.URL = s.imageURL(img)
	if err := insertImage(ctx, tx, img); err != nil {
		return Image{}, err
	}
	return img, s.touch(ctx, tx, &l)
}

// removeImage deletes an image and gives its bytes back to the plan. It locks in the order that holds
// everywhere: account, location, image, object. The image tells its location, so it is read before it is locked.
func (s *Service) removeImage(ctx context.Context, tx *db.Tx, accountID, imageID string) error {
	img, err := getImage(ctx, tx, accountID, imageID, "")
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
	if img, err = getImage(ctx, tx, accountID, imageID, tx.ForUpdate()); err != nil {
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

// describeImage changes the caption of an image. It locks as removeImage does.
func (s *Service) describeImage(ctx context.Context, tx *db.Tx, accountID, imageID, description string) (Image, error) {
	img, err := getImage(ctx, tx, accountID, imageID, "")
	if err != nil {
		return img, err
	}
	l, err := editable(ctx, tx, accountID, img.locationID)
	if err != nil {
		return img, err
	}
	if img, err = getImage(ctx, tx, accountID, imageID, tx.ForUpdate()); err != nil {
		return img, err
	}
	img.Description, img.URL = description, s.imageURL(img)
	if _, err := tx.Exec(ctx, "UPDATE images SET description = $2 WHERE id = $1", imageID, description); err != nil {
		return img, err
	}
	return img, s.touch(ctx, tx, &l)
}
