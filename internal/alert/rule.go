package alert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/signedpost"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Rule is what an account wants to be told of, how and when, as the API shows it.
type Rule struct {
	ID        string              `json:"id"`
	Name      string              `json:"name"`
	On        alertrule.Subject   `json:"on" enum:"tracking,campaign,location,account"`
	SubjectID string              `json:"subject_id"`
	Subject   string              `json:"subject"`
	Condition alertrule.Condition `json:"condition"`
	Threshold float64             `json:"threshold"`
	Rival     string              `json:"rival"`
	Emails    []string            `json:"emails" nullable:"false"`
	Waiting   []string            `json:"waiting" nullable:"false"`
	Slack     string              `json:"slack"`
	Webhooks  bool                `json:"webhooks"`
	Pace      Pace                `json:"pace" enum:"at_once,daily,weekly"`
	Hour      int                 `json:"hour"`
	Weekday   int                 `json:"weekday"`
	Text      string              `json:"text"`
	CreatedAt time.Time           `json:"created_at"`
	PausedAt  *time.Time          `json:"paused_at,omitempty"`
	RaisedAt  *time.Time          `json:"raised_at,omitempty"`
}

// RuleInput makes or changes a rule; what is absent stays as it is.
type RuleInput struct {
	Name      httpapi.Field[string]   `json:"name" required:"false"`
	Condition httpapi.Field[string]   `json:"condition" required:"false"`
	SubjectID httpapi.Field[string]   `json:"subject_id" required:"false"`
	Threshold httpapi.Field[float64]  `json:"threshold" required:"false"`
	Rival     httpapi.Field[string]   `json:"rival" required:"false"`
	Emails    httpapi.Field[[]string] `json:"emails" required:"false"`
	SlackURL  httpapi.Field[string]   `json:"slack_url" required:"false"`
	Webhooks  httpapi.Field[bool]     `json:"webhooks" required:"false"`
	Pace      httpapi.Field[string]   `json:"pace" required:"false"`
	Hour      httpapi.Field[int]      `json:"hour" required:"false"`
	Weekday   httpapi.Field[int]      `json:"weekday" required:"false"`
	Paused    httpapi.Field[bool]     `json:"paused" required:"false"`
}

const (
	maxRules  = 100
	maxEmails = 10
	maxName   = 80
	maxURL    = 2000
)

// newRule is one before a request has said anything: at once; a digest comes at eight, on Mondays.
func newRule(id string, now time.Time) Rule {
	return Rule{ID: id, Emails: []string{}, Pace: AtOnce, Hour: 8, Weekday: int(time.Monday), CreatedAt: now}
}

// apply changes a rule as the request says, and collects what is wrong with it then. A Slack URL is returned, as only its store
// keeps it.
func (in *RuleInput) apply(problems *errs.Problems, r *Rule, now time.Time) (slackURL *string) {
	if in.Name.Given(problems, "name") {
		r.Name = strings.Join(strings.Fields(in.Name.Value), " ")
	}
	if in.Condition.Given(problems, "condition") {
		r.Condition = alertrule.Condition(in.Condition.Value)
	}
	if in.SubjectID.Set && !in.SubjectID.Mistyped(problems, "subject_id") {
		r.SubjectID = in.SubjectID.Value
	}
	if in.Threshold.Given(problems, "threshold") {
		r.Threshold = in.Threshold.Value
	}
	if in.Rival.Set && !in.Rival.Mistyped(problems, "rival") {
		r.Rival = in.Rival.Value
	}
	if in.Emails.Set && !in.Emails.Mistyped(problems, "emails") {
		r.Emails = append([]string{}, in.Emails.Value...)
	}
	if in.Webhooks.Given(problems, "webhooks") {
		r.Webhooks = in.Webhooks.Value
	}
	if in.Pace.Given(problems, "pace") {
		r.Pace = Pace(in.Pace.Value)
	}
	if in.Hour.Given(problems, "hour") {
		r.Hour = in.Hour.Value
	}
	if in.Weekday.Given(problems, "weekday") {
		r.Weekday = in.Weekday.Value
	}
	if in.Paused.Given(problems, "paused") {
		switch {
		case !in.Paused.Value:
			r.PausedAt = nil
		case r.PausedAt == nil:
			r.PausedAt = &now
		}
	}
	if in.SlackURL.Set && !in.SlackURL.Mistyped(problems, "slack_url") {
		text := strings.TrimSpace(in.SlackURL.Value)
		switch {
		case len(text) > maxURL:
			problems.Add("slack_url", errs.TooLong, "slack_url has %d characters; at most %d are allowed.", len(text), maxURL)
		case text != "" && signedpost.CheckURL(text) != nil:
			problems.Add("slack_url", errs.InvalidValue, "slack_url must be an http(s) URL, such as https://hooks.slack.com/services/….")
		default:
			slackURL = &text
			r.Slack = signedpost.Hint(text)
		}
	}
	r.check(problems)
	in.checkTaken(problems, r.Condition)
	return slackURL
}

// checkTaken refuses what is said of a rule whose condition has no use for it.
func (in *RuleInput) checkTaken(problems *errs.Problems, condition alertrule.Condition) {
	d, known := alertrule.Find(condition)
	if known && !d.HasThreshold() && in.Threshold.Value != 0 {
		problems.Add("threshold", errs.InvalidValue, "threshold: %s takes none; leave it out.", condition)
	}
	if known && !d.Rival && in.Rival.Value != "" {
		problems.Add("rival", errs.InvalidValue, "rival: %s looks at no rival; leave it out.", condition)
	}
}

// check collects what is wrong with a rule beside what is known, and puts what it says in one form.
func (r *Rule) check(known *errs.Problems) {
	var problems errs.Problems
	r.checkAll(&problems)
	for _, p := range problems {
		if !slices.ContainsFunc(*known, func(k errs.Detail) bool { return k.Field == p.Field }) {
			*known = append(*known, p)
		}
	}
}

func (r *Rule) checkAll(problems *errs.Problems) {
	if n := utf8.RuneCountInString(r.Name); n > maxName {
		problems.Add("name", errs.TooLong, "name has %d characters; at most %d are allowed.", n, maxName)
	}
	if strings.ContainsFunc(r.Name, unicode.IsControl) {
		problems.Add("name", errs.InvalidCharacters, "name contains characters that are not text.")
	}
	r.checkCondition(problems)
	r.Emails = account.ParseEmails(problems, "emails", r.Emails, maxEmails)
	if !slices.Contains([]Pace{AtOnce, Daily, Weekly}, r.Pace) {
		problems.Add("pace", errs.InvalidValue, "pace must be at_once, daily or weekly, not %.20q.", string(r.Pace))
	}
	if r.Hour < 0 || r.Hour > 23 {
		problems.Add("hour", errs.InvalidValue, "hour must be from 0 to 23, not %d.", r.Hour)
	}
	if r.Weekday < 0 || r.Weekday > 6 {
		problems.Add("weekday", errs.InvalidValue, "weekday must be from 0 (Sunday) to 6 (Saturday), not %d.", r.Weekday)
	}
}

func (r *Rule) checkCondition(problems *errs.Problems) {
	d, known := alertrule.Find(r.Condition)
	switch {
	case r.Condition == "":
		problems.Add("condition", errs.NotSpecified, "condition is not specified; say what to wait for, such as position_lost.")
		return
	case !known:
		problems.Add("condition", errs.InvalidValue, "condition: there is no %.64q; there are %s.", string(r.Condition), strings.Join(conditionNames(), ", "))
		return
	}
	r.On = d.On
	switch {
	case !d.HasThreshold():
		r.Threshold = 0
	case r.Threshold == 0:
		problems.Add("threshold", errs.NotSpecified, "threshold is not specified, or 0; %s needs one from %g to %g.", r.Condition, d.Least, d.Most)
	case !d.Allows(r.Threshold) && d.Only != nil:
		problems.Add("threshold", errs.InvalidValue, "threshold of %s must be 3, 10 or 20, not %g.", r.Condition, r.Threshold)
	case !d.Allows(r.Threshold):
		problems.Add("threshold", errs.InvalidValue, "threshold of %s must be from %g to %g, not %g.", r.Condition, d.Least, d.Most, r.Threshold)
	}
	switch {
	case !d.Rival:
		r.Rival = ""
	case r.Rival == "":
		problems.Add("rival", errs.NotSpecified, "rival is not specified; say whose domain to look out for.")
	default:
		rival, err := webtarget.Parse(r.Rival)
		if err != nil || rival.IsPrefix() {
			problems.Add("rival", errs.InvalidValue, "rival must be a domain, such as rival.example.")
			return
		}
		r.Rival = rival.Display()
	}
	if r.On == alertrule.Account {
		r.SubjectID = ""
	}
}

func conditionNames() (names []string) {
	for _, d := range alertrule.Conditions() {
		names = append(names, string(d.Condition))
	}
	return names
}

// describe says in words what the rule does, and gives it a name when it has none.
func (r *Rule) describe() {
	d, _ := alertrule.Find(r.Condition)
	when := d.Words
	switch {
	case d.HasThreshold():
		when = fmt.Sprintf(d.Words, strconv.FormatFloat(r.Threshold, 'f', -1, 64))
		if r.Threshold == 1 {
			when = strings.NewReplacer("1 places", "1 place", "1 points", "1 point").Replace(when)
		}
	case d.Rival:
		when = fmt.Sprintf(d.Words, r.Rival)
	}
	switch {
	case r.Name != "":
	case d.Rival: // a domain is written as it is
		r.Name = when
	default:
		r.Name = strings.ToUpper(when[:1]) + when[1:]
	}
	r.Text = "When " + when
	switch {
	case r.On == alertrule.Account:
	case r.SubjectID == "":
		r.Text += " in any " + string(r.On)
	default:
		r.Text += " in " + r.Subject
	}
	r.Text += ", " + r.channels() + r.rhythm() + "."
}

func (r *Rule) channels() string {
	var told []string
	if len(r.Emails) > 0 {
		told = append(told, "mail "+strings.Join(r.Emails, ", "))
	}
	if r.Slack != "" {
		told = append(told, "write to Slack")
	}
	if r.Webhooks {
		told = append(told, "tell the webhooks")
	}
	if len(told) == 0 {
		return "show it in the list"
	}
	return strings.Join(told, " and ")
}

func (r *Rule) rhythm() string {
	switch r.Pace {
	case Daily:
		return fmt.Sprintf(" every day at %d:00", r.Hour)
	case Weekly:
		return fmt.Sprintf(" every %s at %d:00", time.Weekday(r.Weekday), r.Hour)
	}
	return " at once"
}
