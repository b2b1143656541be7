package typeface

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/font/sfnt"
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

// mostFont bounds the size of a font that is read: the largest that there are have about 40 MB.
const mostFont = 64 << 20

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
		if _, err := readFonts(path); err != nil {
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
	slices.Sort(files)
	return files
}

// readFonts reads the fonts of a file, of which a collection has several. Those that can be used are returned with what is wrong with others.
func readFonts(path string) (fonts []*sfnt.Font, fault error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > mostFont {
		return nil, fmt.Errorf("it has more than %d MB", mostFont>>20)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	all, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, err
	}
	for i := range all.NumFonts() {
		font, err := all.Font(i)
		if err != nil {
			fault = err
			continue
		}
		fonts = append(fonts, font)
	}
	if fault != nil && all.NumFonts() > 1 {
		fault = fmt.Errorf("fonts of this collection cannot be used (%w): unpack it into .ttf files", fault)
	}
	return fonts, fault
}

// Patch makes a TrueType font of those of the characters that the fonts of the folder have, each from the first that has it; nil
// when none has any.
func (f *Folder) Patch(missing []rune) ([]byte, error) {
	var found []glyph
	left := slices.Clone(missing)
	for _, path := range f.files() {
		if len(left) == 0 {
			break
		}
		fonts, err := readFonts(path)
		if err != nil {
			if _, told := f.told.LoadOrStore(path, true); !told {
				f.log.Warn("a font cannot be used", "font", path, "error", err)
			}
		}
		for _, font := range fonts {
			left = slices.DeleteFunc(left, func(c rune) bool {
				g, ok := glyphOf(font, c)
				if ok {
					found = append(found, g)
				}
				return ok
			})
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	slices.SortFunc(found, func(a, b glyph) int { return int(a.char - b.char) })
	return writeFont(found), nil
}
