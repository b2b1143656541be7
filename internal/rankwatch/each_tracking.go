package rankwatch

import (
	"context"

	"github.com/trigpoint/trigpoint/internal/rankwatch/formula"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// eachTracking hands over every tracking of an account, newest first, with its state on each of some days, once look
// has seen each of its keywords. The number of statements is the same however many there are.
func (s *Service) eachTracking(ctx context.Context, accountID string, withDeleted bool, days series.Range, look func(i int, view *series.Reader), take func(Tracking, *formula.Timeframes)) error {
	trackings, err := listTrackings(ctx, s.db, accountID, withDeleted)
	if err != nil {
		return err
	}
	keywords, err := keywordsOfAccount(ctx, s.db, accountID, withDeleted)
	if err != nil {
		return err
	}
	years, err := yearsOfAccount(ctx, s.db, accountID, withDeleted, days)
	if err != nil {
		return err
	}
	var wanted []serp.KeywordAt
	for i := range trackings {
		wanted = append(wanted, trackings[i].at(keywordTexts(keywords[trackings[i].id]))...)
	}
	volumes, err := s.volumes(ctx, accountID, wanted)
	if err != nil {
		return err
	}
	for i := range trackings {
		t := &trackings[i]
		n := len(keywords[t.id])
		frames, err := inParts(days, keywords[t.id], volumes[:n], years, look)
		if err != nil {
			return err
		}
		take(t.show(idsOf(keywords[t.id])), frames)
		volumes = volumes[n:]
	}
	return nil
}
