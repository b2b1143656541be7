package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/research/planner"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Bounds of requests.
const (
	maxKeywords    = 1_000
	maxTableRows   = 10_000
	maxJSON        = 1 << 20
	maxImport      = 6 << 20 // bytes of a planner export
	maxRejected    = 100     // bad lines that an answer names
	maxCompetitors = 5
	maxPage        = 1_000_000
)

// readField is the value of a body field, or fallback when it was not sent.
func readField[T any](problems *errs.Details, name string, f httpapi.Field[T], fallback T) T {
	if f.Mistyped(problems, name) || !f.Set || f.Null {
		return fallback
	}
	return f.Value
}

// readPage reads the number of a page that counts from first.
func readPage(problems *errs.Details, f httpapi.Field[int], first, fallback int) int {
	n := readField(problems, "page", f, fallback)
	if n < first || n > maxPage {
		problems.Add("page", errs.InvalidValue, "page must be %d to %d, not %d.", first, maxPage, n)
	}
	return n
}

// noBody refuses a request that says nothing.
func noBody() error {
	return errs.Details{{Status: errs.NotSpecified, Message: "The request body is empty; send a JSON object."}}.Err()
}

// readTarget reads a domain or URL; what is wrong with it is noted.
func readTarget(problems *errs.Details, name string, f httpapi.Field[string], fallback string) webtarget.Target {
	before := len(*problems)
	value := readField(problems, name, f, fallback)
	if len(*problems) > before {
		return webtarget.Target{}
	}
	return parseTarget(problems, name, value)
}

func parseTarget(problems *errs.Details, name, value string) webtarget.Target {
	t, err := webtarget.Parse(value)
	var e *errs.Error
	switch {
	case err == nil:
		return t
	case !errors.As(err, &e) || len(e.Details) == 0:
		problems.Add(name, errs.InvalidValue, "%s: it cannot be read.", name)
		return t
	}
	for _, d := range e.Details {
		status := d.Status
		if name == "url" && status != errs.NotSpecified {
			status = errs.URLInvalid
		}
		problems.Add(name, status, "%s: %s", name, d.Message)
	}
	return t
}

func readCompetitors(problems *errs.Details, f *httpapi.Field[[]string], domain webtarget.Target) []webtarget.Target {
	before := len(*problems)
	names := readField(problems, "competitors", *f, nil)
	if n := len(names); len(*problems) == before && (n < 1 || n > maxCompetitors) {
		problems.Add("competitors", errs.InvalidValue, "competitors must be 1 to %d domains, not %d.", maxCompetitors, n)
		return nil
	}
	var list []webtarget.Target
	seen := map[webtarget.Target]bool{domain: domain != webtarget.Target{}}
	for i, name := range names {
		t := readTarget(problems, fmt.Sprintf("competitors[%d]", i), httpapi.Of(name), "")
		if t == (webtarget.Target{}) {
			continue
		}
		if seen[t] {
			problems.Add("competitors", errs.Duplicate, "competitors[%d]: %s is the domain itself or named twice.", i, t)
		}
		seen[t] = true
		list = append(list, t)
	}
	return list
}

type importBody struct {
	Keywords   httpapi.Field[[]string] `json:"keywords" required:"false" doc:"1 to 1,000 keywords of at most 80 characters and 10 words. Required."`
	LocationID httpapi.Field[int]      `json:"location_id" required:"false" doc:"0, the default, is anywhere."`
	LanguageID httpapi.Field[int]      `json:"language_id" required:"false" doc:"0, the default, is any."`
}

type importInput struct {
	LocationID httpapi.Optional[int] `query:"location_id" doc:"For a planner export; a JSON body has its own."`
	LanguageID httpapi.Optional[int] `query:"language_id" doc:"For a planner export; a JSON body has its own."`
	RawBody    []byte                `contentType:"text/csv"`
}

// ImportedKeywords are keywords with what is known of them.
type ImportedKeywords struct {
	Language       Language      `json:"language"`
	Location       Place         `json:"location"`
	Keywords       []Keyword     `json:"keywords" doc:"At most 1,000."`
	CountBefore    int           `json:"countKeywordsBeforeLimit" doc:"Distinct keywords of the request."`
	Rejected       []RejectedRow `json:"rejected,omitempty" doc:"Lines of a planner export that could not be read; the first 100."`
	RejectedNumber int           `json:"countRejected,omitempty" doc:"All such lines."`
}

// RejectedRow is a line of a file that could not be read.
type RejectedRow struct {
	Line   int    `json:"line" doc:"From 1."`
	Reason string `json:"reason"`
}

// prepareImport looks up the metrics of given keywords and remembers the keywords, as far as the plan
// allows.
func (s *Service) prepareImport(ctx context.Context, accountID string, in *importInput) (ImportedKeywords, error) {
	if len(in.RawBody) > maxJSON {
		return ImportedKeywords{}, errs.New(errs.TooLarge, "The request body is too large.")
	}
	if len(bytes.TrimSpace(in.RawBody)) == 0 {
		return ImportedKeywords{}, noBody()
	}
	var body importBody
	if err := httpapi.Decode(in.RawBody, &body); err != nil {
		return ImportedKeywords{}, err
	}
	var problems errs.Details
	kws := readKeywords(&problems, &body.Keywords)
	locationID := readField(&problems, "location_id", body.LocationID, in.LocationID.Value)
	languageID := readField(&problems, "language_id", body.LanguageID, in.LanguageID.Value)
	m := readMarket(&problems, locationID, languageID)
	if err := problems.Err(); err != nil {
		return ImportedKeywords{}, err
	}
	list, err := s.describeAll(ctx, accountID, askedIn(&m, kws))
	if err != nil {
		return ImportedKeywords{}, err
	}
	rows := make([]figures, len(kws))
	for i, kw := range kws {
		rows[i] = figures{kw: kw, locationID: m.location.ID, languageID: m.languageID, source: sourceAsked}
	}
	language, _ := languageOf(languageID)
	answer := ImportedKeywords{Language: language, Location: placeOf(m.location), Keywords: list, CountBefore: len(kws)}
	return answer, unlessFull(s.store(ctx, accountID, rows))
}

// readKeywords reads the list of a request in normal form, each once, in its order.
func readKeywords(problems *errs.Details, f *httpapi.Field[[]string]) []string {
	before := len(*problems)
	given := readField(problems, "keywords", *f, nil)
	if len(*problems) > before {
		return nil
	}
	if n := len(given); n < 1 || n > maxKeywords {
		problems.Add("keywords", errs.InvalidValue, "keywords must be 1 to %d keywords, not %d.", maxKeywords, n)
		return nil
	}
	var list []string
	seen := map[string]bool{}
	for i, kw := range given {
		if problem, bad := checkKeyword(fmt.Sprintf("keywords[%d]", i), kw); bad {
			*problems = append(*problems, problem)
			continue
		}
		if kw = serp.NormalKeyword(kw); !seen[kw] {
			seen[kw] = true
			list = append(list, kw)
		}
	}
	return list
}

// prepareTable reads a planner export for the account's own keyword store.
func (s *Service) prepareTable(ctx context.Context, accountID string, in *importInput) (ImportedKeywords, error) {
	var problems errs.Details
	m := readMarket(&problems, in.LocationID.Value, in.LanguageID.Value)
	if err := problems.Err(); err != nil {
		return ImportedKeywords{}, err
	}
	language, _ := languageOf(m.languageID)
	answer := ImportedKeywords{Language: language, Location: placeOf(m.location)}
	now := s.clock.Now()
	var rows []figures
	err := planner.Read(bytes.NewReader(in.RawBody), func(row planner.Row) error {
		if len(rows) == maxTableRows {
			return errs.With(errs.Invalid, errs.TooMany, "The file has more than %d keywords; send it in parts, or import it with trigpoint keywords import.", maxTableRows)
		}
		f := fromPlanner(row, m, now)
		f.own = true
		rows = append(rows, f)
		return nil
	}, func(line int, reason string) {
		if answer.RejectedNumber++; len(answer.Rejected) < maxRejected {
			answer.Rejected = append(answer.Rejected, RejectedRow{line, reason})
		}
	})
	if err != nil {
		return ImportedKeywords{}, err
	}
	rows = inOrder(rows)
	answer.CountBefore = len(rows)
	for _, f := range rows[:min(len(rows), maxKeywords)] {
		answer.Keywords = append(answer.Keywords, describe(f.kw, m, []figures{f}, nil))
	}
	if answer.Keywords == nil {
		answer.Keywords = []Keyword{}
	}
	return answer, s.store(ctx, accountID, rows)
}

// inOrder keeps the last row of each keyword, where the keyword first stood.
func inOrder(rows []figures) []figures {
	at := map[string]int{}
	var list []figures
	for _, f := range rows {
		if i, ok := at[f.kw]; ok {
			list[i] = f
			continue
		}
		at[f.kw] = len(list)
		list = append(list, f)
	}
	return list
}
