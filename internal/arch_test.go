package internal_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/trigpoint/trigpoint/internal/"

// layers is the house from the ground up. A package may import those of lower layers, and of its own
// layer nothing. Areas never import each other.
var layers = [][]string{
	{"errs", "id", "clock", "trace"},
	{"basemap", "geo", "location", "mail", "mcp", "picture", "placeid", "rankscale", "spreadsheet", "webtarget", "textfile", "typeface", "words", "blob", "db", "secret", "signedpost"},
	{"alertrule"},
	{"category", "event"},
	{"account", "foreign", "job", "provider"},
	{"backup", "directory", "httpapi", "serp", "source"},
	{"alert", "connection", "recipient", "signin", "spending", "webhook"},
	{"local", "maprank", "rankwatch", "research"},
	{"report"},
	{"desk"},
	{"server", "config"},
	{"app"},
	{"doctor"},
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

// source calls fn with every file of the program, by its package's folder.
func source(t *testing.T, mode parser.Mode, fn func(folder, name string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(path))
		if folder == "." || top(folder) == "tools" || strings.HasSuffix(folder, "test") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, mode)
		if err == nil {
			fn(folder, filepath.Base(path), file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// imported lists what a file imports of the program.
func imported(file *ast.File) []string {
	var all []string
	for _, spec := range file.Imports {
		target, _ := strconv.Unquote(spec.Path.Value)
		if rest, internal := strings.CutPrefix(target, module); internal {
			all = append(all, rest)
		}
	}
	return all
}

// TestArrows parses imports itself, because the test cache would hide a change behind `go list`.
func TestArrows(t *testing.T) {
	t.Parallel()
	source(t, parser.ImportsOnly, func(folder, name string, file *ast.File) {
		from := top(folder)
		for _, target := range imported(file) {
			to := top(target)
			if from == to {
				continue
			}
			switch below, above := layerOf(to), layerOf(from); {
			case below < 0 || above < 0:
				t.Errorf("%s/%s: %s or %s is in no layer; add it to the table", folder, name, from, to)
			case below >= above:
				t.Errorf("%s/%s imports %s, which is not below %s", folder, name, to, from)
			}
		}
	})
}

// TestClientStandsAlone keeps the client small to import: it needs the standard library and itself. So does what speaks
// for it to assistants, which is to work with a server elsewhere.
func TestClientStandsAlone(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../client/*.go")
	nested, err2 := filepath.Glob("../client/*/*.go")
	doors, err3 := filepath.Glob("mcp/*.go")
	if err := errors.Join(err, err2, err3); err != nil || len(files) == 0 || len(nested) == 0 || len(doors) == 0 {
		t.Fatal("the client is elsewhere", err)
	}
	for _, path := range slices.Concat(files, nested, doors) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			target, _ := strconv.Unquote(spec.Path.Value)
			host, _, _ := strings.Cut(target, "/")
			ofClient := strings.Contains(host, ".") && !strings.HasPrefix(target, "github.com/trigpoint/trigpoint/client")
			if strings.HasPrefix(target, module) || ofClient && !strings.HasPrefix(path, "mcp") {
				t.Errorf("%s imports %s", path, target)
			}
		}
	}
}

// pure are the rooms of a wing that hold rules, formulas and codecs.
var pure = []string{
	"maprank/grid", "maprank/schedule", "maprank/result", "rankwatch/series", "rankwatch/formula", "rankwatch/performance",
	"report/document", "research/planner", "research/snapshot",
}

// TestPureRoomsDoNoIO keeps stores, vendors and HTTP out of them, and the wing that they belong to.
func TestPureRoomsDoNoIO(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	source(t, parser.ImportsOnly, func(folder, name string, file *ast.File) {
		if !slices.Contains(pure, folder) {
			return
		}
		seen[folder] = true
		for _, spec := range file.Imports {
			switch target, _ := strconv.Unquote(spec.Path.Value); target {
			case "database/sql", "net", "net/http", "os", module + "db", module + "job", module + "blob", module + "httpapi", module + top(folder):
				t.Errorf("%s/%s imports %s", folder, name, target)
			}
		}
	})
	for _, room := range pure {
		if !seen[room] {
			t.Errorf("there is no %s", room)
		}
	}
}

// floor is where a wing's file stands: routes use the worker's and the service's methods, those use the store,
// and all use types and rules, which use nothing of the wing above them.
func floor(name string, file *ast.File) int {
	switch {
	case strings.HasPrefix(name, "routes"):
		return 4
	case strings.HasPrefix(name, "worker"):
		return 3
	case strings.HasPrefix(name, "store"):
		return 1
	case name == "service.go":
		return 2
	}
	for _, d := range file.Decls {
		if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil {
			if star, ok := method.Recv.List[0].Type.(*ast.StarExpr); ok {
				if of, ok := star.X.(*ast.Ident); ok && of.Name == "Service" {
					return 2
				}
			}
		}
	}
	return 0
}

// TestFilesOfAWingPointDown finds names that a file uses from one above it.
func TestFilesOfAWingPointDown(t *testing.T) {
	t.Parallel()
	wings := layers[layerOf("local")]
	files := map[string]map[string]*ast.File{}
	home := map[string]map[string]string{} // of a name that a wing declares
	source(t, 0, func(folder, name string, file *ast.File) {
		if !slices.Contains(wings, folder) {
			return
		}
		if files[folder] == nil {
			files[folder], home[folder] = map[string]*ast.File{}, map[string]string{}
		}
		files[folder][name] = file
		for declared := range file.Scope.Objects { //nolint:staticcheck // the names of one package are enough; types are not asked
			home[folder][declared] = name
		}
	})
	for wing, all := range files {
		for name, file := range all {
			for _, used := range file.Unresolved { //nolint:staticcheck // as above
				if at := home[wing][used.Name]; at != "" && floor(at, all[at]) > floor(name, file) {
					t.Errorf("%s/%s uses %s of %s, which is above it", wing, name, used.Name, at)
				}
			}
		}
	}
}

// The image's dashboard is built from all that it is made of: scripts/build-web and the Dockerfile name the same folders.
func TestImageHasWhatTheDashboardIsMadeOf(t *testing.T) {
	t.Parallel()
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	made := regexp.MustCompile(`sources=\$\(digest (.+)\)`).FindStringSubmatch(read("scripts/build-web"))
	if made == nil {
		t.Fatal("scripts/build-web does not say what the dashboard is made of")
	}
	image := read("deploy/Dockerfile")
	for folder := range strings.FieldsSeq(made[1]) {
		if !strings.Contains(image, "\nCOPY "+folder+" "+folder+"\n") {
			t.Errorf("deploy/Dockerfile does not copy %s, of which the dashboard is made", folder)
		}
	}
}
