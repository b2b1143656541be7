package server

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

//go:embed docs.html
var docsSource string

//go:embed docs.js
var docsScript []byte

// docsPolicy lets the reference send requests to this server, and to no other.
const docsPolicy = pagePolicy + "; script-src 'self'; connect-src 'self'"

var docsTemplate = template.Must(template.New("docs").Parse(docsSource))

// document is an OpenAPI document with the two forms that it is served in. They are made when they are
// first asked for, and once.
type document struct {
	name, prefix string
	scheme       httpapi.Scheme
	api          func() *huma.OpenAPI
	json, page   func() ([]byte, error)
}

// addDocuments lists the document of every area.
func (s *Server) addDocuments() {
	for _, a := range s.areas {
		s.documents = append(s.documents, &document{name: a.Name, prefix: a.Prefix, scheme: a.Scheme, api: a.Document})
	}
	for _, d := range s.documents {
		d.json = sync.OnceValues(func() ([]byte, error) { return json.Marshal(d.api()) })
		d.page = sync.OnceValues(func() ([]byte, error) {
			var page bytes.Buffer
			err := docsTemplate.Execute(&page, s.docsView(d))
			return page.Bytes(), err
		})
	}
}

func (s *Server) serveDocument(w http.ResponseWriter, r *http.Request) {
	name, _ := strings.CutSuffix(r.PathValue("file"), ".json")
	s.serveText(w, r, name, "application/vnd.oai.openapi+json;version=3.1", func(d *document) ([]byte, error) { return d.json() })
}

// serveDocs shows a document as a page that can be read without its script, with nothing from another host.
func (s *Server) serveDocs(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("area")
	if name == "" {
		name = s.documents[0].name
	}
	w.Header().Set("Content-Security-Policy", docsPolicy)
	setPageHeaders(w.Header())
	s.serveText(w, r, name, "text/html; charset=utf-8", func(d *document) ([]byte, error) { return d.page() })
}

func serveDocsScript(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("Etag", fmt.Sprintf(`"%x"`, sha256.Sum256(docsScript)))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(docsScript))
}

func (s *Server) serveText(w http.ResponseWriter, r *http.Request, name, media string, text func(*document) ([]byte, error)) {
	i := slices.IndexFunc(s.documents, func(d *document) bool { return d.name == name })
	if i < 0 {
		s.fail(w, r, errs.New(errs.NotFound, "There is no such document; see /docs."))
		return
	}
	body, err := text(s.documents[i])
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", media)
	_, _ = w.Write(body)
}

type docsView struct {
	Tokens    template.CSS
	Documents []docsLink
	Document  docsLink
	Scheme    httpapi.Scheme
	Tags      []docsTag
	Events    []docsEvent
	Types     []docsType
}

type docsLink struct{ Name, Title, Description, Prefix string }

// Short is the title beside the product's name.
func (l docsLink) Short() string {
	own := strings.TrimPrefix(l.Title, "Trigpoint ")
	return strings.ToUpper(own[:1]) + own[1:]
}

type docsTag struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary, Help string
	Params                          []docsField
	Body, Answer                    []docsWord
	BodyExample, AnswerExample      string
	Status                          string
	Refusals                        []string
}

// docsEvent is a message that webhooks are sent.
type docsEvent struct {
	Kind, When, Example string
	Data                docsType
}

// docsField is a parameter, or a property of a type.
type docsField struct {
	Name, In, Help, Default, Example string
	Type                             []docsWord
	Required                         bool
}

type docsType struct {
	Name, Help string
	Fields     []docsField
}

// docsWord is a part of a type's name; Type is set when it names a type of the document.
type docsWord struct{ Text, Type string }

func (s *Server) docsView(d *document) docsView {
	view := docsView{Tokens: pageTokens(s.options.Tokens)}
	for _, other := range s.documents {
		link := docsLink{other.name, other.api().Info.Title, other.api().Info.Description, other.prefix}
		view.Documents = append(view.Documents, link)
		if other == d {
			view.Document = link
		}
	}
	view.Scheme = d.scheme
	api := d.api()
	tags := map[string]*docsTag{}
	for _, path := range slices.Sorted(maps.Keys(api.Paths)) {
		for _, op := range httpapi.Operations(api.Paths[path]) {
			tag := tags[op.Tags[0]]
			if tag == nil {
				tag = &docsTag{Name: op.Tags[0]}
				tags[op.Tags[0]] = tag
			}
			tag.Operations = append(tag.Operations, describe(path, op))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		view.Tags = append(view.Tags, *tags[name])
	}
	for _, kind := range slices.Sorted(maps.Keys(api.Webhooks)) {
		op := api.Webhooks[kind].Post
		body := op.RequestBody.Content["application/json"]
		view.Events = append(view.Events, docsEvent{kind, op.Summary, text(body.Example), describeType("data", body.Schema.Properties["data"])})
	}
	schemas := api.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		view.Types = append(view.Types, describeType(name, schemas[name]))
	}
	return view
}

func describe(path string, op *huma.Operation) docsOperation {
	d := docsOperation{ID: op.OperationID, Method: op.Method, Path: path, Summary: op.Summary, Help: op.Description}
	for _, p := range op.Parameters {
		field := describeField(p.Name, p.Schema, p.Required)
		field.In, field.Help = p.In, p.Description
		d.Params = append(d.Params, field)
	}
	if op.RequestBody != nil {
		d.Body, d.BodyExample = describeContent(op.RequestBody.Content)
	}
	for _, status := range slices.Sorted(maps.Keys(op.Responses)) {
		response := op.Responses[status]
		if strings.HasPrefix(status, "2") {
			d.Status = status
			d.Answer, d.AnswerExample = describeContent(response.Content)
		} else {
			d.Refusals = append(d.Refusals, status+" "+response.Description)
		}
	}
	return d
}

// describeContent names the JSON form of a body, shows an example of it, and names the other media.
func describeContent(content map[string]*huma.MediaType) (words []docsWord, example string) {
	for i, media := range slices.Sorted(maps.Keys(content)) { // application/json is the first
		if i > 0 {
			words = append(words, docsWord{Text: " or "})
		}
		if media != "application/json" {
			words = append(words, docsWord{Text: media})
			continue
		}
		words = append(words, typeWords(content[media].Schema)...)
		if content[media].Example != nil {
			example = text(content[media].Example)
		}
	}
	return words, example
}

func describeType(name string, s *huma.Schema) docsType {
	t := docsType{Name: name, Help: s.Description}
	for _, property := range slices.Sorted(maps.Keys(s.Properties)) {
		t.Fields = append(t.Fields, describeField(property, s.Properties[property], slices.Contains(s.Required, property)))
	}
	if t.Fields == nil {
		t.Fields = []docsField{describeField("", s, false)}
	}
	return t
}

func describeField(name string, s *huma.Schema, required bool) docsField {
	f := docsField{Name: name, Type: typeWords(s), Help: s.Description, Required: required}
	if s.Default != nil {
		f.Default = text(s.Default)
	}
	if len(s.Examples) > 0 {
		f.Example = text(s.Examples[0])
	}
	return f
}

func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(v) // made of plain values
	return strings.TrimSpace(b.String())
}

func typeWords(s *huma.Schema) []docsWord {
	var words []docsWord
	switch {
	case s == nil:
		return nil
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		words = []docsWord{{name, name}}
	case len(s.AnyOf) > 0:
		for i, one := range s.AnyOf {
			if i > 0 {
				words = append(words, docsWord{Text: " or "})
			}
			words = append(words, typeWords(one)...)
		}
	case s.Items != nil:
		words = append([]docsWord{{Text: "list of "}}, typeWords(s.Items)...)
	case len(s.Enum) > 0:
		var names []string
		for _, v := range s.Enum {
			names = append(names, strings.Trim(text(v), `"`))
		}
		words = []docsWord{{Text: strings.Join(names, " | ")}}
	default:
		words = describeScalar(s)
	}
	if s.Nullable {
		words = append(words, docsWord{Text: " or null"})
	}
	return words
}

func describeScalar(s *huma.Schema) []docsWord {
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		return append([]docsWord{{Text: "map of "}}, typeWords(values)...)
	}
	if s.Format != "" && s.Type == huma.TypeString {
		return []docsWord{{Text: s.Type + " (" + s.Format + ")"}}
	}
	return []docsWord{{Text: s.Type}}
}
