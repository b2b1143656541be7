package research

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/textfile"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// ImportDomains reads a list of domains with their ranks and puts it in place of the former list of
// that source. It understands rank,domain (Tranco), tables whose header names a rank and a domain
// (Majestic), and Common Crawl's tab-separated ranks with reversed names. An import that ends early
// leaves the former list's other rows.
func (s *Service) ImportDomains(ctx context.Context, r io.Reader, source string, progress Progress, bad func(line int, reason string)) (kept int, err error) {
	now := s.clock.Now()
	batches := db.NewBatches(s.db, importBatch, func(tx *db.Tx, rows []domainRank) error { return saveRanks(ctx, tx, rows) }, progress)
	err = ReadDomainRanks(r, func(domain string, rank int64) error {
		return batches.Add(ctx, domainRank{domain: domain, source: source, rank: rank, toldAt: now})
	}, bad)
	if err == nil {
		err = batches.Flush(ctx)
	}
	if kept = batches.Kept(); err != nil || kept == 0 {
		return kept, err
	}
	if kept, err = db.One(ctx, s.db, db.Value[int], "SELECT count(*) FROM domain_ranks WHERE source = $1 AND told_at = $2", source, db.Micros(now)); err != nil {
		return kept, err
	}
	return kept, s.closeRanks(ctx, source, now)
}

// Bounds of a list of domains.
const (
	maxRankLine = 4 << 10
	maxRank     = 1 << 40
)

// ReadDomainRanks reads a list of domains with their ranks; see ImportDomains for the forms. Lines that
// cannot be read are given to bad with their number, from 1, and skipped.
func ReadDomainRanks(r io.Reader, yield func(domain string, rank int64) error, bad func(line int, reason string)) error {
	text, err := textfile.Text(r)
	if err != nil {
		return err
	}
	form := rankForm{separator: ",", rank: 0, domain: 1}
	for lines := textfile.NewLines(text, maxRankLine); ; {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		header, isHeader := rankHeader(line.Text)
		switch {
		case line.TooLong:
			bad(line.Number, "the line is too long")
		case strings.TrimSpace(line.Text) == "":
		case line.Number == 1 && isHeader:
			form = header
		default:
			domain, rank, reason := form.read(line.Text)
			if reason != "" {
				bad(line.Number, reason)
			} else if err := yield(domain, rank); err != nil {
				return err
			}
		}
	}
}

// rankForm is where the two columns of a list are.
type rankForm struct {
	separator    string
	rank, domain int
	reversed     bool // com.example for example.com
}

// rankHeader recognises a line that names the columns.
func rankHeader(line string) (rankForm, bool) {
	form := rankForm{separator: ",", rank: -1, domain: -1}
	if strings.Contains(line, "\t") {
		form.separator = "\t"
	}
	for i, name := range strings.Split(line, form.separator) {
		switch strings.ToLower(strings.Trim(name, ` "#`)) {
		case "rank", "globalrank", "harmonicc_pos", "position":
			if form.rank < 0 {
				form.rank = i
			}
		case "domain", "host":
			form.domain = i
		case "host_rev":
			form.domain, form.reversed = i, true
		}
	}
	return form, form.rank >= 0 && form.domain >= 0
}

func (f rankForm) read(line string) (domain string, rank int64, reason string) {
	cells := strings.Split(line, f.separator)
	if len(cells) <= max(f.rank, f.domain) {
		return "", 0, "there are too few columns; a line reads rank,domain"
	}
	rank, err := strconv.ParseInt(strings.Trim(cells[f.rank], ` "`), 10, 64)
	if err != nil || rank < 1 || rank > maxRank {
		return "", 0, fmt.Sprintf("%.40q is no rank", cells[f.rank])
	}
	name := strings.Trim(cells[f.domain], ` "`)
	if f.reversed {
		labels := strings.Split(name, ".")
		slices.Reverse(labels)
		name = strings.Join(labels, ".")
	}
	if strings.ContainsAny(name, "/@: ") {
		return "", 0, fmt.Sprintf("%.60q is no domain", name)
	}
	if domain = webtarget.Host(name); domain == "" || !strings.Contains(domain, ".") {
		return "", 0, fmt.Sprintf("%.60q is no domain", name)
	}
	return domain, rank, ""
}

func saveRanks(ctx context.Context, tx *db.Tx, rows []domainRank) error {
	// A list that names a domain twice, as with and without www., means its better place.
	slices.SortStableFunc(rows, func(a, b domainRank) int { return int(b.rank - a.rank) })
	rows = distinct(rows, func(r domainRank) string { return r.domain })
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.domain, r.source, r.rank, db.Micros(r.toldAt)}
	}
	return db.Insert(ctx, tx, "domain_ranks", "domain, source, rank, told_at", values,
		`ON CONFLICT (domain, source) DO UPDATE SET rank = excluded.rank, told_at = excluded.told_at
		WHERE domain_ranks.told_at <> excluded.told_at OR domain_ranks.rank > excluded.rank`)
}

// closeRanks ends the import of a list: what it no longer names is gone, whatever the clock said then,
// and every index is old.
func (s *Service) closeRanks(ctx context.Context, source string, told time.Time) error {
	for more := true; more; {
		err := s.db.Tx(ctx, func(tx *db.Tx) error {
			n, err := tx.Exec(ctx, `DELETE FROM domain_ranks WHERE source = $1 AND domain IN
				(SELECT domain FROM domain_ranks WHERE source = $1 AND told_at <> $2 LIMIT $3)`, source, db.Micros(told), importBatch)
			more = n > 0
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO web_versions (name, version) VALUES ('domain_ranks', 1) ON CONFLICT (name) DO UPDATE SET version = web_versions.version + 1")
		return err
	})
}
