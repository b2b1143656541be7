package provider_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "a-secret-of-the-vendor"

var acme = provider.Descriptor{
	Name: "acme", Title: "Acme", Pace: provider.Pace{Concurrent: 4},
	Secret: "token",
}

// client asks a fake vendor that greets.
func client(t *testing.T, change func(*provider.ClientOptions)) (*provider.Client, *providertest.Fake) {
	t.Helper()
	fake := providertest.NewFake(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Token") != secret || r.Header.Get("User-Agent") != "trigpoint" || r.URL.Path != "/v1/greet" {
			providertest.Status(http.StatusUnauthorized, "who are you?")(w, r)
			return
		}
		providertest.Body(`{"greeting":"hello"}`)(w, r)
	}))
	opts := provider.ClientOptions{Descriptor: acme, BaseURL: fake.URL + "/v1/", Credentials: http.Header{"x-token": {secret}}}
	if change != nil {
		change(&opts)
	}
	c, err := provider.NewClient(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, fake
}

type greeting struct{ Greeting string }

func (g greeting) Verify() error {
	if g.Greeting == "" {
		return errors.New("it does not greet")
	}
	return nil
}

func TestClientAsksAndDecodes(t *testing.T) {
	t.Parallel()
	c, _ := client(t, nil)
	var out greeting
	if err := c.Post(t.Context(), "greet", map[string]string{"name": "x"}, &out); err != nil || out.Greeting != "hello" {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestStatusesBecomeKinds(t *testing.T) {
	t.Parallel()
	c, fake := client(t, nil)
	for status, want := range map[int]provider.Kind{
		301: provider.BadQuery, 304: provider.BadQuery, 400: provider.BadQuery, 405: provider.BadQuery, 413: provider.BadQuery, 422: provider.BadQuery,
		401: provider.Unauthorized, 403: provider.Unauthorized, 402: provider.QuotaSpent, 404: provider.NotFound, 410: provider.NotFound,
		408: provider.Transient, 425: provider.Transient, 429: provider.RateLimited,
		500: provider.Transient, 502: provider.Transient, 503: provider.Transient, 504: provider.Transient, 529: provider.Transient,
	} {
		fake.Always(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		err := c.Post(t.Context(), "greet", nil, new(greeting))
		if kind := provider.KindOf(err); kind != want {
			t.Errorf("%d is %q, want %q: %v", status, kind, want, err)
		}
	}
}

func TestRetryAfterIsHonouredInBothForms(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	c, fake := client(t, func(o *provider.ClientOptions) { o.Clock = clock.NewFake(now) })
	for header, want := range map[string]time.Duration{
		"":                              0,
		"7":                             7 * time.Second,
		" 90 ":                          90 * time.Second,
		"-1":                            0,
		"soon":                          0,
		"Mon, 02 Mar 2026 10:00:30 GMT": 30 * time.Second,
		"Mon, 02 Mar 2026 09:00:00 GMT": 0,
		"Tue, 02 Mar 2027 10:00:00 GMT": 10 * time.Minute, // bounded
		"99999999":                      10 * time.Minute,
		"99999999999999999999":          10 * time.Minute,
	} {
		for _, fault := range []providertest.Fault{providertest.TooManyRequests(header), providertest.Unavailable(header)} {
			fake.Always(fault)
			var e *provider.Error
			if err := c.Post(t.Context(), "greet", nil, new(greeting)); !errors.As(err, &e) || e.RetryAfter != want {
				t.Errorf("%q: %v with RetryAfter %v, want %v", header, err, e.RetryAfter, want)
			}
		}
	}
}

func TestVendorsWordsAreClippedAndRedacted(t *testing.T) {
	t.Parallel()
	c, fake := client(t, func(o *provider.ClientOptions) {
		o.Explain = func(_ int, body []byte) provider.Refusal { return provider.Refusal{Words: string(body)} }
	})
	fake.Always(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		w.Write([]byte("no\r\n\x1b[31m such \xff token " + secret + strings.Repeat(" and more", 100_000)))
	})
	var e *provider.Error
	if err := c.Post(t.Context(), "greet", nil, new(greeting)); !errors.As(err, &e) {
		t.Fatal(err)
	}
	if !strings.HasPrefix(e.Message, "Acme did not accept the request: no [31m such ? token [hidden] and more") || len(e.Error()) > 1000 {
		t.Errorf("message %q", e.Message)
	}
	if strings.Contains(e.Error(), secret) || strings.ContainsAny(e.Error(), "\x1b\r\n") {
		t.Errorf("error %q", e.Error())
	}
}

func TestBodyIsBounded(t *testing.T) {
	t.Parallel()
	c, fake := client(t, func(o *provider.ClientOptions) { o.MaxBody = 100 })
	exact := `{"greeting":"` + strings.Repeat("x", 100-len(`{"greeting":""}`)) + `"}`
	fake.Always(providertest.Body(exact))
	var out greeting
	if err := c.Post(t.Context(), "greet", nil, &out); err != nil || len(out.Greeting) != 85 {
		t.Errorf("a body of just the limit: %v", err)
	}
	for name, fault := range map[string]providertest.Fault{"announced": providertest.Body(exact + " "), "not announced": providertest.Huge(1 << 20)} {
		fake.Always(fault)
		out := greeting{Greeting: "untouched"}
		err := c.Post(t.Context(), "greet", nil, &out)
		if provider.KindOf(err) != provider.Transient || err.Error() != "Acme sent an answer of more than 100 bytes." || out.Greeting != "untouched" {
			t.Errorf("%s: %v, %+v", name, err, out)
		}
	}
}

func TestTimeLimitsAreToldApart(t *testing.T) {
	t.Parallel()
	c, fake := client(t, func(o *provider.ClientOptions) { o.Timeout = 5 * time.Millisecond })
	for name, fault := range map[string]providertest.Fault{
		"stalled body":       providertest.Stalled(),
		"stalled error body": func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500); providertest.Stalled()(w, r) },
		"no headers":         func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		fake.Always(fault)
		if err := c.Post(t.Context(), "greet", nil, new(greeting)); provider.KindOf(err) != provider.Transient {
			t.Errorf("%s, our limit: %v", name, err)
		}
	}
	patient, fake := client(t, nil)
	fake.Always(providertest.Stalled())
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	if err := patient.Post(ctx, "greet", nil, new(greeting)); !errors.Is(err, context.DeadlineExceeded) || provider.KindOf(err) != provider.Unknown {
		t.Errorf("the caller's limit: %v", err)
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	c, err := provider.NewClient(provider.ClientOptions{Descriptor: acme, BaseURL: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	err = c.Post(t.Context(), "greet", nil, new(greeting))
	if provider.KindOf(err) != provider.Transient || strings.Contains(err.Error(), "http://") {
		t.Errorf("%v", err)
	}
}

func TestRefusalsTellWhatToChangeAndWhenToComeBack(t *testing.T) {
	t.Parallel()
	c, fake := client(t, func(o *provider.ClientOptions) {
		o.Explain = func(int, []byte) provider.Refusal {
			return provider.Refusal{Kind: provider.RateLimited, Advice: "Buy a larger plan.", RetryAfter: time.Hour}
		}
		o.RetryAfter = func(h http.Header) string { return h.Get("X-Come-Back") }
	})
	for header, want := range map[string]time.Duration{"": 10 * time.Minute, "X-Come-Back": 5 * time.Second, "Retry-After": 5 * time.Second} {
		fake.Always(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(header, "5")
			w.WriteHeader(http.StatusTooManyRequests)
		})
		var e *provider.Error
		err := c.Post(t.Context(), "greet", nil, new(greeting))
		if !errors.As(err, &e) || e.RetryAfter != want || e.Message != "Acme asks for fewer requests. Buy a larger plan." {
			t.Errorf("with the header %q: %v after %v, want %v", header, err, e.RetryAfter, want)
		}
	}
}

// Go sends a GET again, unasked, when a connection that was kept open breaks; a vendor would bill both.
func TestClientAsksOnceOnABrokenConnection(t *testing.T) {
	t.Parallel()
	c, fake := client(t, nil)
	var out greeting
	if err := c.Get(t.Context(), "greet", nil, &out); err != nil {
		t.Fatal(err)
	}
	fake.Next(func(_ http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 || len(r.TransferEncoding) != 0 {
			t.Errorf("a GET with a body of %d bytes, sent as %q", r.ContentLength, r.TransferEncoding)
		}
		panic(http.ErrAbortHandler)
	})
	if err := c.Get(t.Context(), "greet", nil, &out); provider.KindOf(err) != provider.Transient || fake.Requests() != 2 {
		t.Errorf("%v after %d requests", err, fake.Requests())
	}
}
