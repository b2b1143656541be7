package serper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// envelope is the part that every answer may have: Serper's way to refuse.
type envelope struct {
	StatusCode int  `json:"statusCode,omitempty"`
	Message    text `json:"message,omitempty"`
}

func (e envelope) refusal() (int, string) { return e.StatusCode, string(e.Message) }

type mapsAnswer struct {
	envelope
	Places []place `json:"places"`
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
	Sponsored   bool   `json:"sponsored"`
}

type searchAnswer struct {
	envelope
	Organic         []result `json:"organic"`
	Ads             []result `json:"ads"`
	AnswerBox       *result  `json:"answerBox"`
	KnowledgeGraph  *result  `json:"knowledgeGraph"`
	Places          []place  `json:"places"`
	LocalPack       []place  `json:"localPack"`
	TopStories      []result `json:"topStories"`
	PeopleAlsoAsk   []result `json:"peopleAlsoAsk"`
	Images          []result `json:"images"`
	Videos          []result `json:"videos"`
	Shopping        []result `json:"shopping"`
	RelatedSearches []struct {
		Query text `json:"query"`
	} `json:"relatedSearches"`
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
	Block       text     `json:"blockPosition"` // of an ad: top or bottom
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
