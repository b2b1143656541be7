package trace

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Settings say where traces go. The zero Settings are off.
type Settings struct {
	Endpoint *url.URL // that takes traces; nil is off
	Header   http.Header
	Timeout  time.Duration // of one attempt
	Plain    bool          // bodies are not compressed
	TLS      *tls.Config   // nil is Go's own
}

// The variables that switch traces on, the more special one first.
const (
	tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	endpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
)

// FromEnv reads the variables that OpenTelemetry's specification names. Those of the sampler, the resource, batches and limits
// are read by its SDK; here they are only looked at where it would pass over a mistake.
func FromEnv(getenv func(string) string) (Settings, error) {
	var s Settings
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return s, nil
	}
	of := func(name string) string { // a variable that traces may have for themselves
		return cmp.Or(getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), getenv("OTEL_EXPORTER_OTLP_"+name))
	}
	at, err := collector(getenv)
	if err == nil && at != nil && at.Port() == "4317" && of("PROTOCOL") == "" {
		err = errors.New("OTEL_EXPORTER_OTLP_ENDPOINT names port 4317, where collectors take gRPC; traces are sent over HTTP, which they take on port 4318. If this one takes HTTP there, set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf")
	}
	if at == nil || err != nil {
		return s, err
	}
	s = Settings{Endpoint: at, Timeout: 10 * time.Second}
	if e := getenv("OTEL_TRACES_EXPORTER"); e != "" && e != "otlp" {
		return s, fmt.Errorf("OTEL_TRACES_EXPORTER is %q; traces are sent by otlp, or with none not at all", e)
	}
	if p := of("PROTOCOL"); p != "" && p != "http/protobuf" {
		return s, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q; traces are sent by http/protobuf only, which collectors take on port 4318", p)
	}
	switch c := of("COMPRESSION"); c {
	case "", "gzip":
	case "none":
		s.Plain = true
	default:
		return s, fmt.Errorf("OTEL_EXPORTER_OTLP_COMPRESSION is %q; it must be gzip or none", c)
	}
	if t := of("TIMEOUT"); t != "" {
		milliseconds, err := strconv.Atoi(t)
		if err != nil || milliseconds < 1 || milliseconds > 600_000 {
			return s, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT is %q; it must be milliseconds, from 1 to 600000", t)
		}
		s.Timeout = time.Duration(milliseconds) * time.Millisecond
	}
	if s.Header, err = headers(of("HEADERS")); err != nil {
		return s, err
	}
	if s.TLS, err = certificates(of("CERTIFICATE"), of("CLIENT_CERTIFICATE"), of("CLIENT_KEY")); err != nil {
		return s, err
	}
	return s, checkSampler(getenv("OTEL_TRACES_SAMPLER"), getenv("OTEL_TRACES_SAMPLER_ARG"))
}

// collector reads the URL that traces are posted to; nil when none is set.
func collector(getenv func(string) string) (*url.URL, error) {
	name, path := tracesEndpoint, ""
	text := getenv(name)
	if text == "" {
		name, path = endpoint, "v1/traces"
		text = getenv(name)
	}
	if text == "" {
		return nil, nil //nolint:nilnil // no collector is no error
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" { // the value is not repeated: it may hold a password
		return nil, fmt.Errorf("%s must be the http(s) URL of a collector that takes OTLP over HTTP, such as http://localhost:4318", name)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return nil, fmt.Errorf("%s names port %s; ports go from 1 to 65535, and collectors take OTLP over HTTP on 4318", name, port)
		}
	}
	return u.JoinPath(path), nil
}

// headers reads name=value pairs with commas between them, the values encoded as in a URL.
func headers(text string) (http.Header, error) {
	all := http.Header{}
	for pair := range strings.SplitSeq(text, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		name, encoded, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(encoded))
		if name = strings.TrimSpace(name); !ok || name == "" || err != nil {
			return nil, errors.New("OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs with commas between them, the values encoded as in a URL")
		}
		all.Set(name, value)
	}
	return all, nil
}

// certificates reads whom to trust and what to show; nil when nothing is set.
func certificates(authority, certificate, key string) (*tls.Config, error) {
	if authority == "" && certificate == "" && key == "" {
		return nil, nil //nolint:nilnil // nothing is set
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if authority != "" {
		pem, err := os.ReadFile(authority)
		if c.RootCAs = x509.NewCertPool(); err != nil || !c.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE must be a file of PEM certificates: %w", cmp.Or(err, errors.New("there is none in it")))
		}
	}
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY must be PEM files that belong together: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// checkSampler finds what the SDK would take for "all".
func checkSampler(name, arg string) error {
	known := []string{"always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"}
	if name == "" {
		return nil
	}
	if name = strings.ToLower(strings.TrimSpace(name)); !slices.Contains(known, name) {
		return fmt.Errorf("OTEL_TRACES_SAMPLER is %q; it must be one of %s", name, strings.Join(known, ", "))
	}
	if ratio, err := strconv.ParseFloat(strings.TrimSpace(arg), 64); strings.HasSuffix(name, "ratio") && arg != "" && (err != nil || ratio < 0 || ratio > 1) {
		return fmt.Errorf("OTEL_TRACES_SAMPLER_ARG is %q; it must be the share of traces that are kept, from 0 to 1", arg)
	}
	return nil
}
