package httpapi

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Document is the area's OpenAPI document. What follows from all of an operation's parts, the statuses
// that it may refuse with and an example of each body, is added the first time that it is asked for.
func (a *Area) Document() *huma.OpenAPI {
	document := a.API.OpenAPI()
	a.finish.Do(func() {
		a.own(document, func(op *huma.Operation) {
			a.addRefusals(op)
			a.addRequired(op)
		})
		a.words.describe(document)
		for _, schema := range document.Components.Schemas.Map() {
			closeSchema(schema)
		}
		a.own(document, a.addExamples)
	})
	return document
}

func each(document *huma.OpenAPI, do func(*huma.Operation)) {
	for _, item := range document.Paths {
		for _, op := range Operations(item) {
			do(op)
		}
	}
}

// own visits the operations that the area serves; others that stand in its document describe themselves.
func (a *Area) own(document *huma.OpenAPI, do func(*huma.Operation)) {
	each(document, func(op *huma.Operation) {
		if _, registered := a.ops[op.OperationID]; registered {
			do(op)
		}
	})
}

// Operations lists the operations of a path, in the order in which people read them.
func Operations(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

// closeSchema takes out what says that an object may have any other property: generators of clients make a
// map of it. Unknown fields of a request are ignored all the same.
func closeSchema(s *huma.Schema) {
	if s == nil {
		return
	}
	if open, ok := s.AdditionalProperties.(bool); ok && open {
		s.AdditionalProperties = nil
	}
	closeSchema(s.Items)
	for _, p := range s.Properties {
		closeSchema(p)
	}
	for _, p := range s.AnyOf {
		closeSchema(p)
	}
}

// addRefusals documents the statuses other than success that an operation may answer.
func (a *Area) addRefusals(op *huma.Operation) {
	known := a.ops[op.OperationID]
	codes := append([]errs.Code{errs.Unauthorized, errs.RateLimited, errs.Internal, errs.Unavailable, errs.Invalid}, known.fails...)
	if strings.Contains(op.Path, "{") {
		codes = append(codes, errs.NotFound)
	}
	if op.RequestBody != nil {
		codes = append(codes, errs.Malformed, errs.TooLarge, errs.MediaType)
	}
	if known.writes || known.Session {
		codes = append(codes, errs.Forbidden)
	}
	if slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == idempotencyKey }) {
		codes = append(codes, errs.Conflict)
	}
	kind := reflect.TypeOf(a.Errors.Sample)
	schema := a.API.OpenAPI().Components.Schemas.Schema(kind, true, kind.Name())
	for _, code := range codes {
		status := a.Errors.Status(code)
		op.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status),
			Content:     map[string]*huma.MediaType{jsonMedia: {Schema: schema}},
		}
	}
}

// addRequired says what must be there. A type that other operations take with less is one of its own.
func (a *Area) addRequired(op *huma.Operation) {
	names := a.ops[op.OperationID].requires
	for _, p := range op.Parameters {
		p.Required = p.Required || slices.Contains(names, p.Name)
	}
	if op.RequestBody == nil || len(names) == 0 {
		return
	}
	schemas := a.API.OpenAPI().Components.Schemas
	media := op.RequestBody.Content[jsonMedia]
	body := *schemas.SchemaFromRef(media.Schema.Ref)
	body.Properties = maps.Clone(body.Properties)
	for _, name := range names {
		given := body.Properties[name]
		if given == nil {
			continue
		}
		property := *given
		property.Nullable = false
		body.Properties[name], body.Required = &property, append(body.Required, name)
	}
	if len(body.Required) > 0 {
		op.RequestBody.Required = true
		name := typeName(op.OperationID)
		schemas.Map()[name] = &body
		media.Schema = &huma.Schema{Ref: "#/components/schemas/" + name}
	}
}

// typeName makes CreateLocationRequest of create-location.
func typeName(operation string) string {
	var name strings.Builder
	for word := range strings.SplitSeq(operation, "-") {
		name.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return name.String() + "Request"
}

// addExamples shows the JSON that an operation takes and gives, made of the examples of its properties.
// The vocabulary may have one for the body of an operation, under its id.
func (a *Area) addExamples(op *huma.Operation) {
	e := exampler{registry: a.API.OpenAPI().Components.Schemas}
	if op.RequestBody != nil {
		op.RequestBody.Content[jsonMedia].Example = a.words[op.OperationID].Example
		e.add(op.RequestBody.Content)
	}
	for status, response := range op.Responses {
		if strings.HasPrefix(status, "2") {
			e.add(response.Content)
		}
	}
}

// exampler makes values of schemas.
type exampler struct {
	registry huma.Registry
	within   []string // references that are being followed
}

func (e exampler) add(content map[string]*huma.MediaType) {
	if media := content[jsonMedia]; media != nil && media.Schema != nil && media.Example == nil {
		media.Example = e.of(media.Schema)
	}
}

func (e exampler) of(s *huma.Schema) any {
	if s.Ref != "" {
		e.within = append(slices.Clone(e.within), s.Ref)
		s = e.registry.SchemaFromRef(s.Ref)
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.AnyOf) > 0:
		return e.of(s.AnyOf[0])
	}
	switch s.Type {
	case huma.TypeObject:
		return e.object(s)
	case huma.TypeArray:
		if slices.Contains(e.within, s.Items.Ref) {
			return []any{}
		}
		return []any{e.of(s.Items)}
	case huma.TypeBoolean:
		return true
	case huma.TypeInteger:
		return 1
	case huma.TypeNumber:
		return 1.5
	}
	return "text"
}

func (e exampler) object(s *huma.Schema) any {
	example := map[string]any{}
	for name, p := range s.Properties {
		if e.recursive(p) || !slices.Contains(s.Required, name) && blank(p) {
			continue
		}
		example[name] = e.of(p)
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		example["key"] = e.of(values)
	}
	return example
}

// blank tells whether there is nothing to show of a property.
func blank(p *huma.Schema) bool {
	record := p.Ref != "" || len(p.AnyOf) > 0 || p.Type == huma.TypeObject || p.Items != nil && p.Items.Ref != ""
	return !record && len(p.Examples) == 0 && len(p.Enum) == 0 && p.Default == nil
}

// recursive tells whether a property leads back into what it is part of.
func (e exampler) recursive(p *huma.Schema) bool {
	return p.Ref != "" && slices.Contains(e.within, p.Ref) || p.Items != nil && p.Items.Ref != "" && slices.Contains(e.within, p.Items.Ref)
}
