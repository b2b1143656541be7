package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// whole shows all that is known of a thing, as JSON or as lines for a person.
func whole(e *env, as shown, item any) error {
	if as.JSON {
		return printJSON(e, item)
	}
	text, err := json.Marshal(item)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	read, err := readInOrder(d)
	if err != nil {
		return err
	}
	printLines(e.out, "", read)
	return nil
}

// field is a member of a JSON object, whose members keep their order.
type field struct {
	name  string
	value any // []field of an object, []any of a list, or a plain value
}

func readInOrder(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		var all []field
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			value, err := readInOrder(d)
			if err != nil {
				return nil, err
			}
			all = append(all, field{fmt.Sprint(name), value})
		}
		_, err = d.Token()
		return all, err
	case json.Delim('['):
		var all []any
		for d.More() {
			value, err := readInOrder(d)
			if err != nil {
				return nil, err
			}
			all = append(all, value)
		}
		_, err = d.Token()
		return all, err
	}
	return t, nil
}

// printLines writes a value line by line, what belongs to another further in. What is empty is left out.
func printLines(out io.Writer, indent string, value any) {
	switch v := value.(type) {
	case []field:
		for _, f := range v {
			if text, plain := onOneLine(f.value); plain {
				if text != "" {
					fmt.Fprintf(out, "%s%s: %s\n", indent, f.name, text)
				}
				continue
			}
			fmt.Fprintf(out, "%s%s:\n", indent, f.name)
			printLines(out, indent+"  ", f.value)
		}
	case []any:
		for _, each := range v {
			var block bytes.Buffer
			if text, plain := onOneLine(each); plain {
				block.WriteString(text + "\n")
			} else {
				printLines(&block, indent+"  ", each)
			}
			fmt.Fprintf(out, "%s- %s", indent, strings.TrimLeft(block.String(), " "))
		}
	}
}

// onOneLine writes what needs no lines of its own: a plain value, a list of such, or nothing.
func onOneLine(value any) (text string, plain bool) {
	switch v := value.(type) {
	case nil:
		return "", true
	case []field:
		return "", len(v) == 0
	case []any:
		texts := make([]string, len(v))
		for i, each := range v {
			if _, list := each.([]any); list {
				return "", false
			}
			if texts[i], plain = onOneLine(each); !plain {
				return "", false
			}
		}
		return strings.Join(texts, ", "), true
	}
	return strings.Join(strings.Fields(fmt.Sprint(value)), " "), true
}
