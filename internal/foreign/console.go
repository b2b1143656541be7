package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// SearchDay is what people searched for on a day when a site was shown to them.
type SearchDay struct {
	Day     time.Time
	Queries []SearchRow // without pages
	Pages   []SearchRow // told apart by page as well
}

// SearchRow is a query with its figures. What the file does not tell apart is empty.
type SearchRow struct {
	Query, Page string
	Country     string // ISO 3166-1 alpha-3 in lower case
	Device      string // DESKTOP, MOBILE or TABLET
	Clicks      int64
	Impressions int64
	Position    float64
}

// SearchOptions say what a file leaves open.
type SearchOptions struct {
	Day      time.Time
	Before   time.Time // there are no figures from then on; zero is no bound
	DayFirst bool
}

var searchColumns = columns{
	"query":       {"top queries", "queries", "search query", "search term", "keyword"},
	"page":        {"top pages", "pages", "url", "landing page", "address"},
	"date":        {"day"},
	"country":     {"countries"},
	"device":      {"devices", "device type", "device category"},
	"clicks":      {"url clicks"},
	"impressions": {"views"},
	"position":    {"average position", "avg position", "avg. pos."},
}

// searchExport is an export being read.
type searchExport struct {
	SearchOptions
	days    map[time.Time]*SearchDay
	undated []SearchRow
	shown   map[time.Time]bool // days of the archive's chart
	period  string             // what the archive says it is of, in words
	skip    Skip
}

// ReadSearchConsole reads an export of Google Search Console: the archive, one of its files, or a table by date and query.
func ReadSearchConsole(f File, o SearchOptions, skip Skip) ([]SearchDay, error) {
	e := searchExport{SearchOptions: o, days: map[time.Time]*SearchDay{}, shown: map[time.Time]bool{}, skip: skip}
	if err := f.parts(e.read); err != nil {
		return nil, err
	}
	if err := e.date(); err != nil {
		return nil, err
	}
	all := make([]SearchDay, 0, len(e.days))
	for _, day := range slices.SortedFunc(maps.Keys(e.days), time.Time.Compare) {
		all = append(all, *e.days[day])
	}
	return all, nil
}

func (e *searchExport) read(p part) error {
	t, err := openTable(p, searchColumns, "clicks", "impressions")
	if errors.As(err, &noHeader{}) { // Filters.csv, which says what was exported
		e.period = cmp.Or(t.facts["date"], e.period)
		return nil
	}
	if err != nil {
		return err
	}
	if !t.has("query") {
		e.skip(Row{p.within, 1}, fmt.Sprintf("%s is not taken: its figures are not told by query", p.name))
		return e.readChart(t)
	}
	return t.each(func(r row) {
		read, day, err := e.row(r)
		switch {
		case err != nil:
			e.skip(r.Row, err.Error())
		case day.IsZero():
			e.undated = append(e.undated, read)
		default:
			e.add(day, read)
		}
	})
}

// readChart notes of which days the archive is.
func (e *searchExport) readChart(t *table) error {
	return t.each(func(r row) {
		text, _, _ := strings.Cut(r.get("date"), "T") // hours are of Google's day, not of UTC's
		if day, err := Time(text, e.DayFirst); err == nil {
			e.shown[day.Truncate(24*time.Hour)] = true
		}
	})
}

func (e *searchExport) add(day time.Time, r SearchRow) {
	day = day.Truncate(24 * time.Hour)
	d := e.days[day]
	if d == nil {
		d = &SearchDay{Day: day}
		e.days[day] = d
	}
	if r.Page == "" {
		d.Queries = append(d.Queries, r)
	} else {
		d.Pages = append(d.Pages, r)
	}
}

func (e *searchExport) row(r row) (read SearchRow, day time.Time, err error) {
	read = SearchRow{Query: strings.ToLower(r.get("query")), Page: r.get("page"), Device: strings.ToUpper(r.get("device"))}
	if read.Query == "" {
		return read, day, errors.New("it has no query")
	}
	if code, ok := countryCode(r.get("country")); ok {
		read.Country = strings.ToLower(language.MustParseRegion(code).ISO3())
	}
	clicks, err1 := count(r.get("clicks"))
	impressions, err2 := count(r.get("impressions"))
	position, err3 := number(cmp.Or(r.get("position"), "0"))
	if err := errors.Join(err1, err2, err3); err != nil {
		return read, day, errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if clicks > impressions {
		return read, day, fmt.Errorf("it has more clicks (%d) than impressions (%d)", clicks, impressions)
	}
	read.Clicks, read.Impressions, read.Position = int64(clicks), int64(impressions), position
	if text := r.get("date"); text != "" {
		day, err = Time(text, e.DayFirst)
	}
	if err == nil && !e.Before.IsZero() && !day.Before(e.Before) {
		err = fmt.Errorf("there are no figures of %s yet", day.Format(time.DateOnly))
	}
	return read, day, err
}

// date gives rows without a date that of the export.
func (e *searchExport) date() error {
	if len(e.undated) == 0 {
		return nil
	}
	day, err := e.day()
	if err != nil {
		return err
	}
	for _, r := range e.undated {
		e.add(day, r)
	}
	return nil
}

// day is the one that the export is of: the archive tells it, or who imports it.
func (e *searchExport) day() (time.Time, error) {
	if day, err := Time(e.period, e.DayFirst); err == nil && len(e.shown) == 0 {
		e.shown[day] = true
	}
	told := slices.SortedFunc(maps.Keys(e.shown), time.Time.Compare)
	const howTo = "Figures are kept here by day: export a single one (Date → Custom), or a table with columns for date and query. An account that is connected gets 16 months by itself."
	switch {
	case len(told) > 1:
		return e.Day, errs.New(errs.Invalid, "The export is of the %d days from %s to %s. "+howTo, len(told), told[0].Format(time.DateOnly), told[len(told)-1].Format(time.DateOnly))
	case len(told) == 1 && !e.Day.IsZero() && !told[0].Equal(e.Day.Truncate(24*time.Hour)):
		return e.Day, errs.New(errs.Invalid, "The export is of %s, and --date says %s. Leave --date out to take it as what it is.", told[0].Format(time.DateOnly), e.Day.Format(time.DateOnly))
	case len(told) == 1 && !e.Before.IsZero() && !told[0].Before(e.Before):
		return e.Day, errs.New(errs.Invalid, "There are no figures of %s yet.", told[0].Format(time.DateOnly))
	case len(told) == 1:
		return told[0], nil
	case e.period != "":
		return e.Day, errs.New(errs.Invalid, "The export says that it is of %.60q. "+howTo+" If it is of a single one, import its Queries.csv with --date.", e.period)
	case e.Day.IsZero():
		return e.Day, errs.New(errs.Invalid, "The file does not tell its day; give --date. "+howTo)
	}
	return e.Day, nil
}
