package apptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// checker knows an area's document.
type checker struct {
	router   routers.Router
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // by place in the document; compiling is slow
}

// checkers are kept for all tests of a process: the documents do not differ.
var checkers sync.Map // area name -> func() (*checker, error)

func newChecker(t testing.TB, area *httpapi.Area) *checker {
	t.Helper()
	make, _ := checkers.LoadOrStore(area.Name, sync.OnceValues(func() (*checker, error) { return readDocument(area) }))
	c, err := make.(func() (*checker, error))()
	if err != nil {
		t.Fatalf("the %s document: %v", area.Name, err)
	}
	return c
}

func readDocument(area *httpapi.Area) (*checker, error) {
	text, err := json.Marshal(area.Document())
	if err != nil {
		return nil, err
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, err
	}
	document.Servers = openapi3.Servers{{URL: area.Prefix}}
	router, err := gorillamux.NewRouter(document) // which validates the document too
	if err != nil {
		return nil, err
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	schemas, _ := tree.(map[string]any)["components"].(map[string]any)["schemas"].(map[string]any)
	for _, schema := range schemas { // what an answer has is documented
		if s := schema.(map[string]any); s["properties"] != nil && s["additionalProperties"] == nil {
			s["additionalProperties"] = false
		}
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("document.json", tree); err != nil {
		return nil, err
	}
	return &checker{router: router, compiler: compiler, compiled: map[string]*jsonschema.Schema{}}, nil
}

func (c *checker) schema(place string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.compiled[place]; s != nil {
		return s, nil
	}
	s, err := c.compiler.Compile("document.json#" + place)
	if err == nil {
		c.compiled[place] = s
	}
	return s, err
}

// answer fails the test when the document does not allow what was answered.
func (c *checker) answer(t testing.TB, req *http.Request, res *http.Response, raw []byte) {
	t.Helper()
	route, _, err := c.router.FindRoute(req)
	if err != nil {
		if res.StatusCode != http.StatusNotFound && res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s %s is not in the document and answered %d", req.Method, req.URL.Path, res.StatusCode)
		}
		return
	}
	response := route.Operation.Responses.Value(fmt.Sprint(res.StatusCode))
	if response == nil {
		t.Errorf("%s %s answered %d, which its document does not list: %s", req.Method, req.URL.Path, res.StatusCode, raw)
		return
	}
	kind, _, _ := strings.Cut(res.Header.Get("Content-Type"), ";")
	switch {
	case len(response.Value.Content) == 0 && len(raw) == 0:
		return
	case response.Value.Content[kind] == nil:
		t.Errorf("%s %s answered %d as %q, which its document does not list", req.Method, req.URL.Path, res.StatusCode, kind)
		return
	case kind != "application/json":
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
	schema, err := c.schema("/paths/" + escape.Replace(route.Path) + "/" + strings.ToLower(req.Method) + "/responses/" + fmt.Sprint(res.StatusCode) + "/content/application~1json/schema")
	if err != nil {
		t.Fatal(err)
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = schema.Validate(body)
	}
	if err != nil {
		t.Errorf("%s %s answered what its document does not allow: %v\n%s", req.Method, req.URL.Path, err, raw)
	}
}
