package googleads

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// Google's bounds.
const (
	maxKeywords = 10_000 // in one request
	maxLetters  = 80     // of a keyword
	maxWords    = 10
	maxPages    = 10 // of ideas; the most that are wanted fit on one, but pages need not be full
)

type metricsRequest struct {
	Keywords []string `json:"keywords"`
	market
}

// LookUpKeywords asks for the figures of each keyword. Google puts near duplicates into one row: all that are asked
// for have its figures.
func (p *Provider) LookUpKeywords(ctx context.Context, q provider.KeywordQuery) ([]provider.KeywordFigures, error) {
	asked := slices.DeleteFunc(slices.Clone(q.Keywords), func(k string) bool { return !askable(k) })
	found := []provider.KeywordFigures{}
	if len(asked) == 0 {
		return found, nil
	}
	where, err := p.market(ctx, q.Country, q.Language, q.Location)
	if err != nil {
		return nil, err
	}
	first := true
	for chunk := range slices.Chunk(asked, maxKeywords) {
		if !first {
			if err := provider.Turn(ctx); err != nil {
				return nil, err
			}
		}
		first = false
		var answer metricsAnswer
		if err := p.post(ctx, "generateKeywordHistoricalMetrics", metricsRequest{Keywords: chunk, market: where}, &answer); err != nil {
			return nil, err
		}
		rows := answer.byText()
		for _, keyword := range chunk {
			if m := rows[tidy(keyword)]; m.known() {
				found = append(found, m.figures(keyword, p.opts.Dollars))
			}
		}
	}
	return found, nil
}

// askable tells whether Google takes the keyword; one among many that it does not take spoils the request.
func askable(keyword string) bool {
	n := len(strings.Fields(keyword))
	return n > 0 && n <= maxWords && utf8.ValidString(keyword) && utf8.RuneCountInString(keyword) <= maxLetters &&
		!strings.ContainsAny(keyword, "!@%^*()={};~`<>?\\|,\n\t\x00")
}

func tidy(keyword string) string { return strings.ToLower(strings.Join(strings.Fields(keyword), " ")) }

type metricsAnswer struct {
	Results []struct {
		Text          wire.Text   `json:"text"`
		CloseVariants []wire.Text `json:"closeVariants"`
		Metrics       metrics     `json:"keywordMetrics"` // absent or empty when nothing is known
	} `json:"results"`
}

// Verify wants a row with a text: there is one also for a keyword that Google does not know.
func (a *metricsAnswer) Verify() error {
	if len(a.Results) == 0 || a.Results[0].Text == "" {
		return errors.New("results are missing")
	}
	return nil
}

func (a *metricsAnswer) byText() map[string]metrics {
	rows := map[string]metrics{}
	for _, r := range a.Results {
		for _, variant := range r.CloseVariants {
			rows[tidy(string(variant))] = r.Metrics
		}
	}
	for _, r := range a.Results { // its own row is better than that of a variant
		rows[tidy(string(r.Text))] = r.Metrics
	}
	return rows
}

type ideasRequest struct {
	Seed struct {
		Keywords []string `json:"keywords"`
	} `json:"keywordSeed"`
	PageSize  int    `json:"pageSize"`
	PageToken string `json:"pageToken,omitempty"`
	market
}

// IdeasFor asks for keywords like the seeds, and their figures.
func (p *Provider) IdeasFor(ctx context.Context, q provider.IdeaQuery) ([]provider.KeywordFigures, error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	where, err := p.market(ctx, q.Country, q.Language, q.Location)
	if err != nil {
		return nil, err
	}
	limit := q.Limit
	if limit == 0 {
		limit = defaultIdeas
	}
	known := map[string]bool{}
	for _, seed := range q.Keywords {
		known[tidy(seed)] = true
	}
	req := ideasRequest{PageSize: min(limit+len(q.Keywords), defaultIdeas), market: where}
	req.Seed.Keywords = q.Keywords
	ideas := []provider.KeywordFigures{}
	for page := range maxPages {
		if page > 0 {
			if err := provider.Turn(ctx); err != nil {
				return nil, err
			}
		}
		var answer ideasAnswer
		if err := p.post(ctx, "generateKeywordIdeas", req, &answer); err != nil {
			return nil, err
		}
		for _, r := range answer.Results {
			if key := tidy(string(r.Text)); key != "" && !known[key] && len(ideas) < limit {
				known[key] = true
				ideas = append(ideas, r.Metrics.figures(string(r.Text), p.opts.Dollars))
			}
		}
		// A page that is not full need not be the last.
		req.PageToken = string(answer.NextPage)
		if req.PageToken == "" || len(ideas) == limit {
			break
		}
	}
	return ideas, nil
}

// defaultIdeas are as many as anybody may ask for.
const defaultIdeas = 1000

type ideasAnswer struct {
	Results []struct {
		Text    wire.Text `json:"text"`
		Metrics metrics   `json:"keywordIdeaMetrics"`
	} `json:"results"`
	NextPage wire.Text `json:"nextPageToken"`

	empty bool
}

// UnmarshalJSON also notes an answer without any field.
func (a *ideasAnswer) UnmarshalJSON(raw []byte) error {
	type plain ideasAnswer
	a.empty = emptyObject(raw)
	return json.Unmarshal(raw, (*plain)(a))
}

// emptyObject tells whether an answer is {}, which is how Google writes a list without rows.
func emptyObject(raw []byte) bool {
	var fields map[string]json.RawMessage
	return json.Unmarshal(raw, &fields) == nil && fields != nil && len(fields) == 0
}

// Verify wants rows, or an answer that is wholly empty.
func (a *ideasAnswer) Verify() error {
	if !a.empty && (len(a.Results) == 0 || a.Results[0].Text == "") {
		return errors.New("results are missing")
	}
	return nil
}
