package googleautocomplete

import (
	"encoding/json"
	"errors"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// suggestAnswer is a list: the question, the suggestions, and what differs between browsers.
type suggestAnswer struct {
	question    *wire.Text
	suggestions *[]wire.Text
	sorts       []wire.Text // QUERY or NAVIGATION, of each suggestion; Firefox is not told

	asked wire.Text
}

// UnmarshalJSON reads the first two elements, and the object at the end where there is one. For western languages
// Google may write Latin-1 in spite of what it was asked for.
func (a *suggestAnswer) UnmarshalJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		decoded, err := charmap.ISO8859_1.NewDecoder().Bytes(raw)
		if err != nil {
			return err
		}
		raw = decoded
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return err
	}
	if len(parts) < 2 {
		return nil // Verify finds it empty
	}
	if err := errors.Join(json.Unmarshal(parts[0], &a.question), json.Unmarshal(parts[1], &a.suggestions)); err != nil {
		return err
	}
	var more struct {
		Sorts []wire.Text `json:"google:suggesttype"`
	}
	if json.Unmarshal(parts[len(parts)-1], &more) == nil { // older answers end with a list
		a.sorts = more.Sorts
	}
	return nil
}

// Verify wants the question repeated, and a list, which may be empty.
func (a *suggestAnswer) Verify() error {
	switch {
	case a.question == nil || a.suggestions == nil:
		return errors.New("question or suggestions are missing")
	case !a.question.Same(a.asked):
		return errors.New("the suggestions are for another question")
	}
	return nil
}

// queries are the suggestions that are searches; others lead to a page.
func (a *suggestAnswer) queries() []string {
	var found []string
	for i, s := range *a.suggestions {
		if s != "" && (i >= len(a.sorts) || a.sorts[i] != "NAVIGATION") {
			found = append(found, string(s))
		}
	}
	return found
}
