package webindex

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Page is one document of the web.
type Page struct {
	URL         string // absolute, http or https
	Title       string
	Description string // of its author; made from the body where there is none
	Body        string // visible text
	Country     string // two letters, any case; "" is for all
	Language    string // as in "en" or "pt-BR"; "" is for all
}

// Bounds of a page, in bytes; longer texts are cut.
const (
	maxURL         = 2000
	maxTitle       = 512
	maxDescription = 1024
	maxBody        = 256 << 10
	shownText      = 320 // of the description that a result carries
)

// check tells why a page cannot be indexed, or "".
func (p Page) check() string {
	switch lower := strings.ToLower(p.URL[:min(len(p.URL), len("https://"))]); {
	case p.URL == "":
		return "there is no URL"
	case len(p.URL) > maxURL:
		return "the URL is too long"
	case !strings.HasPrefix(lower, "http://") && lower != "https://", webtarget.Host(p.URL) == "":
		return "the URL is not an address on the web"
	case strings.TrimSpace(p.Title+p.Description+p.Body) == "":
		return "the page has no text"
	}
	return ""
}

// key is the same for all spellings of a page's address: scheme, www., fragment and a final slash do
// not tell pages apart.
func key(url string) string {
	rest := url
	if _, after, ok := strings.Cut(url, "://"); ok {
		rest = after
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		rest = rest[:i]
	}
	path := ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		path = strings.TrimSuffix(rest[i:], "/")
	}
	return webtarget.Host(url) + path
}

// tidy makes one line of valid text of at most limit bytes, cut between words.
func tidy(s string, limit int) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.IsSpace(r) {
			space = b.Len() > 0
			continue
		}
		if b.Len()+utf8.UTFMax >= limit {
			return strings.TrimRight(cutWord(b.String()), " ") + "…"
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cutWord drops the unfinished last word, unless that is most of the text.
func cutWord(s string) string {
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		return s[:i]
	}
	return s
}

// cut bounds bytes without leaving half a character.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
