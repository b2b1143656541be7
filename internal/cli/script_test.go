package cli_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/text/encoding/unicode"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/connection/connectiontest"
	"github.com/trigpoint/trigpoint/internal/provider/overpass/overpasstest"
	"github.com/trigpoint/trigpoint/internal/provider/providertest"
)

// The command line, as a person sees it.
func TestScripts(t *testing.T) {
	t.Parallel()
	program := filepath.Dir(apptest.Binary(t))
	google := connectiontest.Start(t)
	overpass := overpasstest.Start(t)
	serper := providertest.NewSerper(t)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"save": save},
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", program+string(filepath.ListSeparator)+e.Getenv("PATH"))
			e.Setenv("GOOGLE", google.URL)
			e.Setenv("SERPER", serper.URL)
			e.Setenv("SERPER_KEY", providertest.SerperKey)
			e.Setenv("GRANTED", google.Grant("https://www.googleapis.com/auth/webmasters.readonly"))
			for _, mood := range []string{"well", "interrupted", "website", "refusing"} {
				e.Setenv("OVERPASS_"+strings.ToUpper(mood), overpass.URL(mood))
			}
			return nil
		},
	})
}

// save FILE gzip|cut|cr|utf16 NEW writes a text file as another program would have saved it.
func save(ts *testscript.TestScript, _ bool, args []string) {
	text := []byte(ts.ReadFile(args[0]))
	switch args[1] {
	case "gzip":
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, err := w.Write(text)
		ts.Check(err)
		ts.Check(w.Close())
		text = packed.Bytes()
	case "cut": // as a download that broke off
		text = text[:5]
	case "cr":
		text = bytes.ReplaceAll(text, []byte("\n"), []byte("\r"))
	case "utf16":
		encoded, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes(text)
		ts.Check(err)
		text = encoded
	default:
		ts.Fatalf("save as %q?", args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), text, 0o600))
}
