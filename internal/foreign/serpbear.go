package foreign

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite" // what SerpBear keeps its keywords in

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Site is a domain that was watched in one place on one kind of device.
type Site struct {
	Domain        string
	Country, City string // two letters; the city may be empty
	Mobile        bool
	Keywords      []SiteKeyword
}

// SiteKeyword is a keyword with where the domain ranked for it.
type SiteKeyword struct {
	Text  string
	Tags  []string
	Ranks []DayRank // by day
	URL   string    // what ranked last
}

// DayRank is a rank on a day; 0 is that the domain was not found.
type DayRank struct {
	Day  time.Time
	Rank int
}

// serpBearColumns are read of the table keyword; those of later versions may be missing.
var serpBearColumns = []string{"ID", "keyword", "domain", "device", "country", "city", "history", "url", "tags"}

// ReadSerpBear reads SerpBear's database, of any version. What is left out is told by the number of its row.
func ReadSerpBear(ctx context.Context, path string, skip Skip) (sites []Site, err error) {
	base, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, base.Close()) }()
	columns, err := serpBearTable(ctx, base)
	if err != nil {
		return nil, err
	}
	// By site, in the order in which they were added.
	found, err := base.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM keyword ORDER BY 3, 5, 6, 4, 1")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for count := 0; found.Next(); count++ {
		if count == maxRows {
			return nil, errs.New(errs.Invalid, "The database has more than %d keywords.", maxRows)
		}
		if sites, err = addSerpBear(sites, found, skip); err != nil {
			return nil, err
		}
	}
	return sites, found.Err()
}

// serpBearTable is what to read for each column; those that this version lacks are empty.
func serpBearTable(ctx context.Context, base *sql.DB) ([]string, error) {
	rows, err := base.QueryContext(ctx, "SELECT name FROM pragma_table_info('keyword')")
	if err != nil {
		return nil, errs.New(errs.Invalid, "It is no SQLite database; SerpBear keeps its own in data/database.sqlite.").Because(err)
	}
	defer func() { _ = rows.Close() }()
	var there []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		there = append(there, name)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if !slices.Contains(there, "keyword") || !slices.Contains(there, "history") {
		return nil, errs.New(errs.Invalid, "It has no table of keywords with a history; SerpBear keeps its database in data/database.sqlite.")
	}
	columns := slices.Clone(serpBearColumns)
	for i, name := range columns {
		columns[i] = "coalesce(" + name + ", '')"
		if !slices.Contains(there, name) {
			columns[i] = "''"
		}
	}
	return columns, nil
}

// addSerpBear puts a keyword to its site, which is the last one or new.
func addSerpBear(sites []Site, row *sql.Rows, skip Skip) ([]Site, error) {
	var id int
	var keyword, domain, device, country, city, history, page, tags string
	if err := row.Scan(&id, &keyword, &domain, &device, &country, &city, &history, &page, &tags); err != nil {
		return sites, err
	}
	k := SiteKeyword{Text: keyword}
	var problems []string
	wrong := func(format string, values ...any) { problems = append(problems, fmt.Sprintf(format, values...)) }
	if device != "" && device != "desktop" && device != "mobile" {
		wrong("its ranks are of the device %.20q, which is not told apart here; they are taken as of desktop", device)
	}
	if strings.HasPrefix(page, "http") {
		k.URL = page
	}
	if tags != "" && json.Unmarshal([]byte(tags), &k.Tags) != nil {
		wrong("its tags cannot be read")
	}
	var ranks map[string]json.RawMessage // a keyword that was never checked has a list in place of it
	if history != "" && history != "[]" && json.Unmarshal([]byte(history), &ranks) != nil {
		wrong("its history cannot be read")
	}
	for _, day := range slices.Sorted(maps.Keys(ranks)) {
		at, err := Time(day, false)
		rank, noRank := strconv.ParseUint(string(ranks[day]), 10, 16) // 0 is that it was not found; null says nothing
		if err != nil || noRank != nil {
			wrong("its history has rank %.20s on %.20q", ranks[day], day)
			continue
		}
		k.Ranks = append(k.Ranks, DayRank{at, int(rank)})
	}
	if len(problems) > 0 {
		skip(Row{Line: id}, fmt.Sprintf("%q: %s", keyword, strings.Join(problems, "; ")))
	}
	slices.SortFunc(k.Ranks, func(a, b DayRank) int { return a.Day.Compare(b.Day) })
	site := Site{Domain: domain, Country: strings.ToUpper(country), City: strings.TrimSpace(city), Mobile: device == "mobile"}
	if last := len(sites) - 1; last >= 0 && sites[last].same(site) {
		sites[last].Keywords = append(sites[last].Keywords, k)
		return sites, nil
	}
	site.Keywords = []SiteKeyword{k}
	return append(sites, site), nil
}

func (s Site) same(o Site) bool {
	return s.Domain == o.Domain && s.Country == o.Country && s.City == o.City && s.Mobile == o.Mobile
}
