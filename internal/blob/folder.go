package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// temporary is the pattern of a file that is not yet an object.
const temporary = ".put-*"

// Folder keeps objects as files, spread over subfolders by the first two letters of the name.
type Folder struct{ dir string }

// NewFolder returns a store in dir, which is made when the first object comes.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

func (f *Folder) path(name string) (string, error) {
	if len(name) < 3 || !filepath.IsLocal(name) || filepath.Base(name) != name {
		return "", fmt.Errorf("object name %q", name)
	}
	return filepath.Join(f.dir, name[:2], name), nil
}

// Put writes a temporary file, syncs it and renames it into place.
func (f *Folder) Put(_ context.Context, name, _ string, data []byte) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(folder, temporary)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	if _, err := tmp.Write(data); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Sync(); err != nil {
		_ = tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return err
	}
	return syncFolder(folder)
}

// syncFolder makes the new name itself survive a crash.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }()
	return d.Sync()
}

// Get opens an object.
func (f *Folder) Get(_ context.Context, name string) (io.ReadSeekCloser, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, ErrNotFound
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// Delete removes an object.
func (f *Folder) Delete(_ context.Context, name string) error {
	path, err := f.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Sweep removes temporary files that a process left when it died.
func (f *Folder) Sweep(ctx context.Context, before time.Time) error {
	left, err := fs.Glob(os.DirFS(f.dir), "*/"+temporary)
	if err != nil {
		return err
	}
	for _, name := range left {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := filepath.Join(f.dir, name)
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.ModTime().After(before) {
			continue
		}
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
