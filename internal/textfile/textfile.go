// Package textfile reads text as people and programs save it: packed or not, UTF-8 or UTF-16, with
// the line ends of any system. Readers of import files start from here; what a line means is theirs.
package textfile

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// How packed files begin.
var (
	gzipMark  = []byte{0x1f, 0x8b}
	bzip2Mark = []byte("BZh")
	zstdMark  = []byte{0x28, 0xb5, 0x2f, 0xfd}
)

// Unpack reads gzip (of one member or many), bzip2 and zstd as what they hold, and anything else as it is. It is
// for files of the operator; what comes over HTTP must not grow so.
func Unpack(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	start, err := buffered.Peek(len(zstdMark))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(start, gzipMark):
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, packedFault("gzip", err)
		}
		return packedReader{"gzip", unpacked}, nil
	case bytes.HasPrefix(start, bzip2Mark):
		return packedReader{"bzip2", bzip2.NewReader(buffered)}, nil
	case bytes.HasPrefix(start, zstdMark):
		unpacked, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow))
		if err != nil {
			return nil, packedFault("zstd", err)
		}
		return packedReader{"zstd", unpacked}, nil
	}
	return buffered, nil
}

// maxWindow bounds what a zstd file may ask to be held at once; what packs with any level up to 22 asks less.
const maxWindow = 256 << 20

// packedReader says of what kind a fault is: a bare "unexpected EOF" teaches nobody.
type packedReader struct {
	packing  string
	unpacked io.Reader
}

// Read implements io.Reader.
func (p packedReader) Read(to []byte) (int, error) {
	n, err := p.unpacked.Read(to)
	if err != nil && !errors.Is(err, io.EOF) {
		err = packedFault(p.packing, err)
	}
	return n, err
}

func packedFault(packing string, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("the %s file is cut off; fetch or pack it again: %w", packing, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("the %s file is damaged: %w", packing, err)
}

// sample is how much of a file tells its encoding and line ends.
const sample = 64 << 10

// Text makes UTF-8 with \n or \r\n at the end of each line of whatever text r holds, without a byte order
// mark. What is no text is an *errs.Error of code Invalid that says how to mend it. The bytes of a file
// that says it is UTF-8 are not checked.
func Text(r io.Reader) (io.Reader, error) {
	// A fault after the first bytes is met again when they have been read.
	buffered := bufio.NewReaderSize(r, sample)
	start, err := buffered.Peek(sample)
	if len(start) == 0 && !errors.Is(err, io.EOF) {
		return nil, err
	}
	decoded, err := decoder(start, buffered)
	if err != nil {
		return nil, err
	}
	text := bufio.NewReaderSize(decoded, sample)
	start, _ = text.Peek(sample)
	if bytes.IndexByte(start, '\n') < 0 && bytes.IndexByte(start, '\r') >= 0 {
		return carriageReturns{text}, nil
	}
	return text, nil
}

func decoder(start []byte, r *bufio.Reader) (io.Reader, error) {
	switch {
	case bytes.HasPrefix(start, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(start, []byte{0, 0, 0xfe, 0xff}):
		return nil, errs.New(errs.Invalid, "The file is UTF-32; save it as UTF-8 or UTF-16.")
	case bytes.HasPrefix(start, []byte{0xff, 0xfe}), bytes.HasPrefix(start, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(r), nil // the mark decides the order
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return nil, errs.New(errs.Invalid, "The file is a ZIP archive or an Excel workbook; export it as CSV.")
	case bytes.HasPrefix(start, gzipMark):
		return nil, errs.New(errs.Invalid, "The file is compressed with gzip; unpack it first.")
	case bytes.HasPrefix(start, []byte{0xef, 0xbb, 0xbf}):
		_, err := r.Discard(3)
		return r, err
	}
	if bytes.Count(start, []byte{0}) <= len(start)/4 {
		return r, nil
	}
	order, ok := orderOf(start)
	if !ok {
		return nil, errs.New(errs.Invalid, "The file is not text.")
	}
	return unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Reader(r), nil
}

// orderOf guesses the byte order of UTF-16 without a mark: mostly Latin text has its zeros on one side.
func orderOf(start []byte) (unicode.Endianness, bool) {
	var zeros [2]int
	for i, b := range start {
		if b == 0 {
			zeros[i%2]++
		}
	}
	order := unicode.LittleEndian
	if zeros[0] > zeros[1] {
		order = unicode.BigEndian
	}
	return order, max(zeros[0], zeros[1]) > 4*min(zeros[0], zeros[1])
}

// carriageReturns makes \n of \r, with which old programs end a line.
type carriageReturns struct{ r io.Reader }

// Read implements io.Reader.
func (c carriageReturns) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if b == '\r' {
			p[i] = '\n'
		}
	}
	return n, err
}
