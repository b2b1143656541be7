// Package webtarget owns what a tracked domain is: how a person's spelling of it becomes one
// canonical form, and which result URLs belong to it. It does not fetch, store or rank anything.
//
// A target is a host (`site.com`, which includes its subdomains) or a URL prefix
// (`site.com/shop`, on that host only). Scheme, port, a leading `www.`, letter case of the host,
// query and fragment never tell two targets apart.
package webtarget

import (
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// MaxLength bounds the text of a target, in characters.
const MaxLength = 2000

// Target is a checked target; the zero value matches nothing. Targets compare with ==.
type Target struct {
	host string // ASCII, lower case, without www.
	path string // canonical, "" or "/a/b" without a trailing slash
}

// Parse normalises what a person wrote. Its errors are *errs.Error of code Invalid with one Detail
// whose Field is left to the caller; their text says what to write instead.
func Parse(s string) (Target, error) {
	if utf8.RuneCountInString(s) > MaxLength {
		return Target{}, errs.With(errs.Invalid, errs.TooLong,
			"The domain is longer than %d characters.", MaxLength)
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return Target{}, errs.With(errs.Invalid, errs.NotSpecified,
			"Give a domain such as example.com, or a URL prefix such as example.com/shop.")
	}
	if !printable(s) {
		return Target{}, refuse("The domain contains spaces, control characters or broken UTF-8.")
	}
	p, ok := split(s)
	if !ok {
		return Target{}, refuse("This is not an http or https address; write just the domain, such as example.com.")
	}
	if p.userinfo {
		return Target{}, refuse("Leave the user name before the @ out; write just the domain, such as example.com.")
	}
	host, err := trackable(p.host)
	if err != nil {
		return Target{}, err
	}
	return Target{host: host, path: canonicalPath(p.path)}, nil
}

// Host is the target's host in ASCII (punycode), without `www.`.
func (t Target) Host() string { return t.host }

// Path is the canonical path prefix such as `/shop`, or "" for a host target.
func (t Target) Path() string { return t.path }

// IsPrefix tells a URL-prefix target from a host target.
func (t Target) IsPrefix() bool { return t.path != "" }

// String is the canonical ASCII form, the one to store and compare; Parse reads it back.
func (t Target) String() string { return t.host + t.path }

// Display is the form for people: `münchen.de` in place of `xn--mnchen-3ya.de`. Parse reads it back.
func (t Target) Display() string { return unicodeHost(t.host) + unicodePath(t.path) }

// Match tells whether a result's URL belongs to the target. The URL may lack its scheme; one that
// is not http(s), or has no valid host, belongs to none.
func (t Target) Match(rawURL string) bool {
	p, ok := split(rawURL)
	if !ok || t.host == "" {
		return false
	}
	host, ok := lookupHost(p.host)
	if !ok {
		return false
	}
	if t.path != "" {
		return host == t.host && underPath(canonicalPath(p.path), t.path)
	}
	return host == t.host || isSubdomain(host, t.host) && !sharedSuffix(t.host)
}

// Host is the host of a URL as a target names it: ASCII, lower case, without port and `www.`;
// "" when there is none. IP addresses and single-label names are hosts too.
func Host(rawURL string) string {
	p, ok := split(rawURL)
	if !ok {
		return ""
	}
	host, _ := lookupHost(p.host)
	return host
}

// Domain is the registrable domain of a URL (`shop.site.co.uk` gives `site.co.uk`). A host without
// one, such as an IP address or a bare public suffix, is returned whole; "" means no host.
func Domain(rawURL string) string { return registrable(Host(rawURL)) }

func refuse(format string, args ...any) error {
	return errs.With(errs.Invalid, errs.InvalidValue, format, args...)
}

func isSubdomain(host, of string) bool {
	return len(host) > len(of) && host[len(host)-len(of)-1] == '.' && strings.HasSuffix(host, of)
}

// underPath compares canonical paths on segment boundaries: /shop holds /shop/a but not /shopping.
func underPath(path, prefix string) bool {
	rest, ok := strings.CutPrefix(path, prefix)
	return ok && (rest == "" || rest[0] == '/')
}
