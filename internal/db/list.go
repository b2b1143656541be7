package db

import "slices"

// listSizes are the lengths of IN lists: a few texts of a query in place of one for every length, so
// that each is prepared once.
var listSizes = []int{1, 8, 32, 128, 512}

// Lists calls fn with the values in lists for IN, of a few lengths only; the last is filled up with its
// last value.
func Lists[T any](values []T, fn func(list []T) error) error {
	for len(values) > 0 {
		size := listSizes[len(listSizes)-1]
		for _, s := range listSizes {
			if len(values) <= s {
				size = s
				break
			}
		}
		list := slices.Clone(values[:min(size, len(values))])
		values = values[len(list):]
		for len(list) < size {
			list = append(list, list[len(list)-1])
		}
		if err := fn(list); err != nil {
			return err
		}
	}
	return nil
}
