package research

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// GapAnalysis compares a domain with its competitors.
type GapAnalysis struct {
	Mode       string `json:"mode" enum:"domains"`
	Page       int    `json:"page" doc:"From 1."`
	PageSize   int    `json:"resultsSize" doc:"Keywords of a full page of one competitor: 100."`
	Pagination bool   `json:"isAllowedPagination"`
	Results    []Gap  `json:"results" doc:"One for each competitor, in the order asked for."`
	Incomplete string `json:"incomplete,omitempty" doc:"Why a data provider could not be asked for more; absent when it could, or none is configured."`
}

// Gap is what one competitor ranks for and the domain does not.
type Gap struct {
	Domain   string          `json:"domain"`
	Total    int             `json:"totalCount"`
	Original int             `json:"originalItemsCount" doc:"All keywords that the competitor ranks for."`
	Keywords []RankedKeyword `json:"keywords" doc:"With the competitor's position, best first."`
}

func (s *Service) gaps(ctx context.Context, accountID string, domain webtarget.Target, competitors []webtarget.Target, m market, page int) (GapAnalysis, error) {
	answer := GapAnalysis{Mode: "domains", Page: page, PageSize: pageSize, Pagination: true, Results: []Gap{}}
	hosts := []string{domain.Host()}
	for _, c := range competitors {
		hosts = append(hosts, c.Host())
	}
	searches, err := searchesIn(ctx, s.db, accountID, m, hosts...)
	if err != nil {
		return answer, err
	}
	who := &asker{accountID: accountID}
	own, err := s.ranksFor(ctx, who, m, searches, domain)
	if err != nil {
		return answer, err
	}
	known := len(own) > 0
	for _, c := range competitors {
		theirs, err := s.ranksFor(ctx, who, m, searches, c)
		if err != nil {
			return answer, err
		}
		known = known || len(theirs) > 0
		list := missing(theirs, own)
		keywords, err := s.describeStandings(ctx, who, m, list, page-1)
		if err != nil {
			return answer, err
		}
		answer.Results = append(answer.Results, Gap{Domain: c.Display(), Total: len(list), Original: len(theirs), Keywords: keywords})
	}
	answer.Incomplete, err = who.excuse(known)
	return answer, err
}
