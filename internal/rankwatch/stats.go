package rankwatch

import (
	"encoding/json"

	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// Stats is what the checks of a range say about a tracking.
type Stats struct {
	StatsHead
	Keywords []KeywordStats `json:"keywords" nullable:"false"`
}

// StatsHead is all but what is said of each keyword.
type StatsHead struct {
	Annotations  []Annotation `json:"annotations" nullable:"false" doc:"Of the days of the range, oldest first."`
	HistoryDates []string     `json:"history_dates" nullable:"false" doc:"Every day of the range, newest first; rank_history has one entry for each."`
	Stats        StatsSummary `json:"stats"`
}

// StatsSummary is the state of a tracking over a range.
type StatsSummary struct {
	Timeframes map[string]formula.StatsItem `json:"timeframes" doc:"For every day of the range, YYYY-MM-DD."`
	TopUp      []string                     `json:"top_up" nullable:"false" doc:"Tracked keywords that climbed most, at most 10."`
	TopDown    []string                     `json:"top_down" nullable:"false" doc:"Tracked keywords that fell most, at most 10."`
}

// topMovers is how many keywords are named on each side.
const topMovers = 10

// KeywordStats is what the checks of a range say about one keyword.
type KeywordStats struct {
	KeywordFigures
	RankHistory RankHistory `json:"rank_history" doc:"One for each of history_dates; null when the target did not rank, or on a day listed in not_checked."`
}

// KeywordFigures is all but the ranks day by day. What is unknown is null.
type KeywordFigures struct {
	ID                string        `json:"_id"`
	RankChange        *int          `json:"rank_change" doc:"First rank of the range minus the last: positive is better. A page beyond the first 100 counts as 101; null when the target never ranked."`
	Volume            *int64        `json:"search_volume"`
	MoreURL           bool          `json:"is_more_url" doc:"Further URLs of the target ranked on the same page."`
	Rank              RankSummary   `json:"rank"`
	NotChecked        []DaySpan     `json:"not_checked" nullable:"false" doc:"Days without a check, or whose check failed."`
	Visits            *float64      `json:"estimated_visits" doc:"Visits a month at the last rank."`
	VisitsChange      *float64      `json:"estimated_visits_change" doc:"Since the first check of the range."`
	VisitsTotalChange *float64      `json:"estimated_visits_total_change" doc:"Since the first check ever."`
	PerformanceChange *float64      `json:"performanceIndexChange" doc:"What the change means for the performance index of the tracking, in points."`
	Features          []string      `json:"serp_features" nullable:"false" doc:"Types of items on the page of the last check."`
	MapPack           MapPackRank   `json:"map_pack"`
	Snippet           SnippetRank   `json:"feat_snippet"`
	Visual            VisualMetrics `json:"visual_metrics"`
	LastCheckedAt     *int64        `json:"last_checked_at" doc:"Last check that did not fail, Unix seconds."`
	Provider          string        `json:"provider,omitempty" doc:"Who answered the newest check, such as webindex or serper; for the newest check only."`
	LastCrawledAt     *string       `json:"last_crawled_at" format:"date" doc:"Day of the check that rank.last is of; null without one."`
	EmptyMain         bool          `json:"is_empty_main_array" doc:"The target did not rank, or was not looked for, on the last day of the range."`
	NearestBefore     *string       `json:"nearest_before_day" doc:"When the last day of the range has no check: the nearest day before it that has one."`
}

// RankSummary is the ranks of a range in short.
type RankSummary struct {
	Last *int     `json:"last"`
	Avg  *float64 `json:"avg" doc:"Over the checks in which it ranked."`
	Best *int     `json:"best"`
}

// MapPackRank is the target's place in the map pack of the last check.
type MapPackRank struct {
	Rank   *int    `json:"rank"`
	URL    *string `json:"url" doc:"For the newest check only."`
	HasURL bool    `json:"hasUrl"`
}

// SnippetRank is the featured snippet of the last check.
type SnippetRank struct {
	SerpRank  *int    `json:"serpRank" doc:"Its place among all items of the page; for the newest check only."`
	URL       *string `json:"url" doc:"Whose it is; for the newest check only."`
	IsRanking bool    `json:"isRanking" doc:"It is the target's."`
}

// VisualMetrics is where on the page a result is seen. No provider measures it yet.
type VisualMetrics struct {
	Status             *string  `json:"status"`
	Coverage           *float64 `json:"serp_coverage"`
	CoverageChange     *float64 `json:"serp_coverage_change"`
	AboveTheFold       *float64 `json:"above_the_fold"`
	AboveTheFoldChange *float64 `json:"above_the_fold_change"`
	FromTopEdge        *float64 `json:"from_top_edge"`
	FromTopEdgeChange  *float64 `json:"from_top_edge_change"`
}

// describe is all about a keyword but its changes.
func describe(k *trackedKeyword, view *series.Reader, volume *int64, sum formula.Summary) KeywordFigures {
	history := view.Ranks()
	s := KeywordFigures{
		ID: k.id, Volume: volume, NotChecked: notChecked(history, view.From), Features: []string{},
		LastCheckedAt: k.checkedUnix(), EmptyMain: history[len(history)-1] <= 0,
	}
	if view.LastDay != 0 && view.LastDay < view.To {
		day := view.LastDay.String()
		s.NearestBefore = &day
	}
	if sum.Checks == 0 {
		return s
	}
	s.Rank = RankSummary{Last: ranked(sum.Last), Best: ranked(sum.Best)}
	if sum.Best > 0 {
		s.Rank.Avg = &sum.Average
	}
	s.MoreURL, s.Features = view.Last.MoreURL, view.Last.Features.Names()
	s.MapPack.Rank, s.Snippet.IsRanking = ranked(int(view.Last.MapPack)), view.Last.OwnSnippet
	crawled := view.LastDay.String()
	s.LastCrawledAt = &crawled
	if k.checkedOn(view.LastDay) {
		s.Provider = k.provider
		k.addLatest(&s)
	}
	return s
}

func (k *trackedKeyword) addLatest(s *KeywordFigures) {
	var seen latest
	if k.latest == "" || json.Unmarshal([]byte(k.latest), &seen) != nil {
		return
	}
	if seen.MapURL != "" {
		s.MapPack.URL, s.MapPack.HasURL = &seen.MapURL, true
	}
	if seen.SnippetURL != "" {
		s.Snippet.URL = &seen.SnippetURL
	}
	s.Snippet.SerpRank = ranked(seen.SnippetRank)
}
