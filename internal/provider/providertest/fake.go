// Package providertest owns what tests of providers and of their users need: a vendor's server that
// misbehaves on demand, providers scripted in process, and the suite that every provider passes.
// It holds nothing that the program itself uses.
package providertest

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Fake is a vendor's server on loopback: it answers with a handler, unless told to misbehave, and
// keeps count. All methods may be called while requests are under way.
type Fake struct {
	URL string

	vendor  http.Handler
	arrived chan struct{}
	meter   meter

	mu    sync.Mutex
	delay time.Duration
	next  []Fault
	spoil func(n int) Fault
}

// Fault answers a request in place of the vendor.
type Fault func(w http.ResponseWriter, r *http.Request)

// NewFake serves the vendor's handler until the test ends.
func NewFake(t testing.TB, vendor http.Handler) *Fake {
	t.Helper()
	f := &Fake{vendor: vendor, arrived: make(chan struct{}, 1024)}
	server := httptest.NewServer(f)
	t.Cleanup(func() {
		server.CloseClientConnections() // ends what is stalled
		server.Close()
	})
	f.URL = server.URL
	return f
}

// Next spoils the next requests, one each, in order of arrival. A nil fault lets one through.
func (f *Fake) Next(faults ...Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next = append(f.next, faults...)
}

// Always spoils every request from now on; nil heals the vendor.
func (f *Fake) Always(fault Fault) {
	if fault == nil {
		f.When(nil)
		return
	}
	f.When(func(int) Fault { return fault })
}

// When asks spoil for the fault of each request, by its number from 1; nil lets it through.
func (f *Fake) When(spoil func(n int) Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spoil = spoil
}

// Delay makes every answer take this long.
func (f *Fake) Delay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = d
}

// Requests is how many have arrived.
func (f *Fake) Requests() int { return f.meter.calls() }

// Peak is how many were under way at once, at most.
func (f *Fake) Peak() int { return f.meter.peak() }

// Arrived receives once for each request, so that a test need not poll. Beyond 1,024 unread ones it drops.
func (f *Fake) Arrived() <-chan struct{} { return f.arrived }

// ServeHTTP is the server's handler.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := f.meter.enter()
	defer f.meter.leave()
	// The server notices a client that leaves only once the body has been read.
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	select {
	case f.arrived <- struct{}{}:
	default:
	}
	fault, delay := f.plan(n)
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
			return
		}
	}
	if fault != nil {
		fault(w, r)
		return
	}
	f.vendor.ServeHTTP(w, r)
}

func (f *Fake) plan(n int) (Fault, time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.next) > 0 {
		fault := f.next[0]
		f.next = f.next[1:]
		return fault, f.delay
	}
	if f.spoil != nil {
		return f.spoil(n), f.delay
	}
	return nil, f.delay
}

// meter counts calls and how many overlap.
type meter struct {
	mu               sync.Mutex
	total, now, most int
}

func (m *meter) enter() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total++
	m.now++
	m.most = max(m.most, m.now)
	return m.total
}

func (m *meter) leave() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now--
}

func (m *meter) calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.total
}

func (m *meter) peak() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.most
}
