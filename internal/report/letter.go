package report

import (
	"crypto/sha256"
	"fmt"
	"html/template"
	"strings"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/mail"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

// letter is what the mail that brings a report says of it.
type letter struct {
	*document.Report
	URL  string // of the dashboard
	Stop string // where somebody else than the account ends these mails; "" for the account
}

// Leads are what the report comes to: the summary's sentence, or one for each part of an account.
func (l letter) Leads() (all []string) {
	for _, s := range l.Sections {
		if s.Lead != "" {
			all = append(all, s.Lead)
		}
	}
	return all
}

// Figures are those of the summary.
func (l letter) Figures() []document.Figure {
	if len(l.Sections) == 0 {
		return nil
	}
	return l.Sections[0].Figures
}

func (l letter) plain() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, %s\n\n%s\n\n", l.Title, l.Kind, l.Period(), strings.Join(l.Leads(), "\n"))
	for _, f := range l.Figures() {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%s: %s  %s", f.Name, f.Value, f.Change), " ") + "\n")
	}
	fmt.Fprintf(&b, "\nThe whole report is attached.\n\n%s\n", l.By())
	if l.Stop != "" {
		fmt.Fprintf(&b, "To get no more of these mails: %s\n", l.Stop)
	} else {
		fmt.Fprintf(&b, "When reports are mailed: %s/settings/reports\n", l.URL)
	}
	return b.String()
}

var letterPage = template.Must(template.New("letter").Parse(`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 system-ui, sans-serif; color: #1c1917; max-width: 640px">
<h1 style="font-size: 20px; margin-bottom: 0{{with .Brand.Accent}}; color: {{.}}{{end}}">{{.Title}}</h1>
<p style="color: #57534e; margin-top: 4px">{{.Kind}}, {{.Period}}</p>{{range .Leads}}
<p>{{.}}</p>{{end}}{{with .Figures}}
<table style="border-collapse: collapse">{{range .}}
<tr><td style="padding: 4px 24px 4px 0">{{.Name}}</td><td style="padding: 4px 16px 4px 0; text-align: right"><strong>{{.Value}}</strong></td><td style="padding: 4px 0; color: {{if gt .Change.Way 0}}#15803d{{else if lt .Change.Way 0}}#b91c1c{{else}}#57534e{{end}}">{{.Change}}</td></tr>{{end}}
</table>{{end}}
<p>The whole report is attached.</p>
<p style="color: #57534e">{{.By}} · {{with .Stop}}<a href="{{.}}">Get no more of these mails</a>{{else}}<a href="{{.URL}}/settings/reports">When reports are mailed</a>{{end}}</p>
</body></html>
`))

// letter is the mail that brings somebody a report. It bears the same id however often it is sent, so that a receiver knows it again.
func (s *Service) letter(r *record, to string, receiver account.Receiver, report *document.Report, file []byte) (mail.Message, error) {
	l := letter{Report: report, URL: s.PublicURL}
	if receiver.StopToken != "" {
		l.Stop = account.MailLink(s.PublicURL, account.StopPath, receiver.StopToken)
	}
	answers := ""
	if to != r.email {
		answers = r.email
	}
	var html strings.Builder
	err := letterPage.Execute(&html, l)
	whose := sha256.Sum256([]byte(to))
	return mail.Message{
		To: to, Subject: fmt.Sprintf("Report: %s, %s", report.Title, report.Period()), ID: fmt.Sprintf("report-%s-%d-%x", r.ID, r.nextAt.Unix(), whose[:6]),
		Text: l.plain(), HTML: html.String(), ReplyTo: answers, UnsubscribeURL: l.Stop,
		Attachments: []mail.Attachment{{Name: report.FileName() + ".pdf", ContentType: pdfMedia, Data: file}},
	}, err
}
