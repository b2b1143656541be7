package local_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
)

// upload adds a picture to a location and returns the answer.
func upload(t testing.TB, p *apptest.Program, location string, picture []byte) *apptest.Answer {
	t.Helper()
	return p.Do(t, apptest.Call{Method: "POST", Path: base + "/locations/" + location + "/images", Body: map[string]any{"content": b64(picture), "type": "PHOTO"}})
}

func removeImage(t testing.TB, p *apptest.Program, image *apptest.Answer) {
	t.Helper()
	p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/images/" + image.Text("data.id")}).Want(t, 200)
}

// stubborn refuses to delete one object while it is told to.
type stubborn struct {
	blob.Store
	keeps atomic.Pointer[string]
}

func (s *stubborn) Delete(ctx context.Context, name string) error {
	if kept := s.keeps.Load(); kept != nil && *kept == name {
		return errors.New("the object is locked")
	}
	return s.Store.Delete(ctx, name)
}

func TestUndeletableObjectHoldsUpNoOtherAndIsTriedAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		now := clock.NewFake(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		store := &stubborn{Store: blob.NewFolder(t.TempDir())}
		p := apptest.Start(t, d, func(s *apptest.Setup) { s.Options.Blobs, s.Options.Clock = store, now })
		location := create(t, p, valid(t))
		first, second := upload(t, p, location, pngOf(t, 300, 300)).Want(t, 200), upload(t, p, location, pngOf(t, 301, 300)).Want(t, 200)
		_, name, _ := strings.Cut(first.Text("data.url"), "/media/")
		store.keeps.Store(&name)
		removeImage(t, p, first)
		removeImage(t, p, second)
		for _, image := range []*apptest.Answer{first, second} {
			if status, _ := fetch(t, image.Text("data.url")); status != 404 {
				t.Errorf("a deleted image answers %d", status)
			}
		}
		left := func(n int) {
			t.Helper()
			p.Eventually(t, apptest.Call{Method: "GET", Path: base + "/locations"}, func(*apptest.Answer) bool {
				return count(t, p.DB, "objects WHERE NOT deleting") == n && count(t, p.DB, "objects") == n
			})
		}
		left(1)
		store.keeps.Store(nil)
		removeImage(t, p, upload(t, p, location, pngOf(t, 302, 300)).Want(t, 200))
		left(1) // not yet
		now.Advance(2 * time.Minute)
		removeImage(t, p, upload(t, p, location, pngOf(t, 303, 300)).Want(t, 200))
		left(0)
	})
}

// stuck does not finish a deletion until it is released.
type stuck struct {
	blob.Store
	release chan struct{}
}

func (s stuck) Delete(context.Context, string) error {
	<-s.release
	return nil
}

func TestObjectStoreThatHangsHoldsUpNoRequest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		folder := stuck{blob.NewFolder(t.TempDir()), make(chan struct{})}
		p := apptest.Start(t, d, func(s *apptest.Setup) { s.Options.Blobs = folder })
		defer close(folder.release)
		location := create(t, p, valid(t))
		removeImage(t, p, upload(t, p, location, pngOf(t, 300, 300)).Want(t, 200))
		removeImage(t, p, upload(t, p, location, pngOf(t, 301, 300)).Want(t, 200))
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + location}).Want(t, 200)
	})
}

func TestImagesCountAgainstThePlan(t *testing.T) {
	t.Parallel()
	picture, other := pngOf(t, 300, 300), pngOf(t, 301, 300)
	room := len(picture) + len(other) - 1
	apptest.Each(t, func(t *testing.T, p *apptest.Program) {
		location := create(t, p, valid(t))
		first := upload(t, p, location, picture).Want(t, 200)
		full := upload(t, p, location, other).Want(t, 403)
		if full.Text("error.details.0.error_status") != "IMAGE_STORAGE_FULL" || !strings.Contains(full.Text("error.message")+full.Text("error.details.0.message"), "bytes of images") {
			t.Errorf("over the plan answered %s", full.Raw)
		}
		if n := count(t, p.DB, "objects"); n != 1 {
			t.Errorf("%d objects, one of them for nothing", n)
		}
		removeImage(t, p, first)
		upload(t, p, location, other).Want(t, 200)
		p.Do(t, apptest.Call{Method: "DELETE", Path: base + "/locations/" + location}).Want(t, 200)
		upload(t, p, create(t, p, valid(t)), picture).Want(t, 200)
	}, func(s *apptest.Setup) {
		s.Config.Plans = `{"agency":{"image_bytes":` + strconv.Itoa(room) + `,"rate":0}}`
	})
}

// PostgreSQL may ask for a transaction to be run again; the upload that it belongs to is not given up for that.
func TestUploadWhoseTransactionIsRunAgain(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect != db.Postgres {
			t.Skip("SQLite runs transactions one after another")
		}
		p := apptest.Start(t, d)
		location := create(t, p, valid(t))
		err := d.Tx(t.Context(), func(tx *db.Tx) error {
			for _, text := range []string{
				"CREATE SEQUENCE tries",
				`CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
					IF nextval('tries') = 1 THEN RAISE EXCEPTION USING ERRCODE = 'serialization_failure'; END IF;
					RETURN NEW;
				END $$`,
				"CREATE TRIGGER refuse_once BEFORE INSERT ON images FOR EACH ROW EXECUTE FUNCTION refuse_once()",
			} {
				if _, err := tx.Exec(t.Context(), text); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		image := upload(t, p, location, pngOf(t, 300, 300)).Want(t, 200)
		if status, _ := fetch(t, image.Text("data.url")); status != 200 {
			t.Errorf("the image answers %d", status)
		}
	})
}
