package report

import "github.com/trigpoint/trigpoint/internal/httpapi"

// Words say what the names of reports mean.
var Words = httpapi.Words{
	"Schedule.kind":                         {Doc: "What the report is about."},
	"ScheduleInput.kind":                    {Doc: "What the report is about: campaign, tracking or account. Required.", Example: "campaign"},
	"CreateReportScheduleRequest.kind":      {Doc: "What the report is about: campaign, tracking or account. Required.", Example: "campaign"},
	"subject_id":                            {Doc: "The campaign or tracking; empty for the account.", Example: "0198f1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b"},
	"Schedule.frequency":                    {Doc: "How often it is mailed."},
	"ScheduleInput.frequency":               {Doc: "WEEKLY or MONTHLY. Required.", Example: "WEEKLY"},
	"CreateReportScheduleRequest.frequency": {Doc: "WEEKLY or MONTHLY. Required.", Example: "WEEKLY"},
	"day":                                   {Doc: "1 to 7 from Monday where it is weekly, else the day of the month; one that a month lacks is its last.", Example: 1},
	"hour":                                  {Doc: "Hour of the day, 0 to 23, in the account's time zone.", Example: 8},
	"next_at":                               {Doc: "When the next one is due.", Example: "2026-11-23T13:00:00Z"},
	"sent_at":                               {Doc: "When the last one was mailed; null before the first.", Example: "2026-11-16T13:00:00Z"},
	"problem":                               {Doc: "Why the last one was not mailed; empty when it was.", Example: ""},
}
