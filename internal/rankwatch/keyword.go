package rankwatch

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// TrackedKeyword is a keyword of a tracking, as the API shows it.
type TrackedKeyword struct {
	ID            string             `json:"_id"`
	KeywordID     string             `json:"keyword_id" doc:"The same for the same keyword and location; that of the research endpoints."`
	TrackingID    string             `json:"tracking_id"`
	UserID        string             `json:"user_id"`
	Text          string             `json:"kw"`
	LocationID    int                `json:"location_id"`
	PlatformID    int                `json:"platform_id" enum:"1,2"`
	Volume        *int64             `json:"sv" doc:"Searches a month; null when unknown."`
	Months        []serp.MonthDemand `json:"msv" nullable:"false" doc:"[year, month from 0, searches], oldest first."`
	Rank          *int               `json:"rank" doc:"At the last check; null when the target was not found, or not looked for yet (last_checked_at is null then)."`
	Active        bool               `json:"active"`
	History       *RankSeries        `json:"history,omitempty" doc:"The last 365 days; only when fields names it."`
	Tags          []Tag              `json:"tags" nullable:"false"`
	URL           *string            `json:"url" doc:"What ranked at the last check."`
	CreatedAt     int64              `json:"created_at" doc:"Unix seconds."`
	LastCheckedAt *int64             `json:"last_checked_at" doc:"Last check that did not fail, Unix seconds; null before the first."`
	CheckError    string             `json:"check_error,omitempty" doc:"Why the check after that failed; it is tried again."`
}

// trackedKeyword is a stored tracked keyword.
type trackedKeyword struct {
	rankState
	id, kw    string
	key       string // the same for all spellings of the keyword
	createdAt time.Time
	removed   bool
}

// read takes up the checks of the keyword in a reader.
func (k *trackedKeyword) read(view *series.Reader, years []series.DatedYear) error {
	if err := view.Read(k.history(years)); err != nil {
		return fmt.Errorf("keyword %s: %w", k.id, err)
	}
	return nil
}

func (k *trackedKeyword) checkedUnix() *int64 {
	if k.checkedAt == nil {
		return nil
	}
	seconds := k.checkedAt.Unix()
	return &seconds
}

// showKeywords makes API keywords of stored ones; demand has one entry for each.
func showKeywords(t *tracking, keywords []trackedKeyword, demand []serp.Demand, tags map[int64][]Tag) ([]TrackedKeyword, error) {
	shown := make([]TrackedKeyword, len(keywords))
	for i := range keywords {
		k := &keywords[i]
		last, checked, err := k.last()
		if err != nil {
			return nil, err
		}
		shown[i] = TrackedKeyword{
			ID: k.id, KeywordID: serp.KeywordID(k.kw, t.locationID, 0), TrackingID: t.id, UserID: t.accountID, Text: k.kw,
			LocationID: t.locationID, PlatformID: t.platformID, Volume: demand[i].Volume, Months: demand[i].Months,
			Active: !k.removed, Tags: tags[k.number], CreatedAt: k.createdAt.Unix(), LastCheckedAt: k.checkedUnix(), CheckError: k.problem,
		}
		if checked {
			shown[i].Rank, shown[i].URL = ranked(int(last.Rank)), k.url(last)
		}
		if shown[i].Months == nil {
			shown[i].Months = []serp.MonthDemand{}
		}
		if shown[i].Tags == nil {
			shown[i].Tags = []Tag{}
		}
	}
	return shown, nil
}

func keywordTexts(keywords []trackedKeyword) []string {
	list := make([]string, len(keywords))
	for i, k := range keywords {
		list[i] = k.kw
	}
	return list
}

func noKeyword(id string) error {
	return errs.New(errs.NotFound, "There is no tracked keyword %.64q.", id)
}

// Bounds of a keyword.
const (
	maxKeywordChars = 80
	maxKeywordWords = 10
)

// KeywordText is a keyword of a request: a string, or an object that holds it.
type KeywordText string

// UnmarshalJSON reads both forms.
func (k *KeywordText) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, (*string)(k))
	}
	var object struct{ Keyword *string }
	if err := json.Unmarshal(data, &object); err != nil || object.Keyword == nil {
		return errors.New("each must be a string, or an object with the string keyword")
	}
	*k = KeywordText(*object.Keyword)
	return nil
}

// Schema documents both forms.
func (KeywordText) Schema(r huma.Registry) *huma.Schema {
	text := r.Schema(reflect.TypeFor[string](), true, "")
	text.Description, text.Examples = "The keyword.", []any{"pizza decatur"}
	return &huma.Schema{OneOf: []*huma.Schema{text, {Type: huma.TypeObject, Properties: map[string]*huma.Schema{"keyword": text}, Required: []string{"keyword"}}}}
}

// wanted is a keyword to track.
type wanted struct{ text, key string }

// keywordKey is the same for all spellings of a keyword.
func keywordKey(text string) string { return strings.ToLower(norm.NFC.String(text)) }

// readKeywords checks the keywords of a request and leaves out repeated ones.
func readKeywords(problems *errs.Problems, list []KeywordText) []wanted {
	if len(list) == 0 {
		problems.Add("keywords", errs.NotSpecified, "keywords must hold at least one keyword.")
	}
	all := make([]wanted, 0, len(list))
	seen := make(map[string]bool, len(list))
	for i, k := range list {
		text := strings.Join(strings.Fields(string(k)), " ")
		field := fmt.Sprintf("keywords[%d]", i)
		switch {
		case text == "":
			problems.Add(field, errs.NotSpecified, "%s is empty.", field)
		case strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsRune(text, utf8.RuneError):
			problems.Add(field, errs.InvalidCharacters, "%s contains characters that are not text.", field)
		case utf8.RuneCountInString(text) > maxKeywordChars:
			problems.Add(field, errs.TooLong, "%s has %d characters; at most %d are allowed.", field, utf8.RuneCountInString(text), maxKeywordChars)
		case strings.Count(text, " ") >= maxKeywordWords:
			problems.Add(field, errs.TooLong, "%s has %d words; at most %d are allowed.", field, strings.Count(text, " ")+1, maxKeywordWords)
		default:
			if key := keywordKey(text); !seen[key] {
				seen[key] = true
				all = append(all, wanted{text, key})
			}
		}
	}
	return all
}

func texts(all []wanted) []string {
	list := make([]string, len(all))
	for i, w := range all {
		list[i] = w.text
	}
	return list
}

func idsOf(keywords []trackedKeyword) []string {
	ids := make([]string, len(keywords))
	for i, k := range keywords {
		ids[i] = k.id
	}
	return ids
}
