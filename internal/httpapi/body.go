package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

var jsonFormat = huma.Format{
	Marshal: func(w io.Writer, v any) error {
		if own, ok := v.(SelfPrinter); ok {
			return own.PrintJSON(w)
		}
		e := json.NewEncoder(w)
		e.SetEscapeHTML(false)
		return e.Encode(v)
	},
	Unmarshal: decode,
}

// SelfPrinter is a body that prints itself as JSON. It is for large ones: encoding/json reads again,
// byte by byte, what a Marshaler has printed.
type SelfPrinter interface{ PrintJSON(w io.Writer) error }

// maxDepth bounds nesting well above what any body of ours needs.
const maxDepth = 32

// decode is json.Unmarshal with errors that say where, and without the texts that a store cannot keep.
func decode(data []byte, v any) error {
	if !utf8.Valid(data) {
		return fmt.Errorf("the body is not valid UTF-8 at byte %d", firstInvalid(data))
	}
	if err := scan(data); err != nil {
		return err
	}
	err := json.Unmarshal(data, v)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var noInstant *time.ParseError
	switch {
	case errors.As(err, &noInstant):
		return errors.New(noTime(noInstant.Value))
	case errors.As(err, &syntax):
		return fmt.Errorf("the body is not valid JSON at byte %d: %s", syntax.Offset, syntax.Error())
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("the body must be a JSON %s, not %s", jsonName(kind.Type.Kind().String()), kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s must be a %s, not %s", kind.Field, jsonName(kind.Type.Kind().String()), kind.Value)
	}
	return err
}

func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}

// scan refuses NUL characters, which PostgreSQL cannot store, and deep nesting, before anything is built.
func scan(data []byte) error {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			if bytes.HasPrefix(data[i:], []byte(`\u0000`)) {
				return fmt.Errorf("the body has a NUL character at byte %d", i)
			}
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("the body is nested deeper than %d levels at byte %d", maxDepth, i)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

func jsonName(kind string) string {
	switch kind {
	case "struct", "map":
		return "object"
	case "slice", "array":
		return "array"
	case "bool":
		return "boolean"
	case "string":
		return "string"
	case "float32", "float64":
		return "number"
	}
	return "whole number"
}
