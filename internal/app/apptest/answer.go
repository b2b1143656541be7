package apptest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Answer is what the program said.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte
}

// Want fails the test unless the status is as expected.
func (a *Answer) Want(t testing.TB, status int) *Answer {
	t.Helper()
	if a.Status != status {
		t.Fatalf("status %d, want %d: %s", a.Status, status, a.Raw)
	}
	return a
}

// At reads a value of the body by its path: keys and indexes joined by dots, such as data.errors.0.field.
// It is nil when there is nothing.
func (a *Answer) At(path string) any {
	var v any
	if err := json.Unmarshal(a.Raw, &v); err != nil {
		return nil
	}
	for key := range strings.SplitSeq(path, ".") {
		switch node := v.(type) {
		case map[string]any:
			v = node[key]
		case []any:
			index := 0
			for _, digit := range key {
				index = index*10 + int(digit-'0')
			}
			if index >= len(node) {
				return nil
			}
			v = node[index]
		default:
			return nil
		}
	}
	return v
}

// Text is At for a string.
func (a *Answer) Text(path string) string {
	s, _ := a.At(path).(string)
	return s
}

// Len is the number of items at a path, or -1 when there is no list.
func (a *Answer) Len(path string) int {
	list, ok := a.At(path).([]any)
	if !ok {
		return -1
	}
	return len(list)
}

// Into decodes the body.
func (a *Answer) Into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.Raw, v); err != nil {
		t.Fatalf("%v: %s", err, a.Raw)
	}
}

// checker knows an area's document.
type checker struct{ router routers.Router }

func newChecker(t testing.TB, area *httpapi.Area) *checker {
	t.Helper()
	text, err := json.Marshal(area.API.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatalf("the %s document does not load: %v", area.Name, err)
	}
	document.Servers = openapi3.Servers{{URL: area.Prefix}}
	router, err := gorillamux.NewRouter(document)
	if err != nil {
		t.Fatalf("the %s document is not valid: %v", area.Name, err)
	}
	return &checker{router}
}

// answer fails the test when the document does not allow what was answered.
func (c *checker) answer(t testing.TB, req *http.Request, res *http.Response, raw []byte) {
	t.Helper()
	route, params, err := c.router.FindRoute(req)
	if err != nil {
		if res.StatusCode != http.StatusNotFound && res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s %s is not in the document and answered %d", req.Method, req.URL.Path, res.StatusCode)
		}
		return
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 res.StatusCode,
		Header:                 res.Header,
		Body:                   io.NopCloser(bytes.NewReader(raw)),
		Options:                &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	if err := openapi3filter.ValidateResponse(req.Context(), input); err != nil {
		t.Errorf("%s %s answered what its document does not allow: %v\n%s", req.Method, req.URL.Path, err, raw)
	}
}
