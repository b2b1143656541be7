package placeindex

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// Bounds that the format itself sets.
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20
)

// readPBF reads nodes, ways and relations that are places. Only nodes have a position of their own, so a
// first pass notes which nodes the ways need and which ways the relations need, a second one, over the blobs
// that hold ways, the nodes of the latter; the last one finds where all of these are.
func readPBF(in io.ReadSeeker, out *sink) error {
	start, err := in.Seek(0, io.SeekCurrent)
	if err != nil {
		return fmt.Errorf("seek: %w", err)
	}
	r := &pbfReader{
		cats: out.options.Categories, keys: out.options.Categories.TagKeys(), out: out,
		needed: &nodeTable{}, outlines: map[int64]bounds{}, hasWays: map[int64]bool{},
	}
	for r.pass = surveying; r.pass <= reading; r.pass++ {
		if r.pass == tracing && len(r.outlines) == 0 {
			continue
		}
		if r.pass == reading {
			r.needed.seal()
		}
		if _, err := in.Seek(start, io.SeekStart); err != nil {
			return fmt.Errorf("seek: %w", err)
		}
		if err := eachBlob(in, r.skips, r.blob); err != nil {
			return err
		}
	}
	return nil
}

// eachBlob visits the data of a file, blob by blob, with its position; the blobs to skip are not even read.
func eachBlob(r io.ReadSeeker, skip func(at int64) bool, visit func(at int64, data []byte) error) error {
	var at int64
	buffer := make([]byte, 0, 1<<20)
	for first := true; ; first = false {
		var prefix [4]byte
		if _, err := io.ReadFull(r, prefix[:]); errors.Is(err, io.EOF) && !first {
			return nil
		} else if err != nil {
			return pbfError(at, err)
		}
		size := int(binary.BigEndian.Uint32(prefix[:]))
		if size > maxBlobHeader {
			return pbfError(at, errors.New("this is not an OpenStreetMap PBF file"))
		}
		head, err := readInto(buffer, r, size)
		if err != nil {
			return pbfError(at, err)
		}
		kind, length, err := blobHeader(head)
		if err != nil || first && kind != "OSMHeader" {
			return pbfError(at, errors.New("this is not an OpenStreetMap PBF file"))
		}
		begin := at + 4 + int64(size)
		if skip(begin) {
			if _, err := r.Seek(int64(length), io.SeekCurrent); err != nil {
				return pbfError(at, err)
			}
			at = begin + int64(length)
			continue
		}
		data, err := readInto(buffer, r, length)
		if err != nil {
			return pbfError(at, err)
		}
		buffer = data
		at = begin + int64(length)
		switch kind {
		case "OSMHeader":
			err = checkFeatures(data)
		case "OSMData":
			err = visit(begin, data)
		}
		if err != nil {
			return err
		}
	}
}

func pbfError(at int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file is cut off")
	}
	return fmt.Errorf("byte %d: %w", at, err)
}

// readInto reads exactly n bytes, growing the buffer only as data arrives.
func readInto(buffer []byte, r io.Reader, n int) ([]byte, error) {
	out := bytes.NewBuffer(buffer[:0])
	if _, err := io.CopyN(out, r, int64(n)); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func blobHeader(raw []byte) (kind string, length int, err error) {
	err = message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			kind = string(f.bytes)
		case 3:
			if f.value > maxBlob {
				return errors.New("block is too large")
			}
			length = int(f.value)
		}
		return nil
	})
	return kind, length, err
}

// inflate unpacks a blob.
func inflate(raw []byte) ([]byte, error) {
	var out, packed []byte
	err := message(raw, func(f wireField) error {
		switch f.number {
		case 1:
			out = f.bytes
		case 3:
			packed = f.bytes
		case 4, 5, 6, 7:
			return errors.New("only zlib compression is supported")
		}
		return nil
	})
	if err != nil || packed == nil {
		return out, err
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	defer func() { _ = z.Close() }()
	if out, err = io.ReadAll(io.LimitReader(z, maxBlob+1)); err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	if len(out) > maxBlob {
		return nil, errors.New("unpacks to more than the format allows")
	}
	return out, nil
}

// checkFeatures refuses files that cannot be understood without features unknown here.
func checkFeatures(data []byte) error {
	raw, err := inflate(data)
	if err != nil {
		return fmt.Errorf("file header: %w", err)
	}
	known := []string{"OsmSchema-V0.6", "DenseNodes"}
	return message(raw, func(f wireField) error {
		if name := string(f.bytes); f.number == 4 && !slices.Contains(known, name) {
			return fmt.Errorf("the file needs the feature %q, which is not supported", strings.ToValidUTF8(name, "?"))
		}
		return nil
	})
}

// wireField is one field of a protobuf message: a number, or bytes.
type wireField struct {
	number protowire.Number
	value  uint64
	bytes  []byte
}

// message visits the fields of a protobuf message.
func message(raw []byte, visit func(wireField) error) error {
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return protowire.ParseError(n)
		}
		raw = raw[n:]
		f := wireField{number: number}
		switch kind {
		case protowire.VarintType:
			f.value, n = protowire.ConsumeVarint(raw)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(raw)
		default:
			n = protowire.ConsumeFieldValue(number, kind, raw)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		raw = raw[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads a packed list of varints one by one.
type numbers struct {
	raw    []byte
	broken bool
}

func (p *numbers) next() (uint64, bool) {
	if len(p.raw) == 0 {
		return 0, false
	}
	v, n := protowire.ConsumeVarint(p.raw)
	if n < 0 {
		p.raw, p.broken = nil, true
		return 0, false
	}
	p.raw = p.raw[n:]
	return v, true
}

// deltas reads a packed list of differences, and yields the sums.
type deltas struct {
	numbers
	sum int64
}

func (d *deltas) next() (int64, bool) {
	v, ok := d.numbers.next()
	d.sum += protowire.DecodeZigZag(v)
	return d.sum, ok
}
