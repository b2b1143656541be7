package dbtest

import (
	"strings"
	"sync"
	"testing"

	"github.com/trigpoint/trigpoint/internal/db"
)

// Statements notes what a store is asked; begin, commit and their like are left out.
type Statements struct {
	mu    sync.Mutex
	texts []string
}

// Taken returns what was asked since it was called last.
func (s *Statements) Taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	texts := s.texts
	s.texts = nil
	return texts
}

func (s *Statements) note(text string) {
	switch first, _, _ := strings.Cut(strings.ToLower(text), " "); first {
	case "begin", "commit", "rollback", "savepoint", "release", ";":
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
}

// EachTraced is Each with the statements that the store is asked.
func EachTraced(t *testing.T, test func(t *testing.T, d *db.DB, asked *Statements)) {
	t.Helper()
	EachOptions(t, func(t *testing.T, o db.Options) {
		asked := &Statements{}
		o.Trace = asked.note
		test(t, open(t, o), asked)
	})
}
