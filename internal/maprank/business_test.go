package maprank

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/placeid"
	"github.com/trigpoint/trigpoint/internal/provider"
)

func TestWhatAProviderSaysIsBounded(t *testing.T) {
	t.Parallel()
	b := newBusiness(provider.Business{PlaceID: placeid.New(9, 77), Name: strings.Repeat("ü", 400) + "\x00\xff"})
	if b.CID != "77" {
		t.Errorf("cid %q, want that of the place id", b.CID)
	}
	if len(b.Name) > maxBusinessName || !utf8.ValidString(b.Name) {
		t.Errorf("a name of %d bytes: %q", len(b.Name), b.Name)
	}
}
