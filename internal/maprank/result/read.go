package result

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

// Stored reads a blob in place; see Encode for its layout. It is safe for concurrent use.
type Stored struct {
	width   int    // bytes a code
	largest uint16 // the largest code
	palette []byte // ordinals of codes 1.. when width is 1
	lengths []byte // codes of each point, or failedPoint
	codes   []byte
}

// FailedPoints is at how many points the search did not succeed.
func (r Stored) FailedPoints() int {
	failed := 0
	for _, length := range r.lengths {
		if length == failedPoint {
			failed++
		}
	}
	return failed
}

// Positions appends to dst, for each point, the best rank of a business: 1..20, Unranked, or 0 where
// the search failed. A business may have several ordinals, such as one for each of its place ids.
func (r Stored) Positions(dst []uint8, ordinals ...uint16) []uint8 {
	dst = slices.Grow(dst, len(r.lengths))
	wanted := r.codesOf(ordinals)
	codes := r.codes
	for _, length := range r.lengths {
		if length == failedPoint {
			dst = append(dst, 0)
			continue
		}
		span := r.span(length)
		dst = append(dst, r.bestRank(codes[:span], &wanted))
		codes = codes[span:]
	}
	return dst
}

// Ranking lists the ordinals at a point by rank, 0 where a rank is empty; none where the search failed.
func (r Stored) Ranking(point int) []uint16 {
	begin := 0
	for _, length := range r.lengths[:point] {
		begin += r.span(length)
	}
	codes := r.codes[begin:][:r.span(r.lengths[point])]
	ordinals := make([]uint16, 0, MaxRank)
	for i := 0; i < len(codes); i += r.width {
		code := uint16(codes[i])
		if r.width == 2 {
			code = binary.LittleEndian.Uint16(codes[i:])
		}
		ordinals = append(ordinals, r.ordinal(code))
	}
	return ordinals
}

// Tally adds up the best ranks of a business; it allocates nothing.
func (r Stored) Tally(ordinals ...uint16) Tally {
	var t Tally
	var buffer [grid.MaxPoints]uint8
	for _, rank := range r.Positions(buffer[:0], ordinals...) {
		t.Add(int(rank))
	}
	return t
}

// BusinessTally is the tally of one business of a result.
type BusinessTally struct {
	Ordinal uint16
	Tally
}

// TallyAll tallies every business that the result holds, by ascending ordinal. Unlike the look for one business,
// which passes over codes that cannot be, it fails on them.
func (r Stored) TallyAll() ([]BusinessTally, error) {
	if seen := r.largestSeen(); seen > r.largest {
		return nil, fmt.Errorf("%w: code %d above %d", ErrCorrupt, seen, r.largest)
	}
	tallies := make([]Tally, int(r.largest)+1) // by code; 0 is an empty rank
	var single [MaxRank]Tally                  // one point at each rank
	for i := range single {
		single[i].Add(i + 1)
	}
	codes := r.codes
	for _, length := range r.lengths {
		span := r.span(length)
		point := codes[:span]
		codes = codes[span:]
		if r.width == 1 {
			for i, code := range point {
				tallies[code].merge(&single[i])
			}
			continue
		}
		for i := 0; i+1 < len(point); i += 2 {
			tallies[binary.LittleEndian.Uint16(point[i:])].merge(&single[i/2])
		}
	}
	observed := len(r.lengths) - r.FailedPoints()
	all := make([]BusinessTally, 0, len(tallies))
	for code, t := range tallies {
		if code > 0 && t.Found > 0 {
			t.Points = observed
			all = append(all, BusinessTally{Ordinal: r.ordinal(uint16(code)), Tally: t})
		}
	}
	return all, nil
}

func (r Stored) largestSeen() uint16 {
	if r.width == 1 {
		seen := byte(0)
		for _, code := range r.codes {
			seen = max(seen, code)
		}
		return uint16(seen)
	}
	seen := uint16(0)
	for i := 0; i < len(r.codes); i += 2 {
		seen = max(seen, binary.LittleEndian.Uint16(r.codes[i:]))
	}
	return seen
}

// span is how many bytes of codes a point takes.
func (r Stored) span(length byte) int {
	if length == failedPoint {
		return 0
	}
	return int(length) * r.width
}

func (r Stored) ordinal(code uint16) uint16 {
	if r.width == 2 || code == 0 {
		return code
	}
	return binary.LittleEndian.Uint16(r.palette[2*(code-1):])
}

// codeSet is a set of codes: marked by the low byte, listed in full where codes are wide.
type codeSet struct {
	low  [256]bool
	wide []uint16
}

// codesOf finds the codes of ordinals; those that the result does not hold have none.
func (r Stored) codesOf(ordinals []uint16) codeSet {
	var set codeSet
	if r.width == 2 {
		set.wide = ordinals
	}
	for _, ordinal := range ordinals {
		code := ordinal
		if r.width == 1 {
			n := int(r.largest)
			at := sort.Search(n, func(i int) bool { return r.ordinal(uint16(i+1)) >= ordinal })
			if code = uint16(at + 1); at == n || r.ordinal(code) != ordinal {
				continue
			}
		}
		set.low[byte(code)] = true
	}
	return set
}

func (r Stored) bestRank(codes []byte, wanted *codeSet) uint8 {
	if r.width == 1 {
		for i, code := range codes {
			if wanted.low[code] {
				return uint8(i + 1)
			}
		}
		return Unranked
	}
	for i := 0; i < len(codes); i += 2 {
		if !wanted.low[codes[i]] {
			continue
		}
		if code := binary.LittleEndian.Uint16(codes[i:]); code != 0 && slices.Contains(wanted.wide, code) {
			return uint8(i/2 + 1)
		}
	}
	return Unranked
}
