package provider

import (
	"crypto/sha256"
	"encoding/hex"
	"reflect"

	"github.com/trigpoint/trigpoint/internal/clock"
)

// Vendor is a provider before it is opened: its name, and its settings, which are declared once, as a struct.
// Each field with its tags is a flag, an environment variable and a key of the config file, under a name
// that begins with the vendor's. A field tagged needed must be set by whoever uses the vendor; one tagged
// secret is never printed.
type Vendor struct {
	Name     string
	Settings any // pointer to the struct

	unopened Provider // nil, of the provider's own type, which has its capabilities
	open     func(clock.Clock) (Provider, error)
}

// NewVendor declares a vendor by its settings and by what makes a provider of them.
func NewVendor[S any, P Provider](name string, settings *S, open func(S, clock.Clock) (P, error)) Vendor {
	var unopened P
	return Vendor{
		Name: name, Settings: settings, unopened: unopened,
		open: func(c clock.Clock) (Provider, error) { return open(*settings, c) },
	}
}

// Open makes the provider from the settings as they are now. It asks nothing yet.
func (v Vendor) Open(c clock.Clock) (Provider, error) { return v.open(c) }

// Can tells whether a vendor has a capability, or several in one interface.
func Can[Capability any](v Vendor) bool {
	_, ok := v.unopened.(Capability)
	return ok
}

// KnowsKeywords tells whether a vendor can be asked about keywords, or about domains and what they rank for.
func KnowsKeywords(v Vendor) bool {
	return Can[KeywordSource](v) || Can[KeywordIdeas](v) || Can[DomainSource](v) || Can[CompetitorSource](v) || Can[LinkSource](v)
}

// Missing lists the flags of settings that are needed and empty.
func (v Vendor) Missing() []string {
	var missing []string
	if s, ok := v.Settings.(interface{ missing(vendor string) []string }); ok {
		missing = s.missing(v.Name)
	}
	settings := reflect.ValueOf(v.Settings).Elem()
	for field, value := range settings.Fields() {
		if _, needed := field.Tag.Lookup("needed"); needed && value.IsZero() {
			missing = append(missing, field.Tag.Get("name"))
		}
	}
	return missing
}

// HasKey tells whether a secret of the vendor is set.
func (v Vendor) HasKey() bool {
	for field, value := range reflect.ValueOf(v.Settings).Elem().Fields() {
		if _, secret := field.Tag.Lookup("secret"); secret && !value.IsZero() {
			return true
		}
	}
	return false
}

// NeedsNothing tells whether a vendor could be asked without any setting; naming it is then the only way to choose it.
func (v Vendor) NeedsNothing() bool {
	return !v.HasKey() && !Can[MapSearcher](v) && !Can[WebSearcher](v)
}

// Check finds settings that can never work.
func (v Vendor) Check() error {
	if s, ok := v.Settings.(interface{ check(vendor string) error }); ok {
		return s.check(v.Name)
	}
	return nil
}

// Fingerprint tells accounts at a vendor apart without telling their credential.
func Fingerprint(vendor, credential string) string {
	sum := sha256.Sum256([]byte(credential))
	return vendor + "-" + hex.EncodeToString(sum[:8])
}
