package local

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
)

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
	var feed feedWriter = &jsonFeed{w: w}
	if format == "csv" {
		feed = &csvFeed{w: csv.NewWriter(w)}
	}
	if err := s.writeFeed(ctx, w, owner.ID, feed); err != nil || r.Method != http.MethodGet {
		return err
	}
	if err := s.markPulled(ctx, owner.ID, started); err != nil {
		s.log.ErrorContext(ctx, "note that a feed was pulled", "error", err)
	}
	return nil
}

// feedWriter is a format of the feed.
type feedWriter interface {
	contentType() string
	write(l Location) error
	end() error
}

// writeFeed reads in pages, as writeSitemap does.
func (s *Service) writeFeed(ctx context.Context, w http.ResponseWriter, accountID string, feed feedWriter) error {
	submitted, id := int64(math.MaxInt64), ""
	for begun := false; ; begun = true {
		page, err := db.All(ctx, s.db, scanLocation, "SELECT "+locationColumnsOf("o")+` FROM locations o JOIN listings l ON l.location_id = o.id
			WHERE o.account_id = $1 AND l.directory = 'feed' AND l.status IN ('SUBMITTED', 'CONNECTED') AND (o.submitted_at, o.id) < ($2, $3)
			ORDER BY o.submitted_at DESC, o.id DESC LIMIT $4`, accountID, submitted, id, publicPage)
		if err != nil && !begun {
			return err
		}
		if err != nil {
			return &brokenOff{err}
		}
		w.Header().Set("Content-Type", feed.contentType())
		for _, l := range page {
			if l.SuppressAddress { // a partner has no need to know what the business hides
				l.AddressLine1, l.AddressLine2, l.Coordinates = "", "", nil
			}
			if err := feed.write(l); err != nil {
				return &brokenOff{err}
			}
			submitted, id = db.Micros(l.SubmitDate.Time), l.ID
		}
		if len(page) < publicPage {
			return feed.end()
		}
	}
}

type feedEntry struct {
	ID string `json:"location_id"`
	directory.Profile
}

type jsonFeed struct {
	w     io.Writer
	begun bool
}

func (f *jsonFeed) contentType() string { return "application/json" }

func (f *jsonFeed) write(l Location) error {
	entry, err := json.Marshal(feedEntry{l.ID, l.Profile})
	if err != nil {
		return err
	}
	separator := `{"locations":[`
	if f.begun {
		separator = ","
	}
	f.begun = true
	_, err = fmt.Fprintf(f.w, "%s\n%s", separator, entry)
	return err
}

func (f *jsonFeed) end() error {
	if !f.begun {
		fmt.Fprint(f.w, `{"locations":[`)
	}
	_, err := fmt.Fprint(f.w, "]}\n")
	return err
}

type csvFeed struct {
	w     *csv.Writer
	begun bool
}

func (f *csvFeed) contentType() string { return "text/csv; charset=utf-8" }

func (f *csvFeed) begin() error {
	if f.begun {
		return nil
	}
	f.begun = true
	return f.w.Write([]string{
		"location_id", "business_name", "phone_number", "country", "region", "city", "zip", "address_line_1",
		"address_line_2", "website_url", "description", "categories", "latitude", "longitude",
	})
}

func (f *csvFeed) write(l Location) error {
	if err := f.begin(); err != nil {
		return err
	}
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
	return f.w.Write(row)
}

func (f *csvFeed) end() error {
	err := f.begin()
	f.w.Flush()
	return errors.Join(err, f.w.Error())
}

// plainCell keeps a spreadsheet from reading a text as a formula; phone numbers and coordinates stay.
func plainCell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) || strings.Trim(s, "+-0123456789 ().") == "" {
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
