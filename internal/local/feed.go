package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/spreadsheet"
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
	if !s.pulls.begin(owner.ID) {
		return errs.New(errs.RateLimited, "The feed is being pulled already.")
	}
	defer s.pulls.end(owner.ID)
	w.Header().Set("Cache-Control", "private, no-store")
	started := s.clock.Now()
	var feed feedWriter = &jsonFeed{w: w}
	if format == "csv" {
		feed = &csvFeed{w: spreadsheet.New(w, spreadsheet.CSV)}
	}
	w.Header().Set("Content-Type", feed.contentType())
	if r.Method != http.MethodGet {
		return nil
	}
	if err := s.writeFeed(ctx, owner.ID, feed); err != nil {
		return err
	}
	if err := s.markPulled(ctx, owner.ID, started); err != nil {
		s.log.ErrorContext(ctx, "note that a feed was pulled", "error", err)
	}
	return nil
}

// pulls are the feeds being read. A feed is long and needs no key, so an account has few at once.
type pulls struct {
	mu      sync.Mutex
	byOwner map[string]int
}

const maxPulls = 2

func (p *pulls) begin(owner string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byOwner == nil {
		p.byOwner = map[string]int{}
	}
	if p.byOwner[owner] == maxPulls {
		return false
	}
	p.byOwner[owner]++
	return true
}

func (p *pulls) end(owner string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byOwner[owner]--; p.byOwner[owner] == 0 {
		delete(p.byOwner, owner)
	}
}

// feedWriter is a format of the feed.
type feedWriter interface {
	contentType() string
	write(e feedEntry) error
	end() error
}

// feedEntry is a location in a feed.
type feedEntry struct {
	ID string `json:"location_id"`
	directory.Profile
	Images []directory.Image `json:"images,omitempty"`
}

// inFeed is the condition of locations that an account's feed has.
const inFeed = " JOIN listings l ON l.location_id = o.id WHERE l.directory = 'feed' AND l.status IN ('SUBMITTED', 'CONNECTED')"

func (s *Service) writeFeed(ctx context.Context, accountID string, feed feedWriter) error {
	begun := false
	err := s.eachLocation(ctx, accountID, inFeed, func(item directory.Item) error {
		begun = true
		return feed.write(feedEntry{item.LocationID, item.Profile.WithoutHidden(), item.Images}) // a partner has no need to know what the business hides
	})
	if err != nil && begun {
		return &brokenOff{err}
	}
	if err != nil {
		return err
	}
	return feed.end()
}

type jsonFeed struct {
	w     io.Writer
	begun bool
}

func (f *jsonFeed) contentType() string { return "application/json" }

func (f *jsonFeed) write(e feedEntry) error {
	entry, err := json.Marshal(e)
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
	w     spreadsheet.Writer
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
		"address_line_2", "website_url", "description", "categories", "latitude", "longitude", "opening_hours",
		"payment_options", "images",
	})
}

func (f *csvFeed) write(l feedEntry) error {
	if err := f.begin(); err != nil {
		return err
	}
	names := make([]string, len(l.CategoryIDs))
	for i, c := range l.CategoryIDs {
		names[i] = category.Name(c)
	}
	images := make([]string, len(l.Images))
	for i, img := range l.Images {
		images[i] = img.URL
	}
	latitude, longitude := "", ""
	if c := l.Coordinates; c != nil {
		latitude, longitude = strconv.FormatFloat(*c.Latitude, 'f', -1, 64), strconv.FormatFloat(*c.Longitude, 'f', -1, 64)
	}
	return f.w.Write([]string{
		l.ID, l.BusinessName, l.PhoneNumber, l.Country, l.Region, l.City, l.Zip, l.AddressLine1,
		l.AddressLine2, l.WebsiteURL, l.Description, strings.Join(names, "|"), latitude, longitude, l.OpeningHours(),
		strings.Join(l.PaymentOptions, "|"), strings.Join(images, "|"),
	})
}

func (f *csvFeed) end() error {
	return errors.Join(f.begin(), f.w.Close())
}

// markPulled connects the feed listings that were there when the pull began. It locks them in the order that
// the publisher does.
func (s *Service) markPulled(ctx context.Context, accountID string, started time.Time) error {
	const fresh = " FROM listings WHERE directory = 'feed' AND account_id = $1 AND status = 'SUBMITTED' AND updated_at <= $2"
	for {
		waiting, err := db.One(ctx, s.db, db.Value[bool], "SELECT EXISTS (SELECT 1"+fresh+")", accountID, db.Micros(started))
		if err != nil || !waiting {
			return err
		}
		err = s.db.Tx(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, "UPDATE listings SET status = 'CONNECTED' WHERE id IN (SELECT id"+fresh+" ORDER BY location_id LIMIT 1000"+tx.ForUpdate()+")", accountID, db.Micros(started))
			return err
		})
		if err != nil {
			return err
		}
	}
}

// FeedURL is where the feed with that token is pulled.
func (s *Service) FeedURL(token string) string {
	return s.directories.find("feed").Place(directory.Item{FeedToken: token}).URL
}

// MoveFeed shows the feed's new URL on the listings of an account; they wait to be pulled from there.
func (s *Service) MoveFeed(ctx context.Context, tx *db.Tx, accountID, token string) error {
	_, err := tx.Exec(ctx, "UPDATE listings SET url = $2, status = $3, updated_at = $4 WHERE directory = 'feed' AND account_id = $1 AND url <> ''",
		accountID, s.FeedURL(token), string(directory.Submitted), db.Micros(s.clock.Now()))
	return err
}
