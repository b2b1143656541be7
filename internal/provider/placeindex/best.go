package placeindex

import (
	"bytes"
	"slices"
)

// found is a hit that is not decoded yet.
type found struct {
	segment              *segment
	place                uint32
	score                float64
	text, km, prominence float64
}

// best keeps the first hits, in order.
type best struct {
	limit int
	hits  []found
}

// least is the score below which nothing gets in.
func (b *best) least() float64 {
	if len(b.hits) < b.limit {
		return 0
	}
	return b.hits[len(b.hits)-1].score
}

func (b *best) offer(f found) {
	if f.score < b.least() {
		return
	}
	at, _ := slices.BinarySearchFunc(b.hits, f, compare)
	if at == b.limit {
		return
	}
	if len(b.hits) == b.limit {
		b.hits = b.hits[:b.limit-1]
	}
	b.hits = slices.Insert(b.hits, at, f)
}

// compare orders hits by score, and equal ones by place id.
func compare(a, b found) int {
	switch {
	case a.score > b.score:
		return -1
	case a.score < b.score:
		return 1
	}
	return bytes.Compare(recordID(a.segment.record(a.place)), recordID(b.segment.record(b.place)))
}

// candidate is a block that may hold hits.
type candidate struct {
	bound float64 // the most that a place in it can score
	block uint32
	spans int // position of its first span
}

// queue is a binary heap of candidates, the most promising first. It is ours because container/heap would
// allocate for each of the thousand blocks of a search.
type queue []candidate

func (q queue) order() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.sink(i)
	}
}

func (q *queue) pop() {
	last := len(*q) - 1
	(*q)[0] = (*q)[last]
	*q = (*q)[:last]
	q.sink(0)
}

func (q queue) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(q) {
			return
		}
		if right := child + 1; right < len(q) && q[right].bound > q[child].bound {
			child = right
		}
		if q[i].bound >= q[child].bound {
			return
		}
		q[i], q[child] = q[child], q[i]
		i = child
	}
}
