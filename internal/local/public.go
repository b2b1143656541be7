package local

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/geo"
)

// MountPublic registers what anyone may read: images, hosted pages, the sitemap and the feeds.
func (s *Service) MountPublic(mux *http.ServeMux) {
	mux.HandleFunc("GET "+directory.MediaPath+"{name}", s.public(s.serveMedia))
	mux.HandleFunc("GET "+directory.PagePath+"{id}", s.public(s.servePage))
	mux.HandleFunc("GET "+directory.SitemapPath, s.public(s.serveSitemap))
	mux.HandleFunc("GET /sitemaps/{part}", s.public(s.serveSitemapPart))
	mux.HandleFunc("GET "+directory.FeedPath+"{file}", s.public(s.serveFeed))
}

var errGone = errors.New("not there")

// brokenOff is a failure after part of the answer has been sent: half a list must not look like a whole one.
type brokenOff struct{ cause error }

func (b *brokenOff) Error() string { return b.cause.Error() }

// public turns a failure into a plain page without internals.
func (s *Service) public(serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		err := serve(w, r)
		var broken *brokenOff
		switch {
		case err == nil:
		case errors.Is(err, errWidth):
			http.Error(w, errWidth.Error(), http.StatusBadRequest)
		case errors.Is(err, errGone) || errs.CodeOf(err) == errs.NotFound:
			http.Error(w, "not found", http.StatusNotFound)
		case errs.CodeOf(err) == errs.RateLimited:
			w.Header().Set("Retry-After", "2")
			http.Error(w, "too many requests", http.StatusTooManyRequests)
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
	page := directory.Page{
		Item: directory.Item{LocationID: loc.ID, Profile: loc.Profile, Images: images[loc.ID]},
		Now:  s.clock.Now().UTC(),
	}
	if c := loc.Coordinates; c != nil {
		zone, _ := geo.ZoneAt(geo.Point{Lat: *c.Latitude, Lng: *c.Longitude})
		page.Now, page.Zoned = page.Now.In(zone), true
	}
	if page.Near, err = s.near(ctx, &loc); err != nil {
		return err
	}
	if page.Brand, err = s.accounts.Brand(ctx, loc.accountID); err != nil {
		return err
	}
	var html bytes.Buffer
	until, err := s.page.Write(&html, page)
	if err != nil {
		return err
	}
	fresh := min(pageFresh, until.Sub(page.Now))
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(fresh.Seconds())))
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(html.Bytes())))
	h.Set("Content-Security-Policy", "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(html.Bytes()))
	return nil
}

// pageFresh is how long a page may be shown before it is asked for again, unless the business opens or closes before.
const pageFresh = time.Minute

func locationColumnsOf(alias string) string {
	return alias + "." + strings.ReplaceAll(locationColumns, ", ", ", "+alias+".")
}
