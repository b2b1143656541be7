package maprank

import (
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/maprank/schedule"
)

// Status is the state of a campaign, of a report, or of a keyword in a report.
type Status string

// The states. A report may be SCHEDULED to start later, or SKIPPED because there were no credits for it;
// campaigns and keywords know the first four only.
const (
	Created    Status = "CREATED"
	Collecting Status = "COLLECTING"
	Collected  Status = "COLLECTED"
	Failed     Status = "FAILED"
	Scheduled  Status = "SCHEDULED"
	Skipped    Status = "SKIPPED"
)

// Access is what an account may do with a campaign.
type Access string

// The kinds of access: an owner may do everything, an editor everything but delete, a viewer only read.
const (
	Owner  Access = "OWNER"
	Editor Access = "EDITOR"
	Viewer Access = "VIEWER"
)

// Campaign is a campaign as the API shows it.
type Campaign struct {
	ID                  string           `json:"id"`
	UserID              string           `json:"userId" doc:"The account that owns it; empty for who reads by a share token."`
	Name                string           `json:"name"`
	Status              Status           `json:"status" enum:"CREATED,COLLECTING,COLLECTED,FAILED"`
	StatusUpdatedAt     Instant          `json:"statusUpdatedAt"`
	StatusDetail        string           `json:"statusDetail,omitempty" doc:"What went wrong with the last collection, if anything did."`
	CreatedAt           Instant          `json:"createdAt"`
	CountryCode         string           `json:"countryCode"`
	SharingStatus       Sharing          `json:"sharingStatus"`
	CollectingFrequency *ShownFrequency  `json:"collectingFrequency,omitempty" doc:"Absent when collected by hand only."`
	Keywords            []Keyword        `json:"keywords" nullable:"false"`
	GridSettings        *grid.Grid       `json:"gridSettings,omitempty" doc:"Absent when the points are the user's own."`
	Points              []grid.Point     `json:"points" nullable:"false"`
	LastReportDate      *Instant         `json:"lastReportDate,omitempty"`
	NextReportDate      *Instant         `json:"nextReportDate,omitempty"`
	ReportDates         []Instant        `json:"reportDates" nullable:"false" doc:"Newest first."`
	MarkedForRemovalAt  *Instant         `json:"markedForRemovalAt,omitempty" doc:"When the campaign is removed, because the plan has no slot for it."`
	Business            result.Business  `json:"business"`
	ProjectMetrics      *OptionalMetrics `json:"projectMetrics"`
}

// CampaignItem is a campaign in a list.
type CampaignItem struct {
	ID                 string           `json:"id"`
	UserID             string           `json:"userId"`
	KeywordsNumber     int              `json:"keywordsNumber"`
	PointsNumber       int              `json:"pointsNumber"`
	GridSettings       *grid.Grid       `json:"gridSettings,omitempty"`
	CountryCode        string           `json:"countryCode"`
	Business           result.Business  `json:"business"`
	ProjectMetrics     *OptionalMetrics `json:"projectMetrics"`
	Name               string           `json:"name"`
	LastReportDate     *Instant         `json:"lastReportDate,omitempty"`
	NextReportDate     *Instant         `json:"nextReportDate,omitempty"`
	MarkedForRemovalAt *Instant         `json:"markedForRemovalAt,omitempty"`
	Status             Status           `json:"status" enum:"CREATED,COLLECTING,COLLECTED,FAILED"`
	CreatedAt          Instant          `json:"createdAt"`
}

// Sharing says whose campaign it is and what the reader may do with it.
type Sharing struct {
	AccessType  Access `json:"accessType" enum:"OWNER,EDITOR,VIEWER"`
	OwnerEmail  string `json:"ownerEmail" doc:"Email of the account that owns it; empty for who reads by a share token."`
	SharesCount int    `json:"sharesCount" doc:"Other accounts that see it."`
	ShareToken  string `json:"shareToken,omitempty" doc:"Lets anybody read the campaign; shown to its owner, absent when it is not shared."`
}

// ShownFrequency is what the API shows of a Frequency.
type ShownFrequency struct {
	Frequency string `json:"frequency" enum:"DAILY,WEEKLY,MONTHLY"`
	Positions []int  `json:"positions" nullable:"false"`
	Enable    bool   `json:"enable"`
}

// OptionalMetrics is {} until there are figures.
type OptionalMetrics struct {
	AveragePosition         *float64 `json:"averagePosition,omitempty"`
	AveragePositionDiff     *float64 `json:"averagePositionDiff,omitempty"`
	AverageShareOfVoice     *float64 `json:"averageShareOfVoice,omitempty"`
	AverageShareOfVoiceDiff *float64 `json:"averageShareOfVoiceDiff,omitempty"`
}

// campaign is a stored campaign, with what the asking account may do with it.
type campaign struct {
	id, accountID, name          string
	status                       Status
	statusAt                     time.Time
	statusDetail                 string
	createdAt                    time.Time
	country, zone                string
	business                     result.Business
	grid                         *grid.Grid
	pointsID                     string
	pointsNumber, keywordsNumber int
	frequency                    *schedule.Frequency
	frequencyAt                  time.Time
	next, last, removeAt         *time.Time
	nextSetAt                    time.Time // when next was reckoned
	metrics                      *OptionalMetrics

	access     Access
	ownerEmail string
	shares     int
	shareToken *string
	visited    bool // read by its share token, by whoever has that
}

// show makes the API's form of a campaign.
func (c *campaign) show(keywords []Keyword, set grid.PointSet, dates []Instant) Campaign {
	shown := Campaign{
		ID: id.Dashed(c.id), UserID: id.Dashed(c.accountID), Name: c.name,
		Status: c.status, StatusUpdatedAt: Instant{c.statusAt}, StatusDetail: c.statusDetail, CreatedAt: Instant{c.createdAt},
		CountryCode:   c.country,
		SharingStatus: Sharing{AccessType: c.access, OwnerEmail: c.ownerEmail, SharesCount: c.shares},
		Keywords:      make([]Keyword, len(keywords)), GridSettings: c.grid, Points: set.Points,
		LastReportDate: instantOrNil(c.last), NextReportDate: instantOrNil(c.next), MarkedForRemovalAt: instantOrNil(c.removeAt),
		ReportDates: dates, Business: c.business, ProjectMetrics: c.metrics,
	}
	if shown.ReportDates == nil {
		shown.ReportDates = []Instant{}
	}
	for i, k := range keywords {
		shown.Keywords[i] = k.shown()
	}
	if f := c.frequency; f != nil {
		shown.CollectingFrequency = &ShownFrequency{f.Frequency, f.Positions, f.Enable}
	}
	if c.access == Owner && c.shareToken != nil {
		shown.SharingStatus.ShareToken = *c.shareToken
	}
	if c.visited {
		shown.hideAccount()
	}
	return shown
}

// hideAccount leaves out what is nobody's business but the owner's: who that is, and how the account stands.
func (c *Campaign) hideAccount() {
	c.UserID, c.StatusDetail, c.MarkedForRemovalAt = "", "", nil
	c.SharingStatus = Sharing{AccessType: Viewer}
}

func (c *campaign) item() CampaignItem {
	return CampaignItem{
		ID: id.Dashed(c.id), UserID: id.Dashed(c.accountID), KeywordsNumber: c.keywordsNumber, PointsNumber: c.pointsNumber,
		GridSettings: c.grid, CountryCode: c.country, Business: c.business, ProjectMetrics: c.metrics, Name: c.name,
		LastReportDate: instantOrNil(c.last), NextReportDate: instantOrNil(c.next), MarkedForRemovalAt: instantOrNil(c.removeAt),
		Status: c.status, CreatedAt: Instant{c.createdAt},
	}
}

func instantOrNil(t *time.Time) *Instant {
	if t == nil {
		return nil
	}
	return &Instant{*t}
}

// reckon sets when the schedule is due next.
func (c *campaign) reckon(now time.Time) {
	c.next, c.nextSetAt = nil, now
	if c.frequency == nil || !c.frequency.Enable {
		return
	}
	zone, err := time.LoadLocation(c.zone)
	if err != nil { // a zone that the machine does not know
		zone, _ = geo.ZoneAt(geo.Point(c.business.Coordinates))
	}
	if next := c.frequency.Next(now, c.frequencyAt, zone); !next.IsZero() {
		c.next = &next
	}
}

// searchText is what a list's query looks into.
func (c *campaign) searchText() string {
	return strings.ToLower(c.name + "\n" + strings.Join(strings.Fields(c.business.Address), " "))
}
