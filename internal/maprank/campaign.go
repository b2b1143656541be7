package maprank

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
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
	UserID              string           `json:"userId" doc:"The account that owns it."`
	Name                string           `json:"name"`
	Status              Status           `json:"status" enum:"CREATED,COLLECTING,COLLECTED,FAILED"`
	StatusUpdatedAt     Instant          `json:"statusUpdatedAt"`
	StatusDetail        string           `json:"statusDetail,omitempty" doc:"What went wrong with the last collection, if anything did."`
	CreatedAt           Instant          `json:"createdAt"`
	CountryCode         string           `json:"countryCode"`
	SharingStatus       Sharing          `json:"sharingStatus"`
	CollectingFrequency *ShownFrequency  `json:"collectingFrequency,omitempty" doc:"Absent when collected by hand only."`
	Keywords            []Keyword        `json:"keywords" nullable:"false"`
	GridSettings        *Grid            `json:"gridSettings,omitempty" doc:"Absent when the points are the user's own."`
	Points              []Point          `json:"points" nullable:"false"`
	LastReportDate      *Instant         `json:"lastReportDate,omitempty"`
	NextReportDate      *Instant         `json:"nextReportDate,omitempty"`
	ReportDates         []Instant        `json:"reportDates" nullable:"false" doc:"Newest first."`
	MarkedForRemovalAt  *Instant         `json:"markedForRemovalAt,omitempty" doc:"When the campaign is removed, because the plan has no slot for it."`
	Business            Business         `json:"business"`
	ProjectMetrics      *OptionalMetrics `json:"projectMetrics"`
}

// CampaignItem is a campaign in a list.
type CampaignItem struct {
	ID                 string           `json:"id"`
	UserID             string           `json:"userId"`
	KeywordsNumber     int              `json:"keywordsNumber"`
	PointsNumber       int              `json:"pointsNumber"`
	GridSettings       *Grid            `json:"gridSettings,omitempty"`
	CountryCode        string           `json:"countryCode"`
	Business           Business         `json:"business"`
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
	OwnerEmail  string `json:"ownerEmail"`
	SharesCount int    `json:"sharesCount" doc:"Other accounts that see it."`
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

// Instant is printed as RFC 3339 in UTC, with no more fraction than it has.
type Instant struct{ time.Time }

func (t Instant) String() string { return t.UTC().Format("2006-01-02T15:04:05.999999Z") }

// MarshalText makes it a map key, too.
func (t Instant) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalJSON prints the instant.
func (t Instant) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Instant) UnmarshalJSON(data []byte) (err error) {
	t.Time, err = time.Parse(`"`+time.RFC3339+`"`, string(data))
	return err
}

// Schema documents it as a date-time.
func (t Instant) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

// stamp is the present as records keep it: in milliseconds, so that it is printed short.
func stamp(now time.Time) time.Time { return now.UTC().Truncate(time.Millisecond) }
