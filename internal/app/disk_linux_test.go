package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/local"
)

// The disk of the store is full: writing is refused with the reason, reading goes on, and so does all when there is room.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		dir := smallDisk(t, "16m")
		d, err := db.Open(t.Context(), db.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = d.Close() })
		if err := job.Migrate(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		fillTheDisk(t, d, dir)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		dir := smallDisk(t, "160m") // of which an empty cluster takes 45, and its log 16 or 32
		fillTheDisk(t, dbtest.ServerIn(t, dir).Open(), dir)
	})
}

func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := dbtest.ShortDir(t)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func fillTheDisk(t *testing.T, d *db.DB, dir string) {
	t.Helper()
	p := apptest.Start(t, d, func(s *apptest.Setup) { s.NoWorker = true }) // whose log would be full of it
	create, list := apptest.Call{Method: "POST", Path: local.Prefix + "/locations", Body: deli}, apptest.Call{Method: "GET", Path: local.Prefix + "/locations"}
	p.Do(t, create).Want(t, 200)
	filler := filepath.Join(dir, "filler")
	f, err := os.Create(filler)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	_ = f.Close()
	made := 1
	for {
		answer := p.Do(t, create)
		if answer.Status == 200 { // there was room in the log
			made++
			continue
		}
		if answer.Want(t, 503); !strings.Contains(string(answer.Raw), "disk of the store is full") || answer.Header.Get("Retry-After") == "" {
			t.Errorf("%s", answer.Raw)
		}
		break
	}
	if n := p.Do(t, list).Want(t, 200).At("meta.total"); n != float64(made) {
		t.Errorf("%v locations are listed, want %d", n, made)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.Do(t, create).Want(t, 200)
	if n, err := db.One(t.Context(), d, db.Value[int], "SELECT count(*) FROM locations"); err != nil || n != made+1 {
		t.Errorf("%d locations, want %d: %v", n, made+1, err)
	}
}
