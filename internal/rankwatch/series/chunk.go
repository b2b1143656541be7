package series

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Observation is what one check of a keyword found.
type Observation struct {
	Rank       uint16  // 1..MaxRank; 0: checked, and not found within the depth
	URL        uint16  // ordinal in the keyword's list of URLs; 0 when it does not rank
	MapPack    uint8   // rank in the map pack, 1..MaxMapPack; 0: not in it
	MoreURL    bool    // further URLs of the target ranked on the same page
	OwnSnippet bool    // the page's featured snippet is the target's
	Features   Feature // kinds of items on the page
}

// Bounds of an observation.
const (
	MaxRank    = 1000
	MaxURL     = 4095
	MaxMapPack = 20
)

// ErrCorrupt is wrapped by every failure to read a chunk.
var ErrCorrupt = errors.New("corrupt rank chunk")

// Chunk holds the observations of one tracked keyword in one month. A day that is absent was not
// checked, or its check failed. The nil chunk is empty. Chunks are values: Set returns a new one.
//
// Layout, version 1: the version byte; a little-endian uint32 with bit d set for each day d that was
// checked; then for each of those days, in order, uvarint(rank<<1 | changed). Only when something but
// the rank changed since the day before it in the chunk (the first is compared with the zero
// observation), there follow a byte of map pack rank (bits 0-4), MoreURL (5), OwnSnippet (6) and
// "URL changed" (7), uvarint(features XOR the former ones) and, when bit 7 is set, uvarint(URL).
// A quiet day at a rank below 64 is one byte.
type Chunk []byte

const (
	chunkVersion = 1
	chunkHeader  = 5
	lastDay      = 31

	packMask    = 1<<5 - 1
	moreURLBit  = 1 << 5
	snippetBit  = 1 << 6
	urlBit      = 1 << 7
	maxFeatures = 1<<16 - 1
)

// Each calls yield for every checked day, in order, without allocating. After an error the days
// already seen must not be used.
func (c Chunk) Each(yield func(day int, o Observation)) error {
	if len(c) == 0 {
		return nil
	}
	if len(c) < chunkHeader {
		return fmt.Errorf("%w: %d bytes", ErrCorrupt, len(c))
	}
	if c[0] != chunkVersion {
		return fmt.Errorf("%w: version %d, this program reads %d", ErrCorrupt, c[0], chunkVersion)
	}
	days := binary.LittleEndian.Uint32(c[1:])
	if days&1 != 0 || days == 0 {
		return fmt.Errorf("%w: days %#x", ErrCorrupt, days)
	}
	r := reader{rest: c[chunkHeader:]}
	var o Observation
	for ; days != 0; days &= days - 1 {
		day := bits.TrailingZeros32(days)
		r.next(&o)
		if r.bad || !o.valid() {
			return fmt.Errorf("%w: day %d", ErrCorrupt, day)
		}
		yield(day, o)
	}
	if len(r.rest) != 0 {
		return fmt.Errorf("%w: %d bytes too many", ErrCorrupt, len(r.rest))
	}
	return nil
}

// Set returns the chunk with the observation of a day (1..31) added or replaced. A corrupt chunk is
// an error, never overwritten.
func (c Chunk) Set(day int, o Observation) (Chunk, error) {
	if day < 1 || day > lastDay {
		return nil, fmt.Errorf("rank chunk has no day %d", day)
	}
	if !o.valid() {
		return nil, fmt.Errorf("rank chunk cannot hold %+v", o)
	}
	var month [lastDay + 1]Observation
	var days uint32
	err := c.Each(func(day int, o Observation) {
		month[day] = o
		days |= 1 << day
	})
	if err != nil {
		return nil, err
	}
	month[day] = o
	return encode(days|1<<day, &month), nil
}

// Until returns the chunk without the days after one.
func (c Chunk) Until(last int) (kept Chunk, err error) {
	var month [lastDay + 1]Observation
	var days uint32
	err = c.Each(func(day int, o Observation) {
		if day <= last {
			month[day] = o
			days |= 1 << day
		}
	})
	if err != nil || days == 0 {
		return nil, err
	}
	return encode(days, &month), nil
}

// Len is the number of checked days.
func (c Chunk) Len() int {
	if len(c) < chunkHeader {
		return 0
	}
	return bits.OnesCount32(binary.LittleEndian.Uint32(c[1:]))
}

func encode(days uint32, month *[lastDay + 1]Observation) Chunk {
	c := make(Chunk, chunkHeader, chunkHeader+2*bits.OnesCount32(days))
	c[0] = chunkVersion
	binary.LittleEndian.PutUint32(c[1:], days)
	var before Observation
	for ; days != 0; days &= days - 1 {
		o := month[bits.TrailingZeros32(days)]
		c = appendObservation(c, before, o)
		before = o
	}
	return c
}

func appendObservation(c Chunk, before, o Observation) Chunk {
	before.Rank = o.Rank
	if o == before {
		return binary.AppendUvarint(c, uint64(o.Rank)<<1)
	}
	c = binary.AppendUvarint(c, uint64(o.Rank)<<1|1)
	rest := o.MapPack
	if o.MoreURL {
		rest |= moreURLBit
	}
	if o.OwnSnippet {
		rest |= snippetBit
	}
	if o.URL != before.URL {
		rest |= urlBit
	}
	c = append(c, rest)
	c = binary.AppendUvarint(c, uint64(o.Features^before.Features))
	if o.URL != before.URL {
		c = binary.AppendUvarint(c, uint64(o.URL))
	}
	return c
}

func (o Observation) valid() bool {
	ranked := o.Rank > 0
	return o.Rank <= MaxRank && o.URL <= MaxURL && o.MapPack <= MaxMapPack && (ranked || o.URL == 0 && !o.MoreURL)
}

// reader walks the entries; bad is set at the first that cannot be read.
type reader struct {
	rest []byte
	bad  bool
}

// next turns the observation before into the one that follows it.
func (r *reader) next(o *Observation) {
	head := r.uvarint(MaxRank<<1 | 1)
	o.Rank = uint16(head >> 1)
	if head&1 == 0 {
		return
	}
	if len(r.rest) == 0 {
		r.bad = true
		return
	}
	rest := r.rest[0]
	r.rest = r.rest[1:]
	o.MapPack = rest & packMask
	o.MoreURL = rest&moreURLBit != 0
	o.OwnSnippet = rest&snippetBit != 0
	o.Features ^= Feature(r.uvarint(maxFeatures))
	if rest&urlBit != 0 {
		o.URL = uint16(r.uvarint(MaxURL))
	}
}

func (r *reader) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > limit {
		r.bad = true
		return 0
	}
	r.rest = r.rest[n:]
	return v
}

// Has tells whether a day was checked.
func (c Chunk) Has(day int) bool {
	return len(c) >= chunkHeader && binary.LittleEndian.Uint32(c[1:])&(1<<day) != 0
}
