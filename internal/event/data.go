package event

// Location is what happened to a location.
type Location struct {
	LocationID   string   `json:"location_id" doc:"The location." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	BusinessName string   `json:"business_name" doc:"Its name." example:"Decatur Deli"`
	Changed      []string `json:"changed,omitempty" doc:"Fields that were changed, or images." example:"[\"phone_number\"]"`
	Reason       string   `json:"reason,omitempty" doc:"Why it was rejected."`
}

// Listing is what happened to a location in one directory.
type Listing struct {
	Location
	ListingID     string `json:"listing_id" doc:"The listing." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Directory     string `json:"directory" doc:"Identifier of the directory." example:"map"`
	DirectoryName string `json:"-"` // for people
	Status        string `json:"status" doc:"CONNECTED, SUBMITTED, UNAVAILABLE or DISCONNECTED." example:"UNAVAILABLE"`
	StatusBefore  string `json:"status_before" doc:"What it was before; also PROCESSING." example:"CONNECTED"`
	Detail        string `json:"detail,omitempty" doc:"What is wrong." example:"The phone number differs."`
	URL           string `json:"url,omitempty" doc:"Where the directory shows it."`
	Closed        bool   `json:"closed,omitempty" doc:"Whether the directory shows it as closed, for good or for some time." example:"false"`
}

// Account is what changed about an account.
type Account struct {
	Changed   []string `json:"changed" doc:"What has changed: plan, brand, time_zone or budget." example:"[\"plan\"]"`
	Plan      string   `json:"plan,omitempty" doc:"The new plan, where that has changed." example:"pro"`
	TimeZone  string   `json:"time_zone,omitempty" doc:"The new time zone, where that has changed." example:"Europe/Berlin"`
	BudgetUSD *float64 `json:"budget_usd,omitempty" doc:"What may be spent on data providers in a month, where that has changed; 0 is no limit." example:"50"`
}

// Credential is a key or token that was made or revoked. The secret itself is nowhere.
type Credential struct {
	CredentialID string `json:"credential_id" doc:"The credential." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Kind         string `json:"kind" doc:"key or token." example:"key"`
	Name         string `json:"name,omitempty" doc:"Its name." example:"reports"`
	Hint         string `json:"hint" doc:"How its secret begins." example:"tpk_Q2fW1a"`
}

// Recipient is an address that the account wants to mail to, which may have said whether it wants that.
type Recipient struct {
	RecipientID string `json:"recipient_id" doc:"The recipient." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Email       string `json:"email" doc:"Its address." example:"client@example.com"`
}

// Campaign is what happened to a campaign.
type Campaign struct {
	CampaignID string `json:"campaign_id" doc:"The campaign." example:"0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"`
	Name       string `json:"name" doc:"Its name." example:"Decatur Deli"`
}

// SharedCampaign is a campaign of another account.
type SharedCampaign struct {
	Campaign
	Access string `json:"access" doc:"VIEWER reads, EDITOR also changes and collects." example:"VIEWER"`
}

// Report is what happened to a report of a campaign.
type Report struct {
	Campaign
	ReportDate      string   `json:"report_date" doc:"The report's instant." example:"2026-11-15T06:00:00.000Z"`
	Keywords        int      `json:"keywords" doc:"Keywords of the report." example:"4"`
	Points          int      `json:"points" doc:"Points of its grid." example:"25"`
	Credits         int64    `json:"credits" doc:"Credits that it costs." example:"100"`
	AveragePosition *float64 `json:"average_position,omitempty" doc:"Average position of the campaign's business." example:"4.2"`
	PositionChange  *float64 `json:"average_position_change,omitempty" doc:"Places won since the report before: positive is better." example:"1.1"`
	ShareOfVoice    *float64 `json:"share_of_voice,omitempty" doc:"Its share of voice, in percent." example:"31"`
	ShareChange     *float64 `json:"share_of_voice_change,omitempty" doc:"Points of share won since the report before." example:"4"`
	TopShare        *float64 `json:"top3_share,omitempty" doc:"Share of the points where it is among the first three, in percent." example:"52"`
	TopChange       *float64 `json:"top3_share_change,omitempty" doc:"Points of that share won since the report before." example:"8"`
	PassedBy        []Passer `json:"passed_by,omitempty" doc:"Businesses whose share of voice was not more than its own in the report before and is now, at most 5; only where an alert rule waits for that."`
	Reason          string   `json:"reason,omitempty" doc:"Why searches failed or the collection was skipped."`
}

// Passer is a business that has passed the campaign's own.
type Passer struct {
	Name         string  `json:"name" doc:"Its name." example:"Corner Bakery"`
	ShareOfVoice float64 `json:"share_of_voice" doc:"Its share of voice, in percent." example:"33"`
	ShareBefore  float64 `json:"share_of_voice_before" doc:"What it was in the report before." example:"24"`
}

// Tracking is what happened to a tracking.
type Tracking struct {
	TrackingID      string `json:"tracking_id" doc:"The tracking." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Domain          string `json:"domain" doc:"What is tracked." example:"decaturdeli.example"`
	Location        string `json:"location" doc:"Where result pages are looked at." example:"Decatur, Georgia, United States"`
	Device          string `json:"device" doc:"What they are looked at on: desktop or mobile." example:"mobile"`
	KeywordsAdded   int    `json:"keywords_added,omitempty" doc:"Keywords that were added." example:"12"`
	KeywordsRemoved int    `json:"keywords_removed,omitempty" doc:"Keywords that were removed." example:"3"`
}

// Checked is what the checks of a day have found for a tracking.
type Checked struct {
	Tracking
	Date             string  `json:"date" format:"date" doc:"The day, in UTC." example:"2026-11-15"`
	Keywords         int     `json:"keywords" doc:"Tracked keywords." example:"120"`
	Visibility       float64 `json:"visibility_index" doc:"0 to 100: the clicks that its ranks bring, as a share of those if every keyword ranked first." example:"23.4"`
	VisibilityChange float64 `json:"visibility_change" doc:"Points won within a week: positive is better." example:"2.1"`
	Winners          []Mover `json:"winners" nullable:"false" doc:"Keywords that climbed most within a week, at most 5."`
	Losers           []Mover `json:"losers" nullable:"false" doc:"Keywords that fell most within a week, at most 5."`
}

// Mover is a keyword that climbed or fell.
type Mover struct {
	Keyword string `json:"keyword" doc:"The keyword." example:"coffee decatur"`
	Rank    *int   `json:"rank" doc:"Rank of the last check; null when it was not found." example:"3"`
	Change  int    `json:"change" doc:"Places won: positive is better." example:"5"`
}

// Quota is what is used of a plan.
type Quota struct {
	Used  int64  `json:"used" doc:"What is used." example:"22500"`
	Limit int64  `json:"limit" doc:"What the plan allows in a month." example:"25000"`
	Month string `json:"month" doc:"The UTC calendar month." example:"2026-11"`
}

// Budget is what is spent of a limit to what asking providers may cost.
type Budget struct {
	SpentUSD float64 `json:"spent_usd" doc:"What is spent or reserved." example:"18.2"`
	LimitUSD float64 `json:"limit_usd" doc:"What may be spent in a month." example:"20"`
	Month    string  `json:"month" doc:"The UTC calendar month." example:"2026-11"`
}

// Provider is what is wrong with a data provider.
type Provider struct {
	Provider string `json:"provider" doc:"Its name." example:"Serper"`
	Reason   string `json:"reason" doc:"What it refuses, or how it fails." example:"Serper refuses the key."`
}

// Alert is what a rule has found.
type Alert struct {
	AlertID   string   `json:"alert_id" doc:"The alert." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	RuleID    string   `json:"rule_id" doc:"The rule." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Rule      string   `json:"rule" doc:"Its name." example:"Lost positions"`
	On        string   `json:"on" doc:"tracking, campaign, location or account." example:"tracking"`
	SubjectID string   `json:"subject_id" doc:"Which of them." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Subject   string   `json:"subject" doc:"Its name." example:"decaturdeli.example · Decatur, Georgia, United States · mobile"`
	Condition string   `json:"condition" doc:"What the rule waits for." example:"position_lost"`
	Text      string   `json:"text" doc:"What has happened, in a sentence." example:"decaturdeli.example · Decatur, Georgia, United States · mobile: “coffee decatur” fell from 3 to 9."`
	Keyword   string   `json:"keyword,omitempty" doc:"The keyword that it happened to." example:"coffee decatur"`
	Rival     string   `json:"rival,omitempty" doc:"Who passed."`
	Before    *float64 `json:"before,omitempty" doc:"The figure before; absent where there is none, as for a keyword that was not found." example:"3"`
	After     *float64 `json:"after,omitempty" doc:"The figure now; absent where there is none." example:"9"`
}

// Schedule is what happened to reports that are mailed.
type Schedule struct {
	ScheduleID string `json:"schedule_id" doc:"The schedule." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Kind       string `json:"kind" doc:"What the reports are about: campaign, tracking or account." example:"campaign"`
	SubjectID  string `json:"subject_id,omitempty" doc:"The campaign or tracking." example:"0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"`
	Paused     bool   `json:"paused" doc:"Whether nothing is mailed for the time being." example:"false"`
}

// Rule is what happened to an alert rule.
type Rule struct {
	RuleID    string `json:"rule_id" doc:"The rule." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	Name      string `json:"name" doc:"Its name." example:"Lost positions"`
	Condition string `json:"condition" doc:"What it waits for." example:"position_lost"`
	Paused    bool   `json:"paused" doc:"Whether it waits for nothing for the time being." example:"false"`
}

// Webhook is what happened to a webhook.
type Webhook struct {
	WebhookID string `json:"webhook_id" doc:"The webhook." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
	URL       string `json:"url" doc:"As much of its URL as other receivers may know." example:"https://example.com/…"`
	Paused    bool   `json:"paused" doc:"Whether it is told of nothing for the time being." example:"false"`
	Reason    string `json:"reason,omitempty" doc:"Why it was paused, where it was not by its owner."`
}

// Tested is the trial of a webhook.
type Tested struct {
	WebhookID string `json:"webhook_id" doc:"The webhook." example:"0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"`
}
