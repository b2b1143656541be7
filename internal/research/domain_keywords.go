package research

import (
	"context"
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Sizes of answers, as the API documents them.
const (
	pageSize   = 100
	maxDomains = 20 // that compete with one
)

// RankedKeyword is a keyword with the position of a domain.
type RankedKeyword struct {
	Keyword
	Position   *int    `json:"position" doc:"Organic position on the newest result page, or as a data provider says; null when it does not rank."`
	PositionBy *string `json:"position_source" doc:"Where the position comes from: seen (a result page) or the name of the data provider; null without one."`
	PositionAt *int64  `json:"position_ts" doc:"When that page was fetched, or when the provider said so, Unix seconds; null without a position."`
}

// KeywordPage is a page of a domain's keywords.
type KeywordPage struct {
	URLType    string          `json:"url_type" enum:"RootDomain,SubDomain,URL"`
	Location   Place           `json:"location"`
	Keywords   []RankedKeyword `json:"keywords"`
	Total      int             `json:"totalCount"`
	Page       int             `json:"page" doc:"From 0."`
	PageSize   int             `json:"resultsSize" doc:"Keywords of a full page: 100."`
	Original   int             `json:"originalItemsCount" doc:"Keywords of the whole domain, of which totalCount belong to the host or URL asked for."`
	Pagination bool            `json:"isAllowedPagination"`
	Incomplete string          `json:"incomplete,omitempty" doc:"Why a data provider could not be asked for more; absent when it could, or none is configured."`
}

func urlType(t webtarget.Target) string {
	switch {
	case t.IsPrefix():
		return "URL"
	case t.Host() != webtarget.Domain(t.Host()):
		return "SubDomain"
	}
	return "RootDomain"
}

// keywordsOf lists what a target ranks for.
func (s *Service) keywordsOf(ctx context.Context, accountID string, t webtarget.Target, m market, page int) (KeywordPage, error) {
	whole, err := webtarget.Parse(webtarget.Domain(t.Host()))
	if err != nil { // a host under a shared suffix has no domain but itself
		whole = t
	}
	searches, err := searchesIn(ctx, s.db, accountID, m, whole.Host())
	if err != nil {
		return KeywordPage{}, err
	}
	who := &asker{accountID: accountID}
	list, err := s.ranksFor(ctx, who, m, searches, t)
	if err != nil {
		return KeywordPage{}, err
	}
	original := list
	if whole != t {
		if original, err = s.ranksFor(ctx, who, m, searches, whole); err != nil {
			return KeywordPage{}, err
		}
	}
	answer, err := s.keywordPage(ctx, who, t, m, list, page)
	answer.Original = len(original)
	return answer, err
}

// keywordPage describes a page of a target's keywords.
func (s *Service) keywordPage(ctx context.Context, who *asker, t webtarget.Target, m market, list []standing, page int) (KeywordPage, error) {
	keywords, err := s.describeStandings(ctx, who, m, list, page)
	if err != nil {
		return KeywordPage{}, err
	}
	answer := KeywordPage{
		URLType: urlType(t), Location: placeOf(m.location), Keywords: keywords, Total: len(list), Page: page, PageSize: pageSize,
		Original: len(list), Pagination: true,
	}
	answer.Incomplete, err = who.excuse(len(list) > 0)
	return answer, err
}

// searchesIn reads an account's searches in a market, those with one of the hosts among their results;
// all of them without hosts.
func searchesIn(ctx context.Context, q db.Queryer, accountID string, m market, hosts ...string) ([]serp.Search, error) {
	all, err := serp.Searches(ctx, q, accountID, hosts...)
	within := m.within()
	return slices.DeleteFunc(all, func(s serp.Search) bool { return !within(s.LocationID) }), err
}

// standings finds what a target ranks for on result pages.
func (s *Service) standings(ctx context.Context, searches []serp.Search, t webtarget.Target) ([]standing, error) {
	positions, err := s.serps.Positions(ctx, s.db, searches, t)
	return standings(searches, positions), err
}

// describeStandings makes a page, counted from 0, of a list. Each keyword is described where its result page was fetched.
func (s *Service) describeStandings(ctx context.Context, who *asker, m market, list []standing, page int) ([]RankedKeyword, error) {
	list = list[min(len(list), page*pageSize):]
	list = list[:min(len(list), pageSize)]
	markets := map[int]*market{}
	kws := make([]asked, len(list))
	for i, one := range list {
		id := one.place(m)
		if markets[id] == nil {
			there, _ := newMarket(id, m.languageID)
			markets[id] = &there
		}
		kws[i] = asked{one.kw, markets[id]}
	}
	described, err := s.describeAll(ctx, who, kws)
	if err != nil {
		return nil, err
	}
	ranked := make([]RankedKeyword, len(list))
	for i, one := range list {
		ranked[i].Keyword = described[i]
		if one.position > 0 {
			at := one.at.Unix()
			ranked[i].Position, ranked[i].PositionBy, ranked[i].PositionAt = &one.position, &one.source, &at
		}
	}
	return ranked, nil
}

// suggested lists keywords that suit a target.
func (s *Service) suggested(ctx context.Context, accountID string, t webtarget.Target, m market, page int) (KeywordPage, error) {
	searches, err := searchesIn(ctx, s.db, accountID, m)
	if err != nil {
		return KeywordPage{}, err
	}
	who := &asker{accountID: accountID}
	own, err := s.ranksFor(ctx, who, m, searches, t)
	if err != nil {
		return KeywordPage{}, err
	}
	scores := suggest(searches, t)
	if err := s.suggestByWords(ctx, accountID, t, own, scores); err != nil {
		return KeywordPage{}, err
	}
	if err := s.suggestIdeas(ctx, who, t, m, own, scores); err != nil {
		return KeywordPage{}, err
	}
	ranked := map[string]standing{}
	for _, one := range own {
		ranked[one.kw] = one
	}
	for _, one := range own { // known from elsewhere than a result page
		if scores[one.kw] == 0 {
			scores[one.kw] = 1 / float64(one.position)
		}
	}
	var list []standing
	for _, kw := range byScore(scores) {
		one := ranked[kw]
		one.kw = kw
		list = append(list, one)
	}
	return s.keywordPage(ctx, who, t, m, list, page)
}

const (
	seedKeywords = 20   // of a target, whose words find others
	wordScore    = 0.01 // keeps what only shares words below what shares results
)

// suggestByWords adds keywords like those that the target ranks for, or, when it ranks for none, like
// the words of its address.
func (s *Service) suggestByWords(ctx context.Context, accountID string, t webtarget.Target, own []standing, scores map[string]float64) error {
	var all []string
	for _, one := range own[:min(len(own), seedKeywords)] {
		all = append(all, tellingWords(one.kw)...)
	}
	if len(own) == 0 {
		all = tellingWords(addressName(t))
	}
	all = slices.Compact(slices.Sorted(slices.Values(all)))
	if len(all) == 0 {
		return nil
	}
	found, err := keywordsByWords(ctx, s.db, accountID, all, maxRelated)
	near := newRelatives(strings.Join(all, " "))
	for _, kw := range found {
		near.addByWords(kw)
	}
	for kw, score := range near.scores {
		scores[kw] += wordScore * score
	}
	return err
}

// addressName is a target's address without its top-level domain, which tells nothing.
func addressName(t webtarget.Target) string {
	if i := strings.LastIndexByte(t.Host(), '.'); i > 0 {
		return t.Host()[:i] + " " + t.Path()
	}
	return t.Display()
}
