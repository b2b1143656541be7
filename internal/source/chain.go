// Package source decides who is asked for data. It owns the order in which providers take over from each other, the ledger
// of what asking costs, the budgets that stop it, and the memory of questions that are answered later. It does not
// know what is asked.
package source

import (
	"context"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Source is a provider and the Caller through which it is asked.
type Source[P provider.Provider] struct {
	Provider P
	Caller   *provider.Caller
}

// Describe names the provider.
func (s Source[P]) Describe() provider.Descriptor { return s.Provider.Describe() }

// Chain is the providers of one capability, in the order in which they take over from each other. There is at least one,
// unless who asks says otherwise.
type Chain[P provider.Provider] []Source[P]

// First is the first that can be asked now; when none can, the first of all.
func (c Chain[P]) First() Source[P] {
	for _, s := range c {
		if s.Caller.Able() {
			return s
		}
	}
	return c[0]
}

// Named finds a source by its provider's name.
func (c Chain[P]) Named(name string) (Source[P], bool) {
	if i := c.index(name); i >= 0 {
		return c[i], true
	}
	return Source[P]{}, false
}

// Titles names them as people do.
func (c Chain[P]) Titles() string {
	var titles []string
	for _, s := range c {
		titles = append(titles, s.Describe().Title)
	}
	return strings.Join(titles, ", ")
}

// After is the next one behind a source that can be asked now.
func (c Chain[P]) After(name string) (Source[P], bool) {
	for _, s := range c[c.index(name)+1:] {
		if s.Caller.Able() {
			return s, true
		}
	}
	return Source[P]{}, false
}

// As are those that can search the web as a device from a place; all of them where none can, so that one says why.
func (c Chain[P]) As(device provider.Device, place string) Chain[P] {
	able := slices.DeleteFunc(slices.Clone(c), func(s Source[P]) bool {
		d := s.Describe()
		return !d.SearchesAs(device) || !d.SearchesFrom(place)
	})
	if len(able) == 0 {
		return c
	}
	return able
}

// impatient is the context for asking one source: where another can take over, a failing one is not waited for.
func (c Chain[P]) impatient(ctx context.Context, name string) context.Context {
	if _, more := c.After(name); more {
		return provider.Impatient(ctx)
	}
	return ctx
}

func (c Chain[P]) index(name string) int {
	return slices.IndexFunc(c, func(s Source[P]) bool { return s.Describe().Name == name })
}
