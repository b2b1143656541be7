package httpapi

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Field is a body field that knows whether it was sent. A value of the wrong type is remembered rather
// than refused, so that it is reported together with every other problem of the request.
type Field[T any] struct {
	Value T
	Set   bool // present in the body, be it as null
	Null  bool
	fault error
}

// Of is a field that was sent with a value.
func Of[T any](v T) Field[T] { return Field[T]{Value: v, Set: true} }

// UnmarshalJSON never fails; see Mistyped.
func (f *Field[T]) UnmarshalJSON(data []byte) error {
	f.Set = true
	if string(data) == "null" {
		f.Null = true
		return nil
	}
	if f.fault = json.Unmarshal(data, &f.Value); f.fault == nil {
		return nil
	}
	var zero T
	f.Value = zero
	return nil
}

// Clearable is a Field that "" and [] clear, whatever its type.
type Clearable[T any] struct{ Field[T] }

// UnmarshalJSON never fails; see Mistyped.
func (f *Clearable[T]) UnmarshalJSON(data []byte) error {
	err := f.Field.UnmarshalJSON(data)
	if text := string(data); f.fault != nil && (text == `""` || text == "[]") {
		f.Null, f.fault = true, nil
	}
	return err
}

// MarshalJSON writes the value, or null.
func (f Field[T]) MarshalJSON() ([]byte, error) {
	if !f.Set || f.Null {
		return []byte("null"), nil
	}
	return json.Marshal(f.Value)
}

// Mistyped tells whether the value is of the wrong type, and notes it as a problem.
func (f *Field[T]) Mistyped(problems *errs.Problems, name string) bool {
	if f.fault == nil {
		return false
	}
	var noInstant *time.ParseError
	if errors.As(f.fault, &noInstant) {
		problems.Add(name, errs.InvalidType, "%s: %s.", name, noTime(noInstant.Value))
		return true
	}
	var kind *json.UnmarshalTypeError
	if !errors.As(f.fault, &kind) {
		problems.Add(name, errs.InvalidType, "%s: %s.", name, f.fault.Error())
		return true
	}
	what := name
	switch want := reflect.TypeFor[T]().Kind(); {
	case kind.Field != "":
		name += "." + kind.Field
		what = name
	case want == reflect.Slice && kind.Type.Kind() != want:
		what = "each of " + name
	}
	problems.Add(name, errs.InvalidType, "%s must be %s, not %s.", what, article(jsonName(kind.Type.Kind().String())), sent(kind.Value))
	return true
}

// Given tells whether there is a value to use: one of the wrong type is noted as a problem, and null is as if
// nothing had been sent.
func (f *Field[T]) Given(problems *errs.Problems, name string) bool {
	return !f.Mistyped(problems, name) && f.Set && !f.Null
}

// sent names what came in place of a value: its type, or a number that is none of those that are taken.
func sent(value string) string {
	if number, is := strings.CutPrefix(value, "number "); is {
		return number
	}
	return article(value)
}

func article(noun string) string {
	if noun == "" {
		return noun
	}
	switch noun[0] {
	case 'a', 'e', 'i', 'o', 'u':
		return "an " + noun
	}
	return "a " + noun
}

// Schema documents the field as its value, or null.
func (f Field[T]) Schema(r huma.Registry) *huma.Schema {
	s := r.Schema(reflect.TypeFor[T](), true, "")
	if s.Ref != "" {
		return &huma.Schema{AnyOf: []*huma.Schema{s, {Type: "null"}}}
	}
	nullable := *s
	nullable.Nullable = true
	return &nullable
}
