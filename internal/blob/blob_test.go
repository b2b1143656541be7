package blob_test

import (
	"errors"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

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
			if _, err := store.Get(ctx, "abc.png"); !errors.Is(err, blob.ErrNotFound) {
				t.Fatalf("an object never put: %v", err)
			}
			for _, content := range []string{"first", "second"} {
				if err := store.Put(ctx, "abc.png", "image/png", []byte(content)); err != nil {
					t.Fatal(err)
				}
				r, err := store.Get(ctx, "abc.png")
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if err != nil || string(got) != content {
					t.Fatalf("got %q, %v", got, err)
				}
				_ = r.Close()
			}
			for range 2 { // deleting again is no error
				if err := store.Delete(ctx, "abc.png"); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := store.Get(ctx, "abc.png"); !errors.Is(err, blob.ErrNotFound) {
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

func TestFolderKeepsFilesToItselfAndSweepsWhatBrokenUploadsLeft(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "images [1]")
	f := blob.NewFolder(dir)
	if err := f.Sweep(t.Context(), time.Now()); err != nil { // before there is a folder
		t.Fatal(err)
	}
	if err := f.Put(t.Context(), "abc.png", "image/png", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{"": 0o700 | fs.ModeDir, "ab": 0o700 | fs.ModeDir, "ab/abc.png": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, path)); err != nil || info.Mode() != want {
			t.Errorf("%q: %v %v", path, info.Mode(), err)
		}
	}
	now := time.Now()
	for name, age := range map[string]time.Duration{".put-old": 2 * time.Hour, ".put-new": 0} {
		path := filepath.Join(dir, "ab", name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Sweep(t.Context(), now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(filepath.Join(dir, "ab"))
	if err != nil || len(left) != 2 || left[0].Name() != ".put-new" || left[1].Name() != "abc.png" {
		t.Errorf("left %v, %v", left, err)
	}
}
