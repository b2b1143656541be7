// Package clients makes the types of our own Go client from our documents, and shows that a generator which knows
// nothing of us makes clients of them that compile.
package clients

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oapi-codegen/oapi-codegen/v2/pkg/codegen"
)

// Folder is where the client's packages are, Documents where the documents are. These are those of the running
// program: internal/server's golden test holds the two together.
const (
	Folder    = "../../client"
	Documents = "../../internal/server/testdata/openapi"
)

// area is a package of the client's types: those named, and what they are made of.
type area struct {
	document, name, of string
	roots              []string
	renamed            map[string]string // a name that says too little outside of its document
	changes            []string          // of which "not given" is told from "empty"
}

var areas = []area{
	{
		document: "local", name: "local", of: "locations and their listings",
		roots:   []string{"Location", "Listing", "CreateLocationRequest", "Input"},
		renamed: map[string]string{"CreateLocationRequest": "NewLocation", "Input": "LocationChange"},
		changes: []string{"NewLocation", "LocationChange"},
	},
	{
		document: "map-rank-tracker", name: "maprank", of: "campaigns and their reports",
		roots:   []string{"Campaign", "PageCampaignItem", "CampaignView", "Heatmap", "TopCompetitors", "CollectResult", "CampaignProgress", "CreateCampaignRequest"},
		renamed: map[string]string{"CreateCampaignRequest": "NewCampaign"},
		changes: []string{"NewCampaign"},
	},
	{
		document: "keyword", name: "keyword", of: "trackings and their keywords",
		roots:   []string{"Tracking", "TrackingCreated", "TrackedKeyword", "KeywordsAdded", "KeywordDetail", "Stats", "Annotation", "CreateTrackingRequest", "Location"},
		renamed: map[string]string{"CreateTrackingRequest": "NewTracking"},
	},
	{
		document: "account", name: "account", of: "what an account sees of itself",
		roots: []string{"Overview", "Usage", "Start"},
	},
}

// Types returns the text of each package, by its file below Folder.
func Types() (map[string]string, error) {
	files := map[string]string{}
	for _, a := range areas {
		text, err := a.types()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.document, err)
		}
		files[filepath.Join(a.name, "types.go")] = text
	}
	return files, nil
}

func (a area) types() (string, error) {
	document, err := openapi3.NewLoader().LoadFromFile(filepath.Join(Documents, a.document+".json"))
	if err != nil {
		return "", err
	}
	all := document.Components.Schemas
	kept := openapi3.Schemas{}
	for _, name := range a.roots {
		if all[name] == nil {
			return "", fmt.Errorf("there is no %s", name)
		}
		keep(all, kept, name)
	}
	for old, name := range a.renamed {
		kept[name] = kept[old]
		delete(kept, old)
	}
	for name, schema := range kept {
		if !slices.Contains(a.changes, name) {
			skipPointers(schema.Value)
		}
	}
	document.Components = &openapi3.Components{Schemas: kept}
	document.Paths, document.Webhooks = openapi3.NewPaths(), nil
	version := ""
	text, err := codegen.Generate(document, codegen.Configuration{
		PackageName: a.name, Generate: codegen.GenerateOptions{Models: true}, NoVCSVersionOverride: &version,
		OutputOptions: codegen.OutputOptions{
			SkipPrune: true, SkipEnumValidate: true, NameNormalizer: "ToCamelCaseWithInitialisms",
		},
	})
	if err != nil {
		return "", err
	}
	_, body, found := strings.Cut(text, "package "+a.name+"\n")
	if !found {
		return "", fmt.Errorf("the generated text has no package clause")
	}
	return fmt.Sprintf("// Code generated from %s.json by make generate. DO NOT EDIT.\n\n// Package %s has the types of %s, as the documents describe them.\npackage %s\n%s", a.document, a.name, a.of, a.name, body), nil
}

// keep adds a schema and all that it refers to.
func keep(all, kept openapi3.Schemas, name string) {
	if kept[name] != nil {
		return
	}
	kept[name] = all[name]
	var walk func(ref *openapi3.SchemaRef)
	walk = func(ref *openapi3.SchemaRef) {
		if ref == nil {
			return
		}
		if name, found := strings.CutPrefix(ref.Ref, "#/components/schemas/"); found {
			keep(all, kept, name)
			return
		}
		s := ref.Value
		simplify(s)
		for _, p := range s.Properties {
			walk(p)
		}
		for _, list := range []openapi3.SchemaRefs{s.AllOf, s.AnyOf, s.OneOf} {
			for _, p := range list {
				walk(p)
			}
		}
		walk(s.Items)
		walk(s.AdditionalProperties.Schema)
	}
	walk(&openapi3.SchemaRef{Value: all[name].Value})
}

// named are fields whose names in the document are short, or none in Go.
var named = map[string]string{
	"_id": "ID", "kw": "Keyword", "sv": "SearchVolume", "msv": "MonthlyVolumes",
	"cid": "CID", "placeIds": "PlaceIDs", "category_ids": "CategoryIDs", "tracked_keyword_ids": "TrackedKeywordIDs",
	"1": "Top1", "3": "Top3", "10": "Top10", "20": "Top20", "100": "Top100",
}

// simplify makes plain Go of a schema: names and days are text, so that a later release may have more of them and the
// standard library is enough; of two ways to write the same, text is taken.
func simplify(s *openapi3.Schema) {
	s.Enum = nil
	if s.Format == "date" {
		s.Format = ""
	}
	for _, ways := range []openapi3.SchemaRefs{s.AnyOf, s.OneOf} {
		if i := slices.IndexFunc(ways, func(way *openapi3.SchemaRef) bool { return way.Value.Type.Is("string") }); i >= 0 {
			s.Type, s.AnyOf, s.OneOf = ways[i].Value.Type, nil, nil
		}
	}
	for name, p := range s.Properties {
		if named[name] != "" {
			p.Value.Extensions = map[string]any{"x-go-name": named[name]}
		}
	}
}

// skipPointers lets text and lists that may be missing be empty in place of nil. Figures and times keep their pointer:
// what is unknown is not 0.
func skipPointers(s *openapi3.Schema) {
	for name, p := range s.Properties {
		text := p.Value.Type.Is("string") && p.Value.Format != "date-time"
		if p.Ref == "" && !slices.Contains(s.Required, name) && (text || p.Value.Type.Is("array")) {
			p.Value.Extensions = map[string]any{"x-go-type-skip-optional-pointer": true}
		}
	}
}
