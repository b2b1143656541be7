package local

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/picture"
)

var objectName = regexp.MustCompile(`^[0-9a-f]{64}\.(jpg|png)$`)

var mediaTypes = map[string]string{".jpg": "image/jpeg", ".png": "image/png"}

var errWidth = fmt.Errorf("w must be one of %s", strings.Trim(fmt.Sprint(directory.MediaWidths), "[]"))

// serveMedia serves an image as it was uploaded, or with ?w= no wider than that.
func (s *Service) serveMedia(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	if !objectName.MatchString(name) {
		return errGone
	}
	width := 0
	if r.URL.Query().Has("w") {
		width, _ = strconv.Atoi(r.URL.Query().Get("w"))
		if !slices.Contains(directory.MediaWidths, width) {
			return errWidth
		}
	}
	ctx := r.Context()
	switch used, err := s.inUse(ctx, name); {
	case err != nil:
		return err
	case !used:
		return errGone
	}
	object, err := s.openSized(ctx, name, width)
	if errors.Is(err, blob.ErrNotFound) {
		return errGone
	}
	if err != nil {
		return err
	}
	defer func() { _ = object.Close() }()
	h := w.Header()
	h.Set("Content-Type", mediaTypes[path.Ext(name)])
	h.Set("Cache-Control", "public, max-age=31536000, immutable") // the name is the content
	h.Set("ETag", fmt.Sprintf(`"%s-%d"`, name, width))
	h.Set("Content-Security-Policy", "default-src 'none'")
	http.ServeContent(w, r, "", time.Time{}, object)
	return nil
}

// inUse tells whether a record uses an object. What none uses is not served, even when the object store keeps it
// for longer.
func (s *Service) inUse(ctx context.Context, name string) (bool, error) {
	_, err := db.One(ctx, s.db, db.Value[int64], "SELECT refs FROM objects WHERE name = $1 AND refs > 0", name)
	if db.IsNoRow(err) {
		return false, nil
	}
	return err == nil, err
}

// scaled makes sizes of images: each once though many ask, and one after the other, since a picture unpacked is large.
type scaled struct {
	making *singleflight.Group
	room   chan struct{}
}

// sizePatience is how long a request waits for a size; then it is given the picture as it is.
const sizePatience = 15 * time.Second

func newScaled() scaled { return scaled{new(singleflight.Group), make(chan struct{}, 1)} }

// scaledName is the name under which a size of an object is kept.
func scaledName(name string, width int) string {
	ext := path.Ext(name)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), width, ext)
}

// openSized opens an image in a width, which is made when it is first asked for; 0 is the image as it is.
func (s *Service) openSized(ctx context.Context, name string, width int) (*object, error) {
	if width == 0 {
		return s.openObject(ctx, name)
	}
	own := scaledName(name, width)
	if object, err := s.openObject(ctx, own); !errors.Is(err, blob.ErrNotFound) {
		return object, err
	}
	made := s.scaled.making.DoChan(own, func() (any, error) {
		return nil, s.makeSized(context.WithoutCancel(ctx), name, width) // others may wait for it
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(sizePatience):
		return s.openObject(ctx, name)
	case result := <-made:
		if result.Err != nil {
			return nil, result.Err
		}
		return s.openObject(ctx, own)
	}
}

// makeSized keeps an image in a width. The object may have been given up meanwhile: its deletion takes away what was
// there when it began, and what came later is taken away here.
func (s *Service) makeSized(ctx context.Context, name string, width int) error {
	s.scaled.room <- struct{}{}
	defer func() { <-s.scaled.room }()
	if made, err := s.openObject(ctx, scaledName(name, width)); err == nil { // another may just have made it
		return made.Close()
	}
	original, err := s.readObject(ctx, name)
	if err != nil {
		return err
	}
	small, err := picture.Narrower(original, width)
	if err != nil {
		s.log.WarnContext(ctx, "an image cannot be scaled and is served as it is", "object", name, "error", err)
		small = original
	}
	ctx, cancel := context.WithTimeout(ctx, s.objectTime)
	defer cancel()
	own := scaledName(name, width)
	if err := s.blobs.Put(ctx, own, mediaTypes[path.Ext(name)], small); err != nil {
		return err
	}
	if used, err := s.inUse(ctx, name); err != nil || used {
		return err
	}
	return errors.Join(s.blobs.Delete(ctx, own), blob.ErrNotFound)
}
