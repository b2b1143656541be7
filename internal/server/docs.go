package server

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"sort"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

//go:embed docs.html
var docsSource string

var docsTemplate = template.Must(template.New("docs").Parse(docsSource))

type docsView struct {
	Areas []docsArea
	Area  docsArea
	Auth  string
	Tags  []docsTag
	Types []docsType
}

type docsArea struct{ Name, Title, Description, Prefix string }

type docsTag struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	ID, Method, Path, Summary, Help string
	Params                          []docsParam
	Body, Answer                    string
	Status                          string
}

type docsParam struct {
	Name, In, Type, Help string
	Required             bool
}

type docsType struct{ Name, Schema string }

// serveDocs shows an area's OpenAPI document as a page, without scripts and without anything from
// another host.
func (s *Server) serveDocs(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("area")
	if name == "" {
		name = s.areas[0].Name
	}
	i := slices.IndexFunc(s.areas, func(a *httpapi.Area) bool { return a.Name == name })
	if i < 0 {
		s.areas[0].Fail(w, httpapi.From(r.Context()), errs.New(errs.NotFound, "There is no such document; see /docs."))
		return
	}
	var page bytes.Buffer
	if err := docsTemplate.Execute(&page, s.docsView(s.areas[i])); err != nil {
		httpapi.From(r.Context()).Fault = err
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_, _ = w.Write(page.Bytes())
}

func (s *Server) docsView(area *httpapi.Area) docsView {
	var view docsView
	for _, a := range s.areas {
		described := docsArea{a.Name, a.API.OpenAPI().Info.Title, a.API.OpenAPI().Info.Description, a.Prefix}
		view.Areas = append(view.Areas, described)
		if a == area {
			view.Area = described
		}
	}
	document := area.API.OpenAPI()
	view.Auth = strings.TrimSpace(area.Scheme.Header + ": " + area.Scheme.Word + " …")
	tags := map[string]*docsTag{}
	for _, path := range sortedKeys(document.Paths) {
		item := document.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}
			tag := tags[op.Tags[0]]
			if tag == nil {
				tag = &docsTag{Name: op.Tags[0]}
				tags[op.Tags[0]] = tag
			}
			tag.Operations = append(tag.Operations, describe(path, op))
		}
	}
	for _, name := range sortedKeys(tags) {
		view.Tags = append(view.Tags, *tags[name])
	}
	for _, name := range sortedKeys(document.Components.Schemas.Map()) {
		schema, _ := json.MarshalIndent(document.Components.Schemas.Map()[name], "", "  ")
		view.Types = append(view.Types, docsType{name, string(schema)})
	}
	return view
}

func describe(path string, op *huma.Operation) docsOperation {
	d := docsOperation{ID: op.OperationID, Method: op.Method, Path: path, Summary: op.Summary, Help: op.Description}
	for _, p := range op.Parameters {
		d.Params = append(d.Params, docsParam{p.Name, p.In, typeName(p.Schema), p.Description, p.Required})
	}
	if op.RequestBody != nil {
		d.Body = mediaType(op.RequestBody.Content)
	}
	for status, response := range op.Responses {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		d.Status, d.Answer = status, mediaType(response.Content)
	}
	return d
}

// mediaType names the JSON form of a body, and the other media that it may have.
func mediaType(content map[string]*huma.MediaType) string {
	var names []string
	for _, media := range sortedKeys(content) { // application/json is the first
		if media == "application/json" {
			names = append(names, typeName(content[media].Schema))
		} else {
			names = append(names, media)
		}
	}
	return strings.Join(names, " or ")
}

func typeName(s *huma.Schema) string {
	switch {
	case s == nil:
		return ""
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case s.Items != nil:
		return "list of " + typeName(s.Items)
	case len(s.Enum) > 0:
		var names []string
		for _, v := range s.Enum {
			text, _ := json.Marshal(v)
			names = append(names, strings.Trim(string(text), `"`))
		}
		return strings.Join(names, " | ")
	}
	return s.Type
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
