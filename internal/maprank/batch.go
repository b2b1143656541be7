package maprank

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// arrival is what has come of one point.
type arrival struct {
	point      int // position among the report's enabled points
	failed     bool
	businesses []Business // by rank
}

var errCorruptBatch = errors.New("corrupt batch of results")

// batch is points that have arrived together: businesses once, and points that name them.
type batch struct {
	businesses []Business
	points     []batchPoint
}

type batchPoint struct {
	point   int
	failed  bool
	numbers []int // into businesses, by rank
}

// newBatch lists the businesses of points, each once.
func newBatch(arrived []arrival) batch {
	type key struct{ cid, place, name string }
	var b batch
	numbers := map[key]int{}
	for _, a := range arrived {
		p := batchPoint{point: a.point, failed: a.failed}
		for i := range a.businesses[:min(len(a.businesses), MaxRank)] {
			found := &a.businesses[i]
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
		b.points = append(b.points, p)
	}
	return b
}

// encode packs a batch: the businesses, then the points, which name them by their place in that list.
func (b batch) encode() []byte {
	data := binary.AppendUvarint(nil, uint64(len(b.businesses)))
	for i := range b.businesses {
		data = appendBusiness(data, &b.businesses[i])
	}
	data = binary.AppendUvarint(data, uint64(len(b.points)))
	for _, p := range b.points {
		data = binary.AppendUvarint(data, uint64(p.point))
		if p.failed {
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

func decodeBatch(data []byte) (batch, error) {
	r := reader{data: data}
	b := batch{businesses: make([]Business, r.count())}
	for i := range b.businesses {
		b.businesses[i] = r.business()
	}
	b.points = make([]batchPoint, r.count())
	for i := range b.points {
		p := &b.points[i]
		p.point = int(r.uvarint())
		length := r.byte()
		if p.failed = length == failedPoint; p.failed {
			continue
		}
		if length > MaxRank {
			return batch{}, fmt.Errorf("%w: %d results", errCorruptBatch, length)
		}
		p.numbers = make([]int, length)
		for j := range p.numbers {
			if p.numbers[j] = int(r.uvarint()); p.numbers[j] >= len(b.businesses) || p.numbers[j] < 0 {
				return batch{}, fmt.Errorf("%w: business %d of %d", errCorruptBatch, p.numbers[j], len(b.businesses))
			}
		}
	}
	if r.broken {
		return batch{}, errCorruptBatch
	}
	return b, nil
}
