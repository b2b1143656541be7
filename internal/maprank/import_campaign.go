package maprank

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/id"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// PastCampaign is what another tool has found out about a business on the map.
type PastCampaign struct {
	AccountID string
	From      string // the tool, such as localfalcon
	Name      string // of a campaign that is made for it; that of the business when empty
	Business  provider.Business
	Scans     []PastScan
}

// PastScan is a keyword that was searched for at the points of a map at an instant.
type PastScan struct {
	Keyword string
	At      time.Time
	Points  []PastPoint // in an order that is the same for the same points
}

// PastPoint is what was found at a point.
type PastPoint struct {
	At    grid.Coordinates
	Found []PastResult
}

// PastResult is a business that was found at a point.
type PastResult struct {
	Rank int // from 1; beyond 20 nothing is kept
	provider.Business
}

// ImportedCampaign is what came of an import.
type ImportedCampaign struct {
	ID, Name string
	New      bool     // the campaign was made
	Keywords []string // that it was given
	Reports  int      // that were made
	Scans    int      // that were kept
	Known    int      // scans that had been kept before
	Refused  []string // scans that were not kept, and why
}

const (
	importedFrom = "import:" // before the name of the tool, where a report names who answered
	pastBatch    = 100       // scans of one transaction
	pastSlots    = 60        // seconds within which scans of other points find room for a report of their own
)

var errRehearsed = errors.New("only rehearsed")

// ImportCampaign keeps scans as reports of the account's oldest campaign of the business, or of one that it makes. It
// costs no credits, tells nobody but of the campaign made, and takes a scan that is there already for the same. What it
// rehearses it does not keep.
func (s *Service) ImportCampaign(ctx context.Context, in PastCampaign, rehearse bool) (done ImportedCampaign, err error) {
	acc, err := s.accounts.Find(ctx, in.AccountID)
	if err != nil {
		return done, err
	}
	who := account.Principal{AccountID: acc.ID, Email: acc.Email, PlanName: acc.Plan, Plan: s.accounts.Plan(acc.Plan)}
	if in.Scans, done.Refused = s.usable(in.Scans); len(in.Scans) == 0 {
		return done, nil
	}
	batch := pastBatch
	if rehearse {
		batch = len(in.Scans) // what one transaction makes, the next must see
	}
	for scans := range slices.Chunk(in.Scans, batch) {
		var part ImportedCampaign
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			var err error
			if part, err = s.importScans(ctx, tx, who, in, scans); err == nil && rehearse {
				err = errRehearsed
			}
			return err
		})
		if err != nil && !errors.Is(err, errRehearsed) {
			return done, err
		}
		done.add(part)
	}
	return done, nil
}

// usable sorts out scans that cannot be kept.
func (s *Service) usable(scans []PastScan) (usable []PastScan, refused []string) {
	for _, scan := range scans {
		var ps errs.Problems
		names := checkKeywords(&ps, []string{scan.Keyword})
		ps = append(ps, grid.PointProblems("points", scan.points())...)
		if scan.At.After(s.clock.Now()) || scan.At.Year() < 2000 {
			ps.Add("at", errs.InvalidValue, "Its date is not in the past.")
		}
		if len(ps) > 0 {
			refused = append(refused, scan.refusal("%s", ps[0].Message))
			continue
		}
		scan.Keyword = names[0]
		usable = append(usable, scan)
	}
	return usable, refused
}

func (scan PastScan) refusal(format string, args ...any) string {
	return fmt.Sprintf("%q at %s was not taken: ", scan.Keyword, Instant{scan.At}) + fmt.Sprintf(format, args...)
}

func (i *ImportedCampaign) add(part ImportedCampaign) {
	i.ID, i.Name, i.New = part.ID, part.Name, i.New || part.New
	i.Reports, i.Scans, i.Known = i.Reports+part.Reports, i.Scans+part.Scans, i.Known+part.Known
	i.Keywords, i.Refused = append(i.Keywords, part.Keywords...), append(i.Refused, part.Refused...)
}

// pastImport is an import of scans to a campaign, whose row is locked.
type pastImport struct {
	ImportedCampaign
	campaign
	from     string
	keywords map[string]Keyword       // by their name in any case
	position map[string]int           // of keywords in the campaign, by id
	sets     map[string]grid.PointSet // of points that reports of the campaign were made at
	touched  map[string]*report
}

func (s *Service) importScans(ctx context.Context, tx *db.Tx, who account.Principal, in PastCampaign, scans []PastScan) (ImportedCampaign, error) {
	p := pastImport{from: importedFrom + in.From, touched: map[string]*report{}}
	if err := s.openPast(ctx, tx, &p, who, in); err != nil {
		return p.ImportedCampaign, err
	}
	for _, scan := range scans {
		if err := s.importScan(ctx, tx, &p, scan); err != nil {
			return p.ImportedCampaign, fmt.Errorf("scan of %q at %s: %w", scan.Keyword, Instant{scan.At}, err)
		}
	}
	for _, r := range p.touched {
		if err := s.closePast(ctx, tx, r); err != nil {
			return p.ImportedCampaign, err
		}
	}
	if p.status == Created && len(p.touched) > 0 {
		if err := setCampaignStatus(ctx, tx, p.id, Collected, stamp(s.clock.Now()), ""); err != nil {
			return p.ImportedCampaign, err
		}
	}
	return p.ImportedCampaign, refreshMetrics(ctx, tx, p.id)
}

// openPast finds or makes the campaign, and gives it the keywords of all scans.
func (s *Service) openPast(ctx context.Context, tx *db.Tx, p *pastImport, who account.Principal, in PastCampaign) error {
	names := keywordNames(in.Scans)
	own, found, err := campaignOf(ctx, tx, who.AccountID, newBusiness(in.Business))
	if err != nil {
		return err
	}
	if !found {
		if own, err = s.makePast(ctx, tx, p, who, in, names); err != nil {
			return err
		}
	}
	if p.campaign, err = ownedCampaign(ctx, tx, own, locking(tx, campaignRow)); err != nil {
		return err
	}
	p.ID, p.Name = id.Dashed(p.id), p.name
	if p.status == Collecting {
		return errs.With(errs.Conflict, errs.CollectionRunning, "A report of the campaign %q is being collected; import again when it is done.", p.name)
	}
	if p.sets, err = pointSetsOf(ctx, tx, p.id); err != nil {
		return err
	}
	return p.addKeywords(ctx, tx, names)
}

// keywordNames lists the keywords of scans, each once.
func keywordNames(scans []PastScan) []string {
	var names []string
	seen := map[string]bool{}
	for _, scan := range scans {
		if key := sameKeyword(scan.Keyword); !seen[key] {
			seen[key] = true
			names = append(names, scan.Keyword)
		}
	}
	return names
}

// campaignOf finds the oldest campaign that an account has of a business.
func campaignOf(ctx context.Context, q db.Queryer, accountID string, business result.Business) (campaignID string, found bool, err error) {
	all, err := db.All(ctx, q, scanCampaign, selectOwned+" WHERE c.account_id = $1 ORDER BY c.created_at, c.id", accountID)
	i := slices.IndexFunc(all, func(c campaign) bool { return business.Identity().Is(c.business) })
	if err != nil || i < 0 {
		return "", false, err
	}
	return all[i].id, true, nil
}

// makePast makes a campaign, without a schedule, at the points of the newest scan.
func (s *Service) makePast(ctx context.Context, tx *db.Tx, p *pastImport, who account.Principal, in PastCampaign, names []string) (string, error) {
	newest := slices.MaxFunc(in.Scans, func(a, b PastScan) int { return a.At.Compare(b.At) })
	d := draft{name: oneLine(in.Name), keywords: names[:min(len(names), maxKeywords)], points: newest.points()}
	if in.Business.Name == "" {
		return "", errs.New(errs.Invalid, "It is not told what the business %s is called.", in.Business.PlaceID)
	}
	if at := &in.Business; at.Lat == 0 && at.Lng == 0 {
		middle := middleOf(newest.Points)
		at.Lat, at.Lng = middle.Lat, middle.Lng
	}
	c, set := s.prepare(who, d, in.Business)
	made, err := s.create(ctx, tx, c, set, d.keywords)
	p.New, p.Keywords = true, d.keywords
	return made.ID, err
}

func (scan PastScan) points() []grid.Point {
	points := make([]grid.Point, len(scan.Points))
	for i, p := range scan.Points {
		points[i] = grid.Point{Index: i, IsEnabled: true, Coordinates: p.At}
	}
	return points
}

// middleOf is the middle of points that lie around a business.
func middleOf(points []PastPoint) (middle grid.Coordinates) {
	for _, p := range points {
		middle.Lat += p.At.Lat / float64(len(points))
		middle.Lng += p.At.Lng / float64(len(points))
	}
	return middle
}

// addKeywords gives the campaign those that it does not have, as far as there is room.
func (p *pastImport) addKeywords(ctx context.Context, tx *db.Tx, names []string) error {
	old, err := keywordsOf(ctx, tx, p.id)
	if err != nil {
		return err
	}
	p.keywords, p.position = map[string]Keyword{}, map[string]int{}
	all := make([]string, len(old))
	for i, k := range old {
		all[i] = k.Name
		p.keywords[sameKeyword(k.Name)] = k
	}
	for _, name := range names {
		if _, known := p.keywords[sameKeyword(name)]; !known && len(all) < maxKeywords {
			all = append(all, name)
			p.Keywords = append(p.Keywords, name)
		}
	}
	keywords := nameKeywords(old, all)
	for i, k := range keywords {
		p.keywords[sameKeyword(k.Name)], p.position[k.ID] = k, i
	}
	if len(keywords) == len(old) {
		return nil
	}
	p.keywordsNumber = len(keywords)
	if err := replaceKeywords(ctx, tx, p.id, keywords); err != nil {
		return err
	}
	return updateCampaign(ctx, tx, &p.campaign)
}

// importScan keeps a scan in the report of its instant.
func (s *Service) importScan(ctx context.Context, tx *db.Tx, p *pastImport, scan PastScan) error {
	k, ok := p.keywords[sameKeyword(scan.Keyword)]
	if !ok {
		p.Refused = append(p.Refused, scan.refusal("the campaign has %d keywords, which is all that it can have.", len(p.keywords)))
		return nil
	}
	set, err := p.pointSet(ctx, tx, scan)
	if err != nil {
		return err
	}
	r, known, err := s.pastReport(ctx, tx, p, set, stamp(scan.At), k)
	switch {
	case err != nil:
		return err
	case known:
		p.Known++
		return nil
	case r == nil:
		p.Refused = append(p.Refused, scan.refusal("the minute after it has a report of other points in every second."))
		return nil
	}
	p.Scans++
	p.touched[r.id] = r
	if err := insertReportKeyword(ctx, tx, r.id, k, p.position[k.ID], p.from); err != nil {
		return err
	}
	dictionary, err := s.openDictionary(ctx, tx, r)
	if err != nil {
		return err
	}
	if err := savePoints(ctx, tx, r, k, pastResults(scan.Points, p.business, dictionary)); err != nil {
		return err
	}
	return saveDictionary(ctx, tx, r.id, dictionary)
}

// pointSet is the campaign's set of the scan's points; one that it lacks is stored.
func (p *pastImport) pointSet(ctx context.Context, tx *db.Tx, scan PastScan) (grid.PointSet, error) {
	for _, set := range p.sets {
		same := func(a grid.Point, b PastPoint) bool { return a.IsEnabled && a.Coordinates == b.At }
		if slices.EqualFunc(set.Points, scan.Points, same) {
			return set, nil
		}
	}
	set := grid.NewPointSet(scan.points())
	p.sets[set.ID] = set
	return set, insertPointSet(ctx, tx, p.id, set)
}

// pastReport finds the report of an instant to which a keyword can be added, or makes it. Scans of other points that
// bear the same instant, as those do of which only the day is told, follow one another by seconds. It is known when the
// report has the keyword; nil is that there is no room.
func (s *Service) pastReport(ctx context.Context, tx *db.Tx, p *pastImport, set grid.PointSet, at time.Time, k Keyword) (found *report, known bool, err error) {
	for second := range pastSlots {
		at := at.Add(time.Duration(second) * time.Second)
		r, err := reportAt(ctx, tx, p.id, at)
		if db.IsNoRow(err) {
			r = report{
				id: id.New(), campaignID: p.id, accountID: p.accountID, at: at, startAt: at, status: Collected, pointsID: set.ID, points: len(set.Points),
			}
			p.Reports++
			return &r, false, insertReport(ctx, tx, &r)
		}
		if err != nil {
			return nil, false, err
		}
		if r.pointsID != set.ID {
			continue
		}
		keywords, err := reportKeywords(ctx, tx, r.id)
		if err != nil || slices.ContainsFunc(keywords, func(had reportKeyword) bool { return had.ID == k.ID }) {
			return nil, err == nil, err
		}
		return &r, false, nil
	}
	return nil, false, nil
}

// pastResults names the businesses that were found at points; ranks of which nothing is told stay empty.
func pastResults(points []PastPoint, own result.Business, dictionary *result.Dictionary) []result.AtPoint {
	results := make([]result.AtPoint, len(points))
	for i, p := range points {
		ordinals := make([]uint16, result.MaxRank)
		for _, found := range p.Found {
			business := newBusiness(found.Business)
			isOwn := own.Identity().Is(business)
			if rank := found.Rank; rank >= 1 && rank <= result.MaxRank && (ordinals[rank-1] == 0 || isOwn) {
				ordinals[rank-1] = dictionary.Ordinal(&business)
			}
		}
		results[i].Ordinals = ordinals
	}
	return results
}

// closePast ends a report of the past: its figures are those of its keywords.
func (s *Service) closePast(ctx context.Context, tx *db.Tx, r *report) error {
	keywords, err := reportKeywords(ctx, tx, r.id)
	if err != nil {
		return err
	}
	r.keywords = len(keywords)
	tallies := make([]result.Tally, len(keywords))
	for i, k := range keywords {
		tallies[i] = k.tally
	}
	if m, ok := result.NewProjectMetrics(tallies, nil); ok {
		r.position, r.share = &m.AveragePosition, &m.AverageShareOfVoice
	}
	now := stamp(s.clock.Now())
	return replaceReport(ctx, tx, r, &now)
}
