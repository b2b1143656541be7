package rankwatch

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// required reports a field that is missing or of the wrong type, and tells whether it can be used.
func required[T any](problems *errs.Problems, name string, f *httpapi.Field[T]) bool {
	if f.Mistyped(problems, name) {
		return false
	}
	if !f.Set || f.Null {
		problems.Add(name, errs.NotSpecified, "%s is not specified.", name)
		return false
	}
	return true
}

// readIDs reads a list of ids that must not be empty and drops repeated ones.
func readIDs(problems *errs.Problems, name string, f *httpapi.Field[[]string]) []string {
	if !required(problems, name, f) {
		return nil
	}
	if len(f.Value) == 0 {
		problems.Add(name, errs.NotSpecified, "%s must hold at least one id.", name)
	}
	return distinct(f.Value)
}

func distinct(list []string) []string {
	seen := make(map[string]bool, len(list))
	kept := make([]string, 0, len(list))
	for _, id := range list {
		if !seen[id] {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	return kept
}

// Bounds of a range of days, and of the years that a date may have.
const (
	DefaultDays = 30
	MaxDays     = 400
	firstYear   = 1990
	lastYear    = 2200
)

// readRange reads from and to; what is empty is chosen so that there are DefaultDays, up to today.
func readRange(problems *errs.Problems, from, to string, today series.Day) series.Range {
	before := len(*problems)
	r := series.Range{To: today}
	if to != "" {
		r.To = readDay(problems, "to", to)
	}
	r.To = min(r.To, today) // nothing is known of later days
	r.From = r.To - DefaultDays + 1
	if from != "" {
		r.From = readDay(problems, "from", from)
	}
	switch {
	case len(*problems) > before:
	case r.From > today:
		problems.Add("from", errs.InvalidValue, "from must not be after today, %s.", today)
	case r.From > r.To:
		problems.Add("from", errs.InvalidValue, "from must not be after to.")
	case r.Days() > MaxDays:
		problems.Add("from", errs.InvalidValue, "From %s to %s are %d days; at most %d are allowed.", r.From, r.To, r.Days(), MaxDays)
	}
	return r
}

// today is the day on which a request is served.
func today(ctx huma.Context) series.Day { return series.DayOf(httpapi.Now(ctx.Context())) }

// refuseEmpty refuses an empty date: it is neither a day nor nothing.
func refuseEmpty(problems *errs.Problems, field, date string) {
	if date == "" {
		problems.Add(field, errs.InvalidValue, "%s is empty; leave it out or send a date such as 2026-03-31.", field)
	}
}

// readDay reads a date of a request. Clients print moments as well as dates: what follows a T is ignored.
func readDay(problems *errs.Problems, field, s string) series.Day {
	date, _, _ := strings.Cut(s, "T")
	d, err := series.ParseDay(date)
	if year := d.Start().Year(); err != nil || year < firstYear || year > lastYear {
		problems.Add(field, errs.InvalidValue, "%s must be a date such as 2026-03-31, not %.32q.", field, s)
		return 0
	}
	return d
}
