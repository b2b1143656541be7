package apptest

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// Answer is what the program said.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte

	read sync.Once
	body any // Raw, read when it is first asked for; nobody changes it
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
	a.read.Do(func() { _ = json.Unmarshal(a.Raw, &a.body) }) // what is no JSON has nothing at any path
	v := a.body
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
