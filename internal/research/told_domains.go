package research

import (
	"context"
	"slices"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research/planner"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

const (
	// freshDomains is how long it is good what a data provider knows of a domain: as long as a result page.
	freshDomains = serp.CacheLife

	// fewKeywords are too few result pages to tell who competes with a target.
	fewKeywords = 10
)

func domainPrice(p provider.Prices) provider.Money { return p.Domain }

func domainQuery(t webtarget.Target, m market, limit int) provider.DomainQuery {
	return provider.DomainQuery{Target: t.String(), Country: m.location.CountryCode, Language: m.language(), Limit: limit}
}

// ranksFor finds what a target ranks for: on the account's result pages, and as a data provider knows it.
func (s *Service) ranksFor(ctx context.Context, who *asker, m market, searches []serp.Search, t webtarget.Target) ([]standing, error) {
	list, err := s.standings(ctx, searches, t)
	if err != nil {
		return nil, err
	}
	ranks, err := s.toldRanks(ctx, who, m.country(), t)
	if err != nil || len(ranks.value) == 0 {
		return list, err
	}
	seen := map[string]bool{} // on a result page of just this place
	for _, one := range list {
		seen[one.kw] = true
	}
	for kw, position := range ranks.value {
		if !seen[kw] {
			list = append(list, standing{kw: kw, position: position, source: ranks.source, at: ranks.at})
		}
	}
	slices.SortFunc(list, byPosition)
	return list, nil
}

// toldRanks are the positions of a target by keyword, as a data provider knows them.
func (s *Service) toldRanks(ctx context.Context, who *asker, m market, t webtarget.Target) (told[map[string]int], error) {
	return remembered(ctx, s, who, question{askRanks, t.String(), m, freshDomains}, domainPrice,
		func(ctx context.Context, from provider.DomainSource) (finding[map[string]int], error) {
			answer, err := from.DomainKeywords(ctx, domainQuery(t, m, maxLookUp))
			if err != nil {
				return finding[map[string]int]{}, err
			}
			found := finding[map[string]int]{value: map[string]int{}}
			for _, item := range answer.Items[:min(len(answer.Items), maxLookUp)] {
				kw := serp.NormalKeyword(item.Keyword)
				if planner.KeywordFault(kw) != "" || item.Rank < 1 {
					continue
				}
				if known, ok := found.value[kw]; !ok || item.Rank < known {
					found.value[kw] = item.Rank
				}
				found.figures = append(found.figures, item.KeywordFigures)
			}
			return found, nil
		})
}

// competitors lists the domains that share most keywords with a target: as its result pages tell and, where those are few, as a
// data provider knows before that.
func (s *Service) competitors(ctx context.Context, accountID string, t webtarget.Target, m market) ([]string, error) {
	searches, err := searchesIn(ctx, s.db, accountID, m, t.Host())
	if err != nil {
		return nil, err
	}
	who := &asker{accountID: accountID}
	domains := []string{}
	if len(searches) < fewKeywords {
		rivals, err := s.toldCompetitors(ctx, who, m.country(), t)
		if err != nil {
			return nil, err
		}
		domains = append(domains, rivals.value...) // others may have been given the same answer
	}
	for _, one := range competitorsOf(searches, t) {
		if !slices.Contains(domains, one.domain) {
			domains = append(domains, one.domain)
		}
	}
	_, err = who.excuse(len(domains) > 0)
	return domains[:min(len(domains), maxDomains)], err
}

// toldCompetitors are the domains that compete with a target as a data provider knows them, closest first.
func (s *Service) toldCompetitors(ctx context.Context, who *asker, m market, t webtarget.Target) (told[[]string], error) {
	return remembered(ctx, s, who, question{askCompetitors, t.String(), m, freshDomains}, domainPrice,
		func(ctx context.Context, from provider.CompetitorSource) (finding[[]string], error) {
			answer, err := from.Competitors(ctx, domainQuery(t, m, maxDomains+1)) // vendors count the target itself
			names := domainNames{}
			found := finding[[]string]{value: []string{}}
			for _, one := range answer {
				domain := names.of(webtarget.Host(one.Domain))
				if domain != "" && domain != names.of(t.Host()) && !slices.Contains(found.value, domain) && len(found.value) < maxDomains {
					found.value = append(found.value, domain)
				}
			}
			return found, err
		})
}
