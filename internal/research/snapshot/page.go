// Package snapshot shows a stored result page as a picture or as HTML, with the results of tracked domains marked. It
// reads and keeps nothing.
package snapshot

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Page is a result page to be shown.
type Page struct {
	Query    string
	Location string // label of the location; "" for anywhere
	Device   string // "Desktop", "Mobile"
	Taken    time.Time
	Items    []Item // from the top of the page
}

// Item is one part of the page.
type Item struct {
	Type        provider.ItemType
	Rank        int // of organic results; 0 otherwise
	URL         string
	Title       string
	Description string
	Domain      string
	Items       []Item
}

// Bounds of what is shown. A stored page is within them or is cut, with a note of what is missing.
const (
	maxItems = 250
	maxRows  = 10 // parts of one item
	maxText  = 600
)

// fullResults is how many organic results are shown in full; the rest take one line each.
const fullResults = 20

// kind is how a part of the page looks.
type kind int

const (
	resultKind  kind = iota // an organic result
	compactKind             // an organic result in one line
	adKind                  // an advertisement
	boxKind                 // anything else, in a labelled box
)

// view is a page made ready to show: texts cleaned and bounded, types turned into looks.
type view struct {
	Query  string
	Meta   string // where, how and when the page was taken
	Blocks []block
	Left   int // items beyond the bound
}

type block struct {
	Kind                   kind
	Label                  string // of a box
	Rank                   int
	URL, Href, Title, Text string
	Marked                 bool
	Numbered               bool // rows carry their rank
	Short                  bool // rows are titles only
	Answer                 bool // the text comes before the title
	Rows                   []row
}

type row struct {
	Number                 int
	URL, Href, Title, Text string
	Marked                 bool
}

// boxes says how an item type that is neither a result nor an ad is labelled.
var boxes = map[provider.ItemType]string{
	provider.FeaturedSnippet:  "Featured snippet",
	provider.LocalPack:        "Map results",
	provider.KnowledgeGraph:   "Knowledge panel",
	provider.SimilarQuestions: "People also ask",
	provider.SimilarQueries:   "Related searches",
	provider.ImagePack:        "Images",
	provider.VideoPack:        "Videos",
	provider.TopStories:       "Top stories",
	provider.ShopResults:      "Shopping",
	provider.AIOverview:       "AI overview",
}

func newView(page Page, marked func(url string) bool) view {
	if marked == nil {
		marked = func(string) bool { return false }
	}
	v := view{Query: clean(page.Query), Meta: metaLine(page)}
	items := page.Items
	if len(items) > maxItems {
		v.Left = len(items) - maxItems
		items = items[:maxItems]
	}
	organic := 0
	for _, item := range items {
		b := newBlock(item, marked)
		if b.Kind == resultKind {
			if organic++; organic > fullResults {
				b.Kind = compactKind
			}
		}
		v.Blocks = append(v.Blocks, b)
	}
	return v
}

func newBlock(item Item, marked func(string) bool) block {
	b := block{
		Rank: item.Rank, URL: shownURL(item), Href: link(item.URL), Title: clean(item.Title), Text: clean(item.Description),
		Marked: item.URL != "" && marked(item.URL),
	}
	if b.Title == "" {
		b.Title = b.URL
	}
	switch item.Type {
	case provider.Organic:
		b.Kind = resultKind
	case provider.AdTop, provider.AdBottom:
		b.Kind = adKind
	default:
		b.Kind = boxKind
		if b.Label = boxes[item.Type]; b.Label == "" {
			b.Label = "Other"
		}
		b.Answer = item.Type == provider.FeaturedSnippet || item.Type == provider.AIOverview
		b.Numbered = item.Type == provider.LocalPack
		b.Short = item.Type == provider.SimilarQuestions || item.Type == provider.SimilarQueries
	}
	for i, part := range item.Items[:min(len(item.Items), maxRows)] {
		r := row{
			Number: i + 1, URL: shownURL(part), Href: link(part.URL), Title: clean(part.Title), Text: clean(part.Description),
			Marked: part.URL != "" && marked(part.URL),
		}
		if r.Title == "" {
			r.Title = r.URL
		}
		b.Rows = append(b.Rows, r)
	}
	return b
}

// shownURL is the address without what every address has.
func shownURL(item Item) string {
	shown := item.URL
	if shown == "" {
		shown = item.Domain
	}
	for _, prefix := range []string{"https://", "http://"} {
		shown = strings.TrimPrefix(shown, prefix)
	}
	return clean(strings.TrimSuffix(shown, "/"))
}

// link is the address to follow, or "" when it is not plainly a web page.
func link(url string) string {
	lower := strings.ToLower(url[:min(len(url), len("https://"))])
	if len(url) > webtarget.MaxLength || !strings.HasPrefix(lower, "http://") && lower != "https://" {
		return ""
	}
	return url
}

func metaLine(page Page) string {
	var parts []string
	for _, part := range []string{clean(page.Location), clean(page.Device)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	if !page.Taken.IsZero() {
		parts = append(parts, page.Taken.UTC().Format("2 January 2006, 15:04 UTC"))
	}
	organic := 0
	for _, item := range page.Items {
		if item.Type == provider.Organic {
			organic++
		}
	}
	parts = append(parts, count(organic, "result"))
	return strings.Join(parts, "  ·  ")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// clean makes one bounded line of printable text.
func clean(s string) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			space = b.Len() > 0
			continue
		case r == utf8.RuneError || isInvisible(r):
			continue
		}
		if n++; n > maxText {
			b.WriteString("…")
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isInvisible tells characters that only steer layout: bidi overrides could disguise a URL. The two
// joiners belong to the spelling of Persian and Indic words and stay.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector) && r != '\u200c' && r != '\u200d'
}
