package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// jpegQuality is where a photograph looks whole and its file is small.
const jpegQuality = 82

// maxUnpacked is how many bytes a picture may have once it is unpacked: 5000x5000 pixels of the common kind. Files
// of a few kilobytes can claim much more.
const maxUnpacked = 100 << 20

// unpacked is how many bytes a picture has in memory.
func unpacked(c image.Config) int {
	size := 4
	switch c.ColorModel {
	case color.RGBA64Model, color.NRGBA64Model, color.Gray16Model:
		size = 8
	}
	return c.Width * c.Height * size
}

// Narrower makes a picture that is no wider than that, upright and in the format that it had. One that is narrow enough
// is returned as it is.
func Narrower(data []byte, width int) ([]byte, error) {
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if unpacked(config) > maxUnpacked {
		return nil, errors.New("it is too large to be unpacked")
	}
	turn := orientation(data)
	shownW, shownH := config.Width, config.Height
	if turn.sideways() {
		shownW, shownH = shownH, shownW
	}
	if shownW <= width {
		return data, nil
	}
	whole, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	w, h := width, max(1, shownH*width/shownW)
	if turn.sideways() {
		w, h = h, w
	}
	small := turn.upright(shrunk(whole, w, h))
	var out bytes.Buffer
	if format == "png" {
		err = png.Encode(&out, small)
	} else {
		err = jpeg.Encode(&out, small, &jpeg.Options{Quality: jpegQuality})
	}
	return out.Bytes(), err
}

// shrunk scales down by halves, so that every pixel counts and little memory is needed.
func shrunk(img image.Image, w, h int) *image.RGBA {
	for {
		nextW, nextH := img.Bounds().Dx()/2, img.Bounds().Dy()/2
		if nextW <= w || nextH <= h {
			nextW, nextH = w, h
		}
		next := image.NewRGBA(image.Rect(0, 0, nextW, nextH))
		draw.ApproxBiLinear.Scale(next, next.Bounds(), img, img.Bounds(), draw.Src, nil)
		if nextW == w && nextH == h {
			return next
		}
		img = next
	}
}

// exifOrientation says how a camera was held: 1 is upright, 5 to 8 are sideways.
type exifOrientation uint16

func (o exifOrientation) sideways() bool { return o >= 5 && o <= 8 }

// upright turns a picture as the camera was held.
func (o exifOrientation) upright(img *image.RGBA) *image.RGBA {
	if o <= 1 || o > 8 {
		return img
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	turnedW, turnedH := w, h
	if o.sideways() {
		turnedW, turnedH = h, w
	}
	out := image.NewRGBA(image.Rect(0, 0, turnedW, turnedH))
	for y := range h {
		for x := range w {
			toX, toY := x, y
			switch o {
			case 2:
				toX = w - 1 - x
			case 3:
				toX, toY = w-1-x, h-1-y
			case 4:
				toY = h - 1 - y
			case 5:
				toX, toY = y, x
			case 6:
				toX, toY = h-1-y, x
			case 7:
				toX, toY = h-1-y, w-1-x
			case 8:
				toX, toY = y, w-1-x
			}
			copy(out.Pix[out.PixOffset(toX, toY):][:4], img.Pix[img.PixOffset(x, y):][:4])
		}
	}
	return out
}

// orientation reads how the camera was held from the Exif segment of a JPEG; 1 when nothing is said.
func orientation(data []byte) exifOrientation {
	const app1, startOfScan, tagOrientation = 0xe1, 0xda, 0x0112
	for i := 2; i+4 <= len(data) && data[i] == 0xff && data[i+1] != startOfScan; {
		size := int(binary.BigEndian.Uint16(data[i+2:]))
		end := i + 2 + size
		if size < 2 || end > len(data) {
			break
		}
		segment, exif := bytes.CutPrefix(data[i+4:end], []byte("Exif\x00\x00"))
		if data[i+1] != app1 || !exif || len(segment) < 8 {
			i = end
			continue
		}
		var order binary.ByteOrder = binary.BigEndian
		if segment[0] == 'I' {
			order = binary.LittleEndian
		}
		at := int(order.Uint32(segment[4:]))
		if at < 8 || at+2 > len(segment) {
			break
		}
		for entry, left := at+2, int(order.Uint16(segment[at:])); left > 0 && entry+12 <= len(segment); entry, left = entry+12, left-1 {
			if order.Uint16(segment[entry:]) == tagOrientation {
				return exifOrientation(order.Uint16(segment[entry+8:]))
			}
		}
		break
	}
	return 1
}
