package result

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
)

// The dictionary of a report numbers its businesses from 1; result blobs name them by these ordinals.
// It grows by one part with each keyword that brings new ones. A part has
//
//	keys        10 bytes each, ascending: 8 bytes of key and 2 of ordinal; what a business is found by
//	businesses  in blocks of 64, each block compressed, after a table of where the blocks end
//
// so that finding a business, or showing ten of them, reads little of it. A compressed business takes 57 bytes in
// place of 93. All in one block would take 47, but showing ten of 2,000 would take about twice the time.
const (
	// OwnOrdinal is the campaign's own business: it comes first in every dictionary.
	OwnOrdinal      = 1
	maxOrdinal      = 1<<16 - 1
	keyBytes        = 10
	blockBusinesses = 64
	maxBlock        = 4 << 20 // bytes of a block unpacked
)

var errCorruptDictionary = errors.New("corrupt dictionary")

// Dictionary hands out the ordinals of a report that is being collected.
type Dictionary struct {
	known map[uint64]uint16 // ordinals by key
	next  int               // ordinal of the next new business

	// What it has gained since it was loaded makes its next part.
	part       int
	first      int
	gained     []Business
	gainedKeys map[uint64]uint16
}

// NewDictionary loads a dictionary from its parts, of which only the keys are needed.
func NewDictionary(parts []Part) *Dictionary {
	d := &Dictionary{known: map[uint64]uint16{}, next: OwnOrdinal, part: len(parts), gainedKeys: map[uint64]uint16{}}
	for _, p := range parts {
		for i := 0; i+keyBytes <= len(p.Keys); i += keyBytes {
			d.known[binary.LittleEndian.Uint64(p.Keys[i:])] = binary.LittleEndian.Uint16(p.Keys[i+8:])
		}
		d.next = max(d.next, p.First+p.Count)
	}
	d.first = d.next
	return d
}

// Ordinal finds or numbers a business. Beyond 65,535 businesses a new one has none: it takes its rank,
// but is not told apart.
func (d *Dictionary) Ordinal(b *Business) uint16 {
	keys := b.Keys()
	var ordinal uint16
	for _, key := range keys {
		if ordinal = d.known[key]; ordinal != 0 {
			break
		}
	}
	if ordinal == 0 {
		if d.next > maxOrdinal {
			return 0
		}
		ordinal = uint16(d.next)
		d.next++
		d.gained = append(d.gained, *b)
	}
	for _, key := range keys {
		if d.known[key] == 0 { // new, or known so far by another of its ids
			d.known[key] = ordinal
			d.gainedKeys[key] = ordinal
		}
	}
	return ordinal
}

// Gained packs what came since the dictionary was loaded; nil when nothing did.
func (d *Dictionary) Gained() (*Part, error) {
	if len(d.gained) == 0 && len(d.gainedKeys) == 0 {
		return nil, nil
	}
	packed, err := packBusinesses(d.gained)
	return &Part{Number: d.part, First: d.first, Count: len(d.gained), Keys: packKeys(d.gainedKeys), Businesses: packed}, err
}

// Part is a stored part of a dictionary.
type Part struct {
	Number           int    // of the part, from 0
	First, Count     int    // its businesses have the ordinals from First on
	Keys, Businesses []byte // packed; either may be left unread
}

func packKeys(keys map[uint64]uint16) []byte {
	packed := make([]byte, 0, len(keys)*keyBytes)
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		packed = binary.LittleEndian.AppendUint64(packed, key)
		packed = binary.LittleEndian.AppendUint16(packed, keys[key])
	}
	return packed
}

func packBusinesses(businesses []Business) ([]byte, error) {
	blocks := (len(businesses) + blockBusinesses - 1) / blockBusinesses
	packed := bytes.NewBuffer(make([]byte, 4*blocks))
	zip, err := flate.NewWriter(packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	var plain []byte
	for block := range blocks {
		plain = plain[:0]
		for i := block * blockBusinesses; i < min((block+1)*blockBusinesses, len(businesses)); i++ {
			plain = appendBusiness(plain, &businesses[i])
		}
		zip.Reset(packed)
		if _, err := zip.Write(plain); err != nil {
			return nil, err
		}
		if err := zip.Close(); err != nil {
			return nil, err
		}
		binary.LittleEndian.PutUint32(packed.Bytes()[4*block:], uint32(packed.Len()))
	}
	return packed.Bytes(), nil
}

// Find adds to found the ordinals that the keys of a business have in the part.
func (p Part) Find(found []uint16, keys []uint64) []uint16 {
	n := len(p.Keys) / keyBytes
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(p.Keys[i*keyBytes:]) }
	for _, key := range keys {
		if i := sort.Search(n, func(i int) bool { return at(i) >= key }); i < n && at(i) == key {
			if ordinal := binary.LittleEndian.Uint16(p.Keys[i*keyBytes+8:]); !slices.Contains(found, ordinal) {
				found = append(found, ordinal)
			}
		}
	}
	return found
}

// HoldsAny tells whether the part has one of the ordinals, which ascend.
func (p Part) HoldsAny(ordinals []uint16) bool { return anyBetween(ordinals, p.First, p.First+p.Count) }

func anyBetween(sorted []uint16, first, beyond int) bool {
	i, _ := slices.BinarySearch(sorted, uint16(first))
	return i < len(sorted) && int(sorted[i]) < beyond
}

// Read puts the businesses of the wanted ordinals, which ascend, into a map.
func (p Part) Read(into map[uint16]Business, wanted []uint16) error {
	blocks := (p.Count + blockBusinesses - 1) / blockBusinesses
	if len(p.Businesses) < 4*blocks {
		return fmt.Errorf("%w: %d bytes for %d businesses", errCorruptDictionary, len(p.Businesses), p.Count)
	}
	unzip := flate.NewReader(nil)
	begin := 4 * blocks
	for block := range blocks {
		first := p.First + block*blockBusinesses
		beyond := min(first+blockBusinesses, p.First+p.Count)
		end := int(binary.LittleEndian.Uint32(p.Businesses[4*block:]))
		if end < begin || end > len(p.Businesses) {
			return fmt.Errorf("%w: block %d ends at %d", errCorruptDictionary, block, end)
		}
		packed := p.Businesses[begin:end]
		begin = end
		if !anyBetween(wanted, first, beyond) {
			continue
		}
		if err := readBlock(unzip, packed, into, wanted, first, beyond); err != nil {
			return err
		}
	}
	return nil
}

func readBlock(unzip io.ReadCloser, packed []byte, into map[uint16]Business, wanted []uint16, first, beyond int) error {
	if err := unzip.(flate.Resetter).Reset(bytes.NewReader(packed), nil); err != nil {
		return err
	}
	plain, err := io.ReadAll(io.LimitReader(unzip, maxBlock))
	if err != nil {
		return fmt.Errorf("%w: %w", errCorruptDictionary, err)
	}
	r := reader{data: plain}
	for ordinal := first; ordinal < beyond; ordinal++ {
		if _, is := slices.BinarySearch(wanted, uint16(ordinal)); is {
			into[uint16(ordinal)] = r.business()
		} else {
			r.skipBusiness()
		}
	}
	if r.broken {
		return fmt.Errorf("%w: %w", errCorruptDictionary, errCorruptBusiness)
	}
	return nil
}
