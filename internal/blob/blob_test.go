package blob_test

import (
	"errors"
	"io"
	"net/http/httptest"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/trigpoint/trigpoint/internal/blob"
)

// Every store passes the same scenario.
func TestStores(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	if err := backend.CreateBucket("images"); err != nil {
		t.Fatal(err)
	}
	s3, err := blob.NewS3(blob.S3Options{Endpoint: server.URL, Bucket: "images", Region: "us-east-1", AccessKey: "a", SecretKey: "b", Prefix: "x/"})
	if err != nil {
		t.Fatal(err)
	}
	for name, store := range map[string]blob.Store{"folder": blob.NewFolder(t.TempDir()), "s3": s3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			if _, _, err := store.Get(ctx, "abc.png"); !errors.Is(err, blob.ErrNotFound) {
				t.Fatalf("an object never put: %v", err)
			}
			for _, content := range []string{"first", "second"} {
				if err := store.Put(ctx, "abc.png", "image/png", []byte(content)); err != nil {
					t.Fatal(err)
				}
				r, size, err := store.Get(ctx, "abc.png")
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil || string(got) != content || size != int64(len(content)) {
					t.Fatalf("got %q of %d bytes, %v", got, size, err)
				}
				_ = r.Close()
			}
			for range 2 { // deleting again is no error
				if err := store.Delete(ctx, "abc.png"); err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := store.Get(ctx, "abc.png"); !errors.Is(err, blob.ErrNotFound) {
				t.Fatalf("a deleted object: %v", err)
			}
		})
	}
}

func TestFolderRefusesNamesThatLeaveIt(t *testing.T) {
	t.Parallel()
	f := blob.NewFolder(t.TempDir())
	for _, name := range []string{"../etc", "a/b/c", "/etc/passwd", "x", ""} {
		if err := f.Put(t.Context(), name, "", nil); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}
