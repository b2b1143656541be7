package serper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// envelope is the part that every answer may have: the question repeated, or Serper's way to refuse.
type envelope struct {
	Echo       *echo  `json:"searchParameters"`
	StatusCode int    `json:"statusCode"`
	Message    text   `json:"message"`
	Error      text   `json:"error"`
	Credits    number `json:"credits"` // what the answer took of the account's

	asked echo
}

// billed is an answer that tells what it took.
type billed interface {
	provider.Answer
	credits() int
}

// credits are what the answer says, within reason, or else what its type usually takes.
func (e *envelope) credits() int {
	if e.Credits > 0 && e.Credits <= 1000 {
		return int(e.Credits)
	}
	if e.asked.Type == "maps" {
		return mapCredits
	}
	return searchCredits
}

// echo is the question as Serper repeats it: the only mark by which an empty answer is told from a failed one.
type echo struct {
	Type    text `json:"type"`
	Q       text `json:"q"`
	PlaceID text `json:"placeId"`
	CID     text `json:"cid"`
}

// Verify wants the question repeated, and no refusal beside it.
func (e *envelope) Verify() error {
	switch {
	case e.Message != "" || e.Error != "" || e.StatusCode >= 400:
		return errors.New("a refusal inside a success")
	case e.Echo == nil:
		return errors.New("searchParameters is missing")
	case !e.Echo.repeats(e.asked):
		return errors.New("searchParameters are those of another question")
	}
	return nil
}

// repeats leaves room for how a look-up is repeated, of which there is no record: an id may be left out.
func (e echo) repeats(asked echo) bool {
	return e.Type == asked.Type && tidy(e.Q) == tidy(asked.Q) &&
		(e.PlaceID == "" || e.PlaceID == asked.PlaceID) && (e.CID == "" || e.CID == asked.CID)
}

func tidy(q text) string {
	return strings.ToLower(strings.Join(strings.Fields(string(clean(string(q)))), " "))
}

// list is a list that may be absent, which is empty, but never null, which Serper does not write.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return errors.New("null in place of a list")
	}
	return json.Unmarshal(raw, (*[]T)(l))
}

type mapsAnswer struct {
	envelope
	Places list[place] `json:"places"`
}

// Verify also wants rows that say who they are: one without any id happens, none with an id is another format.
func (a *mapsAnswer) Verify() error {
	known := func(r place) bool { return r.PlaceID != "" || r.cid() != "" }
	if len(a.Places) > 0 && !slices.ContainsFunc(a.Places, known) {
		return errors.New("no place has an id")
	}
	return a.envelope.Verify()
}

type place struct {
	Title       text   `json:"title"`
	Address     text   `json:"address"`
	Latitude    number `json:"latitude"`
	Longitude   number `json:"longitude"`
	Rating      number `json:"rating"`
	RatingCount number `json:"ratingCount"`
	Type        text   `json:"type"`
	Types       []text `json:"types"`
	Website     text   `json:"website"`
	PhoneNumber text   `json:"phoneNumber"`
	CID         text   `json:"cid"`
	FID         text   `json:"fid"`
	PlaceID     text   `json:"placeId"`
	Sponsored   bool   `json:"sponsored"` // in no recording; should Serper ever tell of ads, they take no rank
}

type searchAnswer struct {
	envelope
	Organic         list[result] `json:"organic"`
	AnswerBox       *result      `json:"answerBox"`
	KnowledgeGraph  *result      `json:"knowledgeGraph"`
	Places          []place      `json:"places"`
	LocalPack       []place      `json:"localPack"`
	TopStories      []result     `json:"topStories"`
	PeopleAlsoAsk   []result     `json:"peopleAlsoAsk"`
	Images          []result     `json:"images"`
	Videos          []result     `json:"videos"`
	Shopping        []result     `json:"shopping"`
	RelatedSearches []struct {
		Query text `json:"query"`
	} `json:"relatedSearches"`
}

// Verify also wants results that lead somewhere.
func (a *searchAnswer) Verify() error {
	if len(a.Organic) > 0 && !slices.ContainsFunc(a.Organic, func(r result) bool { return r.Link != "" }) {
		return errors.New("no organic result has a link")
	}
	return a.envelope.Verify()
}

// result is any of the parts of a result page; each uses some of the fields.
type result struct {
	Title       text     `json:"title"`
	Link        text     `json:"link"`
	Snippet     text     `json:"snippet"`
	Description text     `json:"description"`
	Question    text     `json:"question"`
	Answer      text     `json:"answer"`
	Website     text     `json:"website"`
	Source      text     `json:"source"`
	Sitelinks   []result `json:"sitelinks"`
}

// text is a string as the store can keep it: trimmed, without control characters. Serper writes some
// ids as numbers; those keep their digits.
type text string

func (t *text) UnmarshalJSON(raw []byte) error {
	switch first := raw[0]; {
	case first == '"' && plain(raw):
		*t = text(bytes.TrimSpace(raw[1 : len(raw)-1]))
		return nil
	case first == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		*t = clean(s)
		return nil
	case first == 'n':
		*t = ""
		return nil
	case isNumber(first):
		*t = text(raw)
		return nil
	default:
		return fmt.Errorf("not a text: %.40q", raw)
	}
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

// number is a figure that may arrive as a string; null and "" are 0, which stands for unknown.
type number float64

func (n *number) UnmarshalJSON(raw []byte) error {
	var t text
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
	*n = number(f)
	return nil
}

func clean(s string) text {
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
	return text(strings.TrimSpace(s))
}
