// Package alertrule owns what alerts are raised for: the conditions that a rule may name, when they hold, and what is raised, in
// the transaction of what happened. It is below events and areas, which say what happened; telling people is the alert wing's.
package alertrule

import "slices"

// Subject is the kind of thing that a rule watches.
type Subject string

// The subjects.
const (
	Tracking Subject = "tracking"
	Campaign Subject = "campaign"
	Location Subject = "location"
	Account  Subject = "account"
)

// Condition is what a rule waits for.
type Condition string

// The conditions.
const (
	PositionLost   Condition = "position_lost"
	PositionGained Condition = "position_gained"
	LeftTop        Condition = "left_top"
	EnteredTop     Condition = "entered_top"
	NotFound       Condition = "not_found"
	SnippetWon     Condition = "snippet_won"
	SnippetLost    Condition = "snippet_lost"
	RivalPassed    Condition = "rival_passed"

	AveragePositionLost   Condition = "average_position_lost"
	AveragePositionGained Condition = "average_position_gained"
	ShareOfVoiceLost      Condition = "share_of_voice_lost"
	ShareOfVoiceGained    Condition = "share_of_voice_gained"
	TopShareLost          Condition = "top3_share_lost"
	TopShareGained        Condition = "top3_share_gained"
	BusinessPassed        Condition = "business_passed"

	ListingChanged   Condition = "listing_changed"
	LocationRejected Condition = "location_rejected"
	LocationClosed   Condition = "location_closed"

	CreditsLow      Condition = "credits_low"
	LookupsLow      Condition = "lookups_low"
	BudgetLow       Condition = "budget_low"
	ProviderFailing Condition = "provider_failing"
)

// Figure is a number that moves.
type Figure string

// The figures.
const (
	Position        Figure = "position"
	AveragePosition Figure = "average_position"
	ShareOfVoice    Figure = "share_of_voice"
	TopShare        Figure = "top3_share"
)

// Described is a condition as it is offered and judged.
type Described struct {
	Condition Condition
	Number    int // of a tracking's conditions, as area C numbers them for good; 0 of others
	On        Subject
	Words     string // in a rule, after "when": %s stands for the threshold or the rival
	Least     float64
	Most      float64   // of the threshold; 0: it has none
	Only      []float64 // thresholds that are allowed; nil: all from Least to Most
	Rival     bool      // it names one

	figure Figure
	holds  func(m Move, threshold float64) bool
}

// HasThreshold tells whether a rule with the condition says how much.
func (d *Described) HasThreshold() bool { return d.Most > 0 }

// Allows tells whether a threshold may be set.
func (d *Described) Allows(threshold float64) bool {
	if d.Only != nil {
		return slices.Contains(d.Only, threshold)
	}
	return threshold >= d.Least && threshold <= d.Most
}

var tops = []float64{3, 10, 20}

// conditions lists every condition. Those without a figure hold when what they name has happened.
var conditions = []Described{
	{Condition: PositionLost, Number: 1, On: Tracking, Words: "a keyword falls by %s places or more", Least: 1, Most: 100, figure: Position, holds: fell},
	{Condition: PositionGained, Number: 2, On: Tracking, Words: "a keyword climbs by %s places or more", Least: 1, Most: 100, figure: Position, holds: climbed},
	{Condition: LeftTop, Number: 3, On: Tracking, Words: "a keyword leaves the top %s", Most: 20, Only: tops, figure: Position, holds: leftTop},
	{Condition: EnteredTop, Number: 4, On: Tracking, Words: "a keyword enters the top %s", Most: 20, Only: tops, figure: Position, holds: enteredTop},
	{Condition: NotFound, Number: 5, On: Tracking, Words: "a keyword is no longer found", figure: Position, holds: vanished},
	{Condition: SnippetWon, Number: 6, On: Tracking, Words: "a featured snippet is won"},
	{Condition: SnippetLost, Number: 7, On: Tracking, Words: "a featured snippet is lost"},
	{Condition: RivalPassed, Number: 8, On: Tracking, Words: "%s passes for a keyword", Rival: true},
	{Condition: AveragePositionLost, On: Campaign, Words: "the average position falls by %s or more", Least: 0.1, Most: 20, figure: AveragePosition, holds: fell},
	{Condition: AveragePositionGained, On: Campaign, Words: "the average position improves by %s or more", Least: 0.1, Most: 20, figure: AveragePosition, holds: climbed},
	{Condition: ShareOfVoiceLost, On: Campaign, Words: "the share of voice falls by %s points or more", Least: 0.1, Most: 100, figure: ShareOfVoice, holds: shrank},
	{Condition: ShareOfVoiceGained, On: Campaign, Words: "the share of voice rises by %s points or more", Least: 0.1, Most: 100, figure: ShareOfVoice, holds: grew},
	{Condition: TopShareLost, On: Campaign, Words: "the share of points in the top 3 falls by %s points or more", Least: 0.1, Most: 100, figure: TopShare, holds: shrank},
	{Condition: TopShareGained, On: Campaign, Words: "the share of points in the top 3 rises by %s points or more", Least: 0.1, Most: 100, figure: TopShare, holds: grew},
	{Condition: BusinessPassed, On: Campaign, Words: "another business passes"},
	{Condition: ListingChanged, On: Location, Words: "a listing changes"},
	{Condition: LocationRejected, On: Location, Words: "a directory rejects the location"},
	{Condition: LocationClosed, On: Location, Words: "a listing shows the location as closed"},
	{Condition: CreditsLow, On: Account, Words: "less than a tenth of the month's credits is left"},
	{Condition: LookupsLow, On: Account, Words: "less than a tenth of the month's look-ups is left"},
	{Condition: BudgetLow, On: Account, Words: "less than a tenth of the month's budget is left"},
	{Condition: ProviderFailing, On: Account, Words: "a data provider fails"},
}

// Conditions lists every condition, in the order in which they are offered.
func Conditions() []Described { return slices.Clone(conditions) }

// Find returns what is known of a condition, and whether there is one of that name.
func Find(name Condition) (Described, bool) {
	at := slices.IndexFunc(conditions, func(d Described) bool { return d.Condition == name })
	if at < 0 {
		return Described{}, false
	}
	return conditions[at], true
}

// Move is a figure before and after. Nil is a position that was not found: at best it is Beyond, one place after the last that was
// looked at.
type Move struct {
	Before, After *float64
	Beyond        float64
}

func (m Move) place(p *float64) float64 {
	if p == nil {
		return m.Beyond
	}
	return *p
}

// slack makes up for what fractions lose: 4.3 - 3.3 is a little less than 1.
const slack = 1e-9

// Of positions less is better, of shares more.

func fell(m Move, n float64) bool    { return m.place(m.After)-m.place(m.Before) >= n-slack }
func climbed(m Move, n float64) bool { return m.place(m.Before)-m.place(m.After) >= n-slack }
func shrank(m Move, n float64) bool  { return climbed(m, n) }
func grew(m Move, n float64) bool    { return fell(m, n) }

func within(p *float64, top float64) bool { return p != nil && *p <= top }

func leftTop(m Move, top float64) bool    { return within(m.Before, top) && !within(m.After, top) }
func enteredTop(m Move, top float64) bool { return !within(m.Before, top) && within(m.After, top) }
func vanished(m Move, _ float64) bool     { return m.Before != nil && m.After == nil }
