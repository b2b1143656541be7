package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/trigpoint/trigpoint/client"
)

// remote are the flags of commands that speak to a running server, here or elsewhere.
type remote struct {
	Server string `help:"Address of the server; the service at --listen when empty." placeholder:"URL"`
	Key    string `help:"API key; TRIGPOINT_KEY in the environment when empty." placeholder:"KEY"`
}

func (r remote) client(e *env) (*client.Client, error) {
	address, key := r.Server, r.Key
	if key == "" {
		key = os.Getenv("TRIGPOINT_KEY")
	}
	if key == "" {
		return nil, errors.New("an API key is needed: set TRIGPOINT_KEY, or give --key; trigpoint key create makes one")
	}
	if address == "" {
		var err error
		if address, err = e.localService(); err != nil {
			return nil, err
		}
	}
	return client.New(address, client.Key(key), client.UserAgent("trigpoint/"+built().version))
}

// shown are the flags of commands that show what a server has.
type shown struct {
	remote
	JSON bool `help:"Print JSON in place of a table."`
}

// listed are those of commands that list.
type listed struct {
	shown
	Limit int `help:"Most to show." default:"100"`
}

// one shows a single thing as JSON or as a row.
func one[T any](e *env, as shown, item T, head string, row func(T) []any) error {
	if as.JSON {
		return printJSON(e, item)
	}
	return table(e, []T{item}, head, row)
}

// many shows a list, as far as its limit goes.
func many[T any](e *env, as listed, all iter.Seq2[T, error], head string, row func(T) []any) error {
	items := []T{}
	for item, err := range all {
		if err != nil {
			return err
		}
		if len(items) == as.Limit {
			fmt.Fprintf(e.err, "There are more than %d; --limit shows more.\n", as.Limit)
			break
		}
		items = append(items, item)
	}
	if as.JSON {
		return printJSON(e, items)
	}
	return table(e, items, head, row)
}

// each goes through a list that was read at once.
func each[T any](items []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err != nil {
			var none T
			yield(none, err)
			return
		}
		for _, item := range items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

func table[T any](e *env, items []T, head string, row func(T) []any) error {
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.ReplaceAll(head, " ", "\t"))
	for _, item := range items {
		var cells []string
		for _, cell := range row(item) {
			cells = append(cells, cellText(cell))
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// cellText writes a value of a table; what is unknown is a dash.
func cellText(cell any) string {
	switch v := cell.(type) {
	case *float64:
		if v == nil {
			return "-"
		}
		return fmt.Sprintf("%.1f", *v)
	case *int64:
		if v == nil {
			return "-"
		}
		return fmt.Sprint(*v)
	case string:
		if v == "" {
			return "-"
		}
		return strings.Join(strings.Fields(v), " ")
	}
	return fmt.Sprint(cell)
}

func printJSON(e *env, v any) error {
	encoder := json.NewEncoder(e.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}
