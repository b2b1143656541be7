package httpapi

import (
	"context"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
)

const (
	// requestCost is what any request holds while it is served: buffers, a small body, a small answer.
	requestCost = 64 << 10
	// bodyCost is how many times a body is held while it is read and decoded.
	bodyCost = 3
	// memoryWait is how long a request waits for others to give memory back.
	memoryWait = 2 * time.Second
	// maxWaiting bounds those who wait; each costs a connection.
	maxWaiting = 1000
)

// Memory bounds what the requests under way hold, in all and for each account.
type Memory struct {
	mu      sync.Mutex
	free    int64
	share   int64            // of one account
	held    map[string]int64 // by account
	waiting int
	freed   chan struct{} // closed when something is given back
}

// NewMemory lets requests hold so many bytes together, and those of one account a quarter of it.
func NewMemory(total int64) *Memory {
	return &Memory{free: total, share: total / 4, held: map[string]int64{}, freed: make(chan struct{})}
}

// take waits for n bytes, not beyond the end of ctx. Those who need little do not queue behind those who
// need much: a large request may starve and is told to come back.
func (m *Memory) take(ctx context.Context, accountID string, n int64) (taken int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n = min(n, m.share) // alone, a request may always run
	for n > m.free || m.held[accountID]+n > m.share {
		if m.waiting >= maxWaiting {
			return 0, errBusy()
		}
		freed := m.freed
		m.waiting++
		m.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			err = errBusy()
		}
		m.mu.Lock()
		m.waiting--
		if err != nil {
			return 0, err
		}
	}
	m.free -= n
	m.held[accountID] += n
	return n, nil
}

func errBusy() error {
	return errs.New(errs.Unavailable, "Too many large requests are under way; try again.")
}

func (m *Memory) give(accountID string, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free += n
	if m.held[accountID] -= n; m.held[accountID] == 0 {
		delete(m.held, accountID)
	}
	if m.waiting > 0 {
		close(m.freed)
		m.freed = make(chan struct{})
	}
}

// Hold waits until the request that ctx belongs to may hold n bytes more, until it has been answered. It
// is for operations that keep a large answer in memory. Where many ask for much, it is Unavailable.
func Hold(ctx context.Context, n int64) error {
	req := From(ctx)
	if req.memory == nil {
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, memoryWait)
	defer cancel()
	taken, err := req.memory.take(bounded, req.payer, n)
	req.held += taken
	return err
}

// release gives back all that the request holds.
func (r *Request) release() {
	if r.held > 0 {
		r.memory.give(r.payer, r.held)
	}
}
