package local

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// MediaPath is where images are served, followed by the object's name.
const MediaPath = "/media/"

// MountPublic registers what anyone may read: images, hosted pages, the sitemap and the feeds.
func (s *Service) MountPublic(mux *http.ServeMux) {
	mux.HandleFunc("GET "+MediaPath+"{name}", s.public(s.serveMedia))
	mux.HandleFunc("GET "+directory.PagePath+"{id}", s.public(s.servePage))
	mux.HandleFunc("GET "+directory.SitemapPath, s.public(s.serveSitemap))
	mux.HandleFunc("GET /sitemaps/{part}", s.public(s.serveSitemapPart))
	mux.HandleFunc("GET "+directory.FeedPath+"{file}", s.public(s.serveFeed))
}

var errGone = errors.New("not there")

// brokenOff is a failure after part of the answer has been sent: half a list must not look like a whole one.
type brokenOff struct{ cause error }

func (b *brokenOff) Error() string { return b.cause.Error() }

// publicPage is how many rows are read at once for a public answer.
const publicPage = 500

// public turns a failure into a plain page without internals.
func (s *Service) public(serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		err := serve(w, r)
		var broken *brokenOff
		switch {
		case err == nil:
		case errors.Is(err, errGone) || errs.CodeOf(err) == errs.NotFound:
			http.Error(w, "not found", http.StatusNotFound)
		case errors.As(err, &broken):
			s.log.ErrorContext(r.Context(), "a public page broke off", "page", r.Pattern, "error", err)
			panic(http.ErrAbortHandler)
		default:
			s.log.ErrorContext(r.Context(), "serve a public page", "page", r.Pattern, "error", err)
			w.Header().Set("Retry-After", "2")
			http.Error(w, "not available at the moment", http.StatusServiceUnavailable)
		}
	}
}

var objectName = regexp.MustCompile(`^[0-9a-f]{64}\.(jpg|png)$`)

func (s *Service) serveMedia(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	if !objectName.MatchString(name) {
		return errGone
	}
	object, size, err := s.blobs.Get(r.Context(), name)
	if errors.Is(err, blob.ErrNotFound) {
		return errGone
	}
	if err != nil {
		return err
	}
	defer func() { _ = object.Close() }()
	h := w.Header()
	h.Set("Content-Type", map[string]string{".jpg": "image/jpeg", ".png": "image/png"}[path.Ext(name)])
	h.Set("Cache-Control", "public, max-age=31536000, immutable") // the name is the content
	h.Set("ETag", `"`+name+`"`)
	h.Set("Content-Security-Policy", "default-src 'none'")
	if seeker, ok := object.(io.ReadSeeker); ok {
		http.ServeContent(w, r, "", time.Time{}, seeker)
		return nil
	}
	h.Set("Content-Length", strconv.FormatInt(size, 10))
	_, _ = io.Copy(w, object)
	return nil
}

// connected is the condition of a listing whose page is to be seen.
const connected = " l.status = 'CONNECTED' AND l.directory = 'page'"

func (s *Service) servePage(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	loc, err := db.One(ctx, s.db, scanLocation, "SELECT "+locationColumnsOf("o")+" FROM locations o JOIN listings l ON l.location_id = o.id WHERE o.id = $1 AND"+connected, r.PathValue("id"))
	if db.IsNoRow(err) {
		return errGone
	}
	if err != nil {
		return err
	}
	images, err := s.imagesOf(ctx, s.db, loc.ID)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := s.page.Write(&page, directory.Item{LocationID: loc.ID, Profile: loc.Profile, Images: images}); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=60")
	h.Set("Content-Security-Policy", "default-src 'none'; img-src *; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'")
	_, _ = w.Write(page.Bytes())
	return nil
}

func locationColumnsOf(alias string) string {
	return alias + "." + strings.ReplaceAll(locationColumns, ", ", ", "+alias+".")
}

// sitemapPart is how many pages one sitemap file may list, by the protocol.
const sitemapPart = 50_000

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

type sitemapEntry struct {
	location, url string
	updated       int64
}

// writeSitemap reads in pages and lets go of the store before it writes: a slow reader holds nothing.
func (s *Service) writeSitemap(ctx context.Context, w http.ResponseWriter, part int) error {
	after, err := db.One(ctx, s.db, db.Value[string], "SELECT l.location_id FROM listings l WHERE"+connected+" ORDER BY l.location_id LIMIT 1 OFFSET $1", max(part*sitemapPart-1, 0))
	switch {
	case db.IsNoRow(err) && part > 0:
		return errGone
	case err != nil && !db.IsNoRow(err):
		return err
	case part == 0:
		after = ""
	}
	for written := 0; written < sitemapPart; {
		page, err := db.All(ctx, s.db, func(row db.Scanner) (e sitemapEntry, err error) {
			err = row.Scan(&e.location, &e.url, &e.updated)
			return e, err
		}, "SELECT l.location_id, l.url, l.updated_at FROM listings l WHERE"+connected+" AND l.location_id > $1 ORDER BY l.location_id LIMIT $2", after, publicPage)
		if err != nil && written == 0 {
			return err
		}
		if err != nil {
			return &brokenOff{err}
		}
		if written == 0 {
			w.Header().Set("Content-Type", "application/xml")
			w.Header().Set("Cache-Control", "public, max-age=60")
			fmt.Fprint(w, xml.Header+`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n")
		}
		for _, e := range page {
			fmt.Fprintf(w, "<url><loc>%s</loc><lastmod>%s</lastmod></url>\n", escapeXML(e.url), db.Time(e.updated).Format(time.RFC3339))
			after = e.location
		}
		written += len(page)
		if len(page) < publicPage {
			break
		}
	}
	fmt.Fprint(w, "</urlset>\n")
	return nil
}

func escapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}
