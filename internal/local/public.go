package local

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
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

// public turns a failure into a plain page without internals.
func (s *Service) public(serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		err := serve(w, r)
		switch {
		case err == nil:
		case errors.Is(err, errGone) || errs.CodeOf(err) == errs.NotFound:
			http.Error(w, "not found", http.StatusNotFound)
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

func (s *Service) writeSitemap(ctx context.Context, w http.ResponseWriter, part int) error {
	w.Header().Set("Content-Type", "application/xml")
	fmt.Fprint(w, xml.Header+`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+"\n")
	err := db.Each(ctx, s.db, func(row db.Scanner) error {
		var url string
		var updated int64
		if err := row.Scan(&url, &updated); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "<url><loc>%s</loc><lastmod>%s</lastmod></url>\n", escapeXML(url), db.Time(updated).Format(time.RFC3339))
		return err
	}, "SELECT l.url, l.updated_at FROM listings l WHERE"+connected+" ORDER BY l.location_id LIMIT $1 OFFSET $2", sitemapPart, part*sitemapPart)
	if err != nil {
		panic(http.ErrAbortHandler) // half a list must not look like a whole one
	}
	fmt.Fprint(w, "</urlset>\n")
	return nil
}

func escapeXML(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s))
	return b.String()
}

// serveFeed streams the locations of an account to whoever holds its feed URL, and notes that they have
// been pulled.
func (s *Service) serveFeed(w http.ResponseWriter, r *http.Request) error {
	token, format, _ := strings.Cut(r.PathValue("file"), ".")
	if format != "json" && format != "csv" {
		return errGone
	}
	ctx := r.Context()
	owner, err := s.accounts.FindByFeed(ctx, token)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "private, no-store")
	started := s.clock.Now()
	write := s.writeFeedJSON
	if format == "csv" {
		write = s.writeFeedCSV
	}
	if err := write(ctx, w, owner.ID); err != nil {
		panic(http.ErrAbortHandler)
	}
	if err := s.markPulled(ctx, owner.ID, started); err != nil {
		s.log.ErrorContext(ctx, "note that a feed was pulled", "error", err)
	}
	return nil
}

func (s *Service) eachInFeed(ctx context.Context, accountID string, fn func(Location) error) error {
	return db.Each(ctx, s.db, func(row db.Scanner) error {
		l, err := scanLocation(row)
		if err != nil {
			return err
		}
		return fn(l)
	}, "SELECT "+locationColumnsOf("o")+` FROM locations o JOIN listings l ON l.location_id = o.id
		WHERE o.account_id = $1 AND l.directory = 'feed' AND l.status IN ('SUBMITTED', 'CONNECTED') ORDER BY o.submitted_at DESC, o.id DESC`, accountID)
}

type feedEntry struct {
	ID string `json:"location_id"`
	directory.Profile
}

func (s *Service) writeFeedJSON(ctx context.Context, w http.ResponseWriter, accountID string) error {
	w.Header().Set("Content-Type", "application/json")
	separator := `{"locations":[`
	err := s.eachInFeed(ctx, accountID, func(l Location) error {
		entry, err := json.Marshal(feedEntry{l.ID, l.Profile})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%s\n%s", separator, entry)
		separator = ","
		return err
	})
	if err != nil {
		return err
	}
	if separator != "," {
		fmt.Fprint(w, separator)
	}
	_, err = fmt.Fprint(w, "]}\n")
	return err
}

func (s *Service) writeFeedCSV(ctx context.Context, w http.ResponseWriter, accountID string) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	out := csv.NewWriter(w)
	header := []string{
		"location_id", "business_name", "phone_number", "country", "region", "city", "zip", "address_line_1",
		"address_line_2", "website_url", "description", "categories", "latitude", "longitude",
	}
	if err := out.Write(header); err != nil {
		return err
	}
	err := s.eachInFeed(ctx, accountID, func(l Location) error {
		names := make([]string, len(l.CategoryIDs))
		for i, c := range l.CategoryIDs {
			names[i] = categoryName(c)
		}
		latitude, longitude := "", ""
		if c := l.Coordinates; c != nil {
			latitude, longitude = strconv.FormatFloat(*c.Latitude, 'f', -1, 64), strconv.FormatFloat(*c.Longitude, 'f', -1, 64)
		}
		row := []string{
			l.ID, l.BusinessName, l.PhoneNumber, l.Country, l.Region, l.City, l.Zip, l.AddressLine1,
			l.AddressLine2, l.WebsiteURL, l.Description, strings.Join(names, "|"), latitude, longitude,
		}
		for i := range row {
			row[i] = plainCell(row[i])
		}
		return out.Write(row)
	})
	out.Flush()
	return errors.Join(err, out.Error())
}

// plainCell keeps a spreadsheet from reading a text as a formula; phone numbers and coordinates stay.
func plainCell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) || strings.Trim(s, "+-0123456789 ().") == "" {
		return s
	}
	return "'" + s
}

// markPulled connects the feed listings that were there when the pull began.
func (s *Service) markPulled(ctx context.Context, accountID string, started time.Time) error {
	const fresh = " directory = 'feed' AND account_id = $1 AND status = 'SUBMITTED' AND updated_at <= $2"
	n, err := db.One(ctx, s.db, db.Value[int], "SELECT count(*) FROM listings WHERE"+fresh, accountID, db.Micros(started))
	if err != nil || n == 0 {
		return err
	}
	return s.db.Tx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE listings SET status = 'CONNECTED' WHERE"+fresh, accountID, db.Micros(started))
		return err
	})
}
