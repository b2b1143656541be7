package db

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

func openSQLite(ctx context.Context, o Options) (*DB, error) {
	if len(o.Replicas) > 0 {
		return nil, errors.New("replica-url needs database-url: only PostgreSQL has replicas, and this store is SQLite")
	}
	path := filepath.Join(o.Dir, "trigpoint.db")
	if err := makePrivate(path, o.Existing); err != nil {
		return nil, err
	}
	file := "file:" + strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
	// busy_timeout comes first: the pragmas after it may already have to wait for another process.
	const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"
	write, err := openKeeping(file+pragmas+"&_txlock=immediate", o.Trace)
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := write.PingContext(ctx); err != nil {
		_ = write.Close()
		return nil, fmt.Errorf("open SQLite in %s: %w", o.Dir, err)
	}
	read, err := openKeeping(file+pragmas+"&_pragma=query_only(1)", o.Trace)
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	conns := max(4, runtime.NumCPU())
	read.SetMaxOpenConns(conns)
	read.SetMaxIdleConns(conns)
	d := &DB{Dialect: SQLite, read: read, write: write, dir: o.Dir, existing: o.Existing}
	d.group = startGroupCommit(write)
	return d, nil
}

// ErrNoStore is that a store was to be there and is not.
var ErrNoStore = errors.New("there is no store")

// makePrivate makes the folder and the file of a store for the owner's eyes only, and tightens those that
// are looser. What SQLite puts beside the file has the file's mode.
func makePrivate(path string, existing bool) error {
	dir := filepath.Dir(path)
	_, err := os.Stat(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if missing && existing {
		return fmt.Errorf("%w in %s: check --data; trigpoint serve, trigpoint account create and imports make a new one", ErrNoStore, dir)
	}
	if missing {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	beside, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if !missing || len(beside) == 0 { // a folder with other things in it is not ours to close
		if err := tighten(dir, 0o700); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := tighten(path+end, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func tighten(path string, mode fs.FileMode) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Mode().Perm()&^mode == 0 || info.Mode()&fs.ModeSticky != 0 { // nobody may close /tmp
		return nil
	}
	// Where another user owns it, its mode is theirs to choose.
	if err := os.Chmod(path, mode); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
