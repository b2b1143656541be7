package searchconsole

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Dimension is what rows are told apart by.
type Dimension string

// The dimensions that are asked for.
const (
	ByQuery   Dimension = "query"
	ByPage    Dimension = "page"
	ByCountry Dimension = "country"
	ByDevice  Dimension = "device"
	ByDate    Dimension = "date"
)

// Query asks how a property was found in web search.
type Query struct {
	Site       string
	From, To   string // YYYY-MM-DD in Pacific time, both included
	Dimensions []Dimension
	Fresh      bool // days that are not final yet too
	MaxRows    int
}

// Row is how often a combination of keys was seen and clicked.
type Row struct {
	Keys        []string // in the order of the dimensions
	Clicks      int64
	Impressions int64
	Position    float64 // mean of the topmost positions, from 1
}

// Report is all rows, the most clicked first.
type Report struct {
	Rows            []Row
	FirstIncomplete string // first day that is not final yet; "" when Google does not tell
	Cut             bool   // there may be more rows than were asked for
}

// pageSize is how many rows Google gives at once at most.
const pageSize = 25_000

type queryBody struct {
	StartDate  string      `json:"startDate"`
	EndDate    string      `json:"endDate"`
	Dimensions []Dimension `json:"dimensions"`
	Type       string      `json:"type"`
	DataState  string      `json:"dataState"`
	RowLimit   int         `json:"rowLimit"`
	StartRow   int         `json:"startRow"`
}

type queryAnswer struct {
	Rows []struct {
		Keys                               []string
		Clicks, Impressions, CTR, Position float64
	}
	ResponseAggregationType string
	Metadata                struct{ FirstIncompleteDate string }

	dimensions int
}

// Verify implements provider.Answer. The kind of aggregation is there in every answer, be it empty.
func (a *queryAnswer) Verify() error {
	if a.ResponseAggregationType == "" {
		return errors.New("there is no responseAggregationType")
	}
	for _, row := range a.Rows {
		if len(row.Keys) != a.dimensions {
			return fmt.Errorf("a row has %d keys for %d dimensions", len(row.Keys), a.dimensions)
		}
		for _, figure := range []float64{row.Clicks, row.Impressions, row.Position} {
			if figure < 0 || figure > math.MaxInt32 {
				return errors.New("a figure is out of range")
			}
		}
	}
	return nil
}

// Query asks for as many pages as there are rows. An error on any of them is the error of the whole.
func (c *Console) Query(ctx context.Context, accountID string, q Query) (Report, error) {
	var report Report
	body := queryBody{StartDate: q.From, EndDate: q.To, Dimensions: q.Dimensions, Type: "web", DataState: "final"}
	if q.Fresh {
		body.DataState = "all"
	}
	path := "webmasters/v3/sites/" + url.QueryEscape(q.Site) + "/searchAnalytics/query"
	for {
		body.StartRow, body.RowLimit = len(report.Rows), min(pageSize, q.MaxRows-len(report.Rows))
		answer := queryAnswer{dimensions: len(q.Dimensions)}
		if err := c.do(ctx, accountID, provider.Request{Method: http.MethodPost, Path: path, Body: body}, &answer); err != nil {
			return Report{}, err
		}
		for _, row := range answer.Rows[:min(len(answer.Rows), body.RowLimit)] {
			report.Rows = append(report.Rows, Row{row.Keys, int64(math.Round(row.Clicks)), int64(math.Round(row.Impressions)), row.Position})
		}
		report.FirstIncomplete = answer.Metadata.FirstIncompleteDate
		if len(answer.Rows) < body.RowLimit {
			return report, nil
		}
		if len(report.Rows) >= q.MaxRows {
			report.Cut = true
			return report, nil
		}
		if err := provider.Turn(ctx); err != nil {
			return Report{}, err
		}
	}
}
