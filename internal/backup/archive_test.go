package backup_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/backup"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/job"
	"github.com/trigpoint/trigpoint/internal/local"
)

// small is an installation with a few rows and an object, and so many bytes that cannot be packed.
func small(t *testing.T, d *db.DB, size int) *backup.Installation {
	t.Helper()
	in := installation(t, d)
	noise := make([]byte, size)
	if _, err := rand.NewChaCha8([32]byte{}).Read(noise); err != nil {
		t.Fatal(err)
	}
	err := d.Tx(t.Context(), func(tx *db.Tx) error {
		return errorsOf(
			db.Insert(t.Context(), tx, "campaign_points", "id, campaign_id, points", [][]any{{"noise", "", noise}}, ""),
			db.Insert(t.Context(), tx, "objects", "name, refs, deleting, due_at", [][]any{{"abc.png", 1, false, 0}, {"unused.png", 0, false, 0}}, ""),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Blobs.Put(t.Context(), "abc.png", "image/png", []byte("a picture")); err != nil {
		t.Fatal(err)
	}
	return in
}

func verify(file []byte, key *backup.Key) error {
	_, _, err := backup.Verify(context.Background(), bytes.NewReader(file), key)
	return err
}

func TestDamageIsToldInASentence(t *testing.T) {
	t.Parallel()
	in := small(t, dbtest.SQLite(t), 150_000)
	key, other := backup.Key{1}, backup.Key{2}
	plain, _ := write(t, in, nil)
	sealed, _ := write(t, in, &key)
	for file, k := range map[*[]byte]*backup.Key{&plain: nil, &sealed: &key} {
		if err := verify(*file, k); err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(*file); at += 1 + len(*file)/100 {
			flipped := bytes.Clone(*file)
			flipped[at] ^= 4
			if err := verify(flipped, k); err == nil || !strings.Contains(err.Error(), "backup") {
				t.Errorf("a bit of byte %d of %d flipped: %v", at, len(*file), err)
			}
			if err := verify((*file)[:at], k); err == nil || !strings.Contains(err.Error(), "backup") {
				t.Errorf("cut after %d of %d: %v", at, len(*file), err)
			}
		}
		if err := verify(append(bytes.Clone(*file), "more"...), k); err == nil {
			t.Error("something after the end was not seen")
		}
	}
	chunk := len("trigpoint sealed backup 1\n") + 32 + 64<<10 + 16
	if len(sealed) <= chunk {
		t.Fatalf("%d bytes are too few to be cut between two chunks", len(sealed))
	}
	for _, wrong := range []struct {
		file []byte
		key  *backup.Key
		want error
	}{
		{sealed, &other, backup.ErrWrongKey},
		{sealed, nil, backup.ErrNeedsKey},
		{plain, &key, backup.ErrNotSealed},
		{sealed[:chunk], &key, backup.ErrCut},
		{plain[:len(plain)-5], nil, backup.ErrCut},
	} {
		if err := verify(wrong.file, wrong.key); !errors.Is(err, wrong.want) {
			t.Errorf("%v in place of %v", err, wrong.want)
		}
	}
}

// fullDisk takes so many bytes.
type fullDisk int

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	if *d -= fullDisk(len(p)); *d < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestFullDiskFailsTheBackup(t *testing.T) {
	t.Parallel()
	in := small(t, dbtest.SQLite(t), 150_000)
	for _, key := range []*backup.Key{nil, {}} {
		file, _ := write(t, in, key)
		for _, room := range []int{0, 1, len(file) / 2, len(file) - 50} {
			disk := fullDisk(room) // the time in it may make the next one shorter by some bytes
			if _, err := in.Write(t.Context(), &disk, key, "test"); !errors.Is(err, errFull) {
				t.Errorf("room for %d of %d bytes: %v", room, len(file), err)
			}
		}
	}
}

// counting counts what is put.
type counting struct {
	blob.Store
	puts int
}

func (c *counting) Put(ctx context.Context, name, contentType string, data []byte) error {
	c.puts++
	return c.Store.Put(ctx, name, contentType, data)
}

// dying ends a context when half of the bytes were read.
type dying struct {
	io.Reader
	left int
	end  func()
}

func (d *dying) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p[:min(len(p), 512)])
	if d.left -= n; d.left < 0 {
		d.end()
	}
	return n, err
}

// A restore that was interrupted leaves a store that nothing opens, and is done when it is run again. It wants an empty store.
func TestInterruptedRestoreIsRunAgain(t *testing.T) {
	t.Parallel()
	key := backup.Key{7}
	from := small(t, dbtest.SQLite(t), 1_000_000) // more than is read at once
	file, _ := write(t, from, &key)
	dbtest.EachEmpty(t, func(t *testing.T, o db.Options) {
		to := installation(t, open(t, o))
		puts := &counting{Store: to.Blobs}
		to.Blobs = puts
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if _, _, err := to.Restore(ctx, &dying{bytes.NewReader(file), len(file) / 2, cancel}, &key); !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted: %v", err)
		}
		if err := job.Migrate(t.Context(), to.DB); err == nil || !strings.Contains(err.Error(), "run it again") {
			t.Errorf("a store half restored was opened: %v", err)
		}
		if _, _, err := to.Restore(t.Context(), bytes.NewReader(file[:len(file)-1]), &key); err == nil {
			t.Error("a backup that is cut was restored")
		}
		restore(t, to, file, &key)
		if r, err := to.Blobs.Get(t.Context(), "abc.png"); err != nil {
			t.Error(err)
		} else if got, err := io.ReadAll(r); string(got) != "a picture" || err != nil || r.Close() != nil {
			t.Errorf("the object is %q, %v", got, err)
		}
		if puts.puts != 1 {
			t.Errorf("one object was put %d times", puts.puts)
		}
		if err := job.Migrate(t.Context(), to.DB); err != nil {
			t.Error(err)
		}
		if _, _, err := to.Restore(t.Context(), bytes.NewReader(file), &key); !errors.Is(err, db.ErrNotEmpty) {
			t.Errorf("restored twice: %v", err)
		}
	})
}

// vanishing deletes an object when it is asked for, as somebody may who deletes its image meanwhile.
type vanishing struct {
	blob.Store
	d    *db.DB
	name string
	row  bool // its row goes too
}

func (v *vanishing) Get(ctx context.Context, name string) (io.ReadSeekCloser, error) {
	if name == v.name {
		if v.row {
			if err := v.d.Tx(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(ctx, "UPDATE objects SET refs = 0 WHERE name = $1", name)
				return err
			}); err != nil {
				return nil, err
			}
		}
		return nil, blob.ErrNotFound
	}
	return v.Store.Get(ctx, name)
}

func TestObjectDeletedDuringABackupIsNotMissed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		in := small(t, d, 0)
		for _, deleted := range []bool{true, false} {
			if err := d.Tx(t.Context(), func(tx *db.Tx) error {
				return db.Insert(t.Context(), tx, "objects", "name, refs, deleting, due_at", [][]any{{"going.png", 1, false, 0}}, "ON CONFLICT (name) DO UPDATE SET refs = 1")
			}); err != nil {
				t.Fatal(err)
			}
			in := &backup.Installation{DB: d, Blobs: &vanishing{in.Blobs, d, "going.png", deleted}, EachObject: local.EachObject}
			file, totals := write(t, in, nil)
			if lost := len(totals.Lost) > 0; lost == deleted || totals.Objects.Number != 1 {
				t.Errorf("its row deleted %t: lost %q, %d objects", deleted, totals.Lost, totals.Objects.Number)
			}
			if err := verify(file, nil); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestBackupOfALaterVersionIsRefused(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	if _, err := d.Writer().ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (90000, TRUE)"); err != nil {
		t.Fatal(err)
	}
	file, _ := write(t, installation(t, d), nil)
	dir := filepath.Join(t.TempDir(), "new")
	_, _, err := installation(t, open(t, db.Options{Dir: dir})).Restore(t.Context(), bytes.NewReader(file), nil)
	if err == nil || !strings.Contains(err.Error(), "later version of Trigpoint: its schema is 90000") {
		t.Error(err)
	}
}
