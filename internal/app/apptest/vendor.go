package apptest

import (
	"testing"

	"github.com/alecthomas/kong"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Vendors are all vendors with settings as the command line gives them, such as "--serper-api-key=x".
func Vendors(t testing.TB, flags ...string) []provider.Vendor {
	t.Helper()
	vendors := app.Vendors()
	var c struct {
		Settings kong.Plugins `embed:""`
	}
	for _, v := range vendors {
		c.Settings = append(c.Settings, v.Settings)
	}
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(flags); err != nil {
		t.Fatal(err)
	}
	return vendors
}
