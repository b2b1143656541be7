package series

import (
	"encoding/binary"
	"fmt"
)

// Year holds the chunks of one tracked keyword for the months of a year that are over, or nearly: each
// is the number of its month, the length of its chunk as a uvarint, and the chunk, in order of months.
// The nil year is empty. Years are values: Set returns a new one.
type Year []byte

// Each calls yield for every month that has a chunk, in order, without allocating.
func (y Year) Each(yield func(month int, c Chunk)) error {
	last := 0
	for len(y) > 0 {
		month := int(y[0])
		size, n := binary.Uvarint(y[1:])
		if month <= last || month > 12 || n <= 0 || size == 0 || size > uint64(len(y)-1-n) {
			return fmt.Errorf("%w: month %d of a year", ErrCorrupt, month)
		}
		end := 1 + n + int(size)
		yield(month, Chunk(y[1+n:end:end]))
		y, last = y[end:], month
	}
	return nil
}

// Set returns the year with a month's chunk added or replaced.
func (y Year) Set(month int, c Chunk) (Year, error) {
	if month < 1 || month > 12 || c.Len() == 0 {
		return nil, fmt.Errorf("a year cannot hold %d days of month %d", c.Len(), month)
	}
	set := make(Year, 0, len(y)+len(c)+3)
	placed := false
	place := func() {
		if !placed {
			set, placed = set.with(month, c), true
		}
	}
	err := y.Each(func(m int, other Chunk) {
		if m >= month {
			place()
		}
		if m != month {
			set = set.with(m, other)
		}
	})
	if err != nil {
		return nil, err
	}
	place()
	return set, nil
}

// Get returns the chunk of a month, nil when there is none.
func (y Year) Get(month int) (found Chunk, err error) {
	err = y.Each(func(m int, c Chunk) {
		if m == month {
			found = c
		}
	})
	return found, err
}

func (y Year) with(month int, c Chunk) Year {
	y = append(y, byte(month))
	y = binary.AppendUvarint(y, uint64(len(c)))
	return append(y, c...)
}
