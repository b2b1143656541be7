package research

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// importBatch is how many rows one transaction of an import writes.
const importBatch = 1000

// Progress is told how many rows an import has kept so far.
type Progress func(kept int)

// KeywordFile says what a file of keyword figures is of.
type KeywordFile struct {
	LocationID int
	LanguageID int
	Source     string // who told the figures; the planner when empty
}

// ImportKeywords reads a keyword-planner export and keeps its figures for every account. Lines that
// cannot be read are given to bad and skipped. Importing a file again changes nothing.
func (s *Service) ImportKeywords(ctx context.Context, r io.Reader, of KeywordFile, progress Progress, bad func(line int, reason string)) (kept int, err error) {
	m, problems := newMarket(of.LocationID, of.LanguageID)
	if len(problems) > 0 {
		return 0, errs.New(errs.Invalid, "%s", problems[0].Message)
	}
	w := &importWriter[figures]{progress: progress, write: func(rows []figures) error {
		return s.db.Tx(ctx, func(tx *db.Tx) error { return learn(ctx, tx, operator, rows) })
	}}
	now := s.clock.Now()
	err = ReadPlanner(r, func(row PlannerRow) error {
		f := fromPlanner(row, m, now)
		f.source = cmp.Or(of.Source, f.source)
		return w.add(f)
	}, bad)
	return w.finish(err)
}

// Learn makes keywords findable that result pages tell of.
func Learn(ctx context.Context, tx *db.Tx, accountID string, keywords []string) error {
	return saveWords(ctx, tx, accountID, goodKeywords(keywords))
}

// learn keeps figures and the words of their keywords.
func learn(ctx context.Context, tx *db.Tx, accountID string, rows []figures) error {
	rows = distinct(rows, func(f figures) string { return f.kw })
	if err := saveFigures(ctx, tx, accountID, rows); err != nil {
		return err
	}
	kws := make([]string, len(rows))
	for i, f := range rows {
		kws[i] = f.kw
	}
	return saveWords(ctx, tx, accountID, kws)
}

// distinct keeps the last row of each key, in the order of the keys.
func distinct[T any](rows []T, key func(T) string) []T {
	last := map[string]T{}
	for _, row := range rows {
		last[key(row)] = row
	}
	list := make([]T, 0, len(last))
	for _, row := range last {
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return list
}

// sourcePlanner is who told the figures of an imported file.
const sourcePlanner = "planner"

func fromPlanner(row PlannerRow, m market, now time.Time) figures {
	f := figures{
		kw: serp.NormalKeyword(row.Keyword), locationID: m.location.ID, languageID: m.languageID,
		volume: row.Volume, cpc: row.CPC, ppc: row.PPC, source: sourcePlanner, toldAt: now,
	}
	for _, month := range row.Months {
		f.months = append(f.months, Month{int64(month.Year), int64(month.Month) - 1, month.Volume})
	}
	return f
}

// importWriter collects rows and writes them in batches.
type importWriter[T any] struct {
	write    func([]T) error
	progress Progress
	batch    []T
	kept     int
}

func (w *importWriter[T]) add(row T) error {
	if w.batch = append(w.batch, row); len(w.batch) < importBatch {
		return nil
	}
	return w.flush()
}

func (w *importWriter[T]) flush() error {
	if len(w.batch) == 0 {
		return nil
	}
	if err := w.write(w.batch); err != nil {
		return err
	}
	w.kept += len(w.batch)
	w.batch = w.batch[:0]
	if w.progress != nil {
		w.progress(w.kept)
	}
	return nil
}

func (w *importWriter[T]) finish(err error) (int, error) {
	if err == nil {
		err = w.flush()
	}
	return w.kept, err
}
