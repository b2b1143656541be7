package provider_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

func TestCIDOfPlaceID(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ placeID, cid string }{
		{"ChIJ9Sto4ahZwokRXpWiQYiOOOo", "16877396319438804318"}, // 0x89c259a8e1682bf5:0xea388e8841a2955e
		{"ChIJ9Sto4ahZwokRXpWiQYiOOOo=", "16877396319438804318"},
		{"", ""},
		{"ChIJ", ""},
		{"EiRNYWluIFN0", ""},                      // an address
		{"ChIJ9Sto4ahZwokSXpWiQYiOOOo", ""},       // another tag before the cid
		{"ChIJ9Sto4ahZwokRXpWiQYiOOOoAAAA", ""},   // longer
		{"ChIJ9Sto4ahZwokRXpWiQYiOO!!", ""},       // not base64
		{"0x89c259a8e1682bf5:0xea388e8841a2", ""}, // a feature id
	} {
		if cid, ok := provider.CIDOf(c.placeID); cid != c.cid || ok != (c.cid != "") {
			t.Errorf("%s: %q, %v, want %q", c.placeID, cid, ok, c.cid)
		}
	}
}

func TestSpellingsOfACID(t *testing.T) {
	t.Parallel()
	for spelling, want := range map[string]string{
		"16877396319438804318":                  "16877396319438804318",
		" 42 ":                                  "42",
		"007":                                   "7",
		"-1569347754270747298":                  "16877396319438804318",
		"0xea388e8841a2955e":                    "16877396319438804318",
		"0x89c259a8e1682bf5:0xea388e8841a2955e": "16877396319438804318",
		"":                                      "",
		"0":                                     "",
		"-0":                                    "",
		"18446744073709551616":                  "",
		"1.5":                                   "",
		"0x":                                    "",
		"ChIJ9Sto4ahZwokRXpWiQYiOOOo":           "",
		"0x89c259a8e1682bf5:0xea388e8841a2955e:1": "",
	} {
		if cid, ok := provider.ParseCID(spelling); cid != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", spelling, cid, ok, want)
		}
	}
}

// Every cid survives each of its spellings.
func TestCIDRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		cell, cid := rapid.Uint64().Draw(t, "cell"), rapid.Uint64Min(1).Draw(t, "cid")
		want := fmt.Sprint(cid)
		if got, ok := provider.CIDOf(providertest.PlaceID(cell, cid)); !ok || got != want {
			t.Fatalf("from the place id: %q, want %q", got, want)
		}
		for _, spelling := range []string{want, fmt.Sprint(int64(cid)), fmt.Sprintf("0x%x", cid), fmt.Sprintf("0x%x:0x%x", cell, cid)} {
			if got, ok := provider.ParseCID(spelling); !ok || got != want {
				t.Fatalf("%s: %q, want %q", spelling, got, want)
			}
		}
	})
}

func FuzzIdentity(f *testing.F) {
	f.Add("ChIJ9Sto4ahZwokRXpWiQYiOOOo")
	f.Add("0x89c259a8e1682bf5:0xea388e8841a2955e")
	f.Add("-1569347754270747298")
	f.Fuzz(func(t *testing.T, s string) {
		if cid, ok := provider.ParseCID(s); ok {
			if again, ok := provider.ParseCID(cid); !ok || again != cid {
				t.Errorf("%q becomes %q becomes %q", s, cid, again)
			}
		}
		provider.CIDOf(s)
	})
}
