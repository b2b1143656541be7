package webindex

import (
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readHTML takes title, description, language and visible text out of a page without building its
// tree. noindex tells that its author does not want it found.
func readHTML(r io.Reader) (page Page, noindex bool, err error) {
	e := extractor{tokens: html.NewTokenizer(r)}
	e.tokens.SetMaxBuf(maxHTML)
	for {
		switch kind := e.tokens.Next(); kind {
		case html.ErrorToken:
			// Crawlers store only the first part of a long answer: what there is of it is the page.
			if err := e.tokens.Err(); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return Page{}, false, err
			}
			e.page.Body = strings.TrimPrefix(e.body.String(), "\ufeff")
			return e.page, e.noindex, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			e.open(kind)
		case html.EndTagToken:
			e.close()
		case html.TextToken:
			e.text()
		}
	}
}

type extractor struct {
	tokens  *html.Tokenizer
	page    Page
	body    strings.Builder
	hidden  atom.Atom // the element whose text is not shown; 0 outside
	depth   int       // how many of it are open
	inTitle bool
	noindex bool
}

func (e *extractor) open(kind html.TokenType) {
	name, attributes := e.tokens.TagName()
	tag := atom.Lookup(name)
	switch {
	case tag == atom.Html && attributes:
		e.page.Language = e.attributes()["lang"]
	case tag == atom.Meta && attributes:
		e.meta(e.attributes())
	case kind == html.SelfClosingTagToken:
	case e.hidden == 0 && isHidden(tag):
		e.hidden, e.depth = tag, 1
	case e.hidden != 0 && tag == e.hidden:
		e.depth++
	case tag == atom.Title && e.hidden == 0 && e.page.Title == "":
		e.inTitle = true
	}
	e.gap(tag)
}

func (e *extractor) close() {
	name, _ := e.tokens.TagName()
	tag := atom.Lookup(name)
	if e.hidden != 0 && tag == e.hidden {
		if e.depth--; e.depth == 0 {
			e.hidden = 0
		}
	}
	if tag == atom.Title {
		e.inTitle = false
	}
	e.gap(tag)
}

func (e *extractor) text() {
	text := e.tokens.Text()
	switch {
	case e.inTitle:
		e.page.Title = cut(e.page.Title+string(text), maxTitle)
	case e.hidden == 0 && e.body.Len() < maxBody:
		e.body.WriteString(cut(string(text), maxBody-e.body.Len()))
	}
}

// gap keeps the words of neighbouring elements apart; inside a line, as in <b>p</b>izza, they join.
func (e *extractor) gap(tag atom.Atom) {
	switch tag {
	case atom.A, atom.B, atom.I, atom.Em, atom.Strong, atom.Span, atom.Sup, atom.Sub, atom.Small, atom.Mark, atom.Abbr, atom.Code, atom.U:
	default:
		if e.hidden == 0 && e.body.Len() > 0 && e.body.Len() < maxBody {
			e.body.WriteByte(' ')
		}
	}
}

func (e *extractor) meta(attributes map[string]string) {
	name := strings.ToLower(attributes["name"])
	if name == "" {
		name = strings.ToLower(attributes["property"])
	}
	content := cut(attributes["content"], maxDescription)
	switch {
	case name == "description", name == "og:description" && e.page.Description == "":
		e.page.Description = content
	case name == "robots" && strings.Contains(strings.ToLower(content), "noindex"):
		e.noindex = true
	}
}

// attributes of the current tag; a page has no use for more.
func (e *extractor) attributes() map[string]string {
	all := map[string]string{}
	for more := true; more && len(all) < 32; {
		var name, value []byte
		name, value, more = e.tokens.TagAttr()
		all[string(name)] = string(value)
	}
	return all
}

func isHidden(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe, atom.Object, atom.Select, atom.Textarea:
		return true
	}
	return false
}
