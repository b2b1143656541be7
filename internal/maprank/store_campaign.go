package maprank

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/maprank/grid"
)

func scanKeyword(row db.Scanner) (Keyword, error) {
	var k Keyword
	err := row.Scan(&k.ID, &k.Name)
	return k, err
}

func keywordsOf(ctx context.Context, q db.Queryer, campaignID string) ([]Keyword, error) {
	return db.All(ctx, q, scanKeyword, "SELECT id, name FROM campaign_keywords WHERE campaign_id = $1 ORDER BY position", campaignID)
}

// replaceKeywords puts another list in place of the one there is.
func replaceKeywords(ctx context.Context, tx *db.Tx, campaignID string, keywords []Keyword) error {
	if _, err := tx.Exec(ctx, "DELETE FROM campaign_keywords WHERE campaign_id = $1", campaignID); err != nil {
		return err
	}
	return insertKeywords(ctx, tx, campaignID, keywords)
}

func insertKeywords(ctx context.Context, tx *db.Tx, campaignID string, keywords []Keyword) error {
	rows := make([][]any, len(keywords))
	for i, k := range keywords {
		rows[i] = []any{k.ID, campaignID, i, k.Name}
	}
	return db.Insert(ctx, tx, "campaign_keywords", "id, campaign_id, position, name", rows, "")
}

func insertPointSet(ctx context.Context, tx *db.Tx, campaignID string, set grid.PointSet) error {
	_, err := tx.Exec(ctx, "INSERT INTO campaign_points (id, campaign_id, points) VALUES ($1, $2, $3)", set.ID, campaignID, set.Encode())
	return err
}

func getPointSet(ctx context.Context, q db.Queryer, pointsID string) (grid.PointSet, error) {
	data, err := db.One(ctx, q, db.Value[[]byte], "SELECT points FROM campaign_points WHERE id = $1", pointsID)
	if err != nil {
		return grid.PointSet{}, err
	}
	return grid.DecodePointSet(pointsID, data)
}

// pointSets reads several sets of points by their ids.
func pointSets(ctx context.Context, q db.Queryer, ids []string) (map[string]grid.PointSet, error) {
	var p db.Params
	return scanPointSets(ctx, q, len(ids), "id IN "+db.AddAll(&p, ids), p.Args...)
}

// pointSetsOf reads all sets of points that a campaign and its reports have.
func pointSetsOf(ctx context.Context, q db.Queryer, campaignID string) (map[string]grid.PointSet, error) {
	return scanPointSets(ctx, q, 1, "campaign_id = $1", campaignID)
}

func scanPointSets(ctx context.Context, q db.Queryer, about int, where string, args ...any) (map[string]grid.PointSet, error) {
	sets := make(map[string]grid.PointSet, about)
	return sets, db.Each(ctx, q, func(row db.Scanner) error {
		var pointsID string
		var data []byte
		err := row.Scan(&pointsID, &data)
		if err == nil {
			sets[pointsID], err = grid.DecodePointSet(pointsID, data)
		}
		return err
	}, "SELECT id, points FROM campaign_points WHERE "+where, args...)
}

// setCollecting shows that a campaign is being collected, and reads the points that it is collected at.
func setCollecting(ctx context.Context, tx *db.Tx, c *campaign, at time.Time) (grid.PointSet, error) {
	data, err := db.One(ctx, tx, db.Value[[]byte], `UPDATE campaigns SET status = 'COLLECTING', status_at = $2, status_detail = '' WHERE id = $1
		RETURNING (SELECT points FROM campaign_points WHERE id = $3)`, c.id, db.Micros(at), c.pointsID)
	if err != nil {
		return grid.PointSet{}, err
	}
	return grid.DecodePointSet(c.pointsID, data)
}

// dropPointSet forgets a set that no report names.
func dropPointSet(ctx context.Context, tx *db.Tx, campaignID, pointsID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM campaign_points WHERE id = $1
		AND NOT EXISTS (SELECT 1 FROM reports r WHERE r.campaign_id = $2 AND r.points_id = $1)`, pointsID, campaignID)
	return err
}

// campaignFilter narrows and orders a list of campaigns.
type campaignFilter struct {
	query      string
	markedOnly bool
	order      Order
	limit      int
	offset     int64
}

// campaignOrder names the columns that lists may be ordered by.
var campaignOrder = map[string]string{"createdAt": "x.created_at", "businessName": "x.business_name"}

func listCampaigns(ctx context.Context, q db.Queryer, accountID string, f campaignFilter) (page []campaign, total int64, err error) {
	p := db.Params{Args: []any{accountID}}
	where := " WHERE x.account_id = $1"
	join := ""
	if f.query != "" || f.markedOnly {
		join = " JOIN campaigns c ON c.id = x.campaign_id"
	}
	if f.query != "" {
		where += " AND " + p.Contains("c.search", strings.ToLower(f.query))
	}
	if f.markedOnly {
		where += " AND c.remove_at IS NOT NULL"
	}
	if join == "" {
		total, err = countCampaigns(ctx, q, accountID)
	} else {
		total, err = db.One(ctx, q, db.Value[int64], "SELECT count(*) FROM campaign_access x"+join+where, p.Args...)
	}
	if err != nil || total == 0 {
		return nil, 0, err
	}
	// The page is cut from the index before anything is joined to it, so that a long list costs what a short one does.
	direction := f.order.direction()
	order := " ORDER BY " + campaignOrder[f.order.Field] + direction + ", x.campaign_id" + direction
	cut := "SELECT x.* FROM campaign_access x" + join + where + order + " LIMIT " + p.Add(f.limit) + " OFFSET " + p.Add(f.offset)
	page, err = db.All(ctx, q, scanCampaign, campaignFields+" FROM ("+cut+`) x
		JOIN campaigns c ON c.id = x.campaign_id JOIN accounts o ON o.id = c.account_id`+order, p.Args...)
	return page, total, err
}

// grant lets an account see a campaign, and tells whether it did not before, or not so; a second grant replaces the first.
func grant(ctx context.Context, tx *db.Tx, c *campaign, accountID string, access Access, now time.Time) (added, changed bool, err error) {
	moved := 0.0
	if c.metrics != nil && c.metrics.AveragePositionDiff != nil {
		moved = math.Abs(*c.metrics.AveragePositionDiff)
	}
	granted, err := tx.Exec(ctx, `INSERT INTO campaign_access (account_id, campaign_id, access, created_at, business_name, last_report_at, moved, granted_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (account_id, campaign_id) DO NOTHING`, accountID, c.id, string(access), db.Micros(c.createdAt), c.business.Name, db.MicrosOrNil(c.last), moved, db.Micros(now))
	if err != nil {
		return false, false, err
	}
	if granted == 1 {
		return true, true, addCount(ctx, tx, accountID, 1)
	}
	n, err := tx.Exec(ctx, "UPDATE campaign_access SET access = $3 WHERE account_id = $1 AND campaign_id = $2 AND access <> $3", accountID, c.id, string(access))
	return false, n == 1, err
}

// noteMoved tells all who see a campaign when it was reported last and how far that moved it.
func noteMoved(ctx context.Context, tx *db.Tx, campaignID string, last int64, by float64) error {
	_, err := tx.Exec(ctx, "UPDATE campaign_access SET last_report_at = $2, moved = $3 WHERE campaign_id = $1", campaignID, last, by)
	return err
}

// revoke takes a campaign away from an account, and tells whether it had it.
func revoke(ctx context.Context, tx *db.Tx, campaignID, accountID string) (bool, error) {
	revoked, err := tx.Exec(ctx, "DELETE FROM campaign_access WHERE campaign_id = $1 AND account_id = $2", campaignID, accountID)
	if err != nil || revoked == 0 {
		return false, err
	}
	return true, addCount(ctx, tx, accountID, -1)
}

// revokeAll takes a campaign away from everybody, and tells who they were.
func revokeAll(ctx context.Context, tx *db.Tx, campaignID string) ([]string, error) {
	holders, err := db.All(ctx, tx, db.Value[string], "DELETE FROM campaign_access WHERE campaign_id = $1 RETURNING account_id", campaignID)
	if err != nil {
		return nil, err
	}
	slices.Sort(holders) // the one order in which counts are locked
	for _, accountID := range holders {
		if err := addCount(ctx, tx, accountID, -1); err != nil {
			return nil, err
		}
	}
	return holders, nil
}

// reportDates are the instants of the collected reports, newest first.
func reportDates(ctx context.Context, q db.Queryer, campaignID string) ([]Instant, error) {
	dates := []Instant{}
	err := db.Each(ctx, q, func(row db.Scanner) error {
		at, err := db.Value[int64](row)
		dates = append(dates, Instant{db.Time(at)})
		return err
	}, "SELECT at FROM reports WHERE campaign_id = $1 AND status = 'COLLECTED' ORDER BY at DESC", campaignID)
	return dates, err
}

// read loads what a shown campaign has beside its own row.
func read(ctx context.Context, q db.Queryer, c *campaign) (Campaign, error) {
	keywords, err := keywordsOf(ctx, q, c.id)
	if err != nil {
		return Campaign{}, err
	}
	set, err := getPointSet(ctx, q, c.pointsID)
	if err != nil {
		return Campaign{}, err
	}
	dates, err := reportDates(ctx, q, c.id)
	return c.show(keywords, set, dates), err
}
