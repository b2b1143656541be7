package server

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddrBehindProxies(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, c := range map[string]struct {
		peer   string
		header http.Header
		want   string
	}{
		"no proxy":                 {"203.0.113.9:4711", nil, "203.0.113.9"},
		"a stranger says he is":    {"203.0.113.9:4711", http.Header{"X-Forwarded-For": {"198.51.100.1"}}, "203.0.113.9"},
		"one proxy":                {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"198.51.100.1"}}, "198.51.100.1"},
		"what the client wrote":    {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"192.0.2.77, 198.51.100.1"}}, "198.51.100.1"},
		"two proxies":              {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"192.0.2.77, 198.51.100.1, 10.0.0.2"}}, "198.51.100.1"},
		"two lines":                {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"192.0.2.77", "198.51.100.1"}}, "198.51.100.1"},
		"only proxies":             {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"10.0.0.3"}}, "10.0.0.3"},
		"a name":                   {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"unknown"}}, "10.0.0.1"},
		"Forwarded":                {"10.0.0.1:80", http.Header{"Forwarded": {`for=192.0.2.77, for="[2001:db8::1]:4711";proto=https`}}, "2001:db8::1"},
		"IPv6 proxy, mapped IPv4":  {"[fd00::1]:80", http.Header{"X-Forwarded-For": {"::ffff:198.51.100.1"}}, "198.51.100.1"},
		"X-Forwarded-For is first": {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"198.51.100.1"}, "Forwarded": {"for=192.0.2.77"}}, "198.51.100.1"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: c.header}
		if got := clientAddr(r, trusted).String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestAProxyThatIsNotTrustedIsToldOfOnce(t *testing.T) {
	t.Parallel()
	warnings := func(trusted ...netip.Prefix) int {
		var log bytes.Buffer
		s := &Server{options: Options{Log: slog.New(slog.NewTextHandler(&log, nil)), TrustedProxies: trusted}}
		for _, header := range []http.Header{{}, {"X-Forwarded-For": {"198.51.100.1"}}, {"X-Forwarded-For": {"198.51.100.2"}}, {"Forwarded": {"for=192.0.2.77"}}} {
			s.noteProxy(&http.Request{RemoteAddr: "10.0.0.1:80", Header: header})
		}
		return strings.Count(log.String(), "TRIGPOINT_TRUSTED_PROXIES")
	}
	if told, trusting := warnings(), warnings(netip.MustParsePrefix("10.0.0.0/8")); told != 1 || trusting != 0 {
		t.Errorf("told %d times, and %d times where proxies are trusted", told, trusting)
	}
}
