package research

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/textfile"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// domainRank is a domain's place in an imported list.
type domainRank struct {
	domain, source string
	rank           int64
	toldAt         time.Time
}

func bestRank(ranks []domainRank) (rank int64, ok bool) {
	for _, r := range ranks {
		if !ok || r.rank < rank {
			rank, ok = r.rank, true
		}
	}
	return rank, ok
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
