package providertest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// failsAs checks an error of a provider: its kind, that a person can read it, and that it hides the key.
func (s Subject) failsAs(t *testing.T, err error, want provider.Kind) {
	t.Helper()
	var e *provider.Error
	if !errors.As(err, &e) {
		t.Errorf("want an error of kind %q, got %v", want, err)
		return
	}
	if e.Kind != want {
		t.Errorf("%q is of kind %q, want %q", err, e.Kind, want)
	}
	if e.Message == "" {
		t.Errorf("no message for a person in %v", err)
	}
	s.hides(t, err.Error())
	s.hides(t, e.Message)
}

type faultCase struct {
	name  string
	fault Fault
	kind  provider.Kind
	after time.Duration
	slow  bool // ends only by the provider's own time limit
	heavy bool // one question is enough: the client that all share keeps the bound
}

func (s Subject) faultCases() []faultCase {
	unproven := Body(s.Unproven)
	if s.Unprove != nil {
		unproven = Changed(s.Vendor, s.Unprove)
	}
	echo := "the key " + s.Secret + " is wrong" // vendors do quote it
	cases := []faultCase{
		{name: "400", fault: Status(http.StatusBadRequest, echo), kind: provider.BadQuery},
		{name: "401", fault: Status(http.StatusUnauthorized, echo), kind: provider.Unauthorized},
		{name: "402", fault: Status(http.StatusPaymentRequired, echo), kind: provider.QuotaSpent},
		{name: "403", fault: Status(http.StatusForbidden, echo), kind: provider.Unauthorized},
		{name: "429", fault: TooManyRequests(""), kind: provider.RateLimited},
		{name: "429 with Retry-After", fault: TooManyRequests("7"), kind: provider.RateLimited, after: 7 * time.Second},
		{name: "429 with an absurd Retry-After", fault: TooManyRequests("99999999"), kind: provider.RateLimited, after: 10 * time.Minute},
		{name: "500", fault: Status(http.StatusInternalServerError, echo), kind: provider.Transient},
		{name: "502", fault: Status(http.StatusBadGateway, ""), kind: provider.Transient},
		{name: "503 with Retry-After", fault: Unavailable("2"), kind: provider.Transient, after: 2 * time.Second},
		{name: "dropped", fault: Dropped(), kind: provider.Transient},
		{name: "truncated", fault: Truncated(), kind: provider.Transient},
		{name: "half of the JSON", fault: CutJSON(), kind: provider.Transient},
		{name: "not JSON", fault: InvalidJSON(), kind: provider.Transient},
		{name: "another JSON", fault: Body(`"` + echo + `"`), kind: provider.Transient},
		{name: "empty", fault: Body(""), kind: provider.Transient},
		{name: "10 MB", fault: Huge(10 << 20), kind: provider.Transient, heavy: true},
		{name: "compression bomb", fault: Bomb(32 << 20), kind: provider.Transient, heavy: true},
		{name: "stalled", fault: Stalled(), kind: provider.Transient, slow: true},
		{name: "answer without its proof", fault: unproven, kind: provider.Transient},
	}
	for _, body := range []string{
		"{}", "null", "[]", "0", `{"message":"Internal error"}`, `{"error":"Internal error"}`, `{"error":{"code":500}}`,
		`{"status":"ok"}`, `{"places":null}`, `{"places":[]}`, `{"organic":null}`, `{"organic":[]}`, `{"results":[]}`, `{"items":[]}`,
	} {
		if slices.Contains(s.Nothing, body) {
			continue
		}
		cases = append(cases, faultCase{name: "200 " + body, fault: Body(body), kind: provider.Transient})
	}
	return cases
}

// faults asks every question under every fault, and once more when the vendor has recovered.
func (s Subject) faults(t *testing.T) {
	for _, c := range s.faultCases() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Duration(0)
			if c.slow {
				timeout = 20 * time.Millisecond
			}
			p, fake := s.start(t, timeout)
			questions := s.questions(p)
			if c.heavy {
				questions = questions[:1]
			}
			for _, q := range questions {
				fake.Always(c.fault)
				before := fake.Requests()
				err := q.ask(t.Context())
				s.failsAs(t, err, c.kind)
				var e *provider.Error
				if errors.As(err, &e) && (e.RetryAfter != c.after || e.Provider != p.Describe().Title) {
					t.Errorf("%s: %+v, want RetryAfter %s of %s", q.name, e, c.after, p.Describe().Title)
				}
				fake.Always(nil)
				if c.slow {
					continue // with so short a limit, requests of a busy machine may arrive late, or not at all
				}
				if n := fake.Requests() - before; n != 1 {
					t.Errorf("%s: %d requests; retrying is not the provider's work", q.name, n)
				}
				if err := q.ask(t.Context()); err != nil {
					t.Errorf("%s after the fault: %v", q.name, err)
				}
			}
		})
	}
}

// redirected proves that the credential does not follow the vendor to another address.
func (s Subject) redirected(t *testing.T) {
	p, fake := s.start(t, 0)
	other := NewFake(t, http.NotFoundHandler())
	fake.Always(Redirect(other.URL + "/elsewhere"))
	for _, q := range s.questions(p) {
		if err := q.ask(t.Context()); err == nil {
			t.Errorf("%s was answered by a redirect", q.name)
		}
	}
	if n := other.Requests(); n != 0 {
		t.Errorf("%d requests followed the redirect", n)
	}
}

func (s Subject) cancelledBefore(t *testing.T) {
	p, fake := s.start(t, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range s.questions(p) {
		if err := q.ask(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the context's error", q.name, err)
		}
	}
	if fake != nil && fake.Requests() != 0 {
		t.Errorf("%d requests were made", fake.Requests())
	}
}

func (s Subject) cancelledDuring(t *testing.T) {
	p, fake := s.start(t, 0)
	fake.Always(Stalled())
	for _, q := range s.questions(p) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- q.ask(ctx) }()
		<-fake.Arrived()
		cancel()
		select {
		case err := <-done:
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v, want the context's error", q.name, err)
			}
		case <-time.After(5 * time.Minute): // a busy machine may need a while
			t.Fatalf("%s did not return", q.name)
		}
	}
}

// concurrent asks everything from many goroutines; the race detector does the rest.
func (s Subject) concurrent(t *testing.T) {
	p, _ := s.start(t, 0)
	var wg sync.WaitGroup
	for range 16 {
		for _, q := range s.questions(p) {
			wg.Go(func() {
				if err := q.ask(t.Context()); err != nil {
					t.Errorf("%s: %v", q.name, err)
				}
			})
		}
	}
	wg.Wait()
}
