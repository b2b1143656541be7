package dataforseo

import (
	"context"
	"regexp"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// linksPrice is that of a summary of links, in US dollars.
const linksPrice = 0.0201

const maxTarget = 2048 // characters

// domainTask asks for the organic ranks of a domain, in a whole country: the database has no cities.
type domainTask struct {
	Target string `json:"target"`
	market
	ItemTypes []string `json:"item_types"`
	Mode      string   `json:"historical_serp_mode,omitempty"`
	Filters   []any    `json:"filters,omitempty"`
	OrderBy   []string `json:"order_by,omitempty"`
	Limit     int      `json:"limit"`
	Offset    int      `json:"offset"`
}

// DomainKeywords lists what a domain, or the part of it below a path, ranks for.
func (p *Provider) DomainKeywords(ctx context.Context, q provider.DomainQuery) (provider.DomainKeywords, error) {
	task, path, err := newDomainTask(q, q.Limit)
	if err != nil {
		return provider.DomainKeywords{}, err
	}
	task.Mode = "live"
	task.OrderBy = []string{"ranked_serp_element.serp_item.rank_group,asc", "keyword_data.keyword_info.search_volume,desc"}
	if path != "" {
		// A URL as the target would be that one page.
		task.Filters = []any{"ranked_serp_element.serp_item.relative_url", "regex", "^" + regexp.QuoteMeta(path) + "([/?#]|$)"}
	}
	list, err := labs[struct {
		Data    keywordData `json:"keyword_data"`
		Element struct {
			Item struct {
				Rank int       `json:"rank_group"`
				URL  wire.Text `json:"url"`
			} `json:"serp_item"`
		} `json:"ranked_serp_element"`
	}](ctx, p, "ranked_keywords", task, task.Limit)
	if err != nil {
		return provider.DomainKeywords{}, err
	}
	found := provider.DomainKeywords{Total: max(list.TotalCount, len(list.Items))}
	for _, row := range list.Items {
		if row.Data.Keyword != "" && row.Element.Item.Rank >= 1 {
			found.Items = append(found.Items, provider.RankedKeyword{KeywordFigures: row.Data.figures(), Rank: row.Element.Item.Rank, URL: string(row.Element.Item.URL)})
		}
	}
	return found, nil
}

// Competitors lists domains that rank for the same keywords. The domain itself is among them, and left out.
func (p *Provider) Competitors(ctx context.Context, q provider.DomainQuery) ([]provider.Competitor, error) {
	task, _, err := newDomainTask(q, rowLimit(q.Limit)+1)
	if err != nil {
		return nil, err
	}
	list, err := labs[struct {
		Domain  wire.Text `json:"domain"`
		Shared  int       `json:"intersections"`
		Rank    *float64  `json:"avg_position"`
		Metrics struct {
			Organic *struct {
				Count *float64 `json:"count"`
			} `json:"organic"`
		} `json:"full_domain_metrics"`
	}](ctx, p, "competitors_domain", task, task.Limit)
	if err != nil {
		return nil, err
	}
	found := []provider.Competitor{}
	for _, row := range list.Items {
		domain := strings.TrimPrefix(strings.ToLower(string(row.Domain)), "www.")
		if domain == "" || domain == task.Target || len(found) == rowLimit(q.Limit) {
			continue
		}
		c := provider.Competitor{Domain: domain, Shared: row.Shared, Rank: row.Rank}
		if row.Metrics.Organic != nil {
			c.Keywords = count(row.Metrics.Organic.Count)
		}
		found = append(found, c)
	}
	return found, nil
}

func newDomainTask(q provider.DomainQuery, limit int) (task domainTask, path string, err error) {
	host, path, err := target(q.Target)
	if err != nil {
		return task, "", err
	}
	if q.Offset < 0 {
		return task, "", provider.Errorf(provider.BadQuery, title, "An offset is not negative.")
	}
	in, err := marketOf(q.Country, q.Language)
	return domainTask{Target: host, market: in, ItemTypes: []string{"organic"}, Limit: rowLimit(limit), Offset: q.Offset}, path, err
}

// target takes a domain or URL apart. A path of "/" is none.
func target(text string) (host, path string, err error) {
	_, rest, hasScheme := strings.Cut(text, "://")
	if !hasScheme {
		rest = text
	}
	host, path, _ = strings.Cut(rest, "/")
	host = strings.TrimPrefix(strings.ToLower(host), "www.")
	if host == "" || len(text) > maxTarget || strings.ContainsAny(host, " @?#") {
		return "", "", provider.Errorf(provider.BadQuery, title, "A domain or URL is wanted, such as example.com.")
	}
	if path = strings.TrimRight(path, "/"); path != "" {
		path = "/" + path
	}
	return host, path, nil
}

type linksTask struct {
	Target            string `json:"target"`
	IncludeSubdomains bool   `json:"include_subdomains"`
	Status            string `json:"backlinks_status_type"`
	RankScale         string `json:"rank_scale"`
	ListLimit         int    `json:"internal_list_limit"`
}

// LinksTo tells how a domain or page is linked to. An account without the subscription that this needs is refused with BadQuery.
func (p *Provider) LinksTo(ctx context.Context, text string) (provider.Links, error) {
	host, path, err := target(text)
	if err != nil {
		return provider.Links{}, err
	}
	if path != "" {
		host = "https://" + host + path // pages are known by their URL
	}
	task := linksTask{Target: host, IncludeSubdomains: true, Status: "live", RankScale: "one_hundred", ListLimit: 1}
	rows, err := post[struct {
		Rank      *float64  `json:"rank"`
		Links     *float64  `json:"backlinks"`
		Domains   *float64  `json:"referring_domains"`
		FirstSeen wire.Text `json:"first_seen"`
	}](ctx, p, "/v3/backlinks/summary/live", task, linksPrice)
	if err != nil || len(rows) == 0 {
		return provider.Links{}, err
	}
	day, _, _ := strings.Cut(string(rows[0].FirstSeen), " ")
	return provider.Links{Rank: rows[0].Rank, Links: count64(rows[0].Links), Domains: count64(rows[0].Domains), FirstSeen: day}, nil
}

func count64(f *float64) *int64 {
	n := count(f)
	if n == nil {
		return nil
	}
	wide := int64(*n)
	return &wide
}
