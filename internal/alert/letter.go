package alert

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/trigpoint/trigpoint/internal/mail"
)

// maxTold is how many alerts a message spells out.
const maxTold = 100

// digest is what a message tells.
type digest struct {
	Rule  string
	Texts []string // at most maxTold
	More  int
	URL   string // of the dashboard

	// Of a mail to somebody else than the account:
	Stop   string // where it is ended
	Sender string // who has it sent, and gets the answers
}

func newDigest(rule string, texts []string, all int, url string) digest {
	return digest{Rule: rule, Texts: texts, More: all - len(texts), URL: url}
}

func (d *digest) subject() string {
	if len(d.Texts) == 1 {
		return d.Texts[0]
	}
	return fmt.Sprintf("%s: %d alerts", d.Rule, len(d.Texts)+d.More)
}

func (d *digest) plain() string {
	var b strings.Builder
	for _, text := range d.Texts {
		b.WriteString("- " + text + "\n")
	}
	if d.More > 0 {
		fmt.Fprintf(&b, "- and %d more\n", d.More)
	}
	return b.String()
}

func (d *digest) footer() string {
	if d.Stop != "" {
		return fmt.Sprintf("The rule “%s” of %s has found this. To get no more of these mails: %s\n", d.Rule, d.Sender, d.Stop)
	}
	return fmt.Sprintf("The rule “%s” has found this. All alerts, and the rules: %s/settings/alerts\n", d.Rule, d.URL)
}

var page = template.Must(template.New("digest").Parse(`<!doctype html>
<html lang="en"><body style="font: 15px/1.5 system-ui, sans-serif; color: #1c1917; max-width: 640px">
<h1 style="font-size: 18px">{{.Rule}}</h1>
<ul style="padding-left: 20px">{{range .Texts}}
<li>{{.}}</li>{{end}}{{if .More}}
<li>and {{.More}} more</li>{{end}}
</ul>
<p style="color: #57534e">{{with .Sender}}Sent for {{.}}. {{end}}{{with .Stop}}<a href="{{.}}">Get no more of these mails</a>{{else}}<a href="{{.URL}}/settings/alerts">All alerts, and the rules</a>{{end}}</p>
</body></html>
`))

// letter is the digest as a mail. The message's id is the mail's, so that a receiver knows it again.
func (d *digest) letter(m *message) (mail.Message, error) {
	var html strings.Builder
	err := page.Execute(&html, d)
	return mail.Message{To: m.address, Subject: d.subject(), Text: d.plain() + "\n" + d.footer(), HTML: html.String(), ID: "alert-" + m.id, ReplyTo: d.Sender, UnsubscribeURL: d.Stop}, err
}

// slackText is the digest as Slack and those who speak like it show it.
func (d *digest) slackText() string {
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	return "*" + escape.Replace(d.Rule) + "*\n" + escape.Replace(d.plain())
}
