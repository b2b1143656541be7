package brave

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// Brave's bounds. Ten pages of twenty are the 200 results that any search may want.
const (
	pageSize   = 20
	maxPages   = 10
	maxLetters = 400
	maxWords   = 50
)

// SearchWeb fetches pages of twenty until the depth is reached, Until says yes, or Brave has no more. Brave has no
// ranks of devices, nor of countries and languages that are not in its lists: such queries are refused rather than
// answered wrongly.
func (p *Provider) SearchWeb(ctx context.Context, q provider.WebQuery) (provider.WebPage, error) {
	if err := q.Check(); err != nil {
		return provider.WebPage{}, err
	}
	query, err := p.query(q)
	if err != nil {
		return provider.WebPage{}, err
	}
	found := provider.NewWebPages(q)
	for page := 0; page < maxPages && found.Wants(pageSize); page++ {
		if page > 0 {
			if err := provider.Turn(ctx); err != nil {
				return provider.WebPage{}, err
			}
		}
		query.Set("offset", strconv.Itoa(page)) // of pages, not of rows
		answer := searchAnswer{asked: wire.Text(q.Keyword)}
		if err := p.get(ctx, query, whereabouts(q.Location), &answer); err != nil {
			return provider.WebPage{}, err
		}
		found.Add(provider.VendorPage{Organic: answer.items()})
		if !answer.Query.More {
			break
		}
	}
	return found.Page(), nil
}

func (p *Provider) query(q provider.WebQuery) (url.Values, error) {
	refuse := func(format string, args ...any) (url.Values, error) {
		return nil, provider.Errorf(provider.BadQuery, "Brave", format, args...)
	}
	if !p.Describe().SearchesAs(q.Device) {
		return refuse("Brave takes no device: it has no mobile ranks.")
	}
	if utf8.RuneCountInString(q.Keyword) > maxLetters || len(strings.Fields(q.Keyword)) > maxWords {
		return refuse("Brave takes a keyword of at most %d characters and %d words.", maxLetters, maxWords)
	}
	query := url.Values{
		"q": {q.Keyword}, "count": {strconv.Itoa(pageSize)},
		"text_decorations": {"false"},
		"spellcheck":       {"false"}, // the ranks of another spelling are not those of the keyword
	}
	if q.Country != "" {
		country := strings.ToUpper(q.Country)
		if !countries[country] {
			return refuse("Brave has no ranks of the country %s: choose another provider for it.", country)
		}
		query.Set("country", country)
	}
	if q.Language != "" {
		code, ok := languageCode(q.Language)
		if !ok {
			return refuse("Brave does not search in the language %s: choose another provider for it.", q.Language)
		}
		query.Set("search_lang", code)
	}
	return query, nil
}

// whereabouts tells Brave the town of "Decatur,Georgia,United States", for searches that mean what is near.
func whereabouts(location string) http.Header {
	header := http.Header{}
	parts := strings.Split(location, ",")
	if location != "" {
		header.Set("X-Loc-City", parts[0])
	}
	if len(parts) > 2 {
		header.Set("X-Loc-State-Name", parts[1])
	}
	return header
}
