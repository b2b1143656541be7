package webtarget

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxURL bounds scheme, host and path of a result URL, in bytes: more than servers accept.
const maxURL = 8 << 10

// parts of an http(s) address; query and fragment are cut off.
type parts struct {
	host     string
	path     string // raw, as written
	userinfo bool
}

// split takes an address apart by hand: net/url refuses addresses that browsers and result pages
// carry (`/100%`) and reads `site.com:80/x` as a scheme.
func split(raw string) (parts, bool) {
	raw = strings.TrimSpace(raw)
	if i := strings.IndexAny(raw, "?#"); i >= 0 {
		raw = raw[:i]
	}
	if len(raw) > maxURL {
		return parts{}, false
	}
	var rest string
	if scheme, after, ok := strings.Cut(raw, "://"); ok && !strings.ContainsAny(scheme, "/\\") {
		if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
			return parts{}, false
		}
		rest = after
	} else {
		rest = strings.TrimPrefix(raw, "//")
	}
	var p parts
	authority := rest
	if i := strings.IndexAny(rest, "/\\"); i >= 0 { // browsers read \ as /
		authority, p.path = rest[:i], rest[i:]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority, p.userinfo = authority[i+1:], true
	}
	var ok bool
	p.host, ok = cutPort(authority)
	return p, ok
}

// cutPort drops `:8080`. An unbracketed name with several colons is an IPv6 address or nonsense;
// either way it is left for the host check.
func cutPort(authority string) (string, bool) {
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || strings.HasSuffix(authority, "]") || strings.Count(authority, ":") > 1 && authority[0] != '[' {
		return authority, true
	}
	port := authority[i+1:]
	if len(port) > 5 {
		return "", false
	}
	for _, c := range port {
		if c < '0' || c > '9' {
			return "", false
		}
	}
	return authority[:i], true
}

// canonicalPath decodes each segment, resolves dots, drops empty segments and escapes again, so
// that every spelling of a path has one form. A lone % stands for itself.
func canonicalPath(raw string) string {
	if raw == "" || raw == "/" {
		return ""
	}
	var segments []string
	for segment := range strings.FieldsFuncSeq(raw, func(r rune) bool { return r == '/' || r == '\\' }) {
		switch segment = unescape(segment); segment {
		case ".":
		case "..":
			segments = segments[:max(0, len(segments)-1)]
		default:
			segments = append(segments, segment)
		}
	}
	var b strings.Builder
	for _, segment := range segments {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(segment))
	}
	return b.String()
}

func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, ok1 := hexDigit(s[i+1])
			lo, ok2 := hexDigit(s[i+2])
			if ok1 && ok2 {
				b = append(b, hi<<4|lo)
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// unicodePath shows letters as letters and leaves a segment escaped where that would be ambiguous.
func unicodePath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if plain := unescape(segment); printable(plain) && !strings.ContainsAny(plain, "/\\%?#") {
			segments[i] = plain
		}
	}
	return strings.Join(segments, "/")
}

// printable tells text of visible characters only, without any white space. The two joiners are
// invisible but part of Persian and Indic spelling.
func printable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if joiner := r == '\u200c' || r == '\u200d'; !joiner && !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return false
		}
	}
	return true
}
