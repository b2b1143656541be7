package server

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// clientAddr is where a request comes from: the peer of the connection or, when that is a proxy which is
// trusted, the last address before the trusted ones that they have noted. What the client itself has
// written into the headers stands further to the left and is never reached.
func clientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	client, _ := parseAddr(r.RemoteAddr)
	hops := forwarded(r.Header)
	for len(hops) > 0 && isTrusted(client, trusted) {
		hop, ok := parseAddr(hops[len(hops)-1])
		if !ok { // "unknown", or a name: nothing is known beyond the proxy that wrote it
			break
		}
		client, hops = hop, hops[:len(hops)-1]
	}
	return client
}

func isTrusted(a netip.Addr, trusted []netip.Prefix) bool {
	return slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// forwarded lists the addresses that proxies have noted, the nearest last: those of X-Forwarded-For or,
// where no proxy writes that, of Forwarded (RFC 7239).
func forwarded(h http.Header) []string {
	if list := h.Values("X-Forwarded-For"); len(list) > 0 {
		return strings.Split(strings.Join(list, ","), ",")
	}
	var hops []string
	for element := range strings.SplitSeq(strings.Join(h.Values("Forwarded"), ","), ",") {
		hop := ""
		for pair := range strings.SplitSeq(element, ";") {
			if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); strings.EqualFold(name, "for") {
				hop = strings.Trim(value, `"`)
			}
		}
		hops = append(hops, hop)
	}
	return hops
}

// parseAddr reads an address with or without a port.
func parseAddr(s string) (netip.Addr, bool) {
	s = strings.TrimSpace(s)
	if withPort, err := netip.ParseAddrPort(s); err == nil {
		return withPort.Addr().Unmap(), true
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return a.Unmap(), err == nil
}
