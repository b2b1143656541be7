package local

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"image"
	_ "image/jpeg" // reads JPEG headers
	_ "image/png"  // reads PNG headers
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// MediaPath is where images are served, followed by the object's name.
const MediaPath = "/media/"

// Image is a picture of a location.
type Image struct {
	ID          string `json:"id"`
	Type        string `json:"type" enum:"PHOTO,PROFILE,COVER"`
	URL         string `json:"url"`
	Description string `json:"description"`
	CreateDate  *Time  `json:"create_date"`

	accountID, locationID string
	object                string
	bytes                 int64
}

// bounds are the sizes in pixels that a type of image may have.
type bounds struct{ minW, minH, maxW, maxH int }

var imageBounds = map[string]bounds{
	"PHOTO":   {270, 270, 5000, 5000},
	"PROFILE": {250, 250, 5000, 5000},
	"COVER":   {480, 270, 2120, 1192},
}

// ImageTypes are the types that an image may have.
var ImageTypes = []string{"PHOTO", "PROFILE", "COVER"}

const (
	maxImageBytes = 4 << 20
	maxCaption    = 255
)

// picture is an uploaded image that has passed every check.
type picture struct {
	data        []byte
	name        string // of the object: content hash and extension
	contentType string
}

// readPicture decodes and checks an upload; it is nil when a problem was noted. Dimensions come from the
// header: no pixel is decoded.
func readPicture(problems *errs.Problems, content, kind string) *picture {
	refuse := func(status errs.Status, format string, args ...any) *picture {
		problems.Add("content", status, format, args...)
		return nil
	}
	data, err := decodeContent(content)
	if err != nil {
		return refuse(errs.ImageInvalid, "content must be standard base64 with padding: %v.", err)
	}
	if len(data) > maxImageBytes {
		return refuse(errs.ImageTooLarge, "The image has %d bytes; at most %d (4 MB) are allowed.", len(data), maxImageBytes)
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return refuse(errs.ImageInvalid, "content is not a JPEG or PNG image.")
	}
	if b, known := imageBounds[kind]; known {
		if config.Width < b.minW || config.Height < b.minH || config.Width > b.maxW || config.Height > b.maxH {
			return refuse(errs.ImageDimensions, "The image is %dx%d px; a %s must be %dx%d to %dx%d px.",
				config.Width, config.Height, kind, b.minW, b.minH, b.maxW, b.maxH)
		}
	}
	whole, extension := wholePNG(data), "png"
	if format == "jpeg" {
		whole, extension = wholeJPEG(data), "jpg"
	}
	if !whole {
		return refuse(errs.ImageInvalid, "The %s image is truncated or damaged.", strings.ToUpper(format))
	}
	sum := sha256.Sum256(data)
	return &picture{data: data, name: hex.EncodeToString(sum[:]) + "." + extension, contentType: "image/" + format}
}

func decodeContent(content string) ([]byte, error) {
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
