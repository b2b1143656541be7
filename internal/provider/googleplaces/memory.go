package googleplaces

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

const (
	// remembered is how many places are kept, some ten megabytes of them.
	remembered = 10_000

	// rememberedFor lets all points and keywords of a collection share what was paid for once, and the next day's report
	// have names and ratings of its day. Google allows no more than 30 days.
	rememberedFor = 24 * time.Hour
)

// memory keeps the details of places, those used last longest. Who wants a place that is being asked for waits for that
// answer, so that none is paid for twice.
type memory struct {
	clock clock.Clock

	mu     sync.Mutex
	places map[string]*list.Element // of *memo, by key
	recent *list.List               // used last first
	asking map[string]chan struct{} // closed when the question is over
}

type memo struct {
	key      string
	business provider.Business
	until    time.Time
}

func newMemory(c clock.Clock) *memory {
	return &memory{clock: c, places: map[string]*list.Element{}, recent: list.New(), asking: map[string]chan struct{}{}}
}

// get returns what is known, or asks and keeps the answer. When another's question fails or is given up, the next asks.
func (m *memory) get(ctx context.Context, key string, ask func() (provider.Business, error)) (provider.Business, error) {
	for {
		b, known, wait := m.look(key)
		switch {
		case known:
			return b, nil
		case wait == nil:
			return m.ask(key, ask)
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return provider.Business{}, ctx.Err()
		}
	}
}

// look finds a place, or somebody who asks for it; where there is neither, the caller has to ask.
func (m *memory) look(key string) (b provider.Business, known bool, wait chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if at, ok := m.places[key]; ok {
		if kept := at.Value.(*memo); m.clock.Now().Before(kept.until) {
			m.recent.MoveToFront(at)
			return kept.business, true, nil
		}
		m.forget(at)
	}
	if wait, ok := m.asking[key]; ok {
		return provider.Business{}, false, wait
	}
	m.asking[key] = make(chan struct{})
	return provider.Business{}, false, nil
}

func (m *memory) ask(key string, ask func() (provider.Business, error)) (b provider.Business, err error) {
	answered := false
	defer func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if answered && err == nil {
			m.keep(key, b)
		}
		close(m.asking[key])
		delete(m.asking, key)
	}()
	b, err = ask()
	answered = true
	return b, err
}

func (m *memory) keep(key string, b provider.Business) {
	m.places[key] = m.recent.PushFront(&memo{key: key, business: b, until: m.clock.Now().Add(rememberedFor)})
	if m.recent.Len() > remembered {
		m.forget(m.recent.Back())
	}
}

func (m *memory) forget(at *list.Element) {
	delete(m.places, at.Value.(*memo).key)
	m.recent.Remove(at)
}
