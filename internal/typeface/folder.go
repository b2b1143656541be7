package typeface

import (
	"cmp"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Folder finds characters in the fonts of a folder. It is read when it is first asked, and only as much as is needed.
type Folder struct {
	path  string
	log   *slog.Logger
	files func() []string
	told  sync.Map // paths of fonts whose faults are in the log
}

// NewFolder is the fonts below a path; none where that is empty.
func NewFolder(path string, log *slog.Logger) *Folder {
	f := &Folder{path: path, log: log}
	if err := f.readable(); err != nil { // not when the first report lacks them
		log.Warn("the folder of fonts cannot be read", "font-dir", path, "error", err)
	}
	f.files = sync.OnceValue(f.list)
	return f
}

// readable tells what keeps the folder from being read.
func (f *Folder) readable() error {
	if f.path == "" {
		return nil
	}
	_, err := os.ReadDir(f.path)
	return err
}

// Faults are what keeps fonts of the folder from being used: one for each, or that of the folder.
func (f *Folder) Faults() (faults []error) {
	if err := f.readable(); err != nil {
		return []error{err}
	}
	for _, path := range f.files() {
		if _, err := readFonts(path, nil); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", path, err))
		}
	}
	return faults
}

func (f *Folder) list() (files []string) {
	if f.path == "" {
		return nil
	}
	err := filepath.WalkDir(f.path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf", ".ttc", ".otc":
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				files = append(files, path)
			}
		}
		return nil
	})
	if err != nil {
		f.log.Warn("the folder of fonts cannot be read", "font-dir", f.path, "error", err)
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Or(cmp.Compare(unlikeness(a), unlikeness(b)), cmp.Compare(a, b)) })
	return files
}

// unlikeness is how little a font is like the built-in one, as far as its name tells: that has no serifs, and is neither bold nor slanted.
func unlikeness(path string) (n int) {
	name := strings.ToLower(filepath.Base(path))
	for _, word := range []string{"regular", "sans"} {
		if !strings.Contains(name, word) {
			n++
		}
	}
	return n
}

// Patch finds fonts that have the missing characters, each the first that has it; nil when none has any.
func (f *Folder) Patch(missing []rune) *Patch {
	p := newPatch(f.log)
	left := slices.Clone(missing)
	for _, path := range f.files() {
		if len(left) == 0 {
			break
		}
		fonts, err := readFonts(path, left)
		if err != nil {
			if _, told := f.told.LoadOrStore(path, true); !told {
				f.log.Warn("a font cannot be used", "font", path, "error", err)
			}
		}
		for _, each := range fonts {
			for _, c := range each.found {
				p.has[c] = true
			}
		}
		p.fonts = append(p.fonts, fonts...)
		left = slices.DeleteFunc(left, p.Has)
	}
	if len(p.fonts) == 0 {
		return nil
	}
	return p
}
