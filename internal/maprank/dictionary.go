package maprank

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
)

// The dictionary of a report numbers its businesses from 1; result blobs name them by these ordinals.
// It grows by one part with each keyword that brings new ones. A part has
//
//	keys     10 bytes each, ascending: 8 bytes of key and 2 of ordinal; what a business is found by
//	records  the businesses in blocks of 64, each block compressed, after a table of where they begin
//
// so that finding a business, or showing ten of them, reads little of it.
const (
	// ownOrdinal is the campaign's own business: it comes first in every dictionary.
	ownOrdinal   = 1
	maxOrdinal   = 1<<16 - 1
	keyBytes     = 10
	blockRecords = 64
	maxBlock     = 4 << 20 // bytes of a block unpacked
)

var errCorruptDictionary = errors.New("corrupt dictionary")

// dictionary hands out the ordinals of a report that is being collected.
type dictionary struct {
	known map[uint64]uint16 // by key
	next  int               // ordinal of the next new business
	part  partDraft
}

// partDraft is what the dictionary has gained since it was loaded.
type partDraft struct {
	part       int
	first      int
	businesses []Business
	keys       map[uint64]uint16
}

func newDictionary(parts []part) *dictionary {
	d := &dictionary{known: map[uint64]uint16{}, next: ownOrdinal}
	for _, p := range parts {
		for i := 0; i+keyBytes <= len(p.keys); i += keyBytes {
			d.known[binary.LittleEndian.Uint64(p.keys[i:])] = binary.LittleEndian.Uint16(p.keys[i+8:])
		}
		d.next = max(d.next, p.first+p.number)
	}
	d.part = partDraft{part: len(parts), first: d.next, keys: map[uint64]uint16{}}
	return d
}

// ordinal finds or numbers a business. Beyond 65,535 businesses a new one has none: it takes its rank,
// but is not told apart.
func (d *dictionary) ordinal(b *Business) uint16 {
	keys := b.keys()
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
		d.part.businesses = append(d.part.businesses, *b)
	}
	for _, key := range keys {
		if d.known[key] == 0 { // new, or known so far by another of its ids
			d.known[key] = ordinal
			d.part.keys[key] = ordinal
		}
	}
	return ordinal
}

// part is a stored part of a dictionary.
type part struct {
	part          int
	first, number int
	keys, records []byte
}

// encode packs what was gained; nothing gained is nil.
func (d *partDraft) encode() (*part, error) {
	if len(d.businesses) == 0 && len(d.keys) == 0 {
		return nil, nil
	}
	records, err := packRecords(d.businesses)
	return &part{part: d.part, first: d.first, number: len(d.businesses), keys: packKeys(d.keys), records: records}, err
}

func packKeys(keys map[uint64]uint16) []byte {
	sorted := make([]uint64, 0, len(keys))
	for key := range keys {
		sorted = append(sorted, key)
	}
	slices.Sort(sorted)
	packed := make([]byte, 0, len(sorted)*keyBytes)
	for _, key := range sorted {
		packed = binary.LittleEndian.AppendUint64(packed, key)
		packed = binary.LittleEndian.AppendUint16(packed, keys[key])
	}
	return packed
}

func packRecords(businesses []Business) ([]byte, error) {
	blocks := (len(businesses) + blockRecords - 1) / blockRecords
	packed := bytes.NewBuffer(make([]byte, 4*blocks))
	zip, err := flate.NewWriter(packed, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	var plain []byte
	for block := range blocks {
		plain = plain[:0]
		for i := block * blockRecords; i < min((block+1)*blockRecords, len(businesses)); i++ {
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

// find lists the ordinals that the keys have in a part.
func (p part) find(found []uint16, keys []uint64) []uint16 {
	n := len(p.keys) / keyBytes
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(p.keys[i*keyBytes:]) }
	for _, key := range keys {
		if i := sort.Search(n, func(i int) bool { return at(i) >= key }); i < n && at(i) == key {
			if ordinal := binary.LittleEndian.Uint16(p.keys[i*keyBytes+8:]); !slices.Contains(found, ordinal) {
				found = append(found, ordinal)
			}
		}
	}
	return found
}

// businesses reads the records of the wanted ordinals (ascending) into a map, or all of them when wanted
// is nil.
func (p part) businesses(into map[uint16]Business, wanted []uint16) error {
	blocks := (p.number + blockRecords - 1) / blockRecords
	if len(p.records) < 4*blocks {
		return fmt.Errorf("%w: %d bytes for %d businesses", errCorruptDictionary, len(p.records), p.number)
	}
	var unzip io.ReadCloser
	begin := 4 * blocks
	for block := range blocks {
		first := p.first + block*blockRecords
		beyond := min(first+blockRecords, p.first+p.number)
		end := int(binary.LittleEndian.Uint32(p.records[4*block:]))
		if end < begin || end > len(p.records) {
			return fmt.Errorf("%w: block %d ends at %d", errCorruptDictionary, block, end)
		}
		packed := p.records[begin:end]
		begin = end
		if wanted != nil && !anyBetween(wanted, first, beyond) {
			continue
		}
		if unzip == nil {
			unzip = flate.NewReader(nil)
		}
		if err := readBlock(unzip, packed, into, wanted, first, beyond); err != nil {
			return err
		}
	}
	return nil
}

func anyBetween(sorted []uint16, first, beyond int) bool {
	i, _ := slices.BinarySearch(sorted, uint16(first))
	return i < len(sorted) && int(sorted[i]) < beyond
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
		if wanted != nil {
			if _, is := slices.BinarySearch(wanted, uint16(ordinal)); !is {
				r.skipBusiness()
				continue
			}
		}
		into[uint16(ordinal)] = r.business()
	}
	if r.broken {
		return fmt.Errorf("%w: %w", errCorruptDictionary, errCorruptRecord)
	}
	return nil
}
