// Package performance owns how the search performance of a property is kept: the rows of a day packed into one text
// of bytes, and the figures that follow from them. It does no I/O.
package performance

import "math"

// Figures are what is counted. Positions are summed over impressions, so that figures can be added.
type Figures struct {
	Clicks, Impressions int64
	Positions           int64
}

// Of makes figures of a mean position.
func Of(clicks, impressions int64, position float64) Figures {
	return Figures{clicks, impressions, int64(math.Round(position * float64(impressions)))}
}

// Add counts other figures too.
func (f *Figures) Add(other Figures) {
	f.Clicks += other.Clicks
	f.Impressions += other.Impressions
	f.Positions += other.Positions
}

// CTR is the share of impressions that were clicked, 0 to 1.
func (f Figures) CTR() float64 {
	if f.Impressions == 0 {
		return 0
	}
	return float64(f.Clicks) / float64(f.Impressions)
}

// Position is the mean position, each impression weighing the same; 0 without any.
func (f Figures) Position() float64 {
	if f.Impressions == 0 {
		return 0
	}
	return float64(f.Positions) / float64(f.Impressions)
}

// Row is one combination of a day.
type Row struct {
	Query   string
	Page    string // "" where pages are not told apart
	Country string // ISO 3166-1 alpha-3 in lower case
	Device  string // DESKTOP, MOBILE or TABLET
	Figures
}

// Filter chooses rows; what is empty allows all.
type Filter struct{ Query, Page, Country, Device string }

func (f Filter) admits(r *Row) bool {
	return (f.Query == "" || r.Query == f.Query) && (f.Page == "" || r.Page == f.Page) &&
		(f.Country == "" || r.Country == f.Country) && (f.Device == "" || r.Device == f.Device)
}
