// Code generated from account.json by make generate. DO NOT EDIT.

// Package account has the types of what an account sees of itself, as the documents describe them.
package account

import (
	"time"
)

// Account defines model for Account.
type Account struct {
	// AccountID Identifier of the account.
	//
	// Examples: 0199d8a4c3f07c1e9b2a5d6e7f801234
	AccountID string `json:"account_id"`

	// CreatedAt When it was made.
	//
	// Examples: 2026-11-15T12:00:00Z
	CreatedAt time.Time `json:"created_at"`

	// Email Email address, which names the account.
	//
	// Examples: you@example.com
	Email string `json:"email"`

	// Plan Name of the plan.
	//
	// Examples: pro
	Plan string `json:"plan"`

	// TimeZone Name of the zone in which the account's days and weeks are reckoned, as the IANA has it.
	//
	// Examples: Europe/Berlin
	TimeZone string `json:"time_zone"`
}

// Amounts defines model for Amounts.
type Amounts struct {
	// Campaigns Campaigns.
	//
	// Examples: 4
	Campaigns int64 `json:"campaigns"`

	// Credits Credits, one of which collects one keyword at one point; of this month.
	//
	// Examples: 25000
	Credits int64 `json:"credits"`

	// ImageBytes Bytes of stored images.
	//
	// Examples: 5000000
	ImageBytes int64 `json:"image_bytes"`

	// Keywords Tracked keywords.
	//
	// Examples: 120
	Keywords int64 `json:"keywords"`

	// Locations Locations.
	//
	// Examples: 12
	Locations int64 `json:"locations"`

	// Lookups Live searches that requests and first checks cause; of this month.
	//
	// Examples: 50000
	Lookups int64 `json:"lookups"`

	// StoredKeywords Keywords with figures in the research store.
	//
	// Examples: 1200
	StoredKeywords int64 `json:"stored_keywords"`

	// Trackings Trackings.
	//
	// Examples: 3
	Trackings int64 `json:"trackings"`
}

// Attention defines model for Attention.
type Attention struct {
	// Attention Locations that are not as their owner wants them, the gravest first; at most 10.
	Attention []TroubledLocation `json:"attention"`

	// AttentionTotal How many there are of them.
	//
	// Examples: 1
	AttentionTotal int64 `json:"attention_total"`

	// Total Locations.
	//
	// Examples: 12
	Total int64 `json:"total"`
}

// Brand defines model for Brand.
type Brand struct {
	// Colour As #rrggbb.
	//
	// Examples: #0f766e
	Colour string `json:"colour"`

	// LogoURL Where its logo is served; empty without one.
	//
	// Examples: /brand/5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef.png
	LogoURL string `json:"logo_url"`

	// Name Of the business or agency.
	//
	// Examples: Peachtree Local
	Name string `json:"name"`
}

// ChangedCampaign defines model for ChangedCampaign.
type ChangedCampaign struct {
	// AveragePosition Average position in the last report; null before the first.
	//
	// Examples: 4.2
	AveragePosition *float64 `json:"averagePosition"`

	// AveragePositionDiff Places won since a week ago: positive is better. Null when there is nothing to compare with.
	//
	// Examples: 1.1
	AveragePositionDiff *float64 `json:"averagePositionDiff"`

	// AverageShareOfVoice Share of voice in the last report, in percent; null before the first.
	//
	// Examples: 31
	AverageShareOfVoice *float64 `json:"averageShareOfVoice"`

	// AverageShareOfVoiceDiff Points of share won since a week ago: positive is better. Null when there is nothing to compare with.
	//
	// Examples: 4
	AverageShareOfVoiceDiff *float64 `json:"averageShareOfVoiceDiff"`

	// Business Name of the business.
	//
	// Examples: Decatur Deli
	Business string `json:"business"`

	// ID Identifier.
	//
	// Examples: 0198f1b23c4d7e5f8a6b7c8d9e0f1a2b
	ID string `json:"id"`

	// LastReportDate Instant of the last report; absent before the first.
	//
	// Examples: 2026-11-14T06:00:00Z
	LastReportDate *time.Time `json:"lastReportDate,omitempty"`

	// Name Name of the campaign.
	//
	// Examples: Decatur Deli
	Name string `json:"name"`

	// Trend The line so far, oldest first: average positions of up to 12 reports, or visibility on up to 30 days.
	//
	// Examples: [5.3,4.9,4.2]
	Trend []float64 `json:"trend"`
}

// Changes defines model for Changes.
type Changes struct {
	// Collecting Own campaigns that are being collected now.
	//
	// Examples: 1
	Collecting int64 `json:"collecting"`

	// Items Those that changed most, then the newest; at most 8.
	Items []ChangedCampaign `json:"items"`

	// Losers Campaigns that lost most places on average since a week ago, the most first; at most 5.
	Losers []MovedCampaign `json:"losers"`

	// Total Campaigns that the account sees, its own and those shared with it.
	//
	// Examples: 4
	Total int64 `json:"total"`

	// Winners Campaigns that won most places on average since a week ago, the most first; at most 5.
	Winners []MovedCampaign `json:"winners"`
}

// Map defines model for Map.
type Map struct {
	// DarkURL The style for dark screens, where there is another one.
	DarkURL string `json:"dark_url,omitempty"`

	// Kind What lies under a grid: a style of its own address, one for the tiles that the program serves, or nothing.
	Kind string `json:"kind"`

	// URL The MapLibre style.
	//
	// Examples: https://tiles.openfreemap.org/styles/positron
	URL string `json:"url,omitempty"`
}

// MonthlyUse defines model for MonthlyUse.
type MonthlyUse struct {
	// Limit What the plan allows.
	//
	// Examples: 25000
	Limit int64 `json:"limit"`

	// ResetsAt When the month ends and they start anew.
	//
	// Examples: 2026-12-01T00:00:00Z
	ResetsAt time.Time `json:"resets_at"`

	// RunsOutAt When they run out at the pace of this month so far; null when they last until they start anew.
	//
	// Examples: 2026-11-27T08:00:00Z
	RunsOutAt *time.Time `json:"runs_out_at"`

	// Used What is used of it.
	//
	// Examples: 6580
	Used int64 `json:"used"`
}

// MovedCampaign defines model for MovedCampaign.
type MovedCampaign struct {
	// AveragePosition Average position in the last report; null before the first.
	//
	// Examples: 4.2
	AveragePosition *float64 `json:"averagePosition"`

	// AveragePositionDiff Places won since a week ago: positive is better. Null when there is nothing to compare with.
	//
	// Examples: 1.1
	AveragePositionDiff *float64 `json:"averagePositionDiff"`

	// Business Name of the business.
	//
	// Examples: Decatur Deli
	Business string `json:"business"`

	// ID Identifier.
	//
	// Examples: 0198f1b23c4d7e5f8a6b7c8d9e0f1a2b
	ID string `json:"id"`

	// Name Name of the campaign, or domain of the tracking, as long as it exists.
	//
	// Examples: Pizza in Decatur
	Name string `json:"name"`
}

// MovedKeyword defines model for MovedKeyword.
type MovedKeyword struct {
	// Change Places won: positive is better.
	//
	// Examples: 5
	Change int64 `json:"change"`

	// Domain What is tracked.
	//
	// Examples: decaturdeli.example
	Domain string `json:"domain"`

	// KeywordID The tracked keyword.
	//
	// Examples: 0198f1b23c4d7e5f8a6b7c8d9e0f1a2b
	KeywordID string `json:"keyword_id"`

	// Keyword The keyword.
	//
	// Examples: coffee decatur
	Keyword string `json:"kw"`

	// Rank Rank of the last check; null when it was not found.
	//
	// Examples: 3
	Rank *int64 `json:"rank"`

	// TrackingID The tracking that it was asked for.
	//
	// Examples: 0198f1b23c4d7e5f8a6b7c8d9e0f1a2b
	TrackingID string `json:"tracking_id"`
}

// MovedTracking defines model for MovedTracking.
type MovedTracking struct {
	// Domain What is tracked.
	//
	// Examples: decaturdeli.example
	Domain string `json:"domain"`

	// ID Identifier.
	//
	// Examples: 0198f1b23c4d7e5f8a6b7c8d9e0f1a2b
	ID string `json:"id"`

	// Keywords Tracked keywords.
	//
	// Examples: 120
	Keywords int64 `json:"keywords"`

	// Location Where it is searched from.
	//
	// Examples: Decatur, Georgia, United States
	Location string `json:"location"`

	// PlatformID 1 desktop, 2 mobile.
	PlatformID int64 `json:"platform_id"`

	// Trend The line so far, oldest first: average positions of up to 12 reports, or visibility on up to 30 days.
	//
	// Examples: [5.3,4.9,4.2]
	Trend []float64 `json:"trend"`

	// VisibilityChange Points won within a week, or since the first day: positive is better.
	//
	// Examples: 2.1
	VisibilityChange float64 `json:"visibility_change"`

	// VisibilityIndex 0 to 100: the clicks that its ranks bring, as a share of those if every keyword ranked first; null before the first check.
	//
	// Examples: 23.4
	VisibilityIndex *float64 `json:"visibility_index"`
}

// Overview defines model for Overview.
type Overview struct {
	// Campaigns Campaigns.
	Campaigns Changes `json:"campaigns"`

	// Credits Credits, one of which collects one keyword at one point; of this month.
	Credits MonthlyUse `json:"credits"`

	// Locations Locations.
	Locations Attention `json:"locations"`

	// Lookups Live searches that requests and first checks cause; of this month.
	Lookups MonthlyUse `json:"lookups"`

	// Since A week ago: what changes are measured from.
	//
	// Examples: 2026-11-08T12:00:00Z
	Since time.Time `json:"since"`

	// Trackings Trackings.
	Trackings Trackings `json:"trackings"`
}

// Start defines model for Start.
type Start struct {
	// Account Who is signed in; null is nobody.
	Account *Account `json:"account"`

	// Brand How the account shows itself; null is as Trigpoint.
	Brand *Brand `json:"brand"`

	// Demo Whether anybody may sign in to a demo account.
	//
	// Examples: false
	Demo bool `json:"demo"`

	// Mail Whether mail is configured, so that a forgotten password can be reset, and an address proved, by mail.
	//
	// Examples: true
	Mail bool `json:"mail"`

	// Map The map under the grids.
	Map Map `json:"map"`

	// ReadOnly Whether the credential of this request may only read.
	//
	// Examples: false
	ReadOnly bool `json:"read_only"`

	// SetupRequired Whether there is no account yet: the program prints a link that makes the first one.
	//
	// Examples: false
	SetupRequired bool `json:"setup_required"`

	// Signup Who may make an account: nobody, who is invited, or anybody.
	Signup string `json:"signup"`

	// Version Of the program.
	//
	// Examples: 4c38b9c0e1f2
	Version string `json:"version"`
}

// Trackings defines model for Trackings.
type Trackings struct {
	// Items Those that changed most, then the newest; at most 8.
	Items []MovedTracking `json:"items"`

	// Losers Keywords that fell most within a week, at most 5.
	Losers []MovedKeyword `json:"losers"`

	// Total Trackings.
	//
	// Examples: 3
	Total int64 `json:"total"`

	// Winners Keywords that climbed most within a week, at most 5.
	Winners []MovedKeyword `json:"winners"`
}

// TroubledLocation defines model for TroubledLocation.
type TroubledLocation struct {
	// BusinessName Name of the business.
	//
	// Examples: Decatur Deli
	BusinessName string `json:"business_name"`

	// LocationID The location.
	//
	// Examples: 0198f1b23c4d7e5f8a6b7c8d9e0f1a2b
	LocationID string `json:"location_id"`

	// Reason What is wrong.
	//
	// Examples: Map: The phone number differs.
	Reason string `json:"reason"`

	// Severity error: the location is not public; warning: one directory does not show it as it is, or the plan has no room for it.
	Severity string `json:"severity"`
}

// Usage defines model for Usage.
type Usage struct {
	// Credits Credits, one of which collects one keyword at one point; of this month.
	Credits MonthlyUse `json:"credits"`

	// Limits What the plan allows.
	Limits Amounts `json:"limits"`

	// Lookups Live searches that requests and first checks cause; of this month.
	Lookups MonthlyUse `json:"lookups"`

	// Plan Name of the plan.
	//
	// Examples: pro
	Plan string `json:"plan"`

	// Used What is used of it.
	Used Amounts `json:"used"`
}
