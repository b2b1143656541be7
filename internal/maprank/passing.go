package maprank

import (
	"cmp"
	"context"
	"slices"

	"github.com/trigpoint/trigpoint/internal/alertrule"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

const (
	mostAhead   = 50 // businesses that are looked up in the report before
	mostPassers = 5  // that are told of
)

// passedBy finds who had no greater share of voice than the campaign's own business in the report before one and has now, the
// greatest first. Both reports are read for that, so it is done only where a rule waits for it.
func (s *Service) passedBy(ctx context.Context, tx *db.Tx, r *report, beforeID string) ([]event.Passer, error) {
	watch, err := alertrule.Load(ctx, tx, alertrule.Campaign, []string{r.accountID})
	waits := func(rule alertrule.Rule) bool { return rule.Condition == alertrule.BusinessPassed }
	if err != nil || !slices.ContainsFunc(watch.Rules(r.accountID, r.campaignID), waits) {
		return nil, err
	}
	now, err := talliesOf(ctx, tx, r.id, beforeID)
	if err != nil {
		return nil, err
	}
	before, err := talliesOf(ctx, tx, beforeID, r.id)
	if err != nil {
		return nil, err
	}
	var ahead []uint16
	for ordinal, t := range now {
		if ordinal != result.OwnOrdinal && t.ShareOfVoice() > now[result.OwnOrdinal].ShareOfVoice() {
			ahead = append(ahead, ordinal)
		}
	}
	slices.SortFunc(ahead, func(a, b uint16) int {
		return cmp.Or(cmp.Compare(now[b].ShareOfVoice(), now[a].ShareOfVoice()), cmp.Compare(a, b))
	})
	ahead = ahead[:min(len(ahead), mostAhead)]
	businesses, err := businessesOf(ctx, tx, r.id, ahead)
	if err != nil {
		return nil, err
	}
	known, err := dictionaryKeys(ctx, tx, beforeID)
	if err != nil {
		return nil, err
	}
	dictionary := result.NewDictionary(known)
	var passers []event.Passer
	for _, ordinal := range ahead {
		b := businesses[ordinal]
		was := before[dictionary.Ordinal(&b)].ShareOfVoice()
		if was <= before[result.OwnOrdinal].ShareOfVoice() && len(passers) < mostPassers {
			passers = append(passers, event.Passer{Name: b.Name, ShareOfVoice: now[ordinal].ShareOfVoice(), ShareBefore: was})
		}
	}
	return passers, nil
}

// talliesOf tallies the businesses of a report over the keywords that another has, too, by ordinal.
func talliesOf(ctx context.Context, tx *db.Tx, reportID, otherID string) (map[uint16]result.Tally, error) {
	keywords, err := db.All(ctx, tx, func(row db.Scanner) (result.Stored, error) {
		blob, err := db.Value[[]byte](row)
		if err != nil {
			return result.Stored{}, err
		}
		return result.Open(blob)
	}, `SELECT k.result FROM report_keywords k JOIN report_keywords o ON o.keyword_id = k.keyword_id
		WHERE k.report_id = $1 AND o.report_id = $2 AND k.status = 'COLLECTED' AND o.status = 'COLLECTED'`, reportID, otherID)
	if err != nil {
		return nil, err
	}
	return result.TallyTogether(keywords)
}

// businessesOf reads some businesses of a report, by ordinal.
func businessesOf(ctx context.Context, q db.Queryer, reportID string, ordinals []uint16) (map[uint16]result.Business, error) {
	wanted := slices.Sorted(slices.Values(ordinals))
	parts, err := dictionaryParts(ctx, q, reportID, wanted)
	if err != nil {
		return nil, err
	}
	businesses := map[uint16]result.Business{}
	for _, p := range parts {
		if err := p.Read(businesses, wanted); err != nil {
			return nil, err
		}
	}
	return businesses, nil
}
