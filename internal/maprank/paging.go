package maprank

import (
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/errs"
)

// Page is a part of a list with its place in the whole.
type Page[T any] struct {
	Content          []T      `json:"content" nullable:"false"`
	Pageable         Pageable `json:"pageable"`
	Sort             Sort     `json:"sort"`
	Last             bool     `json:"last"`
	First            bool     `json:"first"`
	Empty            bool     `json:"empty"`
	NumberOfElements int      `json:"numberOfElements"`
	TotalElements    int64    `json:"totalElements"`
	TotalPages       int64    `json:"totalPages"`
	Size             int      `json:"size"`
	Number           int      `json:"number"`
}

// Pageable says which page was asked for.
type Pageable struct {
	PageNumber int   `json:"pageNumber"`
	PageSize   int   `json:"pageSize"`
	Offset     int64 `json:"offset"`
	Sort       Sort  `json:"sort"`
	Paged      bool  `json:"paged"`
	Unpaged    bool  `json:"unpaged"`
}

// Sort says whether a list is ordered.
type Sort struct {
	Empty    bool `json:"empty"`
	Unsorted bool `json:"unsorted"`
	Sorted   bool `json:"sorted"`
}

// offset is how many items come before a page.
func offset(number, size int) int64 { return int64(max(number, 0)) * int64(max(size, 1)) }

func newPage[T any](content []T, number, size int, total int64) Page[T] {
	if content == nil {
		content = []T{}
	}
	number, size = max(number, 0), max(size, 1)
	sorted := Sort{Sorted: true}
	pages := (total + int64(size) - 1) / int64(size)
	return Page[T]{
		Content: content, Sort: sorted,
		Pageable: Pageable{PageNumber: number, PageSize: size, Offset: offset(number, size), Sort: sorted, Paged: true},
		Last:     int64(number)+1 >= pages, First: number == 0, Empty: len(content) == 0,
		NumberOfElements: len(content), TotalElements: total, TotalPages: pages, Size: size, Number: number,
	}
}

// Order is a parsed sort parameter.
type Order struct {
	Field      string
	Descending bool
}

func (o Order) direction() string {
	if o.Descending {
		return " DESC"
	}
	return " ASC"
}

// readOrder reads <field>,<direction> of one of the fields.
func readOrder(ps *errs.Problems, text string, fields ...string) Order {
	field, direction, _ := strings.Cut(text, ",")
	descending := strings.EqualFold(direction, "DESC")
	if !slices.Contains(fields, field) || !descending && !strings.EqualFold(direction, "ASC") {
		ps.Add("sort", errs.InvalidParameter, "sort must be a field and a direction, such as %s,DESC; the fields are %s.", fields[0], strings.Join(fields, ", "))
	}
	return Order{Field: field, Descending: descending}
}
