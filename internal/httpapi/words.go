package httpapi

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Words are the vocabulary of an area: what a name means wherever it stands in the document. A key is the
// name of a property or parameter, or Type.name where one type means something else. What a type's own
// tags say comes first.
type Words map[string]Word

// Word says what a name means, and shows a value.
type Word struct {
	Doc     string
	Example any
}

// find looks a name up as it stands in a type, or anywhere. Types of instances, such as PageCampaignItem,
// are found by the generic's name too.
func (w Words) find(kind, name string) Word {
	word := w[name]
	for key, specific := range w {
		of, property, ok := strings.Cut(key, ".")
		if !ok || property != name || of != kind && (of != "Page" || !strings.HasPrefix(kind, of)) {
			continue
		}
		if specific.Doc == "" {
			specific.Doc = word.Doc
		}
		return specific
	}
	return word
}

// describe gives every property and parameter without words of its own those of the vocabulary.
func (w Words) describe(document *huma.OpenAPI) {
	for kind, schema := range document.Components.Schemas.Map() {
		for name, property := range schema.Properties {
			w.find(kind, name).describe(property)
		}
	}
	each(document, func(op *huma.Operation) {
		for _, p := range op.Parameters {
			word := w.find(op.OperationID, p.Name)
			if p.Description == "" {
				p.Description = word.Doc
			}
			if p.Example == nil && p.Schema.Default == nil && len(p.Schema.Examples) == 0 {
				p.Example = word.Example
			}
		}
	})
}

func (word Word) describe(s *huma.Schema) {
	if s.Description == "" {
		s.Description = word.Doc
	}
	records := s.Ref != "" || len(s.AnyOf) > 0 || s.Items != nil && s.Items.Ref != "" // shown by their own properties
	if word.Example == nil || records || len(s.Examples) > 0 || len(s.Enum) > 0 || s.Default != nil {
		return
	}
	example := word.Example
	if _, many := example.([]any); s.Type == huma.TypeArray && !many {
		example = []any{example}
	}
	s.Examples = []any{example}
}

// Merge puts vocabularies of one area together.
func (w Words) Merge(others ...Words) Words {
	all := Words{}
	for _, words := range slices.Insert(others, 0, w) {
		for key, word := range words {
			all[key] = word
		}
	}
	return all
}
