// Package picture checks images that people upload: their format by content, their size, their dimensions from the header
// before any pixel is decoded, and that they are whole; and makes them narrower. It keeps nothing.
package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	_ "image/jpeg" // reads JPEG headers
	_ "image/png"  // reads PNG headers
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Bounds are the sizes in pixels that an image may have.
type Bounds struct{ MinWidth, MinHeight, MaxWidth, MaxHeight int }

// Picture is an image that has passed every check.
type Picture struct {
	Data        []byte
	Name        string // content hash and extension
	ContentType string
}

// Rule is what an image must be like.
type Rule struct {
	Field    string // of the request, for problems
	Kind     string // what the image is to be, such as a logo
	MaxBytes int
	Bounds   *Bounds // nil where they are not known
}

// Read decodes and checks an upload in base64; it is nil when a problem was noted.
func (rule Rule) Read(problems *errs.Problems, content string) *Picture {
	refuse := func(status errs.Status, format string, args ...any) *Picture {
		problems.Add(rule.Field, status, format, args...)
		return nil
	}
	data, err := decode(content)
	if err != nil {
		return refuse(errs.ImageInvalid, "%s must be standard base64 with padding: %v.", rule.Field, err)
	}
	if len(data) > rule.MaxBytes {
		return refuse(errs.ImageTooLarge, "The image has %d bytes; at most %d (%s) are allowed.", len(data), rule.MaxBytes, size(rule.MaxBytes))
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return refuse(errs.ImageInvalid, "%s is not a JPEG or PNG image.", rule.Field)
	}
	if b := rule.Bounds; b != nil && (config.Width < b.MinWidth || config.Height < b.MinHeight || config.Width > b.MaxWidth || config.Height > b.MaxHeight) {
		return refuse(errs.ImageDimensions, "The image is %dx%d px; a %s must be %dx%d to %dx%d px.",
			config.Width, config.Height, rule.Kind, b.MinWidth, b.MinHeight, b.MaxWidth, b.MaxHeight)
	}
	whole, extension := wholePNG(data), "png"
	if format == "jpeg" {
		whole, extension = wholeJPEG(data), "jpg"
	}
	if !whole {
		return refuse(errs.ImageInvalid, "The %s image is truncated or damaged.", strings.ToUpper(format))
	}
	sum := sha256.Sum256(data)
	return &Picture{Data: data, Name: hex.EncodeToString(sum[:]) + "." + extension, ContentType: "image/" + format}
}

// size writes a number of bytes as people do.
func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", n>>10)
}

func decode(content string) ([]byte, error) {
	if strings.HasPrefix(content, "data:") {
		kind, rest, ok := strings.Cut(content, ",")
		if !ok || !strings.HasPrefix(kind, "data:image/") || !strings.HasSuffix(kind, ";base64") {
			return nil, errors.New("the data: prefix must be data:image/…;base64")
		}
		content = rest
	}
	if strings.ContainsAny(content, "\r\n") { // which the decoder would skip
		return nil, errors.New("it has line breaks")
	}
	return base64.StdEncoding.Strict().DecodeString(content)
}

// wholePNG walks the chunks to the end mark and checks their sums.
func wholePNG(data []byte) bool {
	const signature = 8
	if len(data) < signature {
		return false
	}
	for rest := data[signature:]; len(rest) >= 12; {
		length := binary.BigEndian.Uint32(rest)
		if uint64(length)+12 > uint64(len(rest)) {
			return false
		}
		kindAndData := rest[4 : 8+length]
		if crc32.ChecksumIEEE(kindAndData) != binary.BigEndian.Uint32(rest[8+length:]) {
			return false
		}
		if string(kindAndData[:4]) == "IEND" {
			return true
		}
		rest = rest[12+length:]
	}
	return false
}

// wholeJPEG walks the segments to a scan and looks for the end mark behind it.
func wholeJPEG(data []byte) bool {
	const startOfScan, endOfImage = 0xda, 0xd9
	for i := 2; i+4 <= len(data); {
		if data[i] != 0xff {
			return false
		}
		marker := data[i+1]
		switch {
		case marker == 0xff: // fill byte
			i++
			continue
		case marker == startOfScan:
			return bytes.Contains(data[i:], []byte{0xff, endOfImage}) // cameras may put bytes of their own behind it
		case marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8): // no payload
			i += 2
			continue
		}
		i += 2 + int(binary.BigEndian.Uint16(data[i+2:]))
	}
	return false
}
