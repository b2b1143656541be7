package foreign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// maxPoints is how many points a scan may have.
const maxPoints = 441

// Scan is where a business ranked for a keyword, at an instant, around a map.
type Scan struct {
	Place   Place
	Keyword string
	At      time.Time
	Points  []ScanPoint // from south to north, then from west to east
}

// Place is a business of a map.
type Place struct {
	PlaceID, Name, Address string
	Lat, Lng               float64 // 0, 0 when the file does not tell
	Rating                 float64
	Reviews                int
}

// ScanPoint is a point of a scan.
type ScanPoint struct {
	Lat, Lng float64
	Rank     int // 1 to 20; 0 when the business was not found
	Rivals   []Rival
}

// Rival is another business that was found at a point.
type Rival struct {
	Rank int
	Place
}

// ScanOptions say what a file leaves open.
type ScanOptions struct {
	PlaceID  string // of the scanned business; other businesses of the file are its rivals. Without it, each is scanned itself
	Name     string
	Keyword  string
	At       time.Time
	DayFirst bool
}

var scanColumns = columns{
	"latitude":      {"lat", "point lat", "point latitude", "grid lat", "grid latitude", "pin lat", "y"},
	"longitude":     {"lng", "lon", "long", "point lng", "point lon", "point longitude", "grid lng", "grid longitude", "pin lng", "x"},
	"coordinates":   {"lat lng", "latlng", "lat,lng", "lat/long", "point", "location coordinates", "gps", "grid point", "pin"},
	"rank":          {"position", "ranking", "map rank", "maps rank", "local rank", "google rank", "google maps rank", "local pack rank", "current rank", "rank position"},
	"place id":      {"google place id", "place", "gbp place id", "business place id", "location place id"},
	"name":          {"business name", "business", "location name", "location", "listing", "title", "company"},
	"address":       {"business address", "location address", "full address"},
	"business lat":  {"location lat", "location latitude", "business latitude"},
	"business lng":  {"location lng", "location longitude", "business longitude"},
	"keyword":       {"search term", "keyword/search term", "search keyword", "search phrase", "phrase", "query", "term"},
	"date":          {"scan date", "report date", "run date", "date run", "date/time", "datetime", "timestamp", "time", "created", "created at", "scanned at", "last run", "date of scan"},
	"rating":        {"stars", "review rating", "average rating"},
	"review number": {"reviews", "review count", "number of reviews", "total reviews"},
}

// scanRow is a row of a scan that makes sense.
type scanRow struct {
	place    Place
	keyword  string
	at       time.Time
	lat, lng float64
	rank     int
	row      Row
}

// ReadScans reads grids of ranks: a row for each point, with its latitude, longitude and rank.
func ReadScans(f File, o ScanOptions, skip Skip) ([]Scan, error) {
	var all []scanRow
	err := f.parts(func(p part) error {
		t, err := openTable(p, scanColumns, "rank")
		if err != nil {
			return err
		}
		if !t.has("latitude", "longitude") && !t.has("coordinates") {
			return errs.New(errs.Invalid, "%s has no columns for latitude and longitude: a list of scans has one rank for all points; export the points of a scan.", p.name)
		}
		if err := o.openQuestions(t); err != nil {
			return err
		}
		return t.each(func(r row) {
			read, problems := o.read(r)
			if len(problems) > 0 {
				skip(r.Row, strings.Join(problems, "; "))
				return
			}
			all = append(all, read)
		})
	})
	if err != nil {
		return nil, err
	}
	return gather(all, o.PlaceID, skip), nil
}

// openQuestions tells all that neither the file nor the options say.
func (o *ScanOptions) openQuestions(t *table) error {
	var missing []string
	for _, q := range []struct {
		column, flag string
		known        bool
	}{{"place id", "--place-id", o.PlaceID != ""}, {"keyword", "--keyword", o.Keyword != ""}, {"date", "--date", !o.At.IsZero()}} {
		if !q.known && !t.has(q.column) && t.facts[q.column] == "" {
			missing = append(missing, fmt.Sprintf("no column for the %s; give %s", q.column, q.flag))
		}
	}
	if len(missing) > 0 {
		return errs.New(errs.Invalid, "The file has %s.", strings.Join(missing, ", and "))
	}
	return nil
}

func (o *ScanOptions) read(r row) (read scanRow, problems []string) {
	wrong := func(err error) {
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	var err error
	read.row = r.Row
	read.lat, read.lng, err = coordinates(r.get("latitude"), r.get("longitude"), r.get("coordinates"))
	wrong(err)
	read.rank, err = rank(r.get("rank"))
	wrong(err)
	read.keyword = cmp.Or(strings.Join(strings.Fields(r.get("keyword")), " "), o.Keyword)
	if read.keyword == "" {
		wrong(errors.New("it has no keyword"))
	}
	read.at = o.At
	if text := r.get("date"); text != "" {
		read.at, err = Time(text, o.DayFirst)
		wrong(err)
	} else if o.At.IsZero() {
		wrong(errors.New("it has no date"))
	}
	read.place = Place{PlaceID: cmp.Or(r.get("place id"), o.PlaceID), Name: r.get("name"), Address: r.get("address")}
	if read.place.PlaceID == "" {
		wrong(errors.New("it has no place id"))
	}
	if lat, lng := r.get("business lat"), r.get("business lng"); lat != "" && lng != "" {
		read.place.Lat, read.place.Lng, err = coordinates(lat, lng, "")
		wrong(err)
	}
	// Figures beside the rank are welcome, but no reason to lose it.
	if stars, err := number(r.get("rating")); err == nil && stars >= 0 && stars <= 5 {
		read.place.Rating = stars
	}
	read.place.Reviews, _ = count(r.get("review number"))
	if o.Name != "" && (o.PlaceID == "" || read.place.PlaceID == o.PlaceID) {
		read.place.Name = o.Name
	}
	return read, problems
}

// gather makes scans of rows. With an own place, rows of others are its rivals at their point.
func gather(all []scanRow, own string, skip Skip) []Scan {
	type key struct {
		place, keyword string
		at             time.Time
	}
	type spot struct{ lat, lng float64 }
	type draft struct {
		Scan
		points map[spot]*ScanPoint
		told   map[spot]bool // whether the own rank has been told
	}
	drafts := map[key]*draft{}
	var order []*draft
	for _, r := range all {
		rival := own != "" && r.place.PlaceID != own
		place := r.place.PlaceID
		if rival {
			place = own
		}
		k := key{place, strings.ToLower(r.keyword), r.at}
		d := drafts[k]
		if d == nil {
			d = &draft{Scan{Place: Place{PlaceID: place}, Keyword: r.keyword, At: r.at}, map[spot]*ScanPoint{}, map[spot]bool{}}
			drafts[k], order = d, append(order, d)
		}
		at := spot{r.lat, r.lng}
		if d.points[at] == nil {
			if len(d.points) == maxPoints {
				skip(r.row, fmt.Sprintf("the scan of %q has more than %d points", r.keyword, maxPoints))
				continue
			}
			d.points[at] = &ScanPoint{Lat: r.lat, Lng: r.lng}
		}
		switch p := d.points[at]; {
		case rival && r.rank > 0:
			p.Rivals = append(p.Rivals, Rival{r.rank, r.place})
		case rival:
		case d.told[at]:
			skip(r.row, fmt.Sprintf("the rank of this point for %q at %s is told twice; the first counts", r.keyword, r.at.Format(time.RFC3339)))
		default:
			p.Rank, d.told[at] = r.rank, true
			d.Place = fuller(d.Place, r.place)
		}
	}
	scans := make([]Scan, len(order))
	for i, d := range order {
		for _, p := range d.points {
			d.Points = append(d.Points, *p)
		}
		slices.SortFunc(d.Points, func(a, b ScanPoint) int { return cmp.Or(cmp.Compare(a.Lat, b.Lat), cmp.Compare(a.Lng, b.Lng)) })
		scans[i] = d.Scan
	}
	slices.SortStableFunc(scans, func(a, b Scan) int { return a.At.Compare(b.At) })
	return scans
}

// fuller is a place with what another row tells of it besides.
func fuller(p, more Place) Place {
	p.Name, p.Address = cmp.Or(p.Name, more.Name), cmp.Or(p.Address, more.Address)
	p.Rating, p.Reviews = cmp.Or(p.Rating, more.Rating), cmp.Or(p.Reviews, more.Reviews)
	if p.Lat == 0 && p.Lng == 0 {
		p.Lat, p.Lng = more.Lat, more.Lng
	}
	return p
}
