package clients_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
	_ "github.com/oapi-codegen/runtime" // the generated clients import it

	"github.com/trigpoint/trigpoint/tools/clients"
)

// TestTypesAreNew fails when a document has changed and the client's types were not made anew.
func TestTypesAreNew(t *testing.T) {
	files, err := clients.Types()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if is, err := os.ReadFile(filepath.Join(clients.Folder, name)); err != nil || string(is) != want {
			t.Errorf("client/%s is not as its document says (%v): run go run ./generate in tools/clients", name, err)
		}
	}
}

func TestGeneratedClientsCompile(t *testing.T) {
	entries, err := os.ReadDir(clients.Documents)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 4 {
		t.Fatalf("%d documents in %s", len(entries), clients.Documents)
	}
	// Inside of this module, where what they import is found.
	folder, err := os.MkdirTemp(".", "generated")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	operations := 0
	for _, entry := range entries {
		document, err := openapi3.NewLoader().LoadFromFile(filepath.Join(clients.Documents, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range document.Paths.Map() {
			operations += len(item.Operations())
		}
		name := strings.ReplaceAll(strings.TrimSuffix(entry.Name(), ".json"), "-", "")
		source, err := codegen.Generate(document, codegen.Configuration{
			PackageName: name, Generate: codegen.GenerateOptions{Client: true, Models: true},
		})
		if err != nil {
			t.Fatalf("%s: %v", entry.Name(), err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution); err != nil {
			t.Fatalf("%s: %v", entry.Name(), err)
		}
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "client.go"), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if operations < 50 {
		t.Errorf("the documents have %d operations", operations)
	}
	if out, err := exec.Command("go", "build", "./"+filepath.Base(folder)+"/...").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
