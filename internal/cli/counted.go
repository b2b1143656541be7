package cli

import (
	"strings"

	"github.com/dustin/go-humanize"
)

// counted is a number with what it counts, which is given in the plural.
func counted[N int | int64](n N, plural string) string {
	if n != 1 {
		return humanize.Comma(int64(n)) + " " + plural
	}
	if stem, ok := strings.CutSuffix(plural, "ies"); ok {
		return "1 " + stem + "y"
	}
	return "1 " + strings.TrimSuffix(plural, "s")
}

// were is the verb of a number.
func were[N int | int64](n N) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
