package local

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
)

const (
	// sitemapPart is how many pages one sitemap file may list, by the protocol.
	sitemapPart = 50_000
	// sitemapRows is how many of them are read at once.
	sitemapRows = 5_000
)

func (s *Service) serveSitemap(w http.ResponseWriter, r *http.Request) error {
	pages, err := db.One(r.Context(), s.db, db.Value[int], "SELECT count(*) FROM listings l WHERE"+connected)
	if err != nil {
		return err
	}
	if pages <= sitemapPart {
		return s.writeSitemap(r.Context(), w, 0)
	}
	w.Header().Set("Content-Type", "application/xml")
	fmt.Fprint(w, xml.Header+`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n")
	for part := 0; part*sitemapPart < pages; part++ {
		fmt.Fprintf(w, "<sitemap><loc>%s/sitemaps/%d.xml</loc></sitemap>\n", escapeXML(s.publicURL), part)
	}
	fmt.Fprint(w, "</sitemapindex>\n")
	return nil
}

func (s *Service) serveSitemapPart(w http.ResponseWriter, r *http.Request) error {
	number, ok := strings.CutSuffix(r.PathValue("part"), ".xml")
	part, err := strconv.Atoi(number)
	if !ok || err != nil || part < 0 || part > 1<<20 {
		return errGone
	}
	return s.writeSitemap(r.Context(), w, part)
}

// sitemapEntry is the page of a location.
type sitemapEntry struct {
	location string
	updated  int64
}

// writeSitemap reads in pieces and lets go of the store before it writes: a slow reader holds nothing.
func (s *Service) writeSitemap(ctx context.Context, w http.ResponseWriter, part int) error {
	after := ""
	if part > 0 {
		var err error
		after, err = db.One(ctx, s.db, db.Value[string], "SELECT l.location_id FROM listings l WHERE"+connected+" ORDER BY l.location_id LIMIT 1 OFFSET $1", part*sitemapPart-1)
		if db.IsNoRow(err) {
			return errGone
		}
		if err != nil {
			return err
		}
	}
	var piece []byte
	page := escapeXML(s.page.URL(""))
	written := 0
	for more := true; more && written < sitemapPart; {
		rows, err := db.All(ctx, s.db, func(row db.Scanner) (e sitemapEntry, err error) {
			err = row.Scan(&e.location, &e.updated)
			return e, err
		}, "SELECT l.location_id, l.updated_at FROM listings l WHERE"+connected+" AND l.location_id > $1 ORDER BY l.location_id LIMIT $2", after, sitemapRows)
		if err != nil && written > 0 {
			return &brokenOff{err}
		}
		if err != nil {
			return err
		}
		if written == 0 {
			if part > 0 && len(rows) == 0 {
				return errGone
			}
			w.Header().Set("Content-Type", "application/xml")
			w.Header().Set("Cache-Control", "public, max-age=60")
			piece = append(piece, xml.Header+`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n"...)
		}
		for _, e := range rows {
			piece = append(append(append(piece, "<url><loc>"...), page...), e.location...)
			piece = db.Time(e.updated).AppendFormat(append(piece, "</loc><lastmod>"...), time.RFC3339)
			piece = append(piece, "</lastmod></url>\n"...)
			after = e.location
		}
		if _, gone := w.Write(piece); gone != nil { // nobody is left to tell
			break
		}
		piece = piece[:0]
		written += len(rows)
		more = len(rows) == sitemapRows
	}
	if written == 0 { // the protocol wants one page at least
		fmt.Fprintf(w, "<url><loc>%s/</loc></url>\n", escapeXML(s.publicURL))
	}
	fmt.Fprint(w, "</urlset>\n")
	return nil
}

func escapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
