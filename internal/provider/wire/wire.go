// Package wire reads JSON as vendors really write it: ids as numbers, numbers as strings, control characters in
// names. What comes out is fit to be stored.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Text is a string as the store can keep it: trimmed, without control characters. Vendors write some ids as
// numbers; those keep their digits. null is "".
type Text string

// UnmarshalJSON reads a string, a number or null.
func (t *Text) UnmarshalJSON(raw []byte) error {
	switch first := raw[0]; {
	case first == '"' && plain(raw):
		*t = Text(bytes.TrimSpace(raw[1 : len(raw)-1]))
		return nil
	case first == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		*t = Clean(s)
		return nil
	case first == 'n':
		*t = ""
		return nil
	case isNumber(first):
		*t = Text(raw)
		return nil
	default:
		return fmt.Errorf("not a text: %.40q", raw)
	}
}

// Same tells whether two texts differ at most in case and spacing, as a question that a vendor repeats may.
func (t Text) Same(other Text) bool { return t.tidy() == other.tidy() }

func (t Text) tidy() string {
	return strings.ToLower(strings.Join(strings.Fields(string(Clean(string(t)))), " "))
}

// plain tells whether a JSON string is its own value: printable ASCII without an escape. Nearly all
// are, and a collection reads millions of them.
func plain(raw []byte) bool {
	for _, c := range raw {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

func isNumber(first byte) bool { return first == '-' || (first >= '0' && first <= '9') }

// Clean makes a text of a string.
func Clean(s string) Text {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.IsControl(r):
			return -1
		default:
			return r
		}
	}, s)
	return Text(strings.TrimSpace(s))
}

// Number is a figure that may arrive as a string; null and "" are 0, which stands for unknown.
type Number float64

// UnmarshalJSON reads a number, a string that holds one, or null.
func (n *Number) UnmarshalJSON(raw []byte) error {
	var t Text
	if err := t.UnmarshalJSON(raw); err != nil {
		return err
	}
	if t == "" {
		*n = 0
		return nil
	}
	f, err := strconv.ParseFloat(string(t), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return fmt.Errorf("not a number: %.40q", string(t))
	}
	*n = Number(f)
	return nil
}

// Count is the number as a count of something, never negative.
func (n Number) Count() int { return int(max(0, min(n, math.MaxInt32))) }

// List is a list that may be absent, which is empty, but never null, which only a broken answer has.
type List[T any] []T

// UnmarshalJSON reads a list.
func (l *List[T]) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return errors.New("null in place of a list")
	}
	return json.Unmarshal(raw, (*[]T)(l))
}
