package alert

import (
	"fmt"
	"strings"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// conditionWords documents the conditions from their table.
func conditionWords() string {
	var b strings.Builder
	b.WriteString("What to wait for, with n for the threshold. ")
	var on alertrule.Subject
	for _, d := range alertrule.Conditions() {
		if d.On != on {
			on = d.On
			b.WriteString("For " + string(on) + "s: ")
		}
		words := d.Words
		if strings.Contains(words, "%s") {
			words = fmt.Sprintf(words, map[bool]string{true: "the rival", false: "n"}[d.Rival])
		}
		b.WriteString(string(d.Condition) + " (" + words + "); ")
	}
	return strings.TrimSuffix(b.String(), "; ") + "."
}

// Words say what the names of alerts and their rules mean.
var Words = httpapi.Words{
	"Rule.name":                     {Doc: "Its name, which heads its messages.", Example: "Lost positions"},
	"RuleInput.name":                {Doc: "Its name, which heads its messages, at most 80 characters; made from the condition when it is left out.", Example: "Lost positions"},
	"on":                            {Doc: "What the rule watches."},
	"subject_id":                    {Doc: "One tracking, campaign or location; empty is all of them.", Example: ""},
	"subject":                       {Doc: "Its name; that of a tracking with where and on what it looks.", Example: "decaturdeli.example · Decatur, Georgia, United States · mobile"},
	"condition":                     {Doc: conditionWords(), Example: "position_lost"},
	"threshold":                     {Doc: "How much: places, points of a share, or the top 3, 10 or 20. 0 where the condition has none.", Example: 5},
	"rival":                         {Doc: "Whose domain to look out for, with rival_passed.", Example: ""},
	"emails":                        {Doc: "Who is mailed, at most 10: the address of the account, and recipients of it, once they have confirmed.", Example: []any{"you@example.com"}},
	"Rule.waiting":                  {Doc: "Those of them who get nothing, since they have not confirmed or have said no.", Example: []any{}},
	"Rule.slack":                    {Doc: "As much of the Slack-compatible URL as may be shown; empty without one.", Example: "https://hooks.slack.com/…"},
	"slack_url":                     {Doc: "Where {\"text\": …} is posted, as Slack, Mattermost, Rocket.Chat or Discord (…/slack) take it; empty is none. It must lead to a public address, and is not shown again.", Example: "https://hooks.slack.com/services/T0/B0/x"},
	"webhooks":                      {Doc: "Whether the account's webhooks are told, by the event alert.raised.", Example: false},
	"pace":                          {Doc: "at_once: when it happens, at most one message in 10 minutes; daily and weekly: as a digest, none when nothing has happened."},
	"hour":                          {Doc: "Of a digest, 0 to 23, in the account's time zone.", Example: 8},
	"weekday":                       {Doc: "Of a weekly digest: 0 is Sunday.", Example: 1},
	"Rule.text":                     {Doc: "The rule in words.", Example: "When a keyword falls by 5 places or more in decaturdeli.example, mail you@example.com at once."},
	"Rule.created_at":               {Doc: "When it was made.", Example: "2026-11-15T12:00:00Z"},
	"Rule.paused_at":                {Doc: "Since when it raises nothing; absent while it does."},
	"raised_at":                     {Doc: "When it last raised an alert; absent when it never has.", Example: "2026-11-15T12:00:00Z"},
	"RuleInput.paused":              {Doc: "Whether it raises nothing for the time being.", Example: false},
	"rule_id":                       {Doc: "The rule.", Example: "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"},
	"Alert.rule":                    {Doc: "Name of the rule; empty when it was deleted.", Example: "Lost positions"},
	"Alert.text":                    {Doc: "What has happened, in a sentence.", Example: "decaturdeli.example · Decatur, Georgia, United States · mobile: “coffee decatur” fell from 3 to 9."},
	"Alert.keyword":                 {Doc: "The keyword that it happened to.", Example: "coffee decatur"},
	"before":                        {Doc: "The figure before; absent where there is none, as for a keyword that was not found.", Example: 3},
	"after":                         {Doc: "The figure now; absent where there is none.", Example: 9},
	"Alert.status":                  {Doc: "waiting: for its digest; pending: being sent; sent: told, or only listed; failed: a receiver did not take it."},
	"Alert.detail":                  {Doc: "Why it was not taken, or what the last attempt met.", Example: ""},
	"Tested.channel":                {Doc: "How the message went."},
	"Tested.address":                {Doc: "Where to.", Example: "you@example.com"},
	"Tested.status":                 {Doc: "Whether it was taken."},
	"Tested.detail":                 {Doc: "Why it was not.", Example: ""},
	"list-alerts.rule_id":           {Doc: "Only alerts of this rule.", Example: "0198f1b23c4d7e5f8a6b7c8d9e0f1a2b"},
	"CreateAlertRuleRequest.name":   {Doc: "Its name, which heads its messages, at most 80 characters; made from the condition when it is left out.", Example: "Lost positions"},
	"CreateAlertRuleRequest.paused": {Doc: "Whether it raises nothing for the time being.", Example: false},
}
