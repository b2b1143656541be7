// Package clients shows that a generator which knows nothing of us makes clients of our documents that
// compile.
package clients

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
)

// The documents are those of the running program: internal/server's golden test holds the two together.
const documents = "../../internal/server/testdata/openapi"

func TestGeneratedClientsCompile(t *testing.T) {
	entries, err := os.ReadDir(documents)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 4 {
		t.Fatalf("%d documents in %s", len(entries), documents)
	}
	// Inside of this module, where what they import is found.
	folder, err := os.MkdirTemp(".", "generated")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	operations := 0
	for _, entry := range entries {
		document, err := openapi3.NewLoader().LoadFromFile(filepath.Join(documents, entry.Name()))
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
