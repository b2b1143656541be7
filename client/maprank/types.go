// Code generated from map-rank-tracker.json by make generate. DO NOT EDIT.

// Package maprank has the types of campaigns and their reports, as the documents describe them.
package maprank

import (
	"time"
)

// Brand defines model for Brand.
type Brand struct {
	// Colour As #rrggbb.
	//
	// Examples: #0f766e
	Colour string `json:"colour"`

	// LogoURL Where its logo is served; empty without one.
	//
	// Examples: /brand/2c26b46b68ff.png
	LogoURL string `json:"logo_url"`

	// Name Of the business or agency.
	//
	// Examples: Decatur Deli
	Name string `json:"name"`
}

// Business defines model for Business.
type Business struct {
	// Address Address in one line.
	//
	// Examples: 1 Main Street, Decatur, GA 30030
	Address string `json:"address"`

	// CID Unsigned decimal; empty when it is not known.
	//
	// Examples: 7421389163372044043
	CID string `json:"cid"`

	// Coordinates Where it is.
	Coordinates Coordinates `json:"coordinates"`

	// Name Name.
	//
	// Examples: Decatur Deli
	Name string `json:"name"`

	// PlaceIDs Its place ids.
	//
	// Examples: ["ChIJjQmTaV0E9YgRC2MLmS_e_mY"]
	PlaceIDs []string `json:"placeIds"`

	// Rating 1 to 5; absent when the provider does not tell it.
	//
	// Examples: 4.6
	Rating *float64 `json:"rating,omitempty"`

	// ReviewNumber Absent when the provider does not tell it.
	//
	// Examples: 182
	ReviewNumber *int64 `json:"reviewNumber,omitempty"`
}

// Campaign defines model for Campaign.
type Campaign struct {
	// Business The business.
	Business Business `json:"business"`

	// CollectingFrequency Absent when collected by hand only.
	CollectingFrequency *ShownFrequency `json:"collectingFrequency,omitempty"`

	// CountryCode ISO 3166-1 alpha-2 code of the country.
	//
	// Examples: US
	CountryCode string `json:"countryCode"`

	// CreatedAt When it was made.
	//
	// Examples: 2026-03-02T12:00:00Z
	CreatedAt time.Time `json:"createdAt"`

	// GridSettings Absent when the points are the user's own.
	GridSettings *Grid `json:"gridSettings,omitempty"`

	// ID Identifier.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234
	ID string `json:"id"`

	// Keywords What is searched for.
	Keywords []Keyword `json:"keywords"`

	// LastReportDate Instant of the newest report.
	//
	// Examples: 2026-11-08T06:00:00Z
	LastReportDate *time.Time `json:"lastReportDate,omitempty"`

	// MarkedForRemovalAt When the campaign is removed, because the plan has no slot for it.
	//
	// Examples: 2026-11-29T00:00:00Z
	MarkedForRemovalAt *time.Time `json:"markedForRemovalAt,omitempty"`

	// Name Name of the campaign.
	//
	// Examples: Decatur Deli
	Name string `json:"name"`

	// NextReportDate When it is collected next by itself.
	//
	// Examples: 2026-11-15T11:00:00Z
	NextReportDate *time.Time `json:"nextReportDate,omitempty"`

	// Points Where is searched.
	Points []Point `json:"points"`

	// ProjectMetrics Means over the keywords of the last report; empty before it.
	ProjectMetrics OptionalMetrics `json:"projectMetrics"`

	// ReportDates Newest first.
	//
	// Examples: ["2026-11-08T06:00:00Z"]
	ReportDates []time.Time `json:"reportDates"`

	// SharingStatus Who may see the campaign, and you among them.
	SharingStatus Sharing `json:"sharingStatus"`

	// Status How far its newest collection is.
	Status string `json:"status"`

	// StatusDetail What went wrong with the last collection, if anything did.
	//
	// Examples: 2 of 25 points could not be collected.
	StatusDetail string `json:"statusDetail,omitempty"`

	// StatusUpdatedAt When the status was set.
	//
	// Examples: 2026-11-08T06:00:12.5Z
	StatusUpdatedAt time.Time `json:"statusUpdatedAt"`

	// UserID The account that owns it; empty for who reads by a share token.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f80aaaa
	UserID string `json:"userId"`
}

// CampaignItem defines model for CampaignItem.
type CampaignItem struct {
	// Business The business.
	Business Business `json:"business"`

	// CountryCode ISO 3166-1 alpha-2 code of the country.
	//
	// Examples: US
	CountryCode string `json:"countryCode"`

	// CreatedAt When it was made.
	//
	// Examples: 2026-03-02T12:00:00Z
	CreatedAt time.Time `json:"createdAt"`

	// GridSettings The grid; absent when the points are the user's own.
	GridSettings *Grid `json:"gridSettings,omitempty"`

	// ID Identifier.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234
	ID string `json:"id"`

	// KeywordsNumber Keywords.
	//
	// Examples: 2
	KeywordsNumber int64 `json:"keywordsNumber"`

	// LastReportDate Instant of the newest report.
	//
	// Examples: 2026-11-08T06:00:00Z
	LastReportDate *time.Time `json:"lastReportDate,omitempty"`

	// MarkedForRemovalAt When it is removed, because the plan has no slot for it.
	//
	// Examples: 2026-11-29T00:00:00Z
	MarkedForRemovalAt *time.Time `json:"markedForRemovalAt,omitempty"`

	// Name Name.
	//
	// Examples: Decatur Deli
	Name string `json:"name"`

	// NextReportDate When it is collected next by itself.
	//
	// Examples: 2026-11-15T11:00:00Z
	NextReportDate *time.Time `json:"nextReportDate,omitempty"`

	// PointsNumber Points, switched off ones too.
	//
	// Examples: 25
	PointsNumber int64 `json:"pointsNumber"`

	// ProjectMetrics Means over the keywords of the last report; empty before it.
	ProjectMetrics OptionalMetrics `json:"projectMetrics"`

	// Status How far its newest collection is.
	Status string `json:"status"`

	// UserID The account that owns it.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f80aaaa
	UserID string `json:"userId"`
}

// CampaignProgress defines model for CampaignProgress.
type CampaignProgress struct {
	// Collecting The collection under way; null without one.
	Collecting *CollectionProgress `json:"collecting"`

	// Status How far its newest collection is.
	Status string `json:"status"`
}

// CampaignView defines model for CampaignView.
type CampaignView struct {
	// Brand Brand of the account that shares the campaign, for who reads by a share token; else null.
	Brand *Brand `json:"brand"`

	// Business The business shown.
	Business Business `json:"business"`

	// Campaign The campaign.
	Campaign Campaign `json:"campaign"`

	// CollectCost Credits that a collection costs now: points that are searched times keywords. Only for who may collect.
	//
	// Examples: 50
	CollectCost *int64 `json:"collectCost,omitempty"`

	// Collecting The collection under way; null without one.
	Collecting *CollectionProgress `json:"collecting"`

	// Competitors The first 50 businesses of the report shown by average position; the campaign's own and the one shown are always among them.
	Competitors []RankedBusiness `json:"competitors"`

	// CompetitorsTotal All businesses of the report shown, the campaign's own included.
	//
	// Examples: 38
	CompetitorsTotal int64 `json:"competitorsTotal"`

	// Credits The owner's credits of the month; only for who may collect.
	Credits *ViewCredits `json:"credits,omitempty"`

	// Keyword The keyword shown.
	Keyword Keyword `json:"keyword"`

	// Keywords The keywords of the report shown, for the business shown; the campaign's before the first report.
	Keywords []KeywordFigures `json:"keywords"`

	// Own Whether the business shown is the campaign's own.
	//
	// Examples: true
	Own bool `json:"own"`

	// PointSets Sets of points that the reports were made at: those that are searched, in the order of the reports' positions.
	PointSets [][]ViewPoint `json:"pointSets"`

	// ReportDate Instant of the report shown; absent before the first one.
	//
	// Examples: 2026-11-08T06:00:00Z
	ReportDate *time.Time `json:"reportDate,omitempty"`

	// Reports Reports in which the keyword was collected, oldest first, for the business shown.
	Reports []ReportFigures `json:"reports"`

	// Schedule The whole schedule, also one that is switched off; only for who may change it, absent when there is none.
	Schedule *ViewSchedule `json:"schedule,omitempty"`
}

// CollectResult defines model for CollectResult.
type CollectResult struct {
	// CollectingReportDate Instant that the report starts at.
	//
	// Examples: 2026-11-15T11:00:00Z
	CollectingReportDate time.Time `json:"collectingReportDate"`
}

// CollectionProgress defines model for CollectionProgress.
type CollectionProgress struct {
	// Done Searches that have ended, failed ones included.
	//
	// Examples: 31
	Done int64 `json:"done"`

	// Failed Searches that failed for good, of keywords that are done.
	//
	// Examples: 0
	Failed int64 `json:"failed"`

	// ReportDate Instant of a report, ISO 8601 with a zone.
	//
	// Examples: 2026-11-08T06:00:00Z
	ReportDate time.Time `json:"reportDate"`

	// Total Searches that the collection makes: points times keywords.
	//
	// Examples: 50
	Total int64 `json:"total"`
}

// Competitor defines model for Competitor.
type Competitor struct {
	// AveragePosition Mean rank over the points; where it is not among the first 20 it counts as 21.
	//
	// Examples: 4.2
	AveragePosition float64 `json:"averagePosition"`

	// Business The business.
	Business Business `json:"business"`

	// ShareOfVoice In percent.
	//
	// Examples: 11.3
	ShareOfVoice float64 `json:"shareOfVoice"`
}

// Coordinates defines model for Coordinates.
type Coordinates struct {
	// Lat Latitude in degrees, -90 to 90.
	//
	// Examples: 33.7744675
	Lat float64 `json:"lat"`

	// Lng Longitude in degrees, -180 to 180.
	//
	// Examples: -84.2950871
	Lng float64 `json:"lng"`
}

// CoordinatesInput defines model for CoordinatesInput.
type CoordinatesInput struct {
	// Lat Latitude in degrees.
	//
	// Examples: 33.7744675
	Lat float64 `json:"lat"`

	// Lng Longitude in degrees.
	//
	// Examples: -84.2950871
	Lng float64 `json:"lng"`
}

// FrequencyInput defines model for FrequencyInput.
type FrequencyInput struct {
	// Enable true by default.
	//
	// Examples: true
	Enable *bool `json:"enable,omitempty"`

	// Frequency DAILY, WEEKLY or MONTHLY.
	//
	// Examples: WEEKLY
	Frequency string `json:"frequency,omitempty"`

	// Interval In every how many periods; 1 by default.
	//
	// Examples: 1
	Interval *int64 `json:"interval,omitempty"`

	// Positions WEEKLY: 1 is Monday, 7 Sunday. MONTHLY: day of the month. [1] by default.
	//
	// Examples: [1,4]
	Positions []int64 `json:"positions,omitempty"`

	// Time HH:MM on the clock of the business; 00:00 by default.
	//
	// Examples: 06:00
	Time string `json:"time,omitempty"`
}

// Grid defines model for Grid.
type Grid struct {
	// BasePoint Centre of the grid.
	BasePoint Coordinates `json:"basePoint"`

	// Distance From basePoint to the outermost row or column, 0.05 to 160.
	//
	// Examples: 1.5
	Distance float64 `json:"distance"`

	// Template NxN with N odd, 3 to 21, or 1x1.
	//
	// Examples: 5x5
	Template string `json:"template"`

	// Unit Of distance.
	Unit string `json:"unit"`
}

// GridInput defines model for GridInput.
type GridInput struct {
	// BasePoint Centre of the grid.
	BasePoint *CoordinatesInput `json:"basePoint,omitempty"`

	// Distance From basePoint to the outermost row or column, 0.05 to 160.
	//
	// Examples: 1.5
	Distance *float64 `json:"distance,omitempty"`

	// Template NxN with N odd, 3 to 21, or 1x1.
	//
	// Examples: 5x5
	Template string `json:"template,omitempty"`

	// Unit KM or MI.
	//
	// Examples: KM
	Unit string `json:"unit,omitempty"`
}

// Heatmap defines model for Heatmap.
type Heatmap struct {
	// Date Instant of the report.
	//
	// Examples: 2026-11-08T06:00:00Z
	Date time.Time `json:"date"`

	// Keyword The keyword.
	Keyword Keyword `json:"keyword"`

	// Positions Days: 1 is Monday for WEEKLY, days of the month for MONTHLY.
	Positions []HeatmapPosition `json:"positions"`
}

// HeatmapPoint defines model for HeatmapPoint.
type HeatmapPoint struct {
	// Coordinates Where it is.
	Coordinates Coordinates `json:"coordinates"`

	// ID Identifier.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234
	ID string `json:"id"`
}

// HeatmapPosition defines model for HeatmapPosition.
type HeatmapPosition struct {
	// Diff Places won since the previous report; negative when lost.
	//
	// Examples: 1
	Diff int64 `json:"diff"`

	// Point The point.
	Point HeatmapPoint `json:"point"`

	// Position 1 to 20; 21 where it is not among the first 20.
	//
	// Examples: 3
	Position int64 `json:"position"`
}

// Keyword defines model for Keyword.
type Keyword struct {
	// ID Identifier.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234
	ID string `json:"id"`

	// Name The words that are searched for.
	//
	// Examples: coffee
	Name string `json:"name"`
}

// KeywordFigures defines model for KeywordFigures.
type KeywordFigures struct {
	// AveragePosition null when the keyword was not collected, as the other figures.
	//
	// Examples: 4.2
	AveragePosition *float64 `json:"averagePosition"`

	// AveragePositionDiff Positions won since the report before, negative when lost: previous average position less this one. null without a previous one.
	//
	// Examples: 0.4
	AveragePositionDiff *float64 `json:"averagePositionDiff"`

	// FoundShare Percentage of points where the business is among the first 20.
	//
	// Examples: 92
	FoundShare *float64 `json:"foundShare"`

	// Keyword The keyword.
	Keyword Keyword `json:"keyword"`

	// ShareOfVoice The share of the keyword's search market that the business has, in percent: each point counts by its rank, the first most, beyond 20 nothing.
	//
	// Examples: 11.3
	ShareOfVoice *float64 `json:"shareOfVoice"`

	// ShareOfVoiceDiff Percentage points won since the report before; null without a previous one.
	//
	// Examples: 0.8
	ShareOfVoiceDiff *float64 `json:"shareOfVoiceDiff"`

	// Status How far its newest collection is.
	Status string `json:"status"`

	// Top3Share Percentage of points where it is among the first three.
	//
	// Examples: 56
	Top3Share *float64 `json:"top3Share"`
}

// NewCampaign defines model for NewCampaign.
type NewCampaign struct {
	// CollectingFrequency When to collect by itself; by hand only when absent. With enable false the schedule rests.
	CollectingFrequency *FrequencyInput `json:"collectingFrequency,omitempty"`

	// GridSettings Lays out a grid of points. Not together with points.
	GridSettings *GridInput `json:"gridSettings,omitempty"`

	// Keywords 1 to 100, each at most 255 characters. On an update they replace the whole list; a keyword that stays keeps its id and history.
	//
	// Examples: ["coffee"]
	Keywords []string `json:"keywords"`

	// Name At most 255 characters; the name of the business by default.
	//
	// Examples: Decatur Deli
	Name *string `json:"name,omitempty"`

	// PlaceID Place id of the business. Required.
	//
	// Examples: ChIJjQmTaV0E9YgRC2MLmS_e_mY
	PlaceID string `json:"placeId"`

	// Points 1 to 441 points of your own. Not together with gridSettings.
	Points *[]PointInput `json:"points,omitempty"`
}

// OptionalMetrics defines model for OptionalMetrics.
type OptionalMetrics struct {
	// AveragePosition Mean rank over the points; where it is not among the first 20 it counts as 21.
	//
	// Examples: 4.2
	AveragePosition *float64 `json:"averagePosition,omitempty"`

	// AveragePositionDiff Last report less the one before.
	//
	// Examples: -0.4
	AveragePositionDiff *float64 `json:"averagePositionDiff,omitempty"`

	// AverageShareOfVoice The share of the search market of its keywords that the business has, in percent: each point counts by its rank, the first most, beyond 20 nothing.
	//
	// Examples: 11.3
	AverageShareOfVoice *float64 `json:"averageShareOfVoice,omitempty"`

	// AverageShareOfVoiceDiff Last report less the one before.
	//
	// Examples: 0.8
	AverageShareOfVoiceDiff *float64 `json:"averageShareOfVoiceDiff,omitempty"`
}

// PageCampaignItem defines model for PageCampaignItem.
type PageCampaignItem struct {
	// Content The records of the page.
	Content []CampaignItem `json:"content"`

	// Empty Whether there is nothing.
	//
	// Examples: false
	Empty bool `json:"empty"`

	// First Whether it is the first page.
	//
	// Examples: true
	First bool `json:"first"`

	// Last Whether it is the last page.
	//
	// Examples: true
	Last bool `json:"last"`

	// Number Number of the page, from 0.
	//
	// Examples: 0
	Number int64 `json:"number"`

	// NumberOfElements Records on the page.
	//
	// Examples: 1
	NumberOfElements int64 `json:"numberOfElements"`

	// Pageable What was asked for.
	Pageable Pageable `json:"pageable"`

	// Size Records on a page, at most.
	//
	// Examples: 10
	Size int64 `json:"size"`

	// Sort How the list is ordered.
	Sort Sort `json:"sort"`

	// TotalElements Records on all pages.
	//
	// Examples: 1
	TotalElements int64 `json:"totalElements"`

	// TotalPages Pages.
	//
	// Examples: 1
	TotalPages int64 `json:"totalPages"`
}

// PageCompetitor defines model for PageCompetitor.
type PageCompetitor struct {
	// Content The records of the page.
	Content []Competitor `json:"content"`

	// Empty Whether there is nothing.
	//
	// Examples: false
	Empty bool `json:"empty"`

	// First Whether it is the first page.
	//
	// Examples: true
	First bool `json:"first"`

	// Last Whether it is the last page.
	//
	// Examples: true
	Last bool `json:"last"`

	// Number Number of the page, from 0.
	//
	// Examples: 0
	Number int64 `json:"number"`

	// NumberOfElements Records on the page.
	//
	// Examples: 1
	NumberOfElements int64 `json:"numberOfElements"`

	// Pageable What was asked for.
	Pageable Pageable `json:"pageable"`

	// Size Records on a page, at most.
	//
	// Examples: 10
	Size int64 `json:"size"`

	// Sort How the list is ordered.
	Sort Sort `json:"sort"`

	// TotalElements Records on all pages.
	//
	// Examples: 1
	TotalElements int64 `json:"totalElements"`

	// TotalPages Pages.
	//
	// Examples: 1
	TotalPages int64 `json:"totalPages"`
}

// Pageable defines model for Pageable.
type Pageable struct {
	// Offset Records before the page.
	//
	// Examples: 0
	Offset int64 `json:"offset"`

	// PageNumber Number of the page, from 0.
	//
	// Examples: 0
	PageNumber int64 `json:"pageNumber"`

	// PageSize Records on a page, at most.
	//
	// Examples: 10
	PageSize int64 `json:"pageSize"`

	// Paged Whether the list has pages: always.
	//
	// Examples: true
	Paged bool `json:"paged"`

	// Sort How the list is ordered.
	Sort Sort `json:"sort"`

	// Unpaged The opposite of paged.
	//
	// Examples: false
	Unpaged bool `json:"unpaged"`
}

// Point defines model for Point.
type Point struct {
	// Coordinates Where it is.
	Coordinates Coordinates `json:"coordinates"`

	// ID Identifier.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234
	ID string `json:"id"`

	// Index Number of the point: from the south-west corner eastward, then northward.
	//
	// Examples: 0
	Index int64 `json:"index"`

	// IsEnabled Whether it is searched at.
	//
	// Examples: true
	IsEnabled bool `json:"isEnabled"`
}

// PointInput defines model for PointInput.
type PointInput struct {
	// Coordinates Where it is.
	Coordinates CoordinatesInput `json:"coordinates"`

	// Index Distinct, 0 or more; its place in the list by default.
	//
	// Examples: 0
	Index *int64 `json:"index,omitempty"`

	// IsEnabled true by default.
	//
	// Examples: true
	IsEnabled *bool `json:"isEnabled,omitempty"`
}

// RankedBusiness defines model for RankedBusiness.
type RankedBusiness struct {
	// AveragePosition Mean rank over the points; where it is not among the first 20 it counts as 21.
	//
	// Examples: 4.2
	AveragePosition float64 `json:"averagePosition"`

	// AveragePositionDiff Positions won since the report before, negative when lost; null when the keyword was not collected in it.
	//
	// Examples: 0.4
	AveragePositionDiff *float64 `json:"averagePositionDiff"`

	// Business The business.
	Business Business `json:"business"`

	// FoundShare Percentage of points where the business is among the first 20.
	//
	// Examples: 92
	FoundShare float64 `json:"foundShare"`

	// Own Whether it is the campaign's own.
	//
	// Examples: true
	Own bool `json:"own"`

	// ShareOfVoice In percent.
	//
	// Examples: 11.3
	ShareOfVoice float64 `json:"shareOfVoice"`

	// Top3Share Percentage of points where it is among the first three.
	//
	// Examples: 56
	Top3Share float64 `json:"top3Share"`
}

// ReportFigures defines model for ReportFigures.
type ReportFigures struct {
	// AveragePosition Mean rank over the points; where it is not among the first 20 it counts as 21.
	//
	// Examples: 4.2
	AveragePosition float64 `json:"averagePosition"`

	// Date Instant of the report.
	//
	// Examples: 2026-11-08T06:00:00Z
	Date time.Time `json:"date"`

	// FoundShare Percentage of points where the business is among the first 20.
	//
	// Examples: 92
	FoundShare float64 `json:"foundShare"`

	// PointSet Which of pointSets it was made at, from 0.
	//
	// Examples: 0
	PointSet int64 `json:"pointSet"`

	// Positions Rank at each point of the set, in its order: 1 to 20, 21 beyond the first 20, null where the search failed.
	//
	// Examples: [1,3,21,null]
	Positions []*int `json:"positions"`

	// ShareOfVoice In percent.
	//
	// Examples: 11.3
	ShareOfVoice float64 `json:"shareOfVoice"`

	// Top3Share Percentage of points where it is among the first three.
	//
	// Examples: 56
	Top3Share float64 `json:"top3Share"`
}

// Sharing defines model for Sharing.
type Sharing struct {
	// AccessType What you may do with it.
	AccessType string `json:"accessType"`

	// OwnerEmail Email of the account that owns it; empty for who reads by a share token.
	//
	// Examples: you@example.com
	OwnerEmail string `json:"ownerEmail"`

	// ShareToken Lets anybody read the campaign; shown to its owner, absent when it is not shared.
	//
	// Examples: 9bX0Zc1m8mJ2Qk3tR4vW5yA6uB7eD8fG9hH0iJ1kL2M
	ShareToken string `json:"shareToken,omitempty"`

	// SharesCount Other accounts that see it.
	//
	// Examples: 0
	SharesCount int64 `json:"sharesCount"`
}

// ShownFrequency defines model for ShownFrequency.
type ShownFrequency struct {
	// Enable Whether the schedule runs.
	//
	// Examples: true
	Enable bool `json:"enable"`

	// Frequency What a period is.
	Frequency string `json:"frequency"`

	// Positions Days: 1 is Monday for WEEKLY, days of the month for MONTHLY.
	//
	// Examples: [1,4]
	Positions []int64 `json:"positions"`
}

// Sort defines model for Sort.
type Sort struct {
	// Empty Whether there is nothing.
	//
	// Examples: false
	Empty bool `json:"empty"`

	// Sorted Whether the list is ordered.
	//
	// Examples: true
	Sorted bool `json:"sorted"`

	// Unsorted The opposite of sorted.
	//
	// Examples: false
	Unsorted bool `json:"unsorted"`
}

// TopCompetitors defines model for TopCompetitors.
type TopCompetitors struct {
	// Business The business.
	Business Competitor `json:"business"`

	// Competitors The other businesses.
	Competitors PageCompetitor `json:"competitors"`
}

// ViewCredits defines model for ViewCredits.
type ViewCredits struct {
	// Available What is left.
	//
	// Examples: 97
	Available int64 `json:"available"`

	// Total What the plan allows.
	//
	// Examples: 100
	Total int64 `json:"total"`
}

// ViewPoint defines model for ViewPoint.
type ViewPoint struct {
	// Coordinates Where it is.
	Coordinates Coordinates `json:"coordinates"`

	// ID Identifier.
	//
	// Examples: 0199d8a4-c3f0-7c1e-9b2a-5d6e7f801234
	ID string `json:"id"`

	// Index Number of the point: from the south-west corner eastward, then northward.
	//
	// Examples: 0
	Index int64 `json:"index"`
}

// ViewSchedule defines model for ViewSchedule.
type ViewSchedule struct {
	// Enable Whether the schedule runs.
	//
	// Examples: true
	Enable bool `json:"enable"`

	// Frequency What a period is.
	Frequency string `json:"frequency"`

	// Interval Every so many periods.
	//
	// Examples: 1
	Interval int64 `json:"interval"`

	// Positions Days: 1 is Monday for WEEKLY, days of the month for MONTHLY.
	//
	// Examples: [1,4]
	Positions []int64 `json:"positions"`

	// Time HH:MM, on the clock of the business.
	//
	// Examples: 06:00
	Time string `json:"time"`
}
