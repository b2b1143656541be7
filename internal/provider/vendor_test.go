package provider_test

import (
	"slices"
	"testing"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

type selfHosted struct {
	Password        string `name:"acme-password" needed:""`
	provider.Access `embed:""`
}

func (selfHosted) Describe() provider.Descriptor { return acme }

func TestAVendorWithoutAnAddressNeedsOneOnlyWhenItIsUsed(t *testing.T) {
	t.Parallel()
	settings := &selfHosted{}
	v := provider.NewVendor("acme", settings, func(s selfHosted, _ clock.Clock) (selfHosted, error) { return s, nil })
	if err := v.Check(); err != nil {
		t.Errorf("not used, and yet: %v", err)
	}
	if missing := v.Missing(); !slices.Equal(missing, []string{"acme-url", "acme-password"}) {
		t.Errorf("missing: %q", missing)
	}
	settings.URL, settings.Password = "localhost:8080", "x"
	if err := v.Check(); err == nil || v.Missing() != nil {
		t.Errorf("an address without http://: %v, missing %q", err, v.Missing())
	}
}
