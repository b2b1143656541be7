package local

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/words"
)

// searchLocations finds the locations whose name, address or phone number has every one of the folded words, and
// tells how many there are. It reads all that the filter lets through: a plan bounds them, and an index of words
// would have to be kept with every change for a question that only people ask.
func searchLocations(ctx context.Context, q db.Queryer, accountID string, f locationFilter, sought []string, limit, offset int) (page []Location, total int64, err error) {
	var p db.Params
	where := f.where(&p, accountID)
	err = db.Each(ctx, q, func(row db.Scanner) error {
		l, err := scanShown(row)
		if err != nil {
			return err
		}
		text, err := searchText(l.rawProfile)
		if err != nil {
			return fmt.Errorf("profile of location %s: %w", l.ID, err)
		}
		for _, word := range sought {
			if !strings.Contains(text, word) {
				return nil
			}
		}
		if total >= int64(offset) && len(page) < limit {
			page = append(page, l)
		}
		total++
		return nil
	}, "SELECT "+locationColumns+" FROM locations"+where+newestFirst, p.Args...)
	return page, total, err
}

// searchText is what a location is found by. A phone number is found as it was written and by its digits alone.
func searchText(profile []byte) (string, error) {
	var shown struct {
		Name   string `json:"business_name"`
		Street string `json:"address_line_1"`
		Suite  string `json:"address_line_2"`
		City   string `json:"city"`
		Region string `json:"region"`
		Zip    string `json:"zip"`
		Phone  string `json:"phone_number"`
	}
	err := json.Unmarshal(profile, &shown)
	digits := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, shown.Phone)
	return words.Fold(strings.Join([]string{shown.Name, shown.Street, shown.Suite, shown.City, shown.Region, shown.Zip, shown.Phone, digits}, "\n")), err
}
