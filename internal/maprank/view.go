package maprank

import (
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// CampaignView is all that a screen shows of a campaign: one keyword and one business over time, in one report
// beside its competitors, and the other keywords in short.
type CampaignView struct {
	Campaign         Campaign                          `json:"campaign"`
	Keyword          Keyword                           `json:"keyword" doc:"The keyword shown."`
	ReportDate       *Instant                          `json:"reportDate,omitempty" doc:"Instant of the report shown; absent before the first one."`
	Business         result.Business                   `json:"business" doc:"The business shown."`
	Own              bool                              `json:"own" doc:"Whether the business shown is the campaign's own."`
	Keywords         []KeywordFigures                  `json:"keywords" nullable:"false" doc:"The keywords of the report shown, for the business shown; the campaign's before the first report."`
	PointSets        [][]ViewPoint                     `json:"pointSets" nullable:"false" doc:"Sets of points that the reports were made at: those that are searched, in the order of the reports' positions."`
	Reports          []ReportFigures                   `json:"reports" nullable:"false" doc:"Reports in which the keyword was collected, oldest first, for the business shown."`
	Competitors      []RankedBusiness                  `json:"competitors" nullable:"false" doc:"The first 50 businesses of the report shown by average position; the campaign's own and the one shown are always among them."`
	CompetitorsTotal int                               `json:"competitorsTotal" doc:"All businesses of the report shown, the campaign's own included."`
	Collecting       httpapi.Field[CollectionProgress] `json:"collecting" doc:"The collection under way; null without one."`
	CollectCost      *int64                            `json:"collectCost,omitempty" doc:"Credits that a collection costs now: points that are searched times keywords. Only for who may collect."`
	Schedule         *ViewSchedule                     `json:"schedule,omitempty" doc:"The whole schedule, also one that is switched off; only for who may change it, absent when there is none."`
	Credits          *ViewCredits                      `json:"credits,omitempty" doc:"The owner's credits of the month; only for who may collect."`
	Brand            httpapi.Field[account.Brand]      `json:"brand" doc:"Brand of the account that shares the campaign, for who reads by a share token; else null."`
}

// Figures are how a business fares with a keyword in a report.
type Figures struct {
	AveragePosition float64 `json:"averagePosition"`
	ShareOfVoice    float64 `json:"shareOfVoice" doc:"In percent."`
	FoundShare      float64 `json:"foundShare" doc:"Percentage of points where the business is among the first 20."`
	TopShare        float64 `json:"top3Share" doc:"Percentage of points where it is among the first three."`
}

func figuresOf(t result.Tally) Figures {
	return Figures{t.AveragePosition(), t.ShareOfVoice(), t.FoundShare(), t.TopShare()}
}

// KeywordFigures are how the business shown fares with one of the keywords.
type KeywordFigures struct {
	Keyword             Keyword  `json:"keyword"`
	Status              Status   `json:"status" enum:"CREATED,COLLECTING,COLLECTED,FAILED"`
	AveragePosition     *float64 `json:"averagePosition" doc:"null when the keyword was not collected, as the other figures."`
	ShareOfVoice        *float64 `json:"shareOfVoice"`
	FoundShare          *float64 `json:"foundShare" doc:"Percentage of points where the business is among the first 20."`
	TopShare            *float64 `json:"top3Share" doc:"Percentage of points where it is among the first three."`
	AveragePositionDiff *float64 `json:"averagePositionDiff" doc:"Positions won since the report before, negative when lost: previous average position less this one. null without a previous one."`
	ShareOfVoiceDiff    *float64 `json:"shareOfVoiceDiff" doc:"Percentage points won since the report before; null without a previous one."`
}

// ViewPoint is a point that is searched.
type ViewPoint struct {
	ID          string           `json:"id"`
	Index       int              `json:"index"`
	Coordinates grid.Coordinates `json:"coordinates"`
}

func viewPoints(set grid.PointSet) []ViewPoint {
	enabled := set.Enabled()
	points := make([]ViewPoint, len(enabled))
	for i, p := range enabled {
		points[i] = ViewPoint{p.ID, p.Index, p.Coordinates}
	}
	return points
}

// ReportFigures are how the business shown fares in one report.
type ReportFigures struct {
	Date     Instant `json:"date"`
	PointSet int     `json:"pointSet" doc:"Which of pointSets it was made at, from 0."`
	Figures
	Positions Positions `json:"positions" doc:"Rank at each point of the set, in its order: 1 to 20, 21 beyond the first 20, null where the search failed."`
}

// Positions are ranks by point; 0 is a point that was not searched.
type Positions []uint8

// MarshalJSON prints null where a point was not searched.
func (p Positions) MarshalJSON() ([]byte, error) {
	text := append(make([]byte, 0, 3*len(p)+2), '[')
	for i, rank := range p {
		if i > 0 {
			text = append(text, ',')
		}
		if rank == 0 {
			text = append(text, "null"...)
		} else {
			text = strconv.AppendUint(text, uint64(rank), 10)
		}
	}
	return append(text, ']'), nil
}

// Schema documents them as numbers or null.
func (Positions) Schema(huma.Registry) *huma.Schema {
	least, most := 1.0, float64(result.Unranked)
	return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeInteger, Nullable: true, Minimum: &least, Maximum: &most}}
}

// RankedBusiness is how one of the businesses fares in the report shown.
type RankedBusiness struct {
	Business result.Business `json:"business"`
	Figures
	AveragePositionDiff *float64 `json:"averagePositionDiff" doc:"Positions won since the report before, negative when lost; null when the keyword was not collected in it."`
	Own                 bool     `json:"own" doc:"Whether it is the campaign's own."`
}

// CollectionProgress is how far a collection is.
type CollectionProgress struct {
	ReportDate Instant `json:"reportDate"`
	Done       int64   `json:"done" doc:"Searches that have ended, failed ones included."`
	Total      int64   `json:"total" doc:"Searches that the collection makes: points times keywords."`
	Failed     int64   `json:"failed" doc:"Searches that failed for good, of keywords that are done."`
}

// ViewSchedule is when the campaign is collected, as it was set.
type ViewSchedule struct {
	Frequency string `json:"frequency" enum:"DAILY,WEEKLY,MONTHLY"`
	Interval  int    `json:"interval"`
	Positions []int  `json:"positions" nullable:"false"`
	Time      string `json:"time"`
	Enable    bool   `json:"enable"`
}

// ViewCredits are the credits of the month.
type ViewCredits struct {
	Available int64 `json:"available"`
	Total     int64 `json:"total"`
}

// CampaignProgress is how far the collection of a campaign is.
type CampaignProgress struct {
	Collecting httpapi.Field[CollectionProgress] `json:"collecting" doc:"The collection under way; null without one."`
	Status     Status                            `json:"status" enum:"CREATED,COLLECTING,COLLECTED,FAILED"`
}
