package trace_test

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/trace"
)

func TestSettingsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	const at, traces, prefix = "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_"
	for _, c := range []struct {
		env    map[string]string
		to     string // "" is off
		refuse string // a part of what is said
	}{
		{env: nil},
		{env: map[string]string{at: "http://collector:4318", "OTEL_SDK_DISABLED": "True"}},
		{env: map[string]string{at: "http://collector:4318", "OTEL_TRACES_EXPORTER": "none"}},
		{env: map[string]string{at: "http://collector:4318"}, to: "http://collector:4318/v1/traces"},
		{env: map[string]string{at: "https://collector/base/"}, to: "https://collector/base/v1/traces"},
		{env: map[string]string{at: "nonsense", traces: "http://collector:4318/own"}, to: "http://collector:4318/own"},
		{env: map[string]string{at: "http://collector:4317", prefix + "PROTOCOL": "http/protobuf"}, to: "http://collector:4317/v1/traces"},
		{env: map[string]string{at: "http://collector:4317"}, refuse: "port 4318"},
		{env: map[string]string{at: "collector:4318"}, refuse: at + " must be the http(s) URL"},
		{env: map[string]string{at: "http://collector:99999"}, refuse: at + " names port 99999"},
		{env: map[string]string{traces: "http://collector:0/own"}, refuse: traces + " names port 0"},
		{env: map[string]string{at: "http://:4318"}, refuse: at + " must be"},
		{env: map[string]string{traces: "http://user:secret@"}, refuse: traces + " must be"},
		{env: map[string]string{at: "http://collector", prefix + "PROTOCOL": "grpc"}, refuse: "http/protobuf only"},
		{env: map[string]string{at: "http://collector", prefix + "COMPRESSION": "zip"}, refuse: "gzip or none"},
		{env: map[string]string{at: "http://collector", prefix + "TIMEOUT": "10s"}, refuse: "milliseconds"},
		{env: map[string]string{at: "http://collector", prefix + "HEADERS": "secret"}, refuse: "name=value"},
		{env: map[string]string{at: "http://collector", prefix + "CERTIFICATE": "/nowhere"}, refuse: "PEM"},
		{env: map[string]string{at: "http://collector", "OTEL_TRACES_EXPORTER": "zipkin"}, refuse: "otlp"},
		{env: map[string]string{at: "http://collector", "OTEL_TRACES_SAMPLER": "some"}, refuse: "parentbased_traceidratio"},
		{env: map[string]string{at: "http://collector", "OTEL_TRACES_SAMPLER": "traceidratio", "OTEL_TRACES_SAMPLER_ARG": "10"}, refuse: "from 0 to 1"},
	} {
		s, err := trace.FromEnv(func(name string) string { return c.env[name] })
		to := ""
		if s.Endpoint != nil && err == nil {
			to = s.Endpoint.String()
		}
		switch {
		case c.refuse == "" && (err != nil || to != c.to):
			t.Errorf("%v: %q, %v", c.env, to, err)
		case c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse) || strings.Contains(err.Error(), "secret")):
			t.Errorf("%v is refused with: %v", c.env, err)
		}
	}
	s, err := trace.FromEnv(func(name string) string {
		return map[string]string{at: "http://collector", prefix + "HEADERS": "api-key=a%20b, x=y=z", prefix + "TRACES_TIMEOUT": "250", prefix + "COMPRESSION": "none"}[name]
	})
	if err != nil || s.Header.Get("Api-Key") != "a b" || s.Header.Get("X") != "y=z" || s.Timeout.Milliseconds() != 250 || !s.Plain {
		t.Errorf("%+v: %v", s, err)
	}
}
