package snapshot

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

// style is the page's only style; nothing is loaded and nothing runs.
const style = `
:root{color-scheme:light}
body{margin:0;background:#fff;color:#262d36;font:15px/1.45 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:1.75rem 1.5rem}
h1{margin:0;padding:.7rem 1.5rem;border:1px solid #d9dfe7;border-radius:2rem;font-size:1.15rem;font-weight:400;overflow-wrap:anywhere}
.meta,footer{color:#626d7a;font-size:.85rem}
.meta{margin:.8rem 0 1.2rem;padding-bottom:.8rem;border-bottom:1px solid #d9dfe7}
footer{margin-top:1.5rem;padding-top:.8rem;border-top:1px solid #d9dfe7}
article{position:relative;margin:0 -.9rem 1rem;padding:.35rem .9rem .35rem 3.3rem;border-left:4px solid transparent;border-radius:.4rem}
article h2{margin:.05rem 0;font-size:1.2rem;font-weight:400;overflow-wrap:anywhere}
article p,section p{margin:.1rem 0;overflow-wrap:anywhere}
article.compact{margin-bottom:0}
article.compact h2{display:inline;font-size:1rem;margin-right:.6rem}
article.compact .url{display:inline}
a{color:#1a3fb2;text-decoration:none}
a:hover{text-decoration:underline}
.url{color:#626d7a;font-size:.85rem;overflow-wrap:anywhere}
.rank{position:absolute;left:.3rem;width:2.2rem;text-align:right;color:#626d7a;font-weight:600}
.chip{padding:.05rem .5rem;border-radius:.3rem;color:#fff;font-size:.75rem;font-weight:600}
.ad{position:absolute;left:.8rem;background:#9a5b00}
.own{float:right;margin-left:.6rem;background:#0e7a53}
.marked{background:#e7f6ef;border-left-color:#0e7a53}
.marked .rank{color:#0e7a53}
section{margin:0 0 1.2rem;padding:.9rem 1rem;border:1px solid #d9dfe7;border-radius:.6rem;background:#f6f8fb}
section.own-box{border-left:4px solid #0e7a53}
section h2{margin:0 0 .3rem;color:#626d7a;font-size:.8rem;font-weight:600}
section h3{margin:.1rem 0;font-size:1rem}
ol,ul{margin:.3rem 0 0;padding:0;list-style:none}
li{margin:0 -.5rem;padding:.35rem .5rem;border-radius:.3rem}
ol li{counter-increment:n}
ol li h3::before{content:counter(n) "\2002";color:#626d7a}
ul.short li{border-radius:0;border-top:1px solid #d9dfe7}
ul.short li:first-child{border-top:0}
`

const document = `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>{{.Query}} – result page</title>
<style>` + style + `</style>
</head>
<body>
<main>
<h1 dir="auto">{{.Query}}</h1>
<p class="meta">{{.Meta}}</p>
{{range .Blocks}}{{if .IsBox}}{{template "box" .}}{{else}}{{template "result" .}}{{end}}{{end -}}
<footer>Shown from the stored result page.{{if .Left}} {{.Left}} more items not shown.{{end}}</footer>
</main>
</body>
</html>
{{define "link"}}{{if .Href}}<a href="{{.Href}}" rel="noopener noreferrer nofollow">{{.Title}}</a>{{else}}{{.Title}}{{end}}{{end}}
{{define "result"}}<article{{with .Class}} class="{{.}}"{{end}}>
{{if .IsAd}}<span class="chip ad">Ad</span>{{else if .Rank}}<span class="rank">{{.Rank}}</span>{{end}}
{{- if .Marked}}<span class="chip own">Tracked</span>{{end}}
{{- if not .IsCompact}}<div class="url">{{.URL}}</div>{{end}}
<h2 dir="auto">{{template "link" .}}</h2>
{{if .IsCompact}}<div class="url">{{.URL}}</div>{{else if .Text}}<p dir="auto">{{.Text}}</p>{{end}}
</article>
{{end}}
{{define "box"}}<section{{with .Class}} class="{{.}}"{{end}}>
{{if .Marked}}<span class="chip own">Tracked</span>{{end}}<h2>{{.Label}}</h2>
{{if .Answer}}{{if .Text}}<p dir="auto">{{.Text}}</p>{{end}}{{end}}
{{if .Title}}<h3 dir="auto">{{template "link" .}}</h3>{{end}}
{{if .Href}}<div class="url">{{.URL}}</div>{{end}}
{{if not .Answer}}{{if .Text}}<p dir="auto">{{.Text}}</p>{{end}}{{end}}
{{if .Rows}}{{if .Numbered}}<ol>{{else if .Short}}<ul class="short">{{else}}<ul>{{end}}
{{$short := .Short}}{{range .Rows}}<li{{if .Marked}} class="marked"{{end}} dir="auto">{{if .Marked}}<span class="chip own">Tracked</span>{{end}}
{{- if $short}}{{.Title}}{{else}}<h3>{{template "link" .}}</h3>{{if .Text}}<p>{{.Text}}</p>{{end}}{{if .Href}}<div class="url">{{.URL}}</div>{{end}}{{end}}</li>
{{end}}{{if .Numbered}}</ol>{{else}}</ul>{{end}}{{end}}
</section>
{{end}}`

// WriteHTML writes the page as HTML in any script, with the same content and marks as Draw. It needs
// no script and loads nothing: serve it with Policy.
func WriteHTML(w io.Writer, page Page, marked func(url string) bool) error {
	t, err := template.New("snapshot").Parse(document)
	if err != nil {
		return fmt.Errorf("reading the snapshot template: %w", err)
	}
	if err := t.Execute(w, newView(page, marked)); err != nil {
		return fmt.Errorf("writing the snapshot: %w", err)
	}
	return nil
}

// Policy is the Content-Security-Policy under which WriteHTML's page works: its own style
// and nothing else.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// The template chooses a block's look by these.

func (b block) IsBox() bool     { return b.Kind == boxKind }
func (b block) IsAd() bool      { return b.Kind == adKind }
func (b block) IsCompact() bool { return b.Kind == compactKind }

func (b block) Class() string {
	switch {
	case b.IsBox() && b.Marked:
		return "own-box"
	case b.IsCompact() && b.Marked:
		return "compact marked"
	case b.IsCompact():
		return "compact"
	case b.Marked && !b.IsBox():
		return "marked"
	}
	return ""
}
