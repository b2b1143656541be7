package dataforseo

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// answers is what every request is answered with. HTTP and the answer itself say success while a task in it has failed, and
// tasks_error may be 0 then: only the status of each task counts.
type answers[Row any] struct {
	Code    code        `json:"status_code"`
	Message wire.Text   `json:"status_message"`
	Tasks   []task[Row] `json:"tasks"`
}

// task is the part of an answer that belongs to one task of the request.
type task[Row any] struct {
	ID      wire.Text `json:"id"`
	Code    code      `json:"status_code"`
	Message wire.Text `json:"status_message"`
	Cost    *float64  `json:"cost"` // in US dollars, charged whatever the code
	Data    struct {
		Tag wire.Text `json:"tag"`
	} `json:"data"`
	Result []Row `json:"result"`
}

// Verify wants a status of the whole and of every task: that is what proves that DataForSEO has answered.
func (a *answers[Row]) Verify() error {
	switch {
	case a.Code != codeOK:
		return fmt.Errorf("status_code is %d", a.Code)
	case len(a.Tasks) == 0:
		return errors.New("an answer without a task")
	}
	for _, t := range a.Tasks {
		if t.Code == 0 {
			return errors.New("a task without a status_code")
		}
	}
	return nil
}

// post sends one task and returns its result: at least one row, or none where DataForSEO says that it has found nothing.
func post[Row any](ctx context.Context, p *Provider, path string, in any, price float64) ([]Row, error) {
	var a answers[Row]
	if err := p.do(ctx, provider.Request{Method: http.MethodPost, Path: path, Body: []any{in}}, &a); err != nil {
		return nil, err
	}
	charge(ctx, a.Tasks[0], price)
	return a.only(p)
}

// get asks for something that costs nothing.
func get[Row any](ctx context.Context, p *Provider, path string) ([]Row, error) {
	var a answers[Row]
	if err := p.do(ctx, provider.Request{Path: path}, &a); err != nil {
		return nil, err
	}
	return a.only(p)
}

// only is the result of the only task.
func (a *answers[Row]) only(p *Provider) ([]Row, error) {
	switch t := a.Tasks[0]; {
	case len(a.Tasks) > 1:
		return nil, p.fault("more than one task in the answer to one")
	case t.Code == codeNothing:
		return nil, nil
	case t.Code != codeOK:
		return nil, p.refused(t.Code, t.Message)
	case len(t.Result) == 0:
		return nil, p.fault("a task without a result")
	default:
		return t.Result, nil
	}
}

func (p *Provider) do(ctx context.Context, r provider.Request, out provider.Answer) error {
	if p.opts.Login == "" || p.opts.Password == "" {
		d := p.Describe()
		return provider.Errorf(provider.Unauthorized, title, "DataForSEO needs the login and the API password of an account: set %s and %s.", d.Env("login"), d.Env("password"))
	}
	return p.client.Do(ctx, r, out)
}

// charge notes what a task has cost, as DataForSEO says; the price is for an answer that does not say.
func charge[Row any](ctx context.Context, t task[Row], price float64) {
	if cost := t.cost(price); cost > 0 {
		provider.Charge(ctx, cost)
	}
}

func (t task[Row]) cost(price float64) provider.Money {
	switch {
	case t.Cost != nil:
		return provider.USD(*t.Cost)
	case t.Code.billed():
		return provider.USD(price)
	default:
		return 0
	}
}

// listing is the row in which most results are wrapped.
type listing[Item any] struct {
	Type         string `json:"type"`
	TotalCount   int    `json:"total_count"`
	ResultsCount *int64 `json:"se_results_count"`
	PagesCount   int    `json:"pages_count"`
	ItemsCount   int    `json:"items_count"`
	Items        []Item `json:"items"`
}

// listed takes the listing out of a result; nothing found is an empty one.
func listed[Item any](p *Provider, rows []listing[Item]) (listing[Item], error) {
	if len(rows) == 0 {
		return listing[Item]{}, nil
	}
	if list := rows[0]; len(list.Items) == 0 && list.ItemsCount > 0 {
		return list, p.fault("items_count without items")
	}
	return rows[0], nil
}

// fault is an answer that proves nothing.
func (p *Provider) fault(what string) error {
	return p.client.Refuse(provider.Refusal{Status: http.StatusOK, Kind: provider.Transient, Words: what})
}
