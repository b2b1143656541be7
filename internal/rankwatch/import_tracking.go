package rankwatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/rankwatch/series"
)

// PastTracking is a domain that another tool has watched.
type PastTracking struct {
	AccountID  string
	From       string // the tool, as people call it
	Domain     string
	LocationID int
	PlatformID int
	Keywords   []PastKeyword
}

// PastKeyword is one of its keywords.
type PastKeyword struct {
	Text   string
	Tags   []string
	Checks []PastCheck
}

// ImportedTracking is what came of an import.
type ImportedTracking struct {
	ID, Domain string
	New        bool
	Keywords   int      // that are tracked from now on
	Checks     int      // days of keywords that were added
	Known      int      // days that had a check before
	Refused    []string // what was not taken, and why
}

const pastKeywords = 200 // of one transaction

var errRehearsed = errors.New("only rehearsed")

// ImportTracking adds keywords and their history to the account's tracking of the domain in its market, or to one that
// it makes. It takes no look-up: new keywords are checked from tomorrow on. A day that has a check keeps it, a keyword
// that was removed here stays so. What it rehearses it does not keep.
func (s *Service) ImportTracking(ctx context.Context, in PastTracking, rehearse bool) (done ImportedTracking, err error) {
	t := tracking{accountID: in.AccountID, locationID: in.LocationID, platformID: in.PlatformID}
	var problems errs.Problems
	t.target = readTarget(&problems, in.Domain)
	checkMarket(&problems, &t, s.sources)
	if err := problems.Err(); err != nil {
		return done, err
	}
	all := mergeKeywords(in.Keywords)
	batch := pastKeywords
	if rehearse {
		batch = max(1, len(all)) // what one transaction makes, the next must see
	}
	for keywords := range slices.Chunk(all, batch) {
		var part ImportedTracking
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			var err error
			if part, err = s.importKeywords(ctx, tx, t, in.From, keywords); err == nil && rehearse {
				err = errRehearsed
			}
			return err
		})
		if err != nil && !errors.Is(err, errRehearsed) {
			return done, err
		}
		done = ImportedTracking{
			ID: part.ID, Domain: part.Domain, New: done.New || part.New, Keywords: done.Keywords + part.Keywords,
			Checks: done.Checks + part.Checks, Known: done.Known + part.Known, Refused: append(done.Refused, part.Refused...),
		}
	}
	return done, nil
}

// mergeKeywords puts those together that are the same keyword here. Of a day that several tell, the one that was checked last is right.
func mergeKeywords(list []PastKeyword) []PastKeyword {
	var all []PastKeyword
	byKey := make(map[string]int, len(list))
	for _, k := range list {
		key := pastKey(k.Text)
		if i, seen := byKey[key]; seen {
			all[i] = all[i].with(k)
			continue
		}
		byKey[key] = len(all)
		all = append(all, k)
	}
	return all
}

func pastKey(text string) string { return keywordKey(strings.Join(strings.Fields(text), " ")) }

// with is the keyword with what another spelling of it has beside.
func (k PastKeyword) with(other PastKeyword) PastKeyword {
	newer, older := k.Checks, other.Checks
	if len(older) > 0 && (len(newer) == 0 || slices.MaxFunc(older, byDay).Day > slices.MaxFunc(newer, byDay).Day) {
		newer, older = older, newer
	}
	told := make(map[series.Day]bool, len(newer))
	for _, c := range newer {
		told[c.Day] = true
	}
	k.Checks = slices.Clone(newer)
	for _, c := range older {
		if !told[c.Day] {
			k.Checks = append(k.Checks, c)
		}
	}
	k.Tags = slices.Concat(k.Tags, other.Tags)
	return k
}

func (s *Service) importKeywords(ctx context.Context, tx *db.Tx, t tracking, from string, keywords []PastKeyword) (done ImportedTracking, err error) {
	if _, err := s.accounts.Take(ctx, tx, t.accountID, account.Keywords, 0); err != nil { // the account is locked first, always
		return done, err
	}
	if done.New, err = s.openPast(ctx, tx, &t); err != nil {
		return done, err
	}
	done.ID, done.Domain = t.id, t.target.Display()
	var want []wanted
	for _, k := range keywords {
		var problems errs.Problems
		if one := readKeywords(&problems, []KeywordText{KeywordText(k.Text)}); len(problems) == 0 {
			want = append(want, one...)
		} else {
			done.Refused = append(done.Refused, fmt.Sprintf("%.80q: %s", k.Text, strings.TrimPrefix(problems[0].Message, "keywords[0] ")))
		}
	}
	stored, added, err := s.addPast(ctx, tx, &t, want)
	if err != nil {
		return done, err
	}
	if done.Keywords = added; done.New {
		err = s.tell(ctx, tx, event.TrackingCreated, &t, added)
	} else {
		err = s.remark(ctx, tx, &t, added)
	}
	if err != nil {
		return done, err
	}
	if err := s.tagPast(ctx, tx, &t, stored, keywords, &done); err != nil {
		return done, err
	}
	today := s.today()
	var past []PastChecks
	for _, k := range keywords {
		known, ok := stored[pastKey(k.Text)]
		checks := slices.DeleteFunc(slices.Clone(k.Checks), func(c PastCheck) bool {
			return c.Day >= today || c.Day.Month().Year() < firstYear || c.Rank > series.MaxRank
		})
		if ok && len(checks) > 0 {
			past = append(past, PastChecks{KeywordID: known.id, Checks: checks})
			done.Known += len(checks)
		}
	}
	if done.Checks, err = s.importHistory(ctx, tx, t.accountID, past); err != nil || done.Checks == 0 {
		return done, err
	}
	done.Known -= done.Checks
	return done, saveAnnotation(ctx, tx, Annotation{
		ID: id.New(), UserID: t.accountID, TrackingID: t.id, Date: today.String(), Type: automatic,
		Content: AnnotationContent{Text: fmt.Sprintf("Ranks before this day were imported from %s", from)},
	}, s.clock.Now())
}

// openPast finds the account's tracking of the target, or makes it.
func (s *Service) openPast(ctx context.Context, tx *db.Tx, t *tracking) (made bool, err error) {
	all, err := listTrackings(ctx, tx, t.accountID, false)
	if err != nil {
		return false, err
	}
	same := func(o tracking) bool {
		return o.target == t.target && o.locationID == t.locationID && o.platformID == t.platformID
	}
	if i := slices.IndexFunc(all, same); i >= 0 {
		*t, err = lockTracking(ctx, tx, t.accountID, all[i].id)
		return false, err
	}
	if _, err := s.accounts.Take(ctx, tx, t.accountID, account.Trackings, 1); err != nil {
		return false, err
	}
	token, err := httpapi.NewShareToken()
	if err != nil {
		return false, err
	}
	t.id, t.createdAt, t.shareToken = id.New(), s.clock.Now(), &token
	if _, err := insertTracking(ctx, tx, t, s.today()); err != nil {
		return false, err
	}
	return true, insertSummary(ctx, tx, t)
}

// addPast tracks keywords that are not known, from tomorrow on, and returns all of the tracking by their key.
func (s *Service) addPast(ctx context.Context, tx *db.Tx, t *tracking, want []wanted) (all map[string]trackedKeyword, added int, err error) {
	stored, err := keywordsOf(ctx, tx, t.id, true)
	if err != nil {
		return nil, 0, err
	}
	fresh, _, _ := sortOut(want, slices.Clone(stored))
	if _, err := s.accounts.Take(ctx, tx, t.accountID, account.Keywords, int64(len(fresh))); err != nil {
		return nil, 0, err
	}
	created := newKeywords(fresh, s.clock.Now())
	if len(created) > 0 {
		if _, err := insertKeywords(ctx, tx, t, created, s.clock.Now()); err != nil {
			return nil, 0, err
		}
		if err := checkFrom(ctx, tx, numbers(created), s.today()+1); err != nil {
			return nil, 0, err
		}
	}
	all = make(map[string]trackedKeyword, len(stored)+len(created))
	for _, k := range slices.Concat(stored, created) {
		all[k.key] = k
	}
	return all, len(created), nil
}

// tagColours are given to imported tags in turn.
var tagColours = []string{"#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5"}

// tagPast gives keywords their tags, which it makes where the tracking has none of that name.
func (s *Service) tagPast(ctx context.Context, tx *db.Tx, t *tracking, stored map[string]trackedKeyword, keywords []PastKeyword, done *ImportedTracking) error {
	tags, err := tagsOf(ctx, tx, t.id)
	if err != nil {
		return err
	}
	byName := map[string]string{}
	for _, tag := range tags {
		byName[keywordKey(tag.Name)] = tag.ID
	}
	tied := map[string][]int64{}
	for _, k := range keywords {
		known, ok := stored[pastKey(k.Text)]
		for _, name := range k.Tags {
			name = strings.Join(strings.Fields(name), " ")
			if !ok || name == "" {
				continue
			}
			tagID := byName[keywordKey(name)]
			if tagID == "" {
				if utf8.RuneCountInString(name) > maxTagName || len(byName) >= maxTags {
					done.Refused = append(done.Refused, fmt.Sprintf("%q: the tag %.80q is too long, or there are %d", k.Text, name, maxTags))
					continue
				}
				tag := Tag{ID: id.New(), UserID: t.accountID, TrackingID: t.id, Name: name, Color: tagColours[len(byName)%len(tagColours)]}
				if err := saveTag(ctx, tx, tag, s.clock.Now()); err != nil {
					return err
				}
				tagID, byName[keywordKey(name)] = tag.ID, tag.ID
			}
			tied[tagID] = append(tied[tagID], known.number)
		}
	}
	for tagID, of := range tied {
		slices.Sort(of)
		if err := tie(ctx, tx, []string{tagID}, slices.Compact(of)); err != nil {
			return err
		}
	}
	return nil
}
