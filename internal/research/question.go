package research

import (
	"errors"
	"time"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// question is one that data providers are asked, and how long their answer is good.
type question struct {
	kind    string
	subject string // keyword or target that it is about
	in      market
	fresh   time.Duration
}

// The questions, as the store names them. What an answer is kept as follows each.
const (
	askRanks       = "ranks"       // map of keywords to positions
	askIdeas       = "ideas"       // keywords like a keyword, best first
	askSuggestions = "suggestions" // keywords for a target, best first
	askCompetitors = "competitors" // domains, closest first
	askLinks       = "links"       // figures by name
)

// answersFor is how long answers are kept. One that is not fresh any more still serves while nobody answers anew.
const answersFor = 60 * 24 * time.Hour

// finding is the answer to a question, with the figures of keywords that came along.
type finding[T any] struct {
	value   T
	figures []provider.KeywordFigures
}

// told is what a data provider has told.
type told[T any] struct {
	value  T
	source string // name of the provider; "" when none has told anything
	at     time.Time
}

// asker is the account that makes a request. A provider that does not answer takes nothing away: the request is answered
// with what is known without it, and told why there is not more.
type asker struct {
	accountID string
	refusal   error // the first one, of a provider, a budget or the plan
}

// without goes on without what could not be asked for. Any other failure ends the request.
func (a *asker) without(err error) error {
	switch errs.CodeOf(err) {
	case errs.Dependency, errs.Quota:
		if a.refusal == nil {
			a.refusal = err
		}
		return nil
	}
	return err
}

// excuse says why an answer may lack something. Where nothing is known without it, the refusal is the answer.
func (a *asker) excuse(known bool) (string, error) {
	var refusal *errs.Error
	if !errors.As(a.refusal, &refusal) {
		return "", nil
	}
	if !known {
		return "", a.refusal
	}
	return refusal.Message, nil
}
