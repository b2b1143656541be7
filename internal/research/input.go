package research

import (
	"errors"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
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
func readField[T any](problems *errs.Problems, name string, f httpapi.Field[T], fallback T) T {
	if f.Mistyped(problems, name) || !f.Set || f.Null {
		return fallback
	}
	return f.Value
}

// readPage reads the number of a page that counts from first.
func readPage(problems *errs.Problems, f httpapi.Field[int], first, fallback int) int {
	n := readField(problems, "page", f, fallback)
	if n < first || n > maxPage {
		problems.Add("page", errs.InvalidValue, "page must be %d to %d, not %d.", first, maxPage, n)
	}
	return n
}

// noBody refuses a request without a body.
func noBody() error {
	return errs.Problems{{Status: errs.NotSpecified, Message: "The request body is empty; send a JSON object."}}.Err()
}

// readTarget reads a domain or URL; what is wrong with it is noted.
func readTarget(problems *errs.Problems, name string, f httpapi.Field[string], fallback string) webtarget.Target {
	before := len(*problems)
	value := readField(problems, name, f, fallback)
	if len(*problems) > before {
		return webtarget.Target{}
	}
	return parseTarget(problems, name, value)
}

func parseTarget(problems *errs.Problems, name, value string) webtarget.Target {
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

func readCompetitors(problems *errs.Problems, f *httpapi.Field[[]string], domain webtarget.Target) []webtarget.Target {
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

// readKeywords reads the list of a request in normal form, each once, in its order.
func readKeywords(problems *errs.Problems, f *httpapi.Field[[]string]) []string {
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
