package providertest

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DataForSEODataTask is a question about keywords, a domain or links.
type DataForSEODataTask struct {
	Keyword           string   `json:"keyword"`
	Keywords          []string `json:"keywords"`
	Target            string   `json:"target"`
	LocationName      string   `json:"location_name"`
	LocationCode      int      `json:"location_code"`
	LanguageCode      string   `json:"language_code"`
	SearchPartners    bool     `json:"search_partners"`
	Depth             int      `json:"depth"`
	Limit             int      `json:"limit"`
	Offset            int      `json:"offset"`
	ItemTypes         []string `json:"item_types"`
	Mode              string   `json:"historical_serp_mode"`
	Filters           []any    `json:"filters"`
	OrderBy           []string `json:"order_by"`
	IncludeSubdomains bool     `json:"include_subdomains"`
	Status            string   `json:"backlinks_status_type"`
	RankScale         string   `json:"rank_scale"`
	ListLimit         int      `json:"internal_list_limit"`
}

// volumes knows every keyword that does not hold the word unknown. One that Google Ads does not take spoils the question.
func (d *DataForSEO) volumes(w http.ResponseWriter, r *http.Request) {
	tasks, ok := dataForSEOTasks[DataForSEODataTask](w, r)
	if !ok {
		return
	}
	t := tasks[0]
	spoils := func(k string) bool {
		return k == "" || utf8.RuneCountInString(k) > 80 || len(strings.Fields(k)) > 10 || strings.ContainsAny(k, ",!@%^()={};~`<>?\\|") || strings.ContainsFunc(k, func(r rune) bool { return unicode.Is(unicode.So, r) })
	}
	if len(t.Keywords) == 0 || len(t.Keywords) > 1000 || slices.ContainsFunc(t.Keywords, spoils) {
		dataForSEOAnswers(w, dataForSEODone("", 40501, "Invalid Field: 'keywords'.", 0, t, nil))
		return
	}
	var rows []map[string]any
	for _, k := range t.Keywords {
		k = strings.ToLower(k)
		row := map[string]any{
			"keyword": k, "location_code": t.LocationCode, "language_code": t.LanguageCode, "search_partners": false, "competition": nil, "competition_index": nil,
			"search_volume": nil, "low_top_of_page_bid": nil, "high_top_of_page_bid": nil, "cpc": nil, "monthly_searches": nil,
		}
		if !strings.Contains(k, "unknown") {
			row["competition"], row["competition_index"], row["cpc"] = "LOW", 12, 0.98
			row["search_volume"], row["monthly_searches"] = volumeOf(k), monthsOf(k)
		}
		rows = append(rows, row)
	}
	dataForSEOAnswers(w, d.bill(0.075, t, rows...))
}

// volumeOf is the same for the same keyword.
func volumeOf(keyword string) int { return 10 * len(keyword) }

// monthsOf run newest first, as DataForSEO writes them.
func monthsOf(keyword string) []map[string]any {
	var months []map[string]any
	for month := 7; month > 0; month-- {
		months = append(months, map[string]any{"year": 2026, "month": month, "search_volume": volumeOf(keyword) + month})
	}
	return months
}

// labs is DataForSEO's own database: countries only.
func (d *DataForSEO) labs(w http.ResponseWriter, r *http.Request) {
	tasks, ok := dataForSEOTasks[DataForSEODataTask](w, r)
	if !ok {
		return
	}
	t, question := tasks[0], r.PathValue("question")
	needsMarket := question != "ranked_keywords" && question != "competitors_domain"
	if needsMarket && (t.LocationCode == 0 || t.LanguageCode == "") {
		dataForSEOAnswers(w, dataForSEODone("", 40501, "Invalid Field: 'location_code'.", 0, t, nil))
		return
	}
	items := labsItems(question, t)
	if items == nil {
		dataForSEOAnswers(w, dataForSEODone("", 40402, "Invalid Path.", 0, t, nil))
		return
	}
	total := len(items)
	items = items[min(t.Offset, total):]
	if t.Limit > 0 {
		items = items[:min(len(items), t.Limit)]
	}
	dataForSEOAnswers(w, d.bill(0.01+0.0001*float64(len(items)), t, map[string]any{
		"se_type": "google", "target": t.Target, "seed_keyword": t.Keyword, "location_code": t.LocationCode, "language_code": t.LanguageCode,
		"total_count": total, "items_count": len(items), "items": items,
	}))
}

func labsItems(question string, t DataForSEODataTask) []map[string]any {
	var items []map[string]any
	switch question {
	case "bulk_keyword_difficulty":
		for i, k := range t.Keywords {
			items = append(items, map[string]any{"keyword": k, "keyword_difficulty": i % 101})
		}
	case "related_keywords":
		for _, k := range []string{t.Keyword, t.Keyword + " near me", "best " + t.Keyword} {
			items = append(items, map[string]any{"keyword_data": labsKeyword(k), "depth": 1, "related_keywords": nil})
		}
	case "keyword_suggestions":
		for _, k := range []string{t.Keyword + " delivery", t.Keyword + " near me"} {
			items = append(items, labsKeyword(k))
		}
	case "ranked_keywords":
		for rank, k := range []string{"pizza decatur", "pizza near me", "italian food"} {
			items = append(items, map[string]any{"keyword_data": labsKeyword(k), "ranked_serp_element": map[string]any{
				"serp_item": map[string]any{"type": "organic", "rank_group": rank + 1, "url": "https://" + t.Target + "/"},
			}})
		}
	case "competitors_domain":
		for i, domain := range []string{t.Target, "rival-1.example", "rival-2.example"} {
			items = append(items, map[string]any{
				"domain": domain, "avg_position": 10.5 + float64(i), "intersections": 60 / (i + 1),
				"full_domain_metrics": map[string]any{"organic": map[string]any{"count": 100 * (i + 1)}, "paid": nil},
			})
		}
	}
	return items
}

func labsKeyword(keyword string) map[string]any {
	return map[string]any{
		"keyword":            keyword,
		"keyword_info":       map[string]any{"search_volume": volumeOf(keyword), "cpc": nil, "competition": 0.12, "monthly_searches": monthsOf(keyword)},
		"keyword_properties": map[string]any{"keyword_difficulty": len(keyword)},
	}
}

func (d *DataForSEO) links(w http.ResponseWriter, r *http.Request) {
	tasks, ok := dataForSEOTasks[DataForSEODataTask](w, r)
	if !ok {
		return
	}
	t, scale := tasks[0], 1
	if d.NoBacklinks {
		dataForSEOAnswers(w, dataForSEODone("", 40204, "Access denied. Visit Plans and Subscriptions to activate your subscription.", 0, t, nil))
		return
	}
	if t.RankScale != "one_hundred" {
		scale = 10
	}
	dataForSEOAnswers(w, d.bill(0.02003, t, map[string]any{
		"target": t.Target, "first_seen": "2021-03-02 00:11:00 +00:00", "lost_date": nil, "rank": 18 * scale, "backlinks": 420, "referring_domains": 51,
	}))
}

// user tells the balance of an account that was given $50.
func (d *DataForSEO) user(w http.ResponseWriter, _ *http.Request) {
	d.queue.mu.Lock()
	balance := 50 - d.queue.spent
	d.queue.mu.Unlock()
	dataForSEOAnswers(w, dataForSEODone("", 20000, "Ok.", 0, nil, []any{map[string]any{
		"login": DataForSEOLogin, "money": map[string]any{"total": 50.0, "balance": balance}, "backlinks_subscription_expiry_date": nil,
	}}))
}
