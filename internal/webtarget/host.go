package webtarget

import (
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// hosts maps and checks names as browsers do: underscores and unusual hyphens are in real use, so
// the ASCII rules are our own (validLabel) and looser than those of a registry.
var hosts = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false), idna.CheckHyphens(false))

// lookupHost canonicalises the host of a result URL; an IP address keeps its canonical text.
func lookupHost(host string) (string, bool) {
	if ip, ok := parseIP(host); ok {
		return ip.String(), true
	}
	host, ok := asciiHost(host)
	if !ok {
		return "", false
	}
	return stripWWW(host), true
}

// trackable is lookupHost for targets: it refuses what no single site owns, and says why.
func trackable(host string) (string, error) {
	name, ok := lookupHost(host)
	if !ok {
		return "", refuse("%q is not a valid domain name; write a domain such as example.com.", host)
	}
	if _, isIP := parseIP(name); isIP || endsInNumber(name) {
		return "", refuse("%s is an IP address; result pages list domain names, so give the site's domain such as example.com.", name)
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return "", refuse("%s names the local machine and never appears on a result page; give a public domain such as example.com.", name)
	}
	if !strings.Contains(name, ".") {
		return "", refuse("%q is not a full domain name; add its ending, as in %s.com.", name, name)
	}
	if suffix, icann := publicsuffix.PublicSuffix(name); icann && suffix == name {
		return "", refuse("%s is a public suffix shared by many sites; give the domain under it, as in example.%s.", name, name)
	}
	return name, nil
}

// asciiHost maps a name to lower-case punycode and checks each label.
func asciiHost(host string) (string, bool) {
	host = unescape(host)
	if host == "" || len(host) > 4*253 { // 4 bytes a character before mapping
		return "", false
	}
	if !plain(host) {
		mapped, err := hosts.ToASCII(host)
		if err != nil {
			return "", false
		}
		// Broken UTF-8 maps to names that do not map to themselves.
		if host, err = hosts.ToASCII(mapped); err != nil || host != mapped {
			return "", false
		}
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > 253 {
		return "", false
	}
	for label := range strings.SplitSeq(host, ".") {
		if !validLabel(label) {
			return "", false
		}
	}
	return host, true
}

// plain tells the common case that needs no mapping: lower-case ASCII without punycode.
func plain(host string) bool {
	for i := range len(host) {
		if c := host[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return !strings.Contains(host, "xn--")
}

func validLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for i := range len(label) {
		c := label[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// stripWWW drops a leading www. unless it is the site's own name (www.com, www.co.uk).
func stripWWW(host string) string {
	for {
		rest, ok := strings.CutPrefix(host, "www.")
		if !ok {
			return host
		}
		if suffix, icann := publicsuffix.PublicSuffix(rest); suffix == rest && (icann || !strings.Contains(rest, ".")) {
			return host
		}
		host = rest
	}
}

// sharedSuffix tells hosts such as github.io whose subdomains belong to different owners: tracking
// one means that host alone.
func sharedSuffix(host string) bool {
	suffix, _ := publicsuffix.PublicSuffix(host)
	return suffix == host
}

func registrable(host string) string {
	if _, isIP := parseIP(host); isIP || host == "" {
		return host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return host
	}
	return domain
}

func unicodeHost(host string) string {
	if u, err := hosts.ToUnicode(host); err == nil {
		return u
	}
	return host
}

func parseIP(host string) (netip.Addr, bool) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		host, ok = strings.CutSuffix(inner, "]")
		if !ok {
			return netip.Addr{}, false
		}
	}
	if !strings.Contains(host, ":") && !endsInNumber(host) {
		return netip.Addr{}, false // the common case, without the cost of an error
	}
	ip, err := netip.ParseAddr(host)
	return ip.WithZone(""), err == nil
}

// endsInNumber is the rule by which browsers read a name as an IPv4 address (127.1, 0x7f.0.0.1).
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	last, hex := strings.CutPrefix(last, "0x")
	for i := range len(last) {
		c := last[i]
		if (c < '0' || c > '9') && (!hex || c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
