package maprank

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// Competitor is how one business fares in a report.
type Competitor struct {
	Business        result.Business `json:"business"`
	AveragePosition float64         `json:"averagePosition"`
	ShareOfVoice    float64         `json:"shareOfVoice" doc:"In percent."`
}

// TopCompetitors are the campaign's business and all others of a report.
type TopCompetitors struct {
	Business    Competitor       `json:"business"`
	Competitors Page[Competitor] `json:"competitors"`
}

// competitorOrder lists what competitors may be sorted by, the default first.
var competitorOrder = []string{"averagePosition", "name", "rating", "reviewNumber", "shareOfVoice"}

// topCompetitors lists the businesses of a report, the campaign's own apart from the others.
func (s *Service) topCompetitors(ctx context.Context, c *campaign, given string, at time.Time, order Order, number, size int) (TopCompetitors, error) {
	none := result.Tally{}
	top := TopCompetitors{
		Business:    Competitor{c.business, none.AveragePosition(), none.ShareOfVoice()},
		Competitors: newPage[Competitor](nil, number, size, 0),
	}
	keywordID, _ := id.Parse(given)
	k, err := collectedAt(ctx, s.db, c.id, at, keywordID)
	if db.IsNoRow(err) {
		return top, nil
	}
	if err != nil {
		return top, err
	}
	tallies, err := k.result.TallyAll()
	if err != nil {
		return top, err
	}
	own := slices.IndexFunc(tallies, func(t result.BusinessTally) bool { return t.Ordinal == result.OwnOrdinal })
	if own >= 0 {
		top.Business.AveragePosition, top.Business.ShareOfVoice = tallies[own].AveragePosition(), tallies[own].ShareOfVoice()
		tallies = slices.Delete(tallies, own, own+1)
	}
	total := int64(len(tallies))
	businesses := map[uint16]result.Business{}
	if order.byBusiness() {
		if err := s.readBusinesses(ctx, k.reportID, businesses, tallies); err != nil {
			return top, err
		}
	}
	order.sort(tallies, businesses)
	page := cutPage(tallies, number, size)
	if !order.byBusiness() {
		if err := s.readBusinesses(ctx, k.reportID, businesses, page); err != nil {
			return top, err
		}
	}
	content := make([]Competitor, len(page))
	for i, st := range page {
		content[i] = Competitor{businesses[st.Ordinal], st.AveragePosition(), st.ShareOfVoice()}
	}
	top.Competitors = newPage(content, number, size, total)
	return top, nil
}

func (s *Service) readBusinesses(ctx context.Context, reportID string, into map[uint16]result.Business, tallies []result.BusinessTally) error {
	wanted := make([]uint16, len(tallies))
	for i, st := range tallies {
		wanted[i] = st.Ordinal
	}
	read, err := businessesOf(ctx, s.db, reportID, wanted)
	maps.Copy(into, read)
	return err
}

func cutPage(tallies []result.BusinessTally, number, size int) []result.BusinessTally {
	from := min(offset(number, size), int64(len(tallies)))
	return tallies[from:min(from+int64(max(size, 1)), int64(len(tallies)))]
}

// byBusiness tells whether the order needs more than the ranks.
func (o Order) byBusiness() bool { return o.Field != "averagePosition" && o.Field != "shareOfVoice" }

// sort orders tallies; equal ones follow average position, share of voice, and the order in which they
// were met.
func (o Order) sort(tallies []result.BusinessTally, businesses map[uint16]result.Business) {
	type keyed struct {
		result.BusinessTally
		position, share, number float64
		name                    string
	}
	all := make([]keyed, len(tallies))
	for i, st := range tallies {
		all[i] = keyed{BusinessTally: st, position: st.AveragePosition(), share: st.ShareOfVoice()}
		switch b := businesses[st.Ordinal]; o.Field {
		case "averagePosition":
			all[i].number = all[i].position
		case "shareOfVoice":
			all[i].number = all[i].share
		case "rating":
			all[i].number = b.Rating
		case "reviewNumber":
			all[i].number = float64(b.ReviewNumber)
		case "name":
			all[i].name = strings.ToLower(b.Name)
		}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		first := cmp.Or(cmp.Compare(a.number, b.number), strings.Compare(a.name, b.name))
		if o.Descending {
			first = -first
		}
		return cmp.Or(first, cmp.Compare(a.position, b.position), cmp.Compare(b.share, a.share), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	for i := range all {
		tallies[i] = all[i].BusinessTally
	}
}
