// Package result owns what a report has found: how results and businesses are packed and read again, and the
// formulas that score them. It does no I/O.
package result

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

// All results of one keyword in one report are kept as one blob. A business appears in it as its
// ordinal in the report's dictionary, 1..65535, which is kept elsewhere. The layout, little-endian:
//
//	version  1 byte
//	width    1 byte, bytes a code: 1 or 2
//	points   2 bytes
//	codes    2 bytes, the largest code
//	palette  width 1 only: codes x 2 bytes, the ordinal of each code from 1, ascending
//	lengths  points x 1 byte: how many codes the point has, 0..20, or 255 where the search failed
//	codes    width bytes each, point after point, by rank; 0 where a rank is empty
//
// A keyword seldom meets more than 255 businesses; then a code is one byte and stands for an entry of
// the palette: 1.10 bytes an observation on 21 x 21 points. Otherwise it is the ordinal itself: 2.05 bytes,
// as a plain blob of ordinals. Ranks after a point's last result are not written.
const (
	blobVersion = 1
	blobHeader  = 6
	failedPoint = 255
	maxPalette  = 255
)

// ErrCorrupt is wrapped by every error of reading a blob.
var ErrCorrupt = errors.New("corrupt result blob")

// AtPoint is what one map search answered.
type AtPoint struct {
	Failed   bool     // the search did not succeed: not the same as finding nothing
	Ordinals []uint16 // businesses by rank, at most 20; 0 where a rank is empty
}

// Encode packs the points of one keyword. A business that a point lists twice keeps its better
// rank, the other becomes empty.
func Encode(points []AtPoint) ([]byte, error) {
	cleaned, err := cleanPoints(points)
	if err != nil {
		return nil, err
	}
	palette, codeOf := makePalette(cleaned)
	width, codes := 1, len(palette)
	if codes > maxPalette {
		width, codes = 2, int(palette[codes-1])
		palette = nil
	}
	blob := make([]byte, 0, blobHeader+2*len(palette)+len(points)*(1+MaxRank*width))
	blob = append(blob, blobVersion, byte(width))
	blob = binary.LittleEndian.AppendUint16(blob, uint16(len(points)))
	blob = binary.LittleEndian.AppendUint16(blob, uint16(codes))
	for _, ordinal := range palette {
		blob = binary.LittleEndian.AppendUint16(blob, ordinal)
	}
	for i, ordinals := range cleaned {
		if points[i].Failed {
			blob = append(blob, failedPoint)
		} else {
			blob = append(blob, byte(len(ordinals)))
		}
	}
	for _, ordinals := range cleaned {
		for _, ordinal := range ordinals {
			if width == 1 {
				blob = append(blob, codeOf[ordinal])
			} else {
				blob = binary.LittleEndian.AppendUint16(blob, ordinal)
			}
		}
	}
	return blob, nil
}

// cleanPoints checks the bounds and returns the ordinals of each point without repeats and without
// empty ranks at the end.
func cleanPoints(points []AtPoint) ([][]uint16, error) {
	if len(points) > grid.MaxPoints {
		return nil, fmt.Errorf("encode result: %d points, at most %d", len(points), grid.MaxPoints)
	}
	cleaned := make([][]uint16, len(points))
	all := make([]uint16, 0, len(points)*MaxRank)
	for i, point := range points {
		if len(point.Ordinals) > MaxRank || point.Failed && len(point.Ordinals) > 0 {
			return nil, fmt.Errorf("encode result: point %d (failed %v) has %d results", i, point.Failed, len(point.Ordinals))
		}
		begin, end := len(all), len(all)
		for _, ordinal := range point.Ordinals {
			if slices.Contains(all[begin:], ordinal) {
				ordinal = 0
			}
			all = append(all, ordinal)
			if ordinal != 0 {
				end = len(all)
			}
		}
		all = all[:end]
		cleaned[i] = all[begin:end]
	}
	return cleaned, nil
}

// makePalette lists the ordinals in use, ascending, and the code of each. The codes mean something only
// while the palette is short enough for them.
func makePalette(points [][]uint16) (palette []uint16, codeOf []uint8) {
	largest := uint16(0)
	for _, ordinals := range points {
		for _, ordinal := range ordinals {
			largest = max(largest, ordinal)
		}
	}
	codeOf = make([]uint8, int(largest)+1)
	for _, ordinals := range points {
		for _, ordinal := range ordinals {
			codeOf[ordinal] = 1
		}
	}
	for ordinal := 1; ordinal < len(codeOf); ordinal++ {
		if codeOf[ordinal] != 0 {
			palette = append(palette, uint16(ordinal))
			codeOf[ordinal] = uint8(len(palette))
		}
	}
	codeOf[0] = 0
	return palette, codeOf
}

// Open checks how a blob is built. The result reads from the blob's own bytes, which must not change meanwhile.
func Open(blob []byte) (Stored, error) {
	if len(blob) < blobHeader {
		return Stored{}, fmt.Errorf("%w: %d bytes", ErrCorrupt, len(blob))
	}
	version, width := blob[0], int(blob[1])
	points := int(binary.LittleEndian.Uint16(blob[2:]))
	r := Stored{width: width, largest: binary.LittleEndian.Uint16(blob[4:])}
	if version != blobVersion || width != 1 && width != 2 || points > grid.MaxPoints {
		return Stored{}, fmt.Errorf("%w: version %d, width %d, %d points", ErrCorrupt, version, width, points)
	}
	rest := blob[blobHeader:]
	if width == 1 {
		size := 2 * int(r.largest)
		if r.largest > maxPalette || len(rest) < size {
			return Stored{}, fmt.Errorf("%w: palette of %d", ErrCorrupt, r.largest)
		}
		r.palette, rest = rest[:size], rest[size:]
	}
	if len(rest) < points {
		return Stored{}, fmt.Errorf("%w: %d bytes for %d points", ErrCorrupt, len(rest), points)
	}
	r.lengths, r.codes = rest[:points], rest[points:]
	if err := r.check(); err != nil {
		return Stored{}, err
	}
	return r, nil
}

func (r Stored) check() error {
	total := 0
	for i, length := range r.lengths {
		if length > MaxRank && length != failedPoint {
			return fmt.Errorf("%w: point %d has %d results", ErrCorrupt, i, length)
		}
		total += r.span(length)
	}
	if total != len(r.codes) {
		return fmt.Errorf("%w: %d bytes of codes, %d announced", ErrCorrupt, len(r.codes), total)
	}
	for code := uint16(2); code <= r.largest && r.width == 1; code++ {
		if r.ordinal(code-1) >= r.ordinal(code) {
			return fmt.Errorf("%w: palette not ascending at %d", ErrCorrupt, code)
		}
	}
	if r.width == 1 && r.largest > 0 && r.ordinal(1) == 0 {
		return fmt.Errorf("%w: palette holds 0", ErrCorrupt)
	}
	return nil
}
