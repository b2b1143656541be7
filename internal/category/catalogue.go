package category

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// The catalogue is tab-separated text. A line is a comment (#), a category (id, parent, name,
// countries, terms joined by |) or a tag rule (key=value joined by &, category). Countries are empty
// for all, "+US,PH" for only these, "-IE" for all but these.
//
//go:embed catalogue.tsv.gz
var packed []byte

type entry struct {
	Category
	terms     []string
	countries string
}

func (e *entry) offeredIn(country string) bool {
	if e.countries == "" {
		return true
	}
	return (e.countries[0] == '+') == strings.Contains(e.countries[1:], country)
}

type catalogue struct {
	entries []entry              // by full name, then id
	byID    map[string]int       // index in entries
	tags    map[string][]tagRule // by the leading tag; "key=*" holds a group's rule for unknown values
}

func (c *catalogue) find(id string) *entry {
	if i, ok := c.byID[id]; ok {
		return &c.entries[i]
	}
	return nil
}

// load reads the catalogue on first use. The data is part of the program, so damage is a bug.
var load = sync.OnceValue(func() *catalogue {
	text, err := unzip(packed)
	if err != nil {
		panic(fmt.Errorf("category catalogue: %w", err))
	}
	c, err := parse(text)
	if err != nil {
		panic(fmt.Errorf("category catalogue: %w", err))
	}
	return c
})

func unzip(packed []byte) (string, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(unzipped)
	return string(text), err
}

func parse(text string) (*catalogue, error) {
	c := &catalogue{byID: map[string]int{}, tags: map[string][]tagRule{}}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case fields[0] == "category" && len(fields) == 6:
			c.entries = append(c.entries, entry{
				Category:  Category{ID: fields[1], ParentID: fields[2], Name: fields[3]},
				countries: fields[4],
				terms:     strings.Split(fields[5], "|"),
			})
		case fields[0] == "tag" && len(fields) == 3:
			tags := strings.Split(spelling.Replace(fields[1]), "&")
			c.tags[tags[0]] = append(c.tags[tags[0]], tagRule{needs: tags[1:], id: fields[2]})
		default:
			return nil, fmt.Errorf("line %q is neither a category nor a tag rule", line)
		}
	}
	return c, c.link()
}

// link gives every category its full name and its place in the order.
func (c *catalogue) link() error {
	parents := map[string]*entry{}
	for i := range c.entries {
		parents[c.entries[i].ID] = &c.entries[i]
	}
	for i := range c.entries {
		e := &c.entries[i]
		names := []string{e.Name}
		for up := e.ParentID; up != ""; up = parents[up].ParentID {
			if parents[up] == nil || len(names) > len(c.entries) {
				return fmt.Errorf("category %s has no root", e.ID)
			}
			names = append(names, parents[up].Name)
		}
		slices.Reverse(names)
		e.FullName = strings.Join(names, " > ")
	}
	slices.SortFunc(c.entries, func(a, b entry) int {
		if by := strings.Compare(a.FullName, b.FullName); by != 0 {
			return by
		}
		return strings.Compare(a.ID, b.ID)
	})
	for i := range c.entries {
		c.byID[c.entries[i].ID] = i
	}
	return nil
}
