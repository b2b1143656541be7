package typeface

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"
	"github.com/go-text/typesetting/harfbuzz"
)

// Bounds of a file of fonts: the largest that there are have about 40 MB, and a few dozen fonts.
const (
	mostFont  = 64 << 20
	mostFonts = 256
)

// readFonts reads those fonts of a file that have some of the wanted characters, each the first that has it; a collection has several fonts.
// Those that can be used are returned with what is wrong with others. With nil all are read, to see what is wrong.
func readFonts(path string, wanted []rune) (fonts []*patchFont, fault error) {
	defer func() { // a fault of a font must not end the program
		if broken := recover(); broken != nil {
			fault = fmt.Errorf("it is broken: %v", broken)
		}
	}()
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if err := checkTables(file); err != nil {
		return nil, err
	}
	all, err := opentype.NewLoaders(file)
	if err != nil {
		return nil, err
	}
	every := wanted == nil
	for _, each := range all {
		covered, err := covers(each, wanted)
		if err == nil && !covered && !every {
			continue
		}
		var read *font.Font
		if err == nil {
			read, err = font.NewFont(each)
		}
		if err != nil {
			fault = err
			continue
		}
		f := &patchFont{path: path, face: font.NewFace(read)}
		f.shaper = harfbuzz.NewFont(f.face)
		f.found = slices.DeleteFunc(slices.Clone(wanted), func(c rune) bool { return !f.draws(c) })
		if len(f.found) > 0 {
			wanted, fonts = slices.DeleteFunc(slices.Clone(wanted), f.draws), append(fonts, f)
		}
	}
	return fonts, fault
}

// checkTables refuses a file whose tables do not lie within it: they would take as much memory as they claim to need.
func checkTables(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size > mostFont {
		return fmt.Errorf("it has more than %d MB", mostFont>>20)
	}
	read := func(at, length int64) ([]byte, error) {
		data := make([]byte, length)
		_, err := file.ReadAt(data, at)
		return data, err
	}
	head, err := read(0, 12)
	if err != nil {
		return errNoFont
	}
	begins := make([]byte, 4) // of the fonts in the file; a single one begins with it
	if string(head[:4]) == "ttcf" {
		count := binary.BigEndian.Uint32(head[8:])
		if count > mostFonts {
			return fmt.Errorf("it has %d fonts, more than %d", count, mostFonts)
		}
		if begins, err = read(12, 4*int64(count)); err != nil {
			return err
		}
	}
	for begin := range slices.Chunk(begins, 4) {
		at := int64(binary.BigEndian.Uint32(begin))
		if head, err = read(at, 12); err != nil {
			return err
		}
		if kind := string(head[:4]); kind != "\x00\x01\x00\x00" && kind != "OTTO" && kind != "true" {
			return errNoFont
		}
		entries, err := read(at+12, 16*int64(binary.BigEndian.Uint16(head[4:])))
		if err != nil {
			return err
		}
		for table := range slices.Chunk(entries, 16) {
			if int64(binary.BigEndian.Uint32(table[8:]))+int64(binary.BigEndian.Uint32(table[12:])) > size {
				return io.ErrUnexpectedEOF
			}
		}
	}
	return nil
}

var errNoFont = errors.New("it is no TrueType or OpenType font")

// covers tells whether a font has one of the characters, before the rest of it is read.
func covers(file *opentype.Loader, wanted []rune) (bool, error) {
	data, err := file.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return false, err
	}
	table, _, err := tables.ParseCmap(data)
	if err != nil {
		return false, err
	}
	characters, _, err := font.ProcessCmap(table, 0)
	return err == nil && slices.ContainsFunc(wanted, func(c rune) bool {
		glyph, found := characters.Lookup(c)
		return found && glyph != 0
	}), err
}

// draws tells whether a font has an outline of a character; some have pictures only.
func (f *patchFont) draws(c rune) bool {
	glyph, found := f.face.NominalGlyph(c)
	if !found || glyph == 0 {
		return false
	}
	_, found = f.face.GlyphDataOutline(glyph)
	return found
}
