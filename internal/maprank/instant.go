package maprank

import (
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Instant is printed as RFC 3339 in UTC, with no more fraction than it has.
type Instant struct{ time.Time }

func (t Instant) String() string { return t.UTC().Format("2006-01-02T15:04:05.999999Z") }

// MarshalText makes it a map key, too.
func (t Instant) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// MarshalJSON prints the instant.
func (t Instant) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Instant) UnmarshalJSON(data []byte) (err error) {
	t.Time, err = time.Parse(`"`+time.RFC3339+`"`, string(data))
	return err
}

// Schema documents it as a date-time.
func (t Instant) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}

// stamp is the present as records keep it: in milliseconds, so that it is printed short.
func stamp(now time.Time) time.Time { return now.UTC().Truncate(time.Millisecond) }

// parseInstant reads an RFC 3339 date-time with any offset. A plus sign that a query turned into a space
// is understood.
func parseInstant(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, strings.ReplaceAll(text, " ", "+"))
	if err != nil || t.Year() < 1970 || t.Year() > 9998 {
		return time.Time{}, false
	}
	return t.UTC().Truncate(time.Microsecond), true
}
