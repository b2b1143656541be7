package rankwatch

import (
	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// DayCheck is what the check of a day found.
type DayCheck struct {
	Date      string   `json:"date" format:"date"`
	Rank      *int     `json:"rank" doc:"null: the target was not found within the depth."`
	URL       *string  `json:"url"`
	MoreURL   bool     `json:"is_more_url"`
	MapPack   *int     `json:"map_pack_rank"`
	IsSnippet bool     `json:"is_feat_snippet" doc:"The featured snippet is the target's."`
	Features  []string `json:"serp_features" nullable:"false"`
	Visits    *float64 `json:"estimated_visits" doc:"A month, at this rank; null when the search volume is unknown."`
}

// checks lists the observations of a range.
func (k *trackedKeyword) checks(r series.Range, years []series.DatedYear, volume *int64) ([]DayCheck, error) {
	list := []DayCheck{}
	history := k.history(years)
	err := history.Each(r, func(day series.Day, o series.Observation) {
		if day < r.From {
			return
		}
		c := DayCheck{
			Date: day.String(), Rank: ranked(int(o.Rank)), URL: k.url(o), MoreURL: o.MoreURL,
			MapPack: ranked(int(o.MapPack)), IsSnippet: o.OwnSnippet, Features: o.Features.Names(),
		}
		if volume != nil {
			visits := formula.EstimatedVisits(int(o.Rank), *volume)
			c.Visits = &visits
		}
		list = append(list, c)
	})
	return list, err
}
