package research

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"io"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/research/planner"
	"github.com/trigpoint/trigpoint/internal/serp"
)

// Progress is told how many rows an import has kept so far.
type Progress func(kept int)

// KeywordFile says what a file of keyword figures is of.
type KeywordFile struct {
	LocationID int
	LanguageID int
	Source     string // where the figures come from; the planner when empty
}

// ImportKeywords reads a keyword-planner export and keeps its figures for every account. Lines that
// cannot be read are given to bad and skipped. Importing a file again changes nothing.
func (s *Service) ImportKeywords(ctx context.Context, r io.Reader, of KeywordFile, progress Progress, bad func(line int, reason string)) (kept int, err error) {
	m, problems := newMarket(of.LocationID, of.LanguageID)
	if len(problems) > 0 {
		return 0, errs.New(errs.Invalid, "%s", problems[0].Message)
	}
	batches := db.NewBatches(s.db, importBatch, func(tx *db.Tx, rows []figures) error {
		return saveKeywords(ctx, tx, operator, distinct(rows, figures.keyword))
	}, progress)
	now := s.clock.Now()
	seed, seen := maphash.MakeSeed(), map[uint64]struct{}{}
	err = planner.Read(r, func(row planner.Row) error {
		f := fromPlanner(row, m, now)
		f.source = cmp.Or(of.Source, f.source)
		seen[maphash.String(seed, f.kw)] = struct{}{}
		return batches.Add(ctx, f)
	}, bad)
	if err == nil {
		err = batches.Flush(ctx)
	}
	return min(batches.Kept(), len(seen)), err // a keyword on two lines is kept once
}

// Learn makes the keywords of result pages, by account, findable.
func Learn(ctx context.Context, tx *db.Tx, keywords map[string][]string) error {
	var all []entry
	for accountID, kws := range keywords {
		all = append(all, wordsOf(accountID, goodKeywords(kws))...)
	}
	return saveWords(ctx, tx, all)
}

// store keeps an account's figures of one market, in short transactions. What does not fit into the account's plan is
// refused before any of it is kept.
func (s *Service) store(ctx context.Context, accountID string, rows []figures) error {
	rows = distinct(rows, figures.keyword)
	if len(rows) > importBatch {
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			_, n, err := s.takeRoom(ctx, tx, accountID, rows)
			if err != nil {
				return err
			}
			_, err = s.accounts.Give(ctx, tx, accountID, account.StoredKeywords, 0, n) // each batch takes its own
			return err
		})
		if err != nil {
			return err
		}
	}
	for batch := range slices.Chunk(rows, importBatch) {
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			rows, _, err := s.takeRoom(ctx, tx, accountID, batch)
			if err != nil {
				return err
			}
			return saveKeywords(ctx, tx, accountID, rows)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// takeRoom takes the quota of the rows that are new to the account's store, and tells how many they are
// and which rows are to be written: a keyword without figures does not replace one with figures.
func (s *Service) takeRoom(ctx context.Context, tx *db.Tx, accountID string, rows []figures) (write []figures, taken int64, err error) {
	if _, err := s.accounts.Take(ctx, tx, accountID, account.StoredKeywords, 0); err != nil { // others wait, so that none counts twice
		return nil, 0, err
	}
	stored, err := storedKeywords(ctx, tx, accountID, rows)
	if err != nil {
		return nil, 0, err
	}
	for _, f := range rows {
		if f.source != sourceAsked || !stored[f.kw] {
			write = append(write, f)
		}
	}
	taken = int64(len(rows) - len(stored))
	_, err = s.accounts.Take(ctx, tx, accountID, account.StoredKeywords, taken)
	return write, taken, err
}

// unlessFull ignores that the account may store no more keywords, where storing is not what was asked for.
func unlessFull(err error) error {
	if errs.CodeOf(err) == errs.Quota {
		return nil
	}
	return err
}

func fromPlanner(row planner.Row, m market, now time.Time) figures {
	f := figures{
		kw: serp.NormalKeyword(row.Keyword), locationID: m.location.ID, languageID: m.languageID,
		volume: row.Volume, cpc: row.CPC, ppc: row.PPC, source: sourcePlanner, toldAt: now,
	}
	if row.Bid != nil && row.Currency != "USD" {
		f.bid, f.currency = row.Bid, row.Currency
	}
	for _, month := range row.Months {
		f.months = append(f.months, serp.MonthDemand{int64(month.Year), int64(month.Month) - 1, month.Volume})
	}
	return f
}

// ImportedKeywords are keywords with what is known of them.
type ImportedKeywords struct {
	Language       Language      `json:"language"`
	Location       Place         `json:"location"`
	Keywords       []Keyword     `json:"keywords" doc:"At most 1,000."`
	CountBefore    int           `json:"countKeywordsBeforeLimit" doc:"Distinct keywords of the request."`
	Rejected       []RejectedRow `json:"rejected,omitempty" doc:"Lines of a planner export that could not be read; the first 100."`
	RejectedNumber int           `json:"countRejected,omitempty" doc:"All such lines."`
	Incomplete     string        `json:"incomplete,omitempty" doc:"Why a data provider could not be asked for what is missing; absent when it could, or none is configured."`
}

// RejectedRow is a line of a file that could not be read.
type RejectedRow struct {
	Line   int    `json:"line" doc:"From 1."`
	Reason string `json:"reason"`
}

// importKeywords tells what is known of keywords and remembers them, as far as the plan allows.
func (s *Service) importKeywords(ctx context.Context, accountID string, kws []string, m market) (ImportedKeywords, error) {
	who := &asker{accountID: accountID}
	list, err := s.describeAll(ctx, who, askedIn(&m, kws))
	if err != nil {
		return ImportedKeywords{}, err
	}
	incomplete, err := who.excuse(slices.ContainsFunc(list, Keyword.isKnown))
	if err != nil {
		return ImportedKeywords{}, err
	}
	rows := make([]figures, len(kws))
	for i, kw := range kws {
		rows[i] = figures{kw: kw, locationID: m.location.ID, languageID: m.languageID, source: sourceAsked}
	}
	language, _ := languageOf(m.languageID)
	answer := ImportedKeywords{Language: language, Location: placeOf(m.location), Keywords: list, CountBefore: len(kws), Incomplete: incomplete}
	return answer, unlessFull(s.store(ctx, accountID, rows))
}

// importPlannerExport reads a planner export for the account's own keyword store.
func (s *Service) importPlannerExport(ctx context.Context, accountID string, file []byte, m market) (ImportedKeywords, error) {
	language, _ := languageOf(m.languageID)
	answer := ImportedKeywords{Language: language, Location: placeOf(m.location)}
	now := s.clock.Now()
	var rows []figures
	err := planner.Read(bytes.NewReader(file), func(row planner.Row) error {
		if len(rows) == maxTableRows {
			return errs.With(errs.Invalid, errs.TooMany, "The file has more than %d keywords; send it in parts, or import it with trigpoint keywords import.", maxTableRows)
		}
		f := fromPlanner(row, m, now)
		f.own = true
		rows = append(rows, f)
		return nil
	}, func(line int, reason string) {
		if answer.RejectedNumber++; len(answer.Rejected) < maxRejected {
			answer.Rejected = append(answer.Rejected, RejectedRow{line, reason})
		}
	})
	if err != nil {
		return ImportedKeywords{}, err
	}
	rows = inOrder(rows)
	answer.CountBefore = len(rows)
	for _, f := range rows[:min(len(rows), maxKeywords)] {
		answer.Keywords = append(answer.Keywords, describe(f.kw, m, []figures{f}, nil))
	}
	if answer.Keywords == nil {
		answer.Keywords = []Keyword{}
	}
	return answer, s.store(ctx, accountID, rows)
}

// inOrder keeps the last row of each keyword, where the keyword first stood.
func inOrder(rows []figures) []figures {
	at := map[string]int{}
	var list []figures
	for _, f := range rows {
		if i, ok := at[f.kw]; ok {
			list[i] = f
			continue
		}
		at[f.kw] = len(list)
		list = append(list, f)
	}
	return list
}
