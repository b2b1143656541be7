package research

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/research/planner"
	"github.com/trigpoint/trigpoint/internal/serp"
)

const (
	// freshFigures is how long a provider's figures are good; they are monthly means.
	freshFigures = 30 * 24 * time.Hour

	// maxLookUp bounds the keywords of one question to a provider.
	maxLookUp = 1_000

	// maxMarkets bounds the markets that figures are asked for in one request, each of which is a question of its own. The
	// next request asks for others.
	maxMarkets = 3
)

// lookUpFigures asks data providers for figures that are missing or old, and adds them to known: those of the markets with
// most such keywords first.
func (s *Service) lookUpFigures(ctx context.Context, who *asker, list []asked, known map[string][]figures) error {
	if len(able[provider.KeywordSource](s)) == 0 {
		return nil
	}
	wanted := map[*market][]string{}
	for _, one := range list {
		if !s.areTold(*one.in, known[one.kw]) && len(wanted[one.in]) < maxLookUp {
			wanted[one.in] = append(wanted[one.in], one.kw)
		}
	}
	markets := slices.SortedFunc(maps.Keys(wanted), func(a, b *market) int {
		return cmp.Or(len(wanted[b])-len(wanted[a]), a.location.ID-b.location.ID)
	})
	for _, m := range markets[:min(len(markets), maxMarkets)] {
		if err := s.askFigures(ctx, who, *m, wanted[m], known); err != nil {
			return err
		}
	}
	return nil
}

// areTold tells whether the figures of just this market were told lately, be it that there are none.
func (s *Service) areTold(m market, known []figures) bool {
	return slices.ContainsFunc(known, func(f figures) bool {
		return m.suits(&f) && f.locationID == m.location.ID && s.isFresh(f.toldAt, freshFigures)
	})
}

// askFigures asks for the figures of keywords in one market, as far as the answer can be kept: what the account's store has no
// room for would be billed each time.
func (s *Service) askFigures(ctx context.Context, who *asker, m market, kws []string, known map[string][]figures) error {
	if full := s.accounts.Room(ctx, s.db, who.accountID, account.StoredKeywords); full != nil {
		if err := who.without(full); err != nil {
			return err
		}
		kws = slices.DeleteFunc(kws, func(kw string) bool { return !m.isStored(known[kw]) })
	}
	if len(kws) == 0 {
		return nil
	}
	key := fmt.Sprintf("figures %s %d %d %q", who.accountID, m.location.ID, m.languageID, kws)
	rows, err := once(ctx, s, key, func(ctx context.Context) (map[string][]figures, error) {
		rows, err := knownFigures(ctx, s.db, who.accountID, askedIn(&m, kws)) // another may just have asked
		if err != nil {
			return nil, err
		}
		missing := slices.DeleteFunc(slices.Clone(kws), func(kw string) bool { return s.areTold(m, rows[kw]) })
		if len(missing) > 0 {
			err = s.consultFigures(ctx, who.accountID, m, missing, rows)
		}
		return rows, err
	})
	maps.Copy(known, rows)
	return who.without(err)
}

// consultFigures asks the data providers for figures, keeps them and adds them to rows.
func (s *Service) consultFigures(ctx context.Context, accountID string, m market, kws []string, rows map[string][]figures) error {
	q := provider.KeywordQuery{Keywords: kws, Country: m.location.CountryCode, Location: m.location.Locality(), Language: m.language()}
	answer, err := consult(ctx, s, accountID, func(p provider.Prices) provider.Money { return p.Keywords },
		func(ctx context.Context, from provider.KeywordSource) ([]provider.KeywordFigures, error) {
			return from.LookUpKeywords(ctx, q)
		},
		func(ctx context.Context, tx *db.Tx, answer told[[]provider.KeywordFigures]) error {
			return s.keepFigures(ctx, tx, accountID, figuresOfAll(kws, answer, m))
		})
	if err != nil {
		return err
	}
	for _, f := range figuresOfAll(kws, answer, m) {
		rows[f.kw] = append(rows[f.kw], f)
	}
	return nil
}

// isStored tells whether the account's own store has a row of just this market.
func (m market) isStored(known []figures) bool {
	return slices.ContainsFunc(known, func(f figures) bool {
		return f.own && f.locationID == m.location.ID && f.languageID == m.languageID
	})
}

// figuresOfAll makes a row for each keyword that was asked for: also for one that the provider does not know, so that it is
// not asked again for a while.
func figuresOfAll(asked []string, answer told[[]provider.KeywordFigures], m market) []figures {
	rows := make(map[string]figures, len(asked))
	for _, kw := range asked {
		rows[kw] = newFigures(provider.KeywordFigures{Keyword: kw}, answer.source, answer.at, m)
	}
	for _, a := range answer.value {
		if kw := serp.NormalKeyword(a.Keyword); rows[kw].kw != "" {
			rows[kw] = newFigures(a, answer.source, answer.at, m)
		}
	}
	return slices.SortedFunc(maps.Values(rows), func(a, b figures) int { return strings.Compare(a.kw, b.kw) })
}

// withVolume makes rows of the figures that came along with an answer, where they tell how often a keyword is searched: the
// others are still to be asked for.
func withVolume[T any](answer told[finding[T]], m market) []figures {
	var rows []figures
	for _, a := range answer.value.figures {
		if row := newFigures(a, answer.source, answer.at, m); row.volume != nil && planner.KeywordFault(row.kw) == "" {
			rows = append(rows, row)
		}
	}
	return distinct(rows, figures.keyword)
}

func newFigures(a provider.KeywordFigures, source string, at time.Time, m market) figures {
	f := figures{
		kw: serp.NormalKeyword(a.Keyword), own: true, locationID: m.location.ID, languageID: m.languageID, source: sourceProvider + source, toldAt: at,
		cpc: a.CPC, ppc: a.Competition, difficulty: a.Difficulty,
	}
	if a.Volume != nil {
		volume := int64(*a.Volume)
		f.volume = &volume
	}
	for _, month := range a.Monthly {
		f.months = append(f.months, serp.MonthDemand{int64(month.Year), int64(month.Month), int64(month.Volume)})
	}
	return f
}

// keepFigures keeps what a provider told of keywords in one market, as much as the account's plan has room for.
func (s *Service) keepFigures(ctx context.Context, tx *db.Tx, accountID string, rows []figures) error {
	if len(rows) == 0 {
		return nil
	}
	usage, err := s.accounts.Take(ctx, tx, accountID, account.StoredKeywords, 0) // others wait, so that none counts twice
	if err != nil {
		return err
	}
	stored, err := storedKeywords(ctx, tx, accountID, rows)
	if err != nil {
		return err
	}
	var write []figures
	taken := int64(0)
	for _, f := range rows {
		if !stored[f.kw] {
			if taken == usage.Left() {
				continue
			}
			taken++
		}
		write = append(write, f)
	}
	if _, err := s.accounts.Take(ctx, tx, accountID, account.StoredKeywords, taken); err != nil {
		return err
	}
	return saveKeywords(ctx, tx, accountID, write)
}
