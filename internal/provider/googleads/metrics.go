package googleads

import (
	"cmp"
	"slices"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// metrics are what Google tells about a keyword. What it does not know is absent.
type metrics struct {
	Average     *wire.Number `json:"avgMonthlySearches"`
	Competition *wire.Number `json:"competitionIndex"` // 0..100
	LowBid      *wire.Number `json:"lowTopOfPageBidMicros"`
	HighBid     *wire.Number `json:"highTopOfPageBidMicros"`
	AverageCPC  *wire.Number `json:"averageCpcMicros"`
	Monthly     []struct {
		Month    wire.Text    `json:"month"`
		Year     wire.Number  `json:"year"`
		Searches *wire.Number `json:"monthlySearches"`
	} `json:"monthlySearchVolumes"`
}

func (m metrics) known() bool {
	return m.Average != nil || m.Competition != nil || m.LowBid != nil || m.HighBid != nil || m.AverageCPC != nil || len(m.Monthly) > 0
}

// figures are the metrics in our units; dollars are what one unit of the account's currency is worth.
func (m metrics) figures(keyword string, dollars float64) provider.KeywordFigures {
	f := provider.KeywordFigures{Keyword: keyword, CPC: m.cpc(dollars)}
	if m.Average != nil {
		volume := m.Average.Count()
		f.Volume = &volume
	}
	if m.Competition != nil {
		index := min(max(float64(*m.Competition), 0), 100)
		f.Competition = &index
	}
	for _, row := range m.Monthly {
		month, ok := months[string(row.Month)]
		if !ok || row.Searches == nil || row.Year < 1 {
			continue
		}
		f.Monthly = append(f.Monthly, provider.MonthVolume{Year: row.Year.Count(), Month: month, Volume: row.Searches.Count()})
	}
	slices.SortStableFunc(f.Monthly, func(a, b provider.MonthVolume) int {
		return cmp.Or(cmp.Compare(a.Year, b.Year), cmp.Compare(a.Month, b.Month))
	})
	f.Monthly = slices.CompactFunc(f.Monthly, func(a, b provider.MonthVolume) bool { return a.Year == b.Year && a.Month == b.Month })
	return f
}

// cpc is the mean price of a click, or what lies between the bids for the top of the page, as in the planner's files.
func (m metrics) cpc(dollars float64) *float64 {
	var micros float64
	switch {
	case m.AverageCPC != nil:
		micros = float64(*m.AverageCPC)
	case m.LowBid != nil && m.HighBid != nil:
		micros = float64(*m.LowBid+*m.HighBid) / 2
	default:
		return nil
	}
	price := max(micros, 0) / 1e6 * dollars
	return &price
}

// months are Google's names, by their number from 0.
var months = map[string]int{
	"JANUARY": 0, "FEBRUARY": 1, "MARCH": 2, "APRIL": 3, "MAY": 4, "JUNE": 5,
	"JULY": 6, "AUGUST": 7, "SEPTEMBER": 8, "OCTOBER": 9, "NOVEMBER": 10, "DECEMBER": 11,
}
