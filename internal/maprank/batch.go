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

// encodeBatch packs points that have arrived: the businesses they name, each once, then the points, which
// name them by their place in that list.
func encodeBatch(points []arrival) []byte {
	type key struct{ cid, place, name string }
	numbers := map[key]int{}
	var businesses, body []byte
	body = binary.AppendUvarint(body, uint64(len(points)))
	for _, p := range points {
		body = binary.AppendUvarint(body, uint64(p.point))
		if p.failed {
			body = append(body, failedPoint)
			continue
		}
		listed := p.businesses[:min(len(p.businesses), MaxRank)]
		body = append(body, byte(len(listed)))
		for i := range listed {
			b := &listed[i]
			k := key{cid: b.CID, name: b.Name}
			if len(b.PlaceIDs) > 0 {
				k.place = b.PlaceIDs[0]
			}
			n, again := numbers[k]
			if !again {
				n = len(numbers)
				numbers[k] = n
				businesses = appendBusiness(businesses, b)
			}
			body = binary.AppendUvarint(body, uint64(n))
		}
	}
	head := binary.AppendUvarint(nil, uint64(len(numbers)))
	return append(append(head, businesses...), body...)
}

// batch is a decoded batch: businesses once, and points that name them.
type batch struct {
	businesses []Business
	points     []batchPoint
}

type batchPoint struct {
	point   int
	failed  bool
	numbers []int // into businesses, by rank
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
