package internal_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/trigpoint/trigpoint/internal/"

// layers is the house from the ground up. A package may import those of lower layers, and of its own
// layer nothing. Areas never import each other.
var layers = [][]string{
	{"errs", "id", "clock"},
	{"geo", "location", "placeid", "webtarget", "textfile", "words", "blob", "db"},
	{"category"},
	{"account", "directory", "job", "provider"},
	{"httpapi", "serp"},
	{"local", "maprank", "rankwatch", "research"},
	{"server", "config"},
	{"app"},
	{"cli"},
}

// top is the package of a folder; what lies below it belongs to it.
func top(path string) string {
	name, _, _ := strings.Cut(path, "/")
	return name
}

func layerOf(name string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, name) })
}

// TestArrows parses imports itself, because the test cache would hide a change behind `go list`.
func TestArrows(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		from := top(filepath.ToSlash(filepath.Dir(path)))
		if from == "." || from == "tools" || strings.HasSuffix(filepath.Dir(path), "test") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			target, _ := strconv.Unquote(spec.Path.Value)
			rest, internal := strings.CutPrefix(target, module)
			if !internal {
				continue
			}
			to := top(rest)
			if from == to {
				continue
			}
			switch below, above := layerOf(to), layerOf(from); {
			case below < 0 || above < 0:
				t.Errorf("%s: %s or %s is in no layer; add it to the table", path, from, to)
			case below >= above:
				t.Errorf("%s imports %s, which is not below %s", path, to, from)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
