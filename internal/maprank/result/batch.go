package result

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Arrival is what has come of one point.
type Arrival struct {
	Point      int // position among the report's enabled points
	Failed     bool
	Businesses []Business // by rank
}

var errCorruptBatch = errors.New("corrupt batch of results")

// Batch is points that have arrived together: businesses once, and points that name them.
type Batch struct {
	Points     []BatchPoint
	businesses []Business
}

// BatchPoint is one of them.
type BatchPoint struct {
	Point   int
	Failed  bool
	numbers []int // into the batch's businesses, by rank
}

// NewBatch lists the businesses of points, each once.
func NewBatch(arrived []Arrival) Batch {
	type key struct{ cid, place, name string }
	var b Batch
	numbers := map[key]int{}
	for _, a := range arrived {
		p := BatchPoint{Point: a.Point, Failed: a.Failed}
		for i := range a.Businesses[:min(len(a.Businesses), MaxRank)] {
			found := &a.Businesses[i]
			k := key{cid: found.CID, name: found.Name}
			if len(found.PlaceIDs) > 0 {
				k.place = found.PlaceIDs[0]
			}
			n, again := numbers[k]
			if !again {
				n = len(b.businesses)
				numbers[k] = n
				b.businesses = append(b.businesses, *found)
			}
			p.numbers = append(p.numbers, n)
		}
		b.Points = append(b.Points, p)
	}
	return b
}

// Place puts the points of a batch where they belong: points begins with all of them failed. Of a point
// that came twice the first counts.
func (b Batch) Place(points []AtPoint, dictionary *Dictionary) {
	ordinals := make([]uint16, len(b.businesses))
	for i := range b.businesses {
		ordinals[i] = dictionary.Ordinal(&b.businesses[i])
	}
	for _, p := range b.Points {
		if p.Failed || p.Point >= len(points) || !points[p.Point].Failed {
			continue
		}
		ranked := make([]uint16, len(p.numbers))
		for i, number := range p.numbers {
			ranked[i] = ordinals[number]
		}
		points[p.Point] = AtPoint{Ordinals: ranked}
	}
}

// Encode packs a batch: the businesses, then the points, which name them by their place in that list.
func (b Batch) Encode() []byte {
	data := binary.AppendUvarint(nil, uint64(len(b.businesses)))
	for i := range b.businesses {
		data = appendBusiness(data, &b.businesses[i])
	}
	data = binary.AppendUvarint(data, uint64(len(b.Points)))
	for _, p := range b.Points {
		data = binary.AppendUvarint(data, uint64(p.Point))
		if p.Failed {
			data = append(data, failedPoint)
			continue
		}
		data = append(data, byte(len(p.numbers)))
		for _, n := range p.numbers {
			data = binary.AppendUvarint(data, uint64(n))
		}
	}
	return data
}

// DecodeBatch reads what Encode wrote.
func DecodeBatch(data []byte) (Batch, error) {
	r := reader{data: data}
	b := Batch{businesses: make([]Business, r.count())}
	for i := range b.businesses {
		b.businesses[i] = r.business()
	}
	b.Points = make([]BatchPoint, r.count())
	for i := range b.Points {
		p := &b.Points[i]
		p.Point = int(r.uvarint())
		length := r.byte()
		if p.Failed = length == failedPoint; p.Failed {
			continue
		}
		if length > MaxRank {
			return Batch{}, fmt.Errorf("%w: %d results", errCorruptBatch, length)
		}
		p.numbers = make([]int, length)
		for j := range p.numbers {
			if p.numbers[j] = int(r.uvarint()); p.numbers[j] >= len(b.businesses) || p.numbers[j] < 0 {
				return Batch{}, fmt.Errorf("%w: business %d of %d", errCorruptBatch, p.numbers[j], len(b.businesses))
			}
		}
	}
	if r.broken {
		return Batch{}, errCorruptBatch
	}
	return b, nil
}
