package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/clock"
)

// Flags, variables and redaction follow from what a vendor declares: so that must be whole.
func TestVendorsDeclareTheirSettings(t *testing.T) {
	t.Parallel()
	for _, v := range app.Vendors() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			parser, err := kong.New(v.Settings)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := parser.Parse(nil); err != nil {
				t.Fatalf("the defaults: %v", err)
			}
			if url := v.Name + "-url"; slices.Contains(v.Missing(), url) { // a server that people run themselves
				if _, err := parser.Parse([]string{"--" + url, "http://127.0.0.1:1"}); err != nil {
					t.Fatal(err)
				}
			}
			opened, err := v.Open(clock.System{})
			if err != nil {
				t.Fatalf("open with the defaults: %v", err)
			}
			d := opened.Describe()
			if d.Name != v.Name {
				t.Errorf("the provider is called %s", d.Name)
			}
			secrets := map[string]bool{}
			for _, f := range parser.Model.Flags {
				if f.Name == "help" {
					continue
				}
				if !strings.HasPrefix(f.Name, v.Name+"-") {
					t.Errorf("the flag %s does not begin with the vendor's name", f.Name)
				}
				if f.Help == "" || strings.Contains(f.Help, "${") {
					t.Errorf("%s is explained as %q", f.Name, f.Help)
				}
				if f.Tag.Has("secret") {
					secrets[strings.ReplaceAll(strings.TrimPrefix(f.Name, v.Name+"-"), "-", "_")] = true
					if f.HasDefault {
						t.Errorf("the secret %s has a default", f.Name)
					}
				}
			}
			if d.Secret != "" && !secrets[d.Secret] {
				t.Errorf("the credential %s is not among the secrets %v", d.Secret, secrets)
			}
		})
	}
}
