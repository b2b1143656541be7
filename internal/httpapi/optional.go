package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Optional is a query parameter that knows whether it was sent.
type Optional[T any] struct {
	Value T
	Set   bool
}

// Schema documents the parameter as its value.
func (o Optional[T]) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[T](), true, "")
}

// Receiver lets the parameter be parsed as its value.
func (o *Optional[T]) Receiver() reflect.Value { return reflect.ValueOf(o).Elem().Field(0) }

// OnParamSet remembers that it was sent.
func (o *Optional[T]) OnParamSet(set bool, _ any) { o.Set = set }

// Pointer is the value, or nil when it was not sent.
func (o *Optional[T]) Pointer() *T {
	if !o.Set {
		return nil
	}
	return &o.Value
}
