package maprank

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/maprank/result"
)

// report is a stored report.
type report struct {
	id, campaignID, accountID string
	at, startAt               time.Time
	status                    Status
	pointsID                  string
	points, keywords          int // points that are asked, keywords
	charged, refunded         int64
	month                     int
	reason                    string
	quietSince                *time.Time // asked in vain since; nil while answers come
	position, share           *float64   // of the own business over its keywords, when it ends; nil without an observation
	topShare                  *float64   // as they are, where it ends now; not kept
}

const reportColumns = "id, campaign_id, account_id, at, start_at, status, points_id, points_number, keywords_number, charged, refunded, month, reason, quiet_since"

func scanReport(row db.Scanner) (report, error) {
	var r report
	var at, start int64
	var quiet *int64
	err := row.Scan(&r.id, &r.campaignID, &r.accountID, &at, &start, &r.status, &r.pointsID, &r.points, &r.keywords, &r.charged, &r.refunded, &r.month, &r.reason, &quiet)
	r.at, r.startAt, r.quietSince = db.Time(at), db.Time(start), db.TimeOrNil(quiet)
	return r, err
}

func insertReport(ctx context.Context, tx *db.Tx, r *report) error {
	var p db.Params
	_, err := tx.Exec(ctx, "INSERT INTO reports ("+reportColumns+") VALUES "+p.List(r.id, r.campaignID, r.accountID, db.Micros(r.at), db.Micros(r.startAt),
		string(r.status), r.pointsID, r.points, r.keywords, r.charged, r.refunded, r.month, r.reason, db.MicrosOrNil(r.quietSince)), p.Args...)
	return err
}

// replaceReport stores all of a report that has started or ended.
func replaceReport(ctx context.Context, tx *db.Tx, r *report, ended *time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE reports SET at = $2, status = $3, points_id = $4, points_number = $5, keywords_number = $6,
		charged = $7, refunded = $8, month = $9, reason = $10, ended_at = $11, average_position = $12, share_of_voice = $13 WHERE id = $1`,
		r.id, db.Micros(r.at), string(r.status), r.pointsID, r.points, r.keywords, r.charged, r.refunded, r.month, r.reason, db.MicrosOrNil(ended), r.position, r.share)
	return err
}

// lockReport takes a report for changing. All that a collection writes begins with this, so that what is
// written to one report follows one another. What may end the report locks its campaign before it.
func lockReport(ctx context.Context, tx *db.Tx, reportID string, ending bool) (report, error) {
	if !ending {
		return db.One(ctx, tx, scanReport, "SELECT "+reportColumns+" FROM reports WHERE id = $1"+tx.ForUpdate(), reportID)
	}
	return db.One(ctx, tx, scanReport, "SELECT r."+strings.ReplaceAll(reportColumns, ", ", ", r.")+
		" FROM reports r JOIN campaigns c ON c.id = r.campaign_id WHERE r.id = $1"+locking(tx, reportRowToo), reportID)
}

// reportsBeside tells whether another report of the campaign bears the instant of r, and whether one is running.
func reportsBeside(ctx context.Context, q db.Queryer, r *report) (taken, running bool, err error) {
	at := db.Micros(r.at)
	err = db.Each(ctx, q, func(row db.Scanner) error {
		var other int64
		var status Status
		err := row.Scan(&other, &status)
		taken, running = taken || other == at, running || status == Collecting
		return err
	}, "SELECT at, status FROM reports WHERE campaign_id = $1 AND (at = $2 OR status = 'COLLECTING') AND id <> $3", r.campaignID, at, r.id)
	return taken, running, err
}

// runningReport finds the collection under way, or fails with db.ErrNoRow.
func runningReport(ctx context.Context, q db.Queryer, campaignID string) (report, error) {
	return db.One(ctx, q, scanReport, "SELECT "+reportColumns+" FROM reports WHERE campaign_id = $1 AND status = 'COLLECTING'", campaignID)
}

// reportAt finds the report of an instant, or fails with db.ErrNoRow.
func reportAt(ctx context.Context, q db.Queryer, campaignID string, at time.Time) (report, error) {
	return db.One(ctx, q, scanReport, "SELECT "+reportColumns+" FROM reports WHERE campaign_id = $1 AND at = $2", campaignID, db.Micros(at))
}

// latestReport is the newest one that has started.
func latestReport(ctx context.Context, q db.Queryer, campaignID string) (report, error) {
	return db.One(ctx, q, scanReport, "SELECT "+reportColumns+` FROM reports
		WHERE campaign_id = $1 AND status IN ('COLLECTING', 'COLLECTED', 'FAILED') ORDER BY at DESC LIMIT 1`, campaignID)
}

// copyKeywords gives a report the campaign's keywords as they are now, to be asked of a provider, and returns their ids in order.
func copyKeywords(ctx context.Context, tx *db.Tx, r *report, provider string) ([]string, error) {
	byPosition := map[int]string{}
	err := db.Each(ctx, tx, func(row db.Scanner) error {
		var keywordID string
		var position int
		err := row.Scan(&keywordID, &position)
		byPosition[position] = keywordID
		return err
	}, `INSERT INTO report_keywords (report_id, keyword_id, position, name, status, failed, points, found, top, rank_sum, reciprocals, provider)
		SELECT $1, id, position, name, 'CREATED', 0, 0, 0, 0, 0, 0, CAST($3 AS TEXT) FROM campaign_keywords WHERE campaign_id = $2
		RETURNING keyword_id, position`, r.id, r.campaignID, provider)
	ids := make([]string, 0, len(byPosition))
	for _, position := range slices.Sorted(maps.Keys(byPosition)) {
		ids = append(ids, byPosition[position])
	}
	return ids, err
}

// insertReportKeyword gives a report one keyword more, which a tool has answered before.
func insertReportKeyword(ctx context.Context, tx *db.Tx, reportID string, k Keyword, position int, provider string) error {
	_, err := tx.Exec(ctx, `INSERT INTO report_keywords (report_id, keyword_id, position, name, status, failed, points, found, top, rank_sum, reciprocals, provider)
		VALUES ($1, $2, $3, $4, 'CREATED', 0, 0, 0, 0, 0, 0, $5)`, reportID, k.ID, position, k.Name, provider)
	return err
}

// reportKeyword is a keyword in a report, without its results.
type reportKeyword struct {
	Keyword
	status   Status
	failed   int
	tally    result.Tally
	provider string // that answers, or answered; "" is unknown
}

func scanReportKeyword(row db.Scanner) (reportKeyword, error) {
	var k reportKeyword
	t := &k.tally
	err := row.Scan(&k.ID, &k.Name, &k.status, &k.failed, &t.Points, &t.Found, &t.Top, &t.RankSum, &t.Reciprocals, &k.provider)
	return k, err
}

func reportKeywords(ctx context.Context, q db.Queryer, reportID string) ([]reportKeyword, error) {
	return db.All(ctx, q, scanReportKeyword, `SELECT keyword_id, name, status, failed, points, found, top, rank_sum, reciprocals, provider
		FROM report_keywords WHERE report_id = $1 ORDER BY position`, reportID)
}

// saveReportKeyword keeps the results of a keyword that is done.
func saveReportKeyword(ctx context.Context, tx *db.Tx, reportID string, k reportKeyword, result []byte) error {
	t := k.tally
	_, err := tx.Exec(ctx, `UPDATE report_keywords SET status = $3, failed = $4, points = $5, found = $6, top = $7, rank_sum = $8, reciprocals = $9, result = $10
		WHERE report_id = $1 AND keyword_id = $2`, reportID, k.ID, string(k.status), k.failed, t.Points, t.Found, t.Top, t.RankSum, t.Reciprocals, result)
	return err
}

func insertSlices(ctx context.Context, tx *db.Tx, slices []sliceOrder) error {
	rows := make([][]any, len(slices))
	for i, s := range slices {
		rows[i] = []any{s.ReportID, s.KeywordID, s.First, s.beyond, 0, 0}
	}
	return db.Insert(ctx, tx, "report_slices", "report_id, keyword_id, first, beyond, stalls, attempt", rows, "")
}

func insertBatch(ctx context.Context, tx *db.Tx, a sliceArgs, batchID string, points []result.Arrival) error {
	if len(points) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, "INSERT INTO report_batches (report_id, keyword_id, id, points, results) VALUES ($1, $2, $3, $4, $5)",
		a.ReportID, a.KeywordID, batchID, len(points), result.NewBatch(points).Encode())
	return err
}

func batchesOf(ctx context.Context, q db.Queryer, reportID, keywordID string) ([]result.Batch, error) {
	return db.All(ctx, q, func(row db.Scanner) (result.Batch, error) {
		data, err := db.Value[[]byte](row)
		if err != nil {
			return result.Batch{}, err
		}
		return result.DecodeBatch(data)
	}, "SELECT results FROM report_batches WHERE report_id = $1 AND keyword_id = $2 ORDER BY id", reportID, keywordID)
}

func scanPart(row db.Scanner) (result.Part, error) {
	var p result.Part
	err := row.Scan(&p.Number, &p.First, &p.Count, &p.Keys, &p.Businesses)
	return p, err
}

// dictionaryKeys reads a report's dictionary without the businesses themselves.
func dictionaryKeys(ctx context.Context, q db.Queryer, reportID string) ([]result.Part, error) {
	return db.All(ctx, q, scanPart, "SELECT part, first, number, keys, NULL FROM report_businesses WHERE report_id = $1 ORDER BY part", reportID)
}

// dictionaryParts reads the parts of a dictionary that hold some of the ordinals, which ascend.
func dictionaryParts(ctx context.Context, q db.Queryer, reportID string, ordinals []uint16) ([]result.Part, error) {
	if len(ordinals) == 0 {
		return nil, nil
	}
	p := db.Params{Args: []any{reportID}}
	return db.All(ctx, q, scanPart, "SELECT part, first, number, NULL, records FROM report_businesses WHERE report_id = $1 AND "+holdsAny(&p, ordinals), p.Args...)
}

// maxRuns is how many runs of ordinals a query picks parts by; for more it takes all parts.
const maxRuns = 64

// holdsAny is the condition that a part of a dictionary holds one of the ordinals, which ascend.
func holdsAny(p *db.Params, ordinals []uint16) string {
	var runs [][2]int // from the first ordinal to the one beyond the last
	for _, o := range ordinals {
		if n := len(runs); n > 0 && runs[n-1][1] == int(o) {
			runs[n-1][1]++
		} else {
			runs = append(runs, [2]int{int(o), int(o) + 1})
		}
	}
	if len(runs) > maxRuns {
		return "TRUE"
	}
	parts := make([]string, len(runs))
	for i, run := range runs {
		parts[i] = "first < " + p.Add(run[1]) + " AND first + number > " + p.Add(run[0])
	}
	return "(" + strings.Join(parts, " OR ") + ")"
}

// dictionaries reads, at once, the businesses that some ordinals mean in their reports and, beside them, the keys of one
// report's dictionary; keysOf may be empty.
func dictionaries(ctx context.Context, q db.Queryer, wanted map[string][]uint16, keysOf string) (businesses map[string]map[uint16]result.Business, keys []result.Part, err error) {
	p := db.Params{Args: []any{keysOf}}
	where := []string{"report_id = $1"}
	businesses = map[string]map[uint16]result.Business{}
	for reportID, ordinals := range wanted {
		slices.Sort(ordinals)
		businesses[reportID] = map[uint16]result.Business{}
		where = append(where, "report_id = "+p.Add(reportID)+" AND "+holdsAny(&p, ordinals))
	}
	if len(wanted) == 0 {
		return businesses, nil, nil
	}
	records := "CASE WHEN report_id IN " + db.AddAll(&p, slices.Collect(maps.Keys(wanted))) + " THEN records END"
	err = db.Each(ctx, q, func(row db.Scanner) error {
		var reportID string
		var part result.Part
		if err := row.Scan(&reportID, &part.First, &part.Count, &part.Keys, &part.Businesses); err != nil {
			return err
		}
		if reportID == keysOf {
			keys = append(keys, part)
		}
		if ordinals := wanted[reportID]; len(ordinals) > 0 {
			return part.Read(businesses[reportID], ordinals)
		}
		return nil
	}, "SELECT report_id, first, number, CASE WHEN report_id = $1 THEN keys END, "+records+" FROM report_businesses WHERE "+strings.Join(where, " OR "), p.Args...)
	return businesses, keys, err
}

func insertPart(ctx context.Context, tx *db.Tx, reportID string, p *result.Part) error {
	_, err := tx.Exec(ctx, "INSERT INTO report_businesses (report_id, part, first, number, keys, records) VALUES ($1, $2, $3, $4, $5, $6)",
		reportID, p.Number, p.First, p.Count, p.Keys, p.Businesses)
	return err
}

// ordinalsIn finds a business in the dictionaries of reports; those that do not know it are left out.
func ordinalsIn(ctx context.Context, q db.Queryer, reportIDs []string, keys []uint64) (map[string][]uint16, error) {
	return byReport(ctx, q, reportIDs, func(row db.Scanner, into map[string][]uint16) error {
		var reportID string
		var packed sql.RawBytes // read in place
		err := row.Scan(&reportID, &packed)
		if found := (result.Part{Keys: packed}).Find(into[reportID], keys); len(found) > 0 {
			into[reportID] = found
		}
		return err
	}, "SELECT report_id, keys FROM report_businesses WHERE report_id IN")
}

const (
	piecesAtOnce  = 4 // connections that one request may use to read results
	reportsAPiece = 100
)

// byReport reads rows of many reports, a few pieces of the list at once. The text ends in "report_id IN"; take puts
// a row under its report.
func byReport[T any](ctx context.Context, q db.Queryer, reportIDs []string, take func(row db.Scanner, into map[string]T) error, text string, args ...any) (map[string]T, error) {
	all := map[string]T{}
	var mu sync.Mutex
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(piecesAtOnce)
	for piece := range slices.Chunk(reportIDs, reportsAPiece) {
		work.Go(func() error {
			found := make(map[string]T, len(piece))
			p := db.Params{Args: slices.Clone(args)}
			err := db.Each(ctx, q, func(row db.Scanner) error { return take(row, found) }, text+" "+db.AddAll(&p, piece), p.Args...)
			mu.Lock()
			defer mu.Unlock()
			maps.Copy(all, found)
			return err
		})
	}
	return all, work.Wait()
}
