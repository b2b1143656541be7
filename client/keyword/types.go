// Code generated from keyword.json by make generate. DO NOT EDIT.

// Package keyword has the types of trackings and their keywords, as the documents describe them.
package keyword

// Annotation defines model for Annotation.
type Annotation struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	ID string `json:"_id"`

	// Content What the remark says.
	Content AnnotationContent `json:"content"`

	// CreatedAt Unix seconds.
	//
	// Examples: 1794441600
	CreatedAt int64 `json:"created_at"`

	// Creator Left out for readers with a share token.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f80aaaa
	Creator string `json:"creator,omitempty"`

	// Date Day, YYYY-MM-DD (UTC).
	//
	// Examples: 2026-11-08
	Date string `json:"date"`

	// NonShareable Hidden from readers with a share token.
	//
	// Examples: false
	NonShareable bool `json:"nonShareable"`

	// TrackingID Identifier of the tracking.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	TrackingID string `json:"tracking_id"`

	// Type 0 by a person, 1 automatic.
	Type int64 `json:"type"`

	// UserID Left out for readers with a share token.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f80aaaa
	UserID string `json:"user_id,omitempty"`
}

// AnnotationContent defines model for AnnotationContent.
type AnnotationContent struct {
	// KeywordsCount Keywords added, negative when removed; on automatic remarks about them.
	//
	// Examples: 2
	KeywordsCount *int64 `json:"keywords_count,omitempty"`

	// Text The remark.
	//
	// Examples: New shop front
	Text string `json:"text"`
}

// Config defines model for Config.
type Config struct {
	// Address Address of the business.
	//
	// Examples: 1 Main Street, Decatur
	Address *string `json:"address"`

	// Depth Organic results to look at; null is the default of the service.
	//
	// Examples: 100
	Depth *int64 `json:"depth"`

	// Ludocid CID of the business.
	//
	// Examples: 7421389163372044043
	Ludocid *string `json:"ludocid"`

	// Name Name of the business: an entry of the map pack with this name counts as the target's, beside those with its website.
	//
	// Examples: Decatur Deli
	Name *string `json:"name"`

	// PlaceID Place id of the business.
	//
	// Examples: ChIJjQmTaV0E9YgRC2MLmS_e_mY
	PlaceID *string `json:"place_id"`
}

// DayCheck defines model for DayCheck.
type DayCheck struct {
	// Date Day, YYYY-MM-DD (UTC).
	//
	// Examples: 2026-11-08
	Date string `json:"date"`

	// EstimatedVisits A month, at this rank; null when the search volume is unknown.
	//
	// Examples: 123.7
	EstimatedVisits *float64 `json:"estimated_visits"`

	// IsFeatSnippet The featured snippet is the target's.
	//
	// Examples: false
	IsFeatSnippet bool `json:"is_feat_snippet"`

	// IsMoreURL Whether further URLs of the target rank.
	//
	// Examples: false
	IsMoreURL bool `json:"is_more_url"`

	// MapPackRank Position in the map pack; null when not in it.
	//
	// Examples: 2
	MapPackRank *int64 `json:"map_pack_rank"`

	// Rank null: the target was not found within the depth.
	//
	// Examples: 4
	Rank *int64 `json:"rank"`

	// SerpFeatures What else the page shows.
	//
	// Examples: ["MAP_PACK"]
	SerpFeatures []string `json:"serp_features"`

	// URL The URL that ranks.
	//
	// Examples: https://example.com/menu
	URL *string `json:"url"`
}

// DaySpan defines model for DaySpan.
type DaySpan struct {
	// From First day, YYYY-MM-DD.
	//
	// Examples: 2026-11-08
	From string `json:"from"`

	// To Last day, YYYY-MM-DD.
	//
	// Examples: 2026-11-15
	To string `json:"to"`
}

// KeywordDetail defines model for KeywordDetail.
type KeywordDetail struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	ID string `json:"_id"`

	// Active Whether it is checked.
	//
	// Examples: true
	Active bool `json:"active"`

	// CheckError Why the check after that failed; it is tried again.
	//
	// Examples: Serper did not answer within 30s.
	CheckError string `json:"check_error,omitempty"`

	// Checks One for each day that has a check, oldest first. A day whose check failed has none.
	Checks []DayCheck `json:"checks"`

	// CreatedAt Unix seconds.
	//
	// Examples: 1794441600
	CreatedAt int64 `json:"created_at"`

	// History The last 365 days; only when fields names it.
	History *RankSeries `json:"history,omitempty"`

	// KeywordID The same for the same keyword and location; that of the research endpoints.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f805678
	KeywordID string `json:"keyword_id"`

	// Keyword The keyword.
	//
	// Examples: pizza decatur
	Keyword string `json:"kw"`

	// LastCheckedAt Last check that did not fail, Unix seconds; null before the first.
	//
	// Examples: 1794441600
	LastCheckedAt *int64 `json:"last_checked_at"`

	// LocationID From /shared/locations; 0 is anywhere.
	//
	// Examples: 4191124
	LocationID int64 `json:"location_id"`

	// MonthlyVolumes [year, month from 0, searches], oldest first.
	//
	// Examples: [[2026,9,1900]]
	MonthlyVolumes [][]int64 `json:"msv"`

	// PlatformID 1 desktop, 2 mobile.
	PlatformID int64 `json:"platform_id"`

	// Rank At the last check; null when the target was not found, or not looked for yet (last_checked_at is null then).
	//
	// Examples: 4
	Rank *int64 `json:"rank"`

	// SearchVolume Searches a month; null when unknown.
	//
	// Examples: 1900
	SearchVolume *int64 `json:"sv"`

	// Tags Its tags.
	Tags []Tag `json:"tags"`

	// TrackingID Identifier of the tracking.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	TrackingID string `json:"tracking_id"`

	// URL What ranked at the last check.
	//
	// Examples: https://example.com/menu
	URL *string `json:"url"`

	// UserID The account.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f80aaaa
	UserID string `json:"user_id"`
}

// KeywordStats defines model for KeywordStats.
type KeywordStats struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	ID string `json:"_id"`

	// EstimatedVisits Visits a month at the last rank.
	//
	// Examples: 123.7
	EstimatedVisits *float64 `json:"estimated_visits"`

	// EstimatedVisitsChange Since the first check of the range.
	//
	// Examples: 11.2
	EstimatedVisitsChange *float64 `json:"estimated_visits_change"`

	// EstimatedVisitsTotalChange Since the first check ever.
	//
	// Examples: 40.5
	EstimatedVisitsTotalChange *float64 `json:"estimated_visits_total_change"`

	// FeatSnippet Whether it has the featured snippet.
	FeatSnippet SnippetRank `json:"feat_snippet"`

	// IsEmptyMainArray The target did not rank, or was not looked for, on the last day of the range.
	//
	// Examples: false
	IsEmptyMainArray bool `json:"is_empty_main_array"`

	// IsMoreURL Further URLs of the target ranked on the same page.
	//
	// Examples: false
	IsMoreURL bool `json:"is_more_url"`

	// LastCheckedAt Last check that did not fail, Unix seconds.
	//
	// Examples: 1794441600
	LastCheckedAt *int64 `json:"last_checked_at"`

	// LastCrawledAt Day of the check that rank.last is of; null without one.
	//
	// Examples: 2026-11-08
	LastCrawledAt *string `json:"last_crawled_at"`

	// MapPack Its place in the map pack.
	MapPack MapPackRank `json:"map_pack"`

	// NearestBeforeDay When the last day of the range has no check: the nearest day before it that has one.
	//
	// Examples: 2026-10-30
	NearestBeforeDay *string `json:"nearest_before_day"`

	// NotChecked Days without a check, or whose check failed.
	NotChecked []DaySpan `json:"not_checked"`

	// PerformanceIndexChange What the change means for the performance index of the tracking, in points.
	//
	// Examples: 2.1
	PerformanceIndexChange *float64 `json:"performanceIndexChange"`

	// Provider Who answered the newest check, such as webindex or serper; for the newest check only.
	Provider string `json:"provider,omitempty"`

	// Rank Position; null when not in the checked depth.
	Rank RankSummary `json:"rank"`

	// RankChange First rank of the range minus the last: positive is better. A page beyond the first 100 counts as 101; null when the target never ranked.
	//
	// Examples: 1
	RankChange *int64 `json:"rank_change"`

	// RankHistory One for each of history_dates; null when the target did not rank, or on a day listed in not_checked.
	//
	// Examples: [4,5,null]
	RankHistory []*int64 `json:"rank_history"`

	// SearchVolume Searches a month; null when unknown.
	//
	// Examples: 1900
	SearchVolume *int64 `json:"search_volume"`

	// SerpFeatures Types of items on the page of the last check.
	//
	// Examples: ["MAP_PACK"]
	SerpFeatures []string `json:"serp_features"`

	// VisualMetrics Not measured: every figure is null.
	VisualMetrics VisualMetrics `json:"visual_metrics"`
}

// KeywordsAdded defines model for KeywordsAdded.
type KeywordsAdded struct {
	// EstimatedTimeProcessing Seconds until they are checked, about.
	//
	// Examples: 4
	EstimatedTimeProcessing int64 `json:"estimatedTimeProcessing"`

	// Keywords All that were asked for, new or not.
	Keywords []TrackedKeyword `json:"keywords"`

	// PostponedKeywords How many: they had been tracked before and were checked today; what was found then is shown.
	//
	// Examples: 0
	PostponedKeywords int64 `json:"postponed_keywords"`

	// PostponedProcessing Some are checked only tomorrow.
	//
	// Examples: false
	PostponedProcessing bool `json:"postponed_processing"`

	// Tracking The tracking.
	Tracking Tracking `json:"tracking"`
}

// Location defines model for Location.
type Location struct {
	// ID To use as location_id; 0 is anywhere.
	//
	// Examples: 2643743
	ID int64 `json:"_id"`

	// Active Whether it may be used: always.
	//
	// Examples: true
	Active bool `json:"active"`

	// CanonicalName The place and what it lies in, joined by commas.
	//
	// Examples: London,England,United Kingdom
	CanonicalName string `json:"canonical_name"`

	// Code The same in lower case, to choose a flag.
	//
	// Examples: gb
	Code string `json:"code"`

	// CountryCode ISO 3166-1 alpha-2; empty for anywhere.
	//
	// Examples: GB
	CountryCode string `json:"country_code"`

	// CreatedAt Unix seconds of the data set.
	//
	// Examples: 1577836800
	CreatedAt int64 `json:"created_at"`

	// GoogleDomain Google's domain for the country.
	//
	// Examples: google.co.uk
	GoogleDomain string `json:"google_domain"`

	// Label The same, to show to people.
	//
	// Examples: London, England, United Kingdom
	Label string `json:"label"`

	// Name Name of the place.
	//
	// Examples: London
	Name string `json:"name"`

	// ParentID The place around it; null for a country and for anywhere.
	//
	// Examples: 6269131
	ParentID *int64 `json:"parent_id"`

	// Status Always Active.
	Status string `json:"status"`

	// TargetType What kind of place it is.
	TargetType string `json:"target_type"`

	// Tld What follows google. in it.
	//
	// Examples: co.uk
	Tld string `json:"tld"`

	// Type 1 country, 2 region, 3 city; 0 for anywhere.
	//
	// Examples: 3
	Type int64 `json:"type"`
}

// MapPackRank defines model for MapPackRank.
type MapPackRank struct {
	// HasURL Whether the entry has a URL.
	//
	// Examples: true
	HasURL bool `json:"hasUrl"`

	// Rank Position in the map pack; null when not in it.
	//
	// Examples: 2
	Rank *int64 `json:"rank"`

	// URL For the newest check only.
	//
	// Examples: https://example.com/menu
	URL *string `json:"url"`
}

// NewTracking defines model for NewTracking.
type NewTracking struct {
	// Domain Host, or URL prefix such as example.com/shop. Required.
	//
	// Examples: example.com
	Domain string `json:"domain"`

	// Keywords 1 to the plan's limit, each at most 80 characters and 10 words; repeated ones count once. Required.
	//
	// Examples: ["pizza decatur"]
	Keywords []string `json:"keywords"`

	// LocationID From /shared/locations; 0 is anywhere. Required.
	//
	// Examples: 4191124
	LocationID int64 `json:"location_id"`

	// PlatformID 1 desktop, 2 mobile. Required.
	//
	// Examples: 1
	PlatformID int64 `json:"platform_id"`
}

// RankDistribution defines model for RankDistribution.
type RankDistribution struct {
	// Top1 Keywords at rank 1.
	//
	// Examples: 1
	Top1 int64 `json:"1"`

	// Top10 Keywords at ranks 4 to 10.
	//
	// Examples: 1
	Top10 int64 `json:"10"`

	// Top100 Keywords at ranks 21 to 100.
	//
	// Examples: 0
	Top100 int64 `json:"100"`

	// Top20 Keywords at ranks 11 to 20.
	//
	// Examples: 0
	Top20 int64 `json:"20"`

	// Top3 Keywords at rank 2 or 3.
	//
	// Examples: 0
	Top3 int64 `json:"3"`

	// Rest Keywords checked and not found within 100 positions.
	//
	// Examples: 0
	Rest int64 `json:"rest"`
}

// RankSeries defines model for RankSeries.
type RankSeries struct {
	// From First day, YYYY-MM-DD.
	//
	// Examples: 2026-11-08
	From string `json:"from"`

	// NotChecked Days without a check, or whose check failed.
	NotChecked []DaySpan `json:"not_checked"`

	// Ranks One for each day; null when the target did not rank, or on a day listed in not_checked.
	//
	// Examples: [4,5,null]
	Ranks []*int64 `json:"ranks"`

	// To Last day, YYYY-MM-DD.
	//
	// Examples: 2026-11-15
	To string `json:"to"`
}

// RankSummary defines model for RankSummary.
type RankSummary struct {
	// Avg Over the checks in which it ranked.
	//
	// Examples: 4.5
	Avg *float64 `json:"avg"`

	// Best Best position.
	//
	// Examples: 4
	Best *int64 `json:"best"`

	// Last Newest position.
	//
	// Examples: 4
	Last *int64 `json:"last"`
}

// SnippetRank defines model for SnippetRank.
type SnippetRank struct {
	// IsRanking It is the target's.
	//
	// Examples: false
	IsRanking bool `json:"isRanking"`

	// SerpRank Its place among all items of the page; for the newest check only.
	//
	// Examples: 1
	SerpRank *int64 `json:"serpRank"`

	// URL Whose it is; for the newest check only.
	//
	// Examples: https://example.com/menu
	URL *string `json:"url"`
}

// Stats defines model for Stats.
type Stats struct {
	// Annotations Of the days of the range, oldest first.
	Annotations []Annotation `json:"annotations"`

	// HistoryDates Every day of the range, newest first; rank_history has one entry for each.
	//
	// Examples: ["2026-11-08"]
	HistoryDates []string `json:"history_dates"`

	// Keywords Keywords.
	Keywords []KeywordStats `json:"keywords"`

	// Stats Figures by day.
	Stats StatsSummary `json:"stats"`
}

// StatsItem defines model for StatsItem.
type StatsItem struct {
	// EstimatedVisits Visits a month expected at the day's ranks: the sum of search volume x CTR(rank).
	//
	// Examples: 123.7
	EstimatedVisits float64 `json:"estimated_visits"`

	// KeywordsEligible Keywords tracked on the day, checked or not.
	//
	// Examples: 2
	KeywordsEligible int64 `json:"keywords_eligible"`

	// KeywordsWithHistory Keywords with a known rank on the day; the distribution sums to it.
	//
	// Examples: 2
	KeywordsWithHistory int64 `json:"keywords_with_history"`

	// PerformanceIndex Estimated visits as a percentage of performance_total; 0 when no keyword has a volume.
	//
	// Examples: 23.1
	PerformanceIndex float64 `json:"performance_index"`

	// PerformanceTotal Visits a month if every keyword ranked first.
	//
	// Examples: 536.4
	PerformanceTotal float64 `json:"performance_total"`

	// RankDistribution Keywords by position.
	RankDistribution RankDistribution `json:"rank_distribution"`

	// VisibilityIndex As performance_index with every keyword weighing the same.
	//
	// Examples: 18.2
	VisibilityIndex float64 `json:"visibility_index"`
}

// StatsSummary defines model for StatsSummary.
type StatsSummary struct {
	// Timeframes For every day of the range, YYYY-MM-DD.
	Timeframes map[string]StatsItem `json:"timeframes"`

	// TopDown Tracked keywords that fell most, at most 10.
	//
	// Examples: ["0199d8a4c3f07c1e9b2a5d6e7f801234"]
	TopDown []string `json:"top_down"`

	// TopUp Tracked keywords that climbed most, at most 10.
	//
	// Examples: ["0199d8a4c3f07c1e9b2a5d6e7f801234"]
	TopUp []string `json:"top_up"`
}

// Tag defines model for Tag.
type Tag struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	ID string `json:"_id"`

	// Color As #rrggbb.
	//
	// Examples: #1e88e5
	Color string `json:"color"`

	// CreatedAt Unix seconds.
	//
	// Examples: 1794441600
	CreatedAt int64 `json:"created_at"`

	// Creator Left out for readers with a share token.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f80aaaa
	Creator string `json:"creator,omitempty"`

	// Name Name.
	//
	// Examples: brand
	Name string `json:"name"`

	// TrackingID Identifier of the tracking.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	TrackingID string `json:"tracking_id"`

	// UserID Left out for readers with a share token.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f80aaaa
	UserID string `json:"user_id,omitempty"`
}

// TrackedKeyword defines model for TrackedKeyword.
type TrackedKeyword struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	ID string `json:"_id"`

	// Active Whether it is checked.
	//
	// Examples: true
	Active bool `json:"active"`

	// CheckError Why the check after that failed; it is tried again.
	//
	// Examples: Serper did not answer within 30s.
	CheckError string `json:"check_error,omitempty"`

	// CreatedAt Unix seconds.
	//
	// Examples: 1794441600
	CreatedAt int64 `json:"created_at"`

	// History The last 365 days; only when fields names it.
	History *RankSeries `json:"history,omitempty"`

	// KeywordID The same for the same keyword and location; that of the research endpoints.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f805678
	KeywordID string `json:"keyword_id"`

	// Keyword The keyword.
	//
	// Examples: pizza decatur
	Keyword string `json:"kw"`

	// LastCheckedAt Last check that did not fail, Unix seconds; null before the first.
	//
	// Examples: 1794441600
	LastCheckedAt *int64 `json:"last_checked_at"`

	// LocationID From /shared/locations; 0 is anywhere.
	//
	// Examples: 4191124
	LocationID int64 `json:"location_id"`

	// MonthlyVolumes [year, month from 0, searches], oldest first.
	//
	// Examples: [[2026,9,1900]]
	MonthlyVolumes [][]int64 `json:"msv"`

	// PlatformID 1 desktop, 2 mobile.
	PlatformID int64 `json:"platform_id"`

	// Rank At the last check; null when the target was not found, or not looked for yet (last_checked_at is null then).
	//
	// Examples: 4
	Rank *int64 `json:"rank"`

	// SearchVolume Searches a month; null when unknown.
	//
	// Examples: 1900
	SearchVolume *int64 `json:"sv"`

	// Tags Its tags.
	Tags []Tag `json:"tags"`

	// TrackingID Identifier of the tracking.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	TrackingID string `json:"tracking_id"`

	// URL What ranked at the last check.
	//
	// Examples: https://example.com/menu
	URL *string `json:"url"`

	// UserID The account.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f80aaaa
	UserID string `json:"user_id"`
}

// Tracking defines model for Tracking.
type Tracking struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	ID string `json:"_id"`

	// Count Tracked keywords.
	//
	// Examples: 2
	Count int64 `json:"count"`

	// CreatedAt Unix seconds.
	//
	// Examples: 1794441600
	CreatedAt int64 `json:"created_at"`

	// Domain Without scheme and www.; with a path it stands for the URLs below that path.
	//
	// Examples: example.com
	Domain string `json:"domain"`

	// IsDeleted Whether it was deleted.
	//
	// Examples: false
	IsDeleted bool `json:"is_deleted"`

	// Location Where is searched.
	Location TrackingLocation `json:"location"`

	// PlatformID 1 desktop, 2 mobile.
	PlatformID int64 `json:"platform_id"`

	// ReportsActive Kinds of alerts that are switched on for it: 1 places lost, 2 places won, 3 out of and 4 into the top, 5 not found, 6 snippet won, 7 snippet lost, 8 a rival passes.
	//
	// Examples: [1,3]
	ReportsActive []int64 `json:"reports_active"`

	// ShareToken Reads detail and stats without a key; null when the tracking is not shared.
	//
	// Examples: Zk3yB1n0PpQ
	ShareToken *string `json:"share_token"`

	// Stats In the list of trackings only.
	Stats *TrackingStats `json:"stats,omitempty"`

	// TrackedKeywordIDs Identifiers of tracked keywords.
	//
	// Examples: ["0199d8a4c3f07c1e9b2a5d6e7f801234"]
	TrackedKeywordIDs []string `json:"tracked_keyword_ids"`

	// TrackingConfig How it is checked.
	TrackingConfig Config `json:"tracking_config"`
}

// TrackingCreated defines model for TrackingCreated.
type TrackingCreated struct {
	// EstimatedTimeProcessing Seconds until they are checked, about.
	//
	// Examples: 4
	EstimatedTimeProcessing int64 `json:"estimatedTimeProcessing"`

	// Keywords Keywords.
	Keywords []TrackedKeyword `json:"keywords"`

	// PostponedKeywords How many: they had been tracked before and were checked today; what was found then is shown.
	//
	// Examples: 0
	PostponedKeywords int64 `json:"postponed_keywords"`

	// PostponedProcessing Some are checked only tomorrow.
	//
	// Examples: false
	PostponedProcessing bool `json:"postponed_processing"`

	// Reports Ids of the alert rules that watch it.
	//
	// Examples: []
	Reports []string `json:"reports"`

	// Tracking The tracking.
	Tracking Tracking `json:"tracking"`
}

// TrackingLocation defines model for TrackingLocation.
type TrackingLocation struct {
	// ID 0 is anywhere.
	//
	// Examples: 4191124
	ID int64 `json:"_id"`

	// Code ISO 3166-1 alpha-2 in lower case; null for anywhere.
	//
	// Examples: us
	Code *string `json:"code"`

	// Label Name to show to people.
	//
	// Examples: Decatur, Georgia, United States
	Label string `json:"label"`
}

// TrackingStats defines model for TrackingStats.
type TrackingStats struct {
	// Timeframes By day, YYYY-MM-DD.
	Timeframes map[string]StatsItem `json:"timeframes"`
}

// VisualMetrics defines model for VisualMetrics.
type VisualMetrics struct {
	// AboveTheFold Always null.
	AboveTheFold *float64 `json:"above_the_fold"`

	// AboveTheFoldChange Always null.
	AboveTheFoldChange *float64 `json:"above_the_fold_change"`

	// FromTopEdge Always null.
	FromTopEdge *float64 `json:"from_top_edge"`

	// FromTopEdgeChange Always null.
	FromTopEdgeChange *float64 `json:"from_top_edge_change"`

	// SerpCoverage Always null.
	SerpCoverage *float64 `json:"serp_coverage"`

	// SerpCoverageChange Always null.
	SerpCoverageChange *float64 `json:"serp_coverage_change"`

	// Status Always null.
	Status *string `json:"status"`
}
