package local

import (
	"bytes"
	"errors"
	"net/http"
	"path"
	"regexp"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

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

var objectName = regexp.MustCompile(`^[0-9a-f]{64}\.(jpg|png)$`)

func (s *Service) serveMedia(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	if !objectName.MatchString(name) {
		return errGone
	}
	// What no record uses is not served, even when the object store keeps it for longer.
	if _, err := db.One(r.Context(), s.db, db.Value[int64], "SELECT refs FROM objects WHERE name = $1 AND refs > 0", name); db.IsNoRow(err) {
		return errGone
	} else if err != nil {
		return err
	}
	object, err := s.openObject(r.Context(), name)
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
	http.ServeContent(w, r, "", time.Time{}, object)
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
	if err := s.page.Write(&page, directory.Item{LocationID: loc.ID, Profile: loc.Profile, Images: images[loc.ID]}); err != nil {
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
