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

type problems []errs.Detail

func (ps *problems) add(field string, status errs.Status, format string, args ...any) {
	*ps = append(*ps, errs.Detail{Field: field, Status: status, Message: fmt.Sprintf(format, args...)})
}

// field is the value of a body field, or fallback when it was not sent.
func field[T any](ps *problems, name string, f httpapi.Field[T], fallback T) T {
	if problem, bad := f.Problem(name); bad {
		*ps = append(*ps, problem)
		return fallback
	}
	if !f.Set || f.Null {
		return fallback
	}
	return f.Value
}

// page reads the number of a page that counts from first.
func (ps *problems) page(f httpapi.Field[int], first, fallback int) int {
	n := field(ps, "page", f, fallback)
	if n < first || n > maxPage {
		ps.add("page", errs.InvalidValue, "page must be %d to %d, not %d.", first, maxPage, n)
	}
	return n
}

// noBody refuses a request that says nothing.
func noBody() error {
	return errs.Problems([]errs.Detail{{Status: errs.NotSpecified, Message: "The request body is empty; send a JSON object."}})
}

// target reads a domain or URL; what is wrong with it is noted.
func (ps *problems) target(name string, f httpapi.Field[string], fallback string) webtarget.Target {
	before := len(*ps)
	value := field(ps, name, f, fallback)
	if len(*ps) > before {
		return webtarget.Target{}
	}
	t, faults := parseTarget(name, value)
	*ps = append(*ps, faults...)
	return t
}

func parseTarget(name, value string) (webtarget.Target, []errs.Detail) {
	t, err := webtarget.Parse(value)
	var e *errs.Error
	switch {
	case err == nil:
		return t, nil
	case !errors.As(err, &e) || len(e.Details) == 0:
		return t, []errs.Detail{{Field: name, Status: errs.InvalidValue, Message: name + ": it cannot be read."}}
	}
	details := make([]errs.Detail, len(e.Details))
	for i, d := range e.Details {
		details[i] = errs.Detail{Field: name, Status: d.Status, Message: name + ": " + d.Message}
		if name == "url" && d.Status != errs.NotSpecified {
			details[i].Status = errs.URLInvalid
		}
	}
	return t, details
}

func (ps *problems) competitors(f *httpapi.Field[[]string], domain webtarget.Target) []webtarget.Target {
	before := len(*ps)
	names := field(ps, "competitors", *f, nil)
	if n := len(names); len(*ps) == before && (n < 1 || n > maxCompetitors) {
		ps.add("competitors", errs.InvalidValue, "competitors must be 1 to %d domains, not %d.", maxCompetitors, n)
		return nil
	}
	var list []webtarget.Target
	seen := map[webtarget.Target]bool{domain: domain != webtarget.Target{}}
	for i, name := range names {
		t := ps.target(fmt.Sprintf("competitors[%d]", i), httpapi.Of(name), "")
		if t == (webtarget.Target{}) {
			continue
		}
		if seen[t] {
			ps.add("competitors", errs.Duplicate, "competitors[%d]: %s is the domain itself or named twice.", i, t)
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
	var ps problems
	kws := ps.keywords(&body.Keywords)
	locationID := field(&ps, "location_id", body.LocationID, in.LocationID.Value)
	languageID := field(&ps, "language_id", body.LanguageID, in.LanguageID.Value)
	m, faults := newMarket(locationID, languageID)
	if err := errs.Problems(append(ps, faults...)); err != nil {
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

// keywords reads the list of a request in normal form, each once, in its order.
func (ps *problems) keywords(f *httpapi.Field[[]string]) []string {
	before := len(*ps)
	given := field(ps, "keywords", *f, nil)
	if len(*ps) > before {
		return nil
	}
	if n := len(given); n < 1 || n > maxKeywords {
		ps.add("keywords", errs.InvalidValue, "keywords must be 1 to %d keywords, not %d.", maxKeywords, n)
		return nil
	}
	var list []string
	seen := map[string]bool{}
	for i, kw := range given {
		if problem, bad := checkKeyword(fmt.Sprintf("keywords[%d]", i), kw); bad {
			*ps = append(*ps, problem)
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
	m, faults := newMarket(in.LocationID.Value, in.LanguageID.Value)
	if err := errs.Problems(faults); err != nil {
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
