package geo_test

import (
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/geo"
)

func TestCountryName(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"GB": "United Kingdom", "US": "United States", "DE": "Germany", "KR": "South Korea",
		"AX": "Åland Islands", "ZW": "Zimbabwe", "SS": "South Sudan", "XK": "Kosovo",
	}
	for code, want := range known {
		if got, ok := geo.CountryName(code); !ok || got != want {
			t.Errorf("CountryName(%q) = %q, %v; want %q", code, got, ok, want)
		}
	}
	// Lower case, codes of other standards, withdrawn codes, and codes ISO reserves or never assigns.
	for _, code := range []string{"", "gb", "Gb", "UK", "EU", "AN", "YU", "FX", "ZZ", "XX", "AA", "USA", "U", "GB ", "ＧＢ"} {
		if name, ok := geo.CountryName(code); ok {
			t.Errorf("CountryName(%q) = %q, want none", code, name)
		}
	}
}

// The table is complete when every pair of letters was tried and the count of ISO 3166-1 plus Kosovo remains.
func TestCountryTableIsComplete(t *testing.T) {
	t.Parallel()
	names := map[string]string{}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			name, ok := geo.CountryName(code)
			if !ok {
				continue
			}
			if name == "" || name != strings.TrimSpace(name) {
				t.Errorf("%s is named %q", code, name)
			}
			if other, taken := names[name]; taken {
				t.Errorf("%s and %s are both named %q", code, other, name)
			}
			names[name] = code
		}
	}
	if len(names) != 250 {
		t.Errorf("%d countries, want the 249 of ISO 3166-1 and XK", len(names))
	}
}
