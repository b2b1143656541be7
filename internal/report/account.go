package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/local"
	"github.com/trigpoint/trigpoint/internal/maprank"
	"github.com/trigpoint/trigpoint/internal/rankwatch"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

// listedCampaigns bounds the campaigns that a report of an account lists.
const listedCampaigns = 500

// account reports how everything that an account watches fared. It asks the areas side by side.
func (s *Service) account(ctx context.Context, q Query) (*document.Report, error) {
	var campaigns []maprank.CampaignTrend
	var trackings []rankwatch.TrackingTrend
	var listings []local.ListingCount
	var attention local.Attention
	areas, asking := errgroup.WithContext(ctx)
	areas.Go(func() (err error) {
		campaigns, err = s.MapRank.Trends(asking, q.AccountID, q.begins(q.From), q.begins(q.To.AddDate(0, 0, 1)), listedCampaigns)
		return err
	})
	areas.Go(func() (err error) {
		trackings, err = s.RankWatch.Trends(asking, q.AccountID, q.From, q.To)
		return err
	})
	areas.Go(func() (err error) {
		if listings, err = s.Local.ListingCounts(asking, q.AccountID); err != nil {
			return err
		}
		attention, err = s.Local.Attention(asking, q.AccountID)
		return err
	})
	if err := areas.Wait(); err != nil {
		return nil, err
	}
	r := &document.Report{Title: "Local search", Kind: fmt.Sprintf("%s, %s and %s", several(len(campaigns), "campaign"), several(len(trackings), "tracking"), several(int(attention.Total), "location"))}
	if len(campaigns) > 0 {
		r.Sections = append(r.Sections, campaignsSection(campaigns))
	}
	if len(trackings) > 0 {
		r.Sections = append(r.Sections, trackingsSection(trackings))
	}
	if attention.Total > 0 {
		r.Sections = append(r.Sections, locationsSection(listings, attention))
	}
	if len(r.Sections) == 0 {
		r.Sections = []document.Section{{Title: "Summary", Lead: "There are no campaigns, trackings or locations yet."}}
	}
	return r, nil
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return whole(float64(n)) + " " + what + "s"
}

// orNone is a number in a sentence that says none for 0.
func orNone(n int) string {
	if n == 0 {
		return "none"
	}
	return whole(float64(n))
}

// campaignsSection lists campaigns from the greatest climb to the deepest fall.
func campaignsSection(all []maprank.CampaignTrend) document.Section {
	won := func(c maprank.CampaignTrend) float64 {
		if c.Position == nil || c.FormerPosition == nil {
			return 0
		}
		return *c.FormerPosition - *c.Position
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b maprank.CampaignTrend) int { return cmp.Compare(won(b), won(a)) })
	t := document.Table{Columns: []document.Column{
		{Name: "Campaign", Share: 4}, {Name: "Position then", Share: 1.4, Numbers: true}, {Name: "Now", Share: 1, Numbers: true}, {Name: "Change", Share: 1.1, Numbers: true}, {Name: "Share of voice", Share: 1.5, Numbers: true}, {Name: "Change", Share: 1.3, Numbers: true},
	}}
	better, worse := 0, 0
	for _, c := range sorted {
		row := []document.Cell{document.Plain(c.Name), document.Plain("–"), document.Plain("–"), {}, document.Plain("–"), {}}
		if c.Position != nil && c.Share != nil {
			row[2], row[4] = document.Plain(number(*c.Position)), document.Plain(percent(*c.Share))
			if c.FormerPosition != nil && c.FormerShare != nil {
				moved := places(*c.FormerPosition, *c.Position)
				row[1], row[3], row[5] = document.Plain(number(*c.FormerPosition)), document.Changed(moved), document.Changed(points(*c.FormerShare, *c.Share))
				switch moved.Way {
				case 1:
					better++
				case -1:
					worse++
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return document.Section{Title: "Map ranks", Lead: fmt.Sprintf("%d of %s climbed on the map, %s fell.", better, several(len(all), "campaign"), orNone(worse)), Tables: []document.Table{t}}
}

// trackingsSection lists trackings from the greatest gain of visibility to the deepest loss.
func trackingsSection(all []rankwatch.TrackingTrend) document.Section {
	won := func(t rankwatch.TrackingTrend) float64 {
		if !t.Compared {
			return 0
		}
		return t.Days[len(t.Days)-1].VisibilityIndex - t.Days[0].VisibilityIndex
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b rankwatch.TrackingTrend) int { return cmp.Compare(won(b), won(a)) })
	table := document.Table{Columns: []document.Column{
		{Name: "Domain", Share: 3}, {Name: "Where", Share: 3}, {Name: "Keywords", Share: 1.1, Numbers: true}, {Name: "Top 10", Share: 1, Numbers: true}, {Name: "Visibility", Share: 1.1, Numbers: true}, {Name: "Change", Share: 1.1, Numbers: true},
	}}
	table.Note = "Visibility is 0 to 100: the clicks that ranks bring, as a share of those if every keyword ranked first."
	better, worse := 0, 0
	for _, t := range sorted {
		row := []document.Cell{document.Plain(t.Tracking.Domain), document.Plain(t.Tracking.Location.Label + ", " + device(t.Tracking.PlatformID)), document.Plain(fmt.Sprint(t.Tracking.Count)), document.Plain("–"), document.Plain("–"), {}}
		if n := len(t.Days); n > 0 {
			now := t.Days[n-1]
			row[3], row[4] = document.Plain(fmt.Sprint(firstTen(now.RankDistribution))), document.Plain(number(now.VisibilityIndex))
			if t.Compared {
				moved := index(t.Days[0].VisibilityIndex, now.VisibilityIndex)
				row[5] = document.Changed(moved)
				switch moved.Way {
				case 1:
					better++
				case -1:
					worse++
				}
			}
		}
		table.Rows = append(table.Rows, row)
	}
	return document.Section{Title: "Search ranks", Lead: fmt.Sprintf("%d of %s gained visibility, %s lost it.", better, several(len(all), "tracking"), orNone(worse)), Tables: []document.Table{table}}
}

// locationsSection tells where locations are listed, and which need attention.
func locationsSection(listings []local.ListingCount, attention local.Attention) document.Section {
	s := document.Section{Title: "Listings", Lead: several(int(attention.Total), "location") + ", all as they should be."}
	if attention.Troubled > 0 {
		need := map[bool]string{true: "needs", false: "need"}[attention.Troubled == 1]
		s.Lead = fmt.Sprintf("%d of %s %s attention.", attention.Troubled, several(int(attention.Total), "location"), need)
	}
	t := document.Table{Columns: []document.Column{{Name: "Directory", Share: 4}, {Name: "Listed", Share: 1, Numbers: true}, {Name: "of", Share: 1, Numbers: true}}}
	for _, l := range listings {
		t.Rows = append(t.Rows, []document.Cell{document.Plain(l.Directory), document.Plain(fmt.Sprint(l.Shown)), document.Plain(fmt.Sprint(l.Wanted))})
	}
	s.Tables = []document.Table{t}
	if attention.Troubled > 0 {
		wrong := document.Table{Title: "What needs attention", Columns: []document.Column{{Name: "Location", Share: 2}, {Name: "Why", Share: 4}}}
		for _, l := range attention.Attention {
			wrong.Rows = append(wrong.Rows, []document.Cell{document.Plain(l.BusinessName), document.Plain(l.Reason)})
		}
		if more := attention.Troubled - int64(len(attention.Attention)); more > 0 {
			wrong.Note = fmt.Sprintf("And %d more.", more)
		}
		s.Tables = append(s.Tables, wrong)
	}
	return s
}
