package typeface

import (
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
}

// NewFolder is the fonts below a path; none where that is empty.
func NewFolder(path string, log *slog.Logger) *Folder {
	f := &Folder{path: path, log: log}
	f.files = sync.OnceValue(f.list)
	return f
}

// mostFont bounds the size of a font that is read: the largest that there are have about 40 MB.
const mostFont = 64 << 20

func (f *Folder) list() (files []string) {
	if f.path == "" {
		return nil
	}
	err := filepath.WalkDir(f.path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".ttf", ".otf", ".ttc", ".otc":
			if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.Size() <= mostFont {
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

// Patch makes a TrueType font of those of the characters that the fonts of the folder have, each from the first that has it; nil
// when none has any.
func (f *Folder) Patch(missing []rune) ([]byte, error) {
	var found []glyph
	left := slices.Clone(missing)
	for _, path := range f.files() {
		if len(left) == 0 {
			break
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.log.Warn("a font cannot be read", "font", path, "error", err)
			continue
		}
		fonts, err := sfnt.ParseCollection(data)
		if err != nil {
			f.log.Warn("a font cannot be read", "font", path, "error", err)
			continue
		}
		for i := range fonts.NumFonts() {
			font, err := fonts.Font(i)
			if err != nil {
				continue
			}
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
