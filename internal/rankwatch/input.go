package rankwatch

import (
	"fmt"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// problems collects what is wrong with a request.
type problems []errs.Detail

func (ps *problems) add(field string, status errs.Status, format string, args ...any) {
	*ps = append(*ps, errs.Detail{Field: field, Status: status, Message: fmt.Sprintf(format, args...)})
}

// required reports a field that is missing or of the wrong type, and tells whether it can be used.
func required[T any](ps *problems, name string, f *httpapi.Field[T]) bool {
	if problem, bad := f.Problem(name); bad {
		*ps = append(*ps, problem)
		return false
	}
	if !f.Set || f.Null {
		ps.add(name, errs.NotSpecified, "%s is not specified.", name)
		return false
	}
	return true
}

// optional is required for a field that may be missing.
func optional[T any](ps *problems, name string, f *httpapi.Field[T]) bool {
	return (f.Set && !f.Null) && required(ps, name, f)
}

// ids reads a list of ids that must not be empty and drops repeated ones.
func (ps *problems) ids(name string, f *httpapi.Field[[]string]) []string {
	if !required(ps, name, f) {
		return nil
	}
	if len(f.Value) == 0 {
		ps.add(name, errs.NotSpecified, "%s must hold at least one id.", name)
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

// parseRange reads from and to; what is empty is chosen so that there are DefaultDays, up to today.
func parseRange(from, to string, today series.Day) (series.Range, []errs.Detail) {
	var ps problems
	r := series.Range{To: today}
	if to != "" {
		r.To = ps.day("to", to)
	}
	r.To = min(r.To, today) // nothing is known of later days
	r.From = r.To - DefaultDays + 1
	if from != "" {
		r.From = ps.day("from", from)
	}
	switch {
	case len(ps) > 0:
	case r.From > today:
		ps.add("from", errs.InvalidValue, "from must not be after today, %s.", today)
	case r.From > r.To:
		ps.add("from", errs.InvalidValue, "from must not be after to.")
	case r.Days() > MaxDays:
		ps.add("from", errs.InvalidValue, "From %s to %s are %d days; at most %d are allowed.", r.From, r.To, r.Days(), MaxDays)
	}
	return r, ps
}

// given refuses an empty date: it is neither a day nor nothing.
func (ps *problems) given(field, date string) {
	if date == "" {
		ps.add(field, errs.InvalidValue, "%s is empty; leave it out or send a date such as 2026-03-31.", field)
	}
}

// day reads a date of a request. Clients print moments as well as dates: what follows a T is ignored.
func (ps *problems) day(field, s string) series.Day {
	date, _, _ := strings.Cut(s, "T")
	d, err := series.ParseDay(date)
	if year := d.Start().Year(); err != nil || year < firstYear || year > lastYear {
		ps.add(field, errs.InvalidValue, "%s must be a date such as 2026-03-31, not %.32q.", field, s)
		return 0
	}
	return d
}
