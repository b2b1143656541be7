package event

// Kind names what has happened.
type Kind string

// The kinds.
const (
	LocationCreated   Kind = "location.created"
	LocationChanged   Kind = "location.changed"
	LocationPublished Kind = "location.published"
	LocationRejected  Kind = "location.rejected"
	LocationFrozen    Kind = "location.frozen"
	LocationThawed    Kind = "location.thawed"
	LocationDeleted   Kind = "location.deleted"
	ListingChanged    Kind = "listing.changed"

	CampaignCreated  Kind = "campaign.created"
	CampaignChanged  Kind = "campaign.changed"
	CampaignShared   Kind = "campaign.shared"
	CampaignUnshared Kind = "campaign.unshared"
	CampaignDeleted  Kind = "campaign.deleted"
	ReportStarted    Kind = "report.started"
	ReportCollected  Kind = "report.collected"
	ReportFailed     Kind = "report.failed"

	TrackingCreated Kind = "tracking.created"
	TrackingChanged Kind = "tracking.changed"
	TrackingChecked Kind = "tracking.checked"
	TrackingDeleted Kind = "tracking.deleted"

	AccountChanged    Kind = "account.changed"
	CredentialCreated Kind = "credential.created" //nolint:gosec // a name, no secret
	CredentialRevoked Kind = "credential.revoked" //nolint:gosec // a name, no secret

	RecipientCreated   Kind = "recipient.created"
	RecipientConfirmed Kind = "recipient.confirmed"
	RecipientEnded     Kind = "recipient.ended"
	RecipientDeleted   Kind = "recipient.deleted"

	ScheduleCreated Kind = "schedule.created"
	ScheduleChanged Kind = "schedule.changed"
	ScheduleDeleted Kind = "schedule.deleted"

	RuleCreated Kind = "rule.created"
	RuleChanged Kind = "rule.changed"
	RuleDeleted Kind = "rule.deleted"

	WebhookCreated Kind = "webhook.created"
	WebhookChanged Kind = "webhook.changed"
	WebhookDeleted Kind = "webhook.deleted"

	CreditsLow      Kind = "credits.low"
	LookupsLow      Kind = "lookups.low"
	BudgetLow       Kind = "budget.low"
	ProviderFailing Kind = "provider.failing"

	AlertRaised   Kind = "alert.raised"
	WebhookTested Kind = "webhook.tested"
)

// Documented is a kind as its readers need to know it.
type Documented struct {
	Kind Kind
	When string // a sentence
	Data any    // a sample of what comes with it
}

// Kinds lists every kind. The documents follow from it.
func Kinds() []Documented {
	location := Location{LocationID: sampleID, BusinessName: "Decatur Deli"}
	changed, rejected := location, location
	changed.Changed, rejected.Reason = []string{"phone_number", "hours"}, "Webhook: it answered 422 unknown city."
	campaign := Campaign{CampaignID: sampleDashed, Name: "Decatur Deli"}
	report := Report{Campaign: campaign, ReportDate: "2026-11-15T06:00:00.000Z", Keywords: 4, Points: 25, Credits: 100}
	collected, failed := report, report
	position, share, climbed, won, top, gained := 4.2, 31.0, 1.1, 4.0, 52.0, 8.0
	collected.AveragePosition, collected.ShareOfVoice, collected.PositionChange, collected.ShareChange = &position, &share, &climbed, &won
	collected.TopShare, collected.TopChange = &top, &gained
	failed.Credits, failed.Reason = 0, "100 of 100 searches failed and were not charged."
	tracking := Tracking{TrackingID: sampleID, Domain: "decaturdeli.example", Location: "Decatur, Georgia, United States", Device: "mobile"}
	added := tracking
	added.KeywordsAdded = 12
	schedule := Schedule{ScheduleID: sampleID, Kind: "campaign", SubjectID: sampleDashed}
	rule := Rule{RuleID: sampleID, Name: "Lost positions", Condition: "position_lost"}
	webhook := Webhook{WebhookID: sampleID, URL: "https://example.com/…"}
	paused, gone := schedule, webhook
	paused.Paused, gone.Paused, gone.Reason = true, true, "The receiver answered 410 Gone."
	return []Documented{
		{LocationCreated, "A location was made.", location},
		{LocationChanged, "Fields or images of a location were changed.", changed},
		{LocationPublished, "A new or changed location was published: its listings are settled, or directories are being told.", location},
		{LocationRejected, "A directory refused a location, which has FAILED.", rejected},
		{LocationFrozen, "The plan has no room for a location any more: it can be read and deleted, not changed.", location},
		{LocationThawed, "The plan has room again for a location that was frozen.", location},
		{LocationDeleted, "A location was deleted.", location},
		{ListingChanged, "A listing turned out to be, or no longer to be, as its owner wants it. A listing that is still being worked on is not told of.", Listing{
			Location: location, ListingID: sampleID, Directory: "map", Status: "UNAVAILABLE", StatusBefore: "CONNECTED", Detail: "The phone number differs.",
		}},
		{CampaignCreated, "A campaign was made.", campaign},
		{CampaignChanged, "A campaign was changed, or its owner has shared it or taken it back.", campaign},
		{CampaignShared, "Another account has shared a campaign with this one, or changed what this one may do with it.", SharedCampaign{campaign, "VIEWER"}},
		{CampaignUnshared, "A campaign of another account that was shared with this one is no more: it was taken back or deleted.", campaign},
		{CampaignDeleted, "A campaign was deleted, by its owner or because the plan has no slot for it.", campaign},
		{ReportStarted, "A collection has started.", report},
		{ReportCollected, "A collection has ended with results.", collected},
		{ReportFailed, "A collection has ended without any result, or was skipped for lack of credits.", failed},
		{TrackingCreated, "A tracking was made.", added},
		{TrackingChanged, "A tracking, its tags or its annotations were changed, or keywords were added to it or removed from it.", added},
		{TrackingChecked, "The keywords of a tracking have been checked for the day, once a day.", Checked{
			Tracking: tracking, Date: "2026-11-15", Keywords: 120, Visibility: 23.4, VisibilityChange: 2.1,
			Winners: []Mover{{"coffee decatur", &[]int{3}[0], 5}}, Losers: []Mover{{"deli near me", nil, -12}},
		}},
		{TrackingDeleted, "A tracking was deleted.", tracking},
		{AccountChanged, "The plan, brand, time zone or monthly budget for data providers of the account was changed.", Account{Changed: []string{"plan"}, Plan: "pro"}},
		{CredentialCreated, "A key or access token was made.", Credential{sampleID, "key", "reports", "tpk_Q2fW1a"}},
		{CredentialRevoked, "A key or access token was revoked.", Credential{sampleID, "key", "reports", "tpk_Q2fW1a"}},
		{RecipientCreated, "The account has named an address that it wants to mail reports and alerts to. It gets nothing before it has said yes.", Recipient{sampleID, "client@example.com"}},
		{RecipientConfirmed, "An address that the account wants to mail reports and alerts to has said yes.", Recipient{sampleID, "client@example.com"}},
		{RecipientEnded, "Such an address has said no, and gets no more.", Recipient{sampleID, "client@example.com"}},
		{RecipientDeleted, "The account has taken such an address off its list.", Recipient{sampleID, "client@example.com"}},
		{ScheduleCreated, "Reports are to be mailed on a schedule.", schedule},
		{ScheduleChanged, "Such a schedule was changed or paused, by the account or because what it is about is gone.", paused},
		{ScheduleDeleted, "Such a schedule was deleted.", schedule},
		{RuleCreated, "An alert rule was made.", rule},
		{RuleChanged, "An alert rule was changed, or paused.", rule},
		{RuleDeleted, "An alert rule was deleted, by the account or with what it was about.", rule},
		{WebhookCreated, "A webhook was made. It is not told of this itself.", webhook},
		{WebhookChanged, "A webhook was changed or paused, by the account or by itself, as when its receiver answered 410 Gone.", gone},
		{WebhookDeleted, "A webhook was deleted.", webhook},
		{CreditsLow, "Less than a tenth of the month's credits is left.", Quota{22500, 25000, "2026-11"}},
		{LookupsLow, "Less than a tenth of the month's live look-ups is left.", Quota{45000, 50000, "2026-11"}},
		{BudgetLow, "Less than a tenth of the month's budget for data providers is left.", Budget{18.2, 20, "2026-11"}},
		{ProviderFailing, "A data provider refuses or keeps failing, so that work of the account waits or another provider takes over; at most once a day for each.", Provider{
			"Serper", "Serper refuses the key. Check TRIGPOINT_SERPER_API_KEY.",
		}},
		{AlertRaised, "A rule of the account has raised an alert, and is to tell webhooks; at the rule's pace.", Alert{
			AlertID: sampleID, RuleID: sampleID, Rule: "Lost positions", On: "tracking", SubjectID: sampleID, Subject: sampleName, Condition: "position_lost",
			Text: sampleName + ": “coffee decatur” fell from 3 to 9.", Keyword: "coffee decatur", Before: &[]float64{3}[0], After: &[]float64{9}[0],
		}},
		{WebhookTested, "Somebody wanted to see whether this webhook works. It is told also when the webhook has not asked for this kind.", Tested{sampleID}},
	}
}

const (
	sampleID     = "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"
	sampleDashed = "0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"
	sampleName   = "decaturdeli.example · Decatur, Georgia, United States · mobile"
)

// Find returns what is documented of a kind, and whether there is one of that name.
func Find(name string) (Documented, bool) {
	for _, d := range Kinds() {
		if string(d.Kind) == name {
			return d, true
		}
	}
	return Documented{}, false
}
