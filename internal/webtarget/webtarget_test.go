package webtarget

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/errs"
)

func TestParseNormalises(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"bare domain", "site.com", "site.com"},
		{"letter case", "SiTe.COM", "site.com"},
		{"surrounding space", "  site.com\n", "site.com"},
		{"http", "http://site.com", "site.com"},
		{"https in capitals", "HTTPS://site.com/", "site.com"},
		{"no scheme but slashes", "//site.com", "site.com"},
		{"www", "www.site.com", "site.com"},
		{"www twice", "www.www.site.com", "site.com"},
		{"www is the name itself", "www.com", "www.com"},
		{"www is the name under a long suffix", "www.co.uk", "www.co.uk"},
		{"only www. is dropped, not www2.", "www2.site.com", "www2.site.com"},
		{"port", "site.com:8443", "site.com"},
		{"port and scheme", "https://site.com:443/", "site.com"},
		{"root dot", "site.com.", "site.com"},
		{"subdomain", "blog.site.com", "blog.site.com"},
		{"long public suffix", "shop.site.co.uk", "shop.site.co.uk"},
		{"reserved ending", "pizza.example", "pizza.example"},
		{"IDN", "münchen.de", "xn--mnchen-3ya.de"},
		{"IDN in capitals", "MÜNCHEN.de", "xn--mnchen-3ya.de"},
		{"IDN decomposed", "mu\u0308nchen.de", "xn--mnchen-3ya.de"},
		{"IDN percent-encoded", "https://m%C3%BCnchen.de", "xn--mnchen-3ya.de"},
		{"punycode", "XN--mnchen-3ya.de", "xn--mnchen-3ya.de"},
		{"sharp s stays itself", "straße.de", "xn--strae-oqa.de"},
		{"emoji", "i❤.ws", "xn--i-7iq.ws"},
		{"ideographic full stop", "例え。jp", "xn--r8jz45g.jp"},
		{"underscore", "my_shop.site.com", "my_shop.site.com"},
		{"unusual hyphens", "r3---sn-apo3.site.com", "r3---sn-apo3.site.com"},
		{"hosting suffix in private hands", "github.io", "github.io"},
		{"a customer of it", "someone.github.io", "someone.github.io"},
		{"path", "site.com/shop", "site.com/shop"},
		{"path with trailing slashes", "https://www.site.com/shop//", "site.com/shop"},
		{"path keeps its case", "Site.com/Shop", "site.com/Shop"},
		{"empty segments", "site.com//a///b", "site.com/a/b"},
		{"dot segments", "site.com/a/./b/../c", "site.com/a/c"},
		{"dots cannot leave the site", "site.com/../../x", "site.com/x"},
		{"encoded dots", "site.com/a/%2E%2e/b", "site.com/b"},
		{"needless escapes", "site.com/%73hop/%7euser", "site.com/shop/~user"},
		{"letters beyond ASCII", "site.com/café", "site.com/caf%C3%A9"},
		{"the same escaped in lower case", "site.com/caf%c3%a9", "site.com/caf%C3%A9"},
		{"escaped slash is no boundary", "site.com/a%2fb", "site.com/a%2Fb"},
		{"lone percent", "site.com/100%", "site.com/100%25"},
		{"colon and at in a path", "site.com/@me:x", "site.com/@me:x"},
		{"query dropped", "site.com/shop?utm_source=x", "site.com/shop"},
		{"fragment dropped", "site.com/#top", "site.com"},
		{"query straight after the host", "site.com?a=//evil.com/", "site.com"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(tt.in)
			if err != nil || got.String() != tt.want {
				t.Fatalf("Parse(%q) = %q, %v; want %q", tt.in, got, err, tt.want)
			}
			if got.IsPrefix() != (got.Path() != "") || got.Host()+got.Path() != tt.want {
				t.Errorf("parts of %q: host %q path %q prefix %v", tt.in, got.Host(), got.Path(), got.IsPrefix())
			}
		})
	}
}

func TestParseRefusesAndTeaches(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		status   errs.Status
		says     string
	}{
		{"empty", "  ", errs.NotSpecified, "example.com"},
		{"too long", "site.com/" + strings.Repeat("é", MaxLength), errs.TooLong, "2000 characters"},
		{"public suffix", "co.uk", errs.InvalidValue, "example.co.uk"},
		{"public suffix with wrapping", "https://CO.UK:443/path", errs.InvalidValue, "public suffix"},
		{"IDN public suffix", "公司.cn", errs.InvalidValue, "public suffix"},
		{"top level alone", "com", errs.InvalidValue, "full domain name"},
		{"single word", "intranet", errs.InvalidValue, "intranet.com"},
		{"localhost", "http://localhost:8080", errs.InvalidValue, "local machine"},
		{"under localhost", "app.localhost", errs.InvalidValue, "local machine"},
		{"IPv4", "192.0.2.7", errs.InvalidValue, "IP address"},
		{"IPv4 with a port", "http://192.0.2.7:80/x", errs.InvalidValue, "IP address"},
		{"short IPv4", "127.1", errs.InvalidValue, "IP address"},
		{"hex IPv4", "0x7f.0.0.1", errs.InvalidValue, "IP address"},
		{"IPv6", "http://[2001:db8::1]/", errs.InvalidValue, "IP address"},
		{"bare IPv6", "2001:db8::1", errs.InvalidValue, "IP address"},
		{"user name", "https://me:secret@site.com", errs.InvalidValue, "user name"},
		{"disguised host", "https://site.com@evil.com/", errs.InvalidValue, "user name"},
		{"ftp", "ftp://site.com", errs.InvalidValue, "http"},
		{"script", "javascript:alert(1)", errs.InvalidValue, "http"},
		{"inner space", "my site.com", errs.InvalidValue, "spaces"},
		{"NUL", "site\x00.com", errs.InvalidValue, "control characters"},
		{"broken UTF-8", "si\xffte.com", errs.InvalidValue, "UTF-8"},
		{"bidi override", "site\u202e.com", errs.InvalidValue, "control characters"},
		{"empty label", "a..com", errs.InvalidValue, "not a valid"},
		{"leading hyphen", "-a.com", errs.InvalidValue, "not a valid"},
		{"wildcard", "*.site.com", errs.InvalidValue, "not a valid"},
		{"label too long", strings.Repeat("a", 64) + ".com", errs.InvalidValue, "not a valid"},
		{"name too long", strings.Repeat("a.", 130) + "com", errs.InvalidValue, "not a valid"},
		{"broken punycode", "xn--a.com", errs.InvalidValue, "not a valid"},
		{"bad port", "site.com:http", errs.InvalidValue, "http"},
		{"scheme only", "https://", errs.InvalidValue, "not a valid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(tt.in)
			var e *errs.Error
			if !errors.As(err, &e) {
				t.Fatalf("Parse(%q) = %q, %v; want an *errs.Error", tt.in, got, err)
			}
			if e.Code != errs.Invalid || len(e.Details) != 1 || e.Details[0].Status != tt.status {
				t.Errorf("got code %v details %v, want status %s", e.Code, e.Details, tt.status)
			}
			if !strings.Contains(e.Message, tt.says) {
				t.Errorf("message %q does not say %q", e.Message, tt.says)
			}
		})
	}
}

func TestDisplay(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"xn--mnchen-3ya.de":                "münchen.de",
		"https://www.MÜNCHEN.de/caf%C3%A9": "münchen.de/café",
		"site.com/a%20b":                   "site.com/a%20b",
		"site.com/a%2Fb/100%":              "site.com/a%2Fb/100%25",
		"site.com/%FF":                     "site.com/%FF",
	} {
		target, err := Parse(in)
		if err != nil || target.Display() != want {
			t.Errorf("Parse(%q).Display() = %q, %v; want %q", in, target.Display(), err, want)
		}
	}
}

// domainText draws spellings that are often valid, to reach past the first check.
func domainText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		label := rapid.StringMatching(`[a-z0-9ü_-]{1,8}|www|xn--mnchen-3ya|%C3%BC`)
		host := strings.Join(rapid.SliceOfN(label, 1, 4).Draw(t, "labels"), ".")
		scheme := rapid.SampledFrom([]string{"", "http://", "HTTPS://", "//"}).Draw(t, "scheme")
		suffix := rapid.SampledFrom([]string{".com", ".co.uk", ".example", ".github.io", "."}).Draw(t, "suffix")
		path := rapid.StringMatching(`(/[a-zA-Zé%./:@\\2F]{0,6}){0,4}`).Draw(t, "path")
		return scheme + host + suffix + path
	})
}

func TestCanonicalFormIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := domainText().Draw(t, "in")
		target, err := Parse(in)
		if err != nil {
			return
		}
		checkTarget(t, in, target)
	})
}

type failer interface{ Fatalf(string, ...any) }

// checkTarget holds what is true of every accepted target.
func checkTarget(t failer, in string, target Target) {
	for _, form := range []string{target.String(), target.Display(), "https://www." + target.String() + "/?q#f"} {
		if again, err := Parse(form); err != nil || again != target {
			t.Fatalf("Parse(%q) = %q, but its form %q parses as %q, %v", in, target, form, again, err)
		}
	}
	if !target.Match(in) || !target.Match("http://"+target.String()+"/deeper/page?x=1") {
		t.Fatalf("%q (from %q) does not match itself", target, in)
	}
	if target.Match("https://not" + target.String()) {
		t.Fatalf("%q matches a look-alike", target)
	}
	if Host(in) != target.Host() {
		t.Fatalf("Host(%q) = %q, target's is %q", in, Host(in), target.Host())
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"site.com", "https://www.münchen.de:443/caf%c3%a9/../x?q#f", "co.uk", "[::1]:80", "a@b@c.com/", "xn--a.com",
		"www.www.com", "http:\\\\site.com\\x", "例え。jp", "site.com/%", "0x7f.1", "A%80.A", "نامه\u200cای.com",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if target, err := Parse(in); err == nil {
			checkTarget(t, in, target)
			if !utf8.ValidString(target.Display()) {
				t.Fatalf("display of %q is not UTF-8", in)
			}
		} else if errs.CodeOf(err) != errs.Invalid {
			t.Fatalf("Parse(%q): %v is not Invalid", in, err)
		}
	})
}
