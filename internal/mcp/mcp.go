// Package mcp lets an assistant ask Trigpoint the questions that people have, over the Model Context Protocol. It speaks
// the public API through the Go client and nothing else, so a key may do here what it may do there.
package mcp

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/client"
)

const instructions = `Trigpoint tracks how a business is found locally: its locations and their listings, its ranks in map search around it (campaigns), and the ranks of its website (trackings).
Start with what_changed for news, list_campaigns for maps and list_trackings for keywords: the other tools take the ids that these give.
Ranks: 1 is best. On maps 21 means beyond the first 20; of keywords "not found" means beyond what was looked at. A figure that is missing is unknown, not 0.`

// tools are what an assistant may call.
type tools struct{ c *client.Client }

// New returns a server of the account whose key the client has. The tools that change something are there only when the
// key may write.
func New(c *client.Client, version string, writes bool) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "trigpoint", Title: "Trigpoint", Version: version}, &sdk.ServerOptions{
		Instructions: instructions, SchemaCache: schemas, Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	t := tools{c}
	t.addAccount(s)
	t.addMaps(s)
	t.addKeywords(s)
	if writes {
		t.addChanges(s)
	}
	return s
}

// schemas are worked out once, not for each key.
var schemas = sdk.NewSchemaCache()

// described is a tool as the assistant sees it.
type described struct {
	name, title, description string
	writes                   bool
}

// add offers a tool. run returns what it found, and the same in a few words.
func add[In, Out any](s *sdk.Server, d described, run func(context.Context, In) (Out, string, error)) {
	no := false
	tool := &sdk.Tool{
		Name: d.name, Title: d.title, Description: d.description, InputSchema: bounded[In](),
		Annotations: &sdk.ToolAnnotations{Title: d.title, ReadOnlyHint: !d.writes, DestructiveHint: &no, OpenWorldHint: &no},
	}
	sdk.AddTool(s, tool, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		out, text, err := run(ctx, in)
		if err != nil {
			return nil, out, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, out, nil
	})
}

const (
	maxText = 255 // characters of what an assistant may send for a name, an id or words
	maxList = 100 // items of a list that it may send
	shown   = 50  // items of a list that it is shown
)

// bounded is the schema of what a tool is given, with a bound for everything.
func bounded[In any]() *jsonschema.Schema {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic(err) // a type of ours that has no schema
	}
	for _, property := range schema.Properties {
		bound(property)
	}
	return schema
}

func bound(s *jsonschema.Schema) {
	switch {
	case s.Type == "string":
		s.MaxLength = jsonschema.Ptr(maxText)
	case s.Type == "integer":
		s.Minimum, s.Maximum = jsonschema.Ptr(1.0), jsonschema.Ptr(400.0)
	case s.Items != nil:
		s.Type, s.Types = "array", nil
		s.MaxItems = jsonschema.Ptr(maxList)
		bound(s.Items)
	}
}

// first cuts a list to what is shown.
func first[T any](all []T) []T {
	if all == nil {
		return []T{}
	}
	return all[:min(len(all), shown)]
}

// counted says how much of a list is shown, such as "first 50 of 1,000 keywords".
func counted(shown int, total int64, what string) string {
	if int64(shown) < total {
		return fmt.Sprintf("first %d of %s %s", shown, thousands(total), what)
	}
	return thousands(total) + " " + what
}

// thousands writes a number as 12,345.
func thousands(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// one rounds to a decimal: more than that is noise to a reader.
func one(v float64) float64 { return math.Round(v*10) / 10 }

func oneOf(v *float64) *float64 {
	if v == nil {
		return nil
	}
	return client.Ptr(one(*v))
}

// figure writes a number that may be unknown.
func figure(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return fmt.Sprintf("%.1f", *v)
}

// change writes how much better or worse something is.
func change(v *float64) string {
	if v == nil {
		return "no earlier report"
	}
	switch won := one(*v); {
	case won > 0:
		return fmt.Sprintf("%.1f better", won)
	case won < 0:
		return fmt.Sprintf("%.1f worse", -won)
	}
	return "unchanged"
}

// rank writes a keyword's position.
func rank(v *int64) string {
	if v == nil {
		return "not found"
	}
	return fmt.Sprint(*v)
}

// lines joins what is said, a line each.
func lines(all ...string) string { return strings.Join(all, "\n") }
