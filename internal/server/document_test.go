package server_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/trigpoint/trigpoint/internal/app/apptest"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/local"
)

var update = flag.Bool("update", false, "write the golden documents anew")

var documentNames = []string{"local", "map-rank-tracker", "keyword", "account"}

// documents fetches every OpenAPI document from the running program.
func documents(t *testing.T) map[string][]byte {
	t.Helper()
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) {
		s.NoWorker, s.Config.PublicURL = true, "https://trigpoint.example.com"
	})
	all := map[string][]byte{}
	for _, name := range documentNames {
		res, err := http.Get(p.URL + "/openapi/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", name, res.StatusCode, err)
		}
		all[name] = raw
	}
	return all
}

// The documents are the contract: a change of one is seen in review, and made with -update.
func TestDocumentsAreGolden(t *testing.T) {
	t.Parallel()
	for name, raw := range documents(t) {
		var got bytes.Buffer
		if err := json.Indent(&got, raw, "", "  "); err != nil {
			t.Fatal(err)
		}
		got.WriteByte('\n')
		file := filepath.Join("testdata", "openapi", name+".json")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("the %s document is not %s; if the change is meant: go test ./internal/server -run Golden -update", name, file)
		}
	}
}

// Every name is explained, every body has an example that fits its schema, and nothing is said that
// makes generated clients worse than the API.
func TestDocumentsTeach(t *testing.T) {
	t.Parallel()
	for name, raw := range documents(t) {
		tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		compiler.DefaultDraft(jsonschema.Draft2020)
		if err := compiler.AddResource("document.json", tree); err != nil {
			t.Fatal(err)
		}
		walk(tree, "", func(place string, node map[string]any) {
			properties, _ := node["properties"].(map[string]any)
			for property, schema := range properties {
				if words, _ := schema.(map[string]any)["description"].(string); words == "" {
					t.Errorf("%s: %s/properties/%s has no description", name, place, property)
				}
			}
			if node["in"] != nil && node["name"] != nil && node["description"] == nil {
				t.Errorf("%s: parameter %v at %s has no description", name, node["name"], place)
			}
			if open, ok := node["additionalProperties"].(bool); ok && open {
				t.Errorf("%s: %s allows any property", name, place)
			}
			media, ok := node["application/json"].(map[string]any)
			if !ok || strings.Contains(place, "/responses/4") || strings.Contains(place, "/responses/5") {
				return
			}
			if media["example"] == nil {
				t.Errorf("%s: %s has no example", name, place)
				return
			}
			schema, err := compiler.Compile("document.json#" + place + "/application~1json/schema")
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(media["example"]); err != nil {
				t.Errorf("%s: the example at %s does not fit: %v", name, place, err)
			}
		})
	}
}

// walk visits every object of a document with its place as a JSON pointer.
func walk(node any, place string, visit func(string, map[string]any)) {
	switch node := node.(type) {
	case map[string]any:
		visit(place, node)
		escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
		for key, child := range node {
			if key != "example" && key != "examples" {
				walk(child, place+"/"+escape.Replace(key), visit)
			}
		}
	case []any:
		for _, child := range node {
			walk(child, place+"/0", visit)
		}
	}
}

// What the document shows can be sent.
func TestExampleOfALocationIsAccepted(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) {
		s.NoWorker, s.Options.Clock = true, clock.NewFake(time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC))
	})
	for _, area := range p.Areas {
		if area.Prefix == local.Prefix {
			example := area.Document().Paths["/locations"].Post.RequestBody.Content["application/json"].Example
			p.Do(t, apptest.Call{Method: "POST", Path: local.Prefix + "/locations?validate_only=true", Body: example}).Want(t, 200)
		}
	}
}

func TestHomeLeadsToEverything(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, dbtest.SQLite(t), func(s *apptest.Setup) { s.NoWorker = true })
	for path, want := range map[string]string{
		"/": `<a href="/docs/local">`, "/docs/": "Trigpoint locations", "/docs/account": "/oauth2/token", "/docs/account#": `<details id="report.collected">`,
		"/robots.txt": "Sitemap: " + p.URL + "/sitemap.xml", "/favicon.ico": "PNG",
	} {
		res, err := http.Get(p.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || !bytes.Contains(body, []byte(want)) {
			t.Errorf("%s: %d, %v, want %q in %.300s", path, res.StatusCode, err, want, body)
		}
	}
	if home := get(t, p.URL); !strings.Contains(home, "The dashboard is missing") || !strings.Contains(home, "make build") {
		t.Errorf("home does not say what is missing: %s", home)
	}
	html := get(t, p.URL+"/docs/keyword")
	for anchor := range strings.SplitSeq(html, `href="#`) {
		id, _, _ := strings.Cut(anchor, `"`)
		if strings.HasPrefix(id, "type-") && !strings.Contains(html, `id="`+id+`"`) {
			t.Errorf("the page links to #%s, which it does not have", id)
		}
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
