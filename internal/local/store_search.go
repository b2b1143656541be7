package local

import (
	"context"
	"strings"
	"unicode"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/words"
)

// searchLocations finds the locations whose name, address or phone number has every one of the folded words, and
// tells how many there are. It looks into a short text of each that the filter lets through: a plan bounds them.
func searchLocations(ctx context.Context, q db.Queryer, accountID string, f locationFilter, sought []string, limit, offset int) (page []Location, total int64, err error) {
	var p db.Params
	where := f.where(&p, accountID)
	for _, word := range sought {
		where += " AND " + p.Contains("search", word)
	}
	total, err = db.One(ctx, q, db.Value[int64], "SELECT count(*) FROM locations"+where, p.Args...)
	if err != nil || total <= int64(offset) {
		return nil, total, err
	}
	page, err = db.All(ctx, q, scanShown, "SELECT "+locationColumns+" FROM locations"+where+newestFirst+" LIMIT "+p.Add(limit)+" OFFSET "+p.Add(offset), p.Args...)
	return page, total, err
}

// searchText is what a location is found by. A phone number is found as it was written and by its digits alone.
func searchText(l *directory.Profile) string {
	digits := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, l.PhoneNumber)
	return words.Fold(strings.Join([]string{l.BusinessName, l.AddressLine1, l.AddressLine2, l.City, l.Region, l.Zip, l.PhoneNumber, digits}, "\n"))
}
