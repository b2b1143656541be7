package webtarget

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, target, url string
		want              bool
	}{
		{"same host", "site.com", "https://site.com/", true},
		{"http against https", "https://site.com", "http://site.com/page", true},
		{"www in the result", "site.com", "https://www.site.com/page", true},
		{"www in the target", "www.site.com", "https://site.com/page", true},
		{"subdomain", "site.com", "https://blog.site.com/post", true},
		{"deep subdomain", "site.com", "https://a.b.c.site.com", true},
		{"parent of a subdomain target", "blog.site.com", "https://site.com/blog", false},
		{"sister of a subdomain target", "blog.site.com", "https://shop.site.com/", false},
		{"child of a subdomain target", "blog.site.com", "https://en.blog.site.com/", true},
		{"look-alike prefix", "site.com", "https://notsite.com/", false},
		{"look-alike with a hyphen", "site.com", "https://my-site.com/", false},
		{"look-alike suffix", "site.com", "https://site.com.evil.net/", false},
		{"another ending", "site.com", "https://site.co/", false},
		{"another ending under uk", "site.co.uk", "https://other.co.uk/", false},
		{"disguised by user name", "site.com", "https://site.com@evil.net/", false},
		{"user name before the real host", "site.com", "https://evil.net@site.com/", true},
		{"domain only in the query", "site.com", "https://evil.net/?u=https://site.com/", false},
		{"domain only in the path", "site.com", "https://evil.net/site.com", false},
		{"port in the result", "site.com", "https://site.com:8443/x", true},
		{"port in the target", "site.com:8080", "https://site.com/x", true},
		{"case", "site.com", "HTTPS://SITE.COM/X", true},
		{"root dot", "site.com", "https://site.com./x", true},
		{"no scheme", "site.com", "site.com/x", true},
		{"no scheme but slashes", "site.com", "//site.com/x", true},
		{"backslash ends the host", "site.com", `https://evil.net\.site.com/`, false},
		{"other scheme", "site.com", "ftp://site.com/", false},
		{"punycode target, unicode result", "xn--mnchen-3ya.de", "https://münchen.de/x", true},
		{"unicode target, punycode result", "münchen.de", "https://www.xn--mnchen-3ya.de/x", true},
		{"look-alike letters", "apple.com", "https://аpple.com/", false},
		{"IP result", "site.com", "http://192.0.2.7/", false},
		{"empty result", "site.com", "", false},
		{"rubbish result", "site.com", "::::", false},
		{"hosting suffix itself", "github.io", "https://github.io/about", true},
		{"a customer is not the hosting company", "github.io", "https://someone.github.io/", false},

		{"path itself", "site.com/shop", "https://site.com/shop", true},
		{"path with a trailing slash", "site.com/shop", "https://site.com/shop/", true},
		{"target with a trailing slash", "site.com/shop/", "https://site.com/shop", true},
		{"page under the path", "site.com/shop", "https://www.site.com/shop/shoes?size=9", true},
		{"query straight after the path", "site.com/shop", "https://site.com/shop?x", true},
		{"path is no segment boundary", "site.com/shop", "https://site.com/shopping", false},
		{"path elsewhere", "site.com/shop", "https://site.com/old/shop", false},
		{"root against a prefix", "site.com/shop", "https://site.com/", false},
		{"path on a subdomain", "site.com/shop", "https://uk.site.com/shop", false},
		{"path case", "site.com/shop", "https://site.com/Shop", false},
		{"path escapes", "site.com/café", "https://site.com/caf%c3%a9/menu", true},
		{"needless escapes", "site.com/~me", "https://site.com/%7Eme", true},
		{"escaped slash", "site.com/a/b", "https://site.com/a%2Fb", false},
		{"dot segments", "site.com/shop", "https://site.com/x/../shop/a", true},
		{"dots leave the path", "site.com/shop", "https://site.com/shop/../blog", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			target, err := Parse(tt.target)
			if err != nil {
				t.Fatal(err)
			}
			if got := target.Match(tt.url); got != tt.want {
				t.Errorf("%s matches %s: %v, want %v", target, tt.url, got, tt.want)
			}
		})
	}
	if (Target{}).Match("https://site.com") {
		t.Error("the zero target matches")
	}
}

func TestHostAndDomain(t *testing.T) {
	t.Parallel()
	tests := []struct{ url, host, domain string }{
		{"https://www.Shop.Site.co.uk:443/x", "shop.site.co.uk", "site.co.uk"},
		{"https://www.site.com", "site.com", "site.com"},
		{"site.com/path", "site.com", "site.com"},
		{"https://someone.github.io/repo", "someone.github.io", "someone.github.io"},
		{"https://github.io/", "github.io", "github.io"},
		{"https://pizza.decatur.example/menu", "pizza.decatur.example", "decatur.example"},
		{"https://blog.münchen.de", "blog.xn--mnchen-3ya.de", "xn--mnchen-3ya.de"},
		{"http://192.0.2.7:80/", "192.0.2.7", "192.0.2.7"},
		{"http://[2001:DB8::1]:8080/x", "2001:db8::1", "2001:db8::1"},
		{"http://localhost:3000", "localhost", "localhost"},
		{"https://co.uk/", "co.uk", "co.uk"},
		{"https://user@site.com/", "site.com", "site.com"},
		{"ftp://site.com", "", ""},
		{"https://bad host.com/", "", ""},
		{"https://site.com/" + strings.Repeat("a", maxURL), "", ""},
		{"https://site.com/?" + strings.Repeat("a", maxURL), "site.com", "site.com"},
		{"", "", ""},
	}
	for _, tt := range tests {
		if got := Host(tt.url); got != tt.host {
			t.Errorf("Host(%.60q) = %q, want %q", tt.url, got, tt.host)
		}
		if got := Domain(tt.url); got != tt.domain {
			t.Errorf("Domain(%.60q) = %q, want %q", tt.url, got, tt.domain)
		}
	}
}

func TestPrefixTargetsAreNarrowerThanTheirHost(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prefix, err := Parse(domainText().Draw(t, "target"))
		if err != nil {
			return
		}
		whole := Target{host: prefix.host}
		for _, url := range []string{domainText().Draw(t, "url"), prefix.String() + rapid.String().Draw(t, "rest")} {
			if prefix.Match(url) && !whole.Match(url) {
				t.Fatalf("%s matches %q and %s does not", prefix, url, whole)
			}
		}
	})
}

func FuzzMatch(f *testing.F) {
	f.Add("site.com/shop", "https://www.site.com/shop/a")
	f.Add("münchen.de", "//xn--mnchen-3ya.de")
	f.Add("site.com", `http://evil.net\@site.com`)
	f.Fuzz(func(t *testing.T, target, url string) {
		parsed, err := Parse(target)
		if err != nil {
			return
		}
		// Whatever matches has a host that is the target's or ends in it.
		if host := Host(url); parsed.Match(url) && host != parsed.host && !strings.HasSuffix(host, "."+parsed.host) {
			t.Fatalf("%s matches %q with host %q", parsed, url, host)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	target, err := Parse("site.com")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		target.Match("https://www.other-site.co.uk/some/page?with=query")
	}
}
