// Package local is area A: business locations, their listings in directories, their images, and the
// catalogues that they use. It decides what a location may be and when it is published; how a directory
// is reached is the business of package directory.
package local

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Status is the state of a location.
type Status string

// The states of a location.
const (
	Processing Status = "PROCESSING"
	Completed  Status = "COMPLETED"
	Failed     Status = "FAILED"
)

// Location is a business location as the API shows it.
type Location struct {
	ID         string        `json:"location_id,omitempty"`
	Status     Status        `json:"location_status,omitempty" enum:"COMPLETED,PROCESSING,FAILED"`
	Frozen     bool          `json:"frozen"`
	SubmitDate *Time         `json:"submit_date,omitempty"`
	Errors     []errs.Detail `json:"errors" nullable:"false"`
	directory.Profile

	accountID string
	version   int64

	// The JSON of Profile and Errors as stored, in place of them, when the location is only to be shown.
	rawProfile, rawErrors []byte
}

// MarshalJSON passes stored JSON on without reading it.
func (l Location) MarshalJSON() ([]byte, error) {
	if l.rawProfile == nil {
		type decoded Location
		return json.Marshal(decoded(l))
	}
	out := make([]byte, 0, 256+len(l.rawProfile)+len(l.rawErrors))
	out = fmt.Appendf(out, `{"location_id":%q,"location_status":%q,"frozen":%t,"submit_date":%q,"errors":`,
		l.ID, l.Status, l.Frozen, l.SubmitDate.String())
	out = append(append(out, l.rawErrors...), ',')
	return append(out, l.rawProfile[1:]...), nil // its first field follows ours
}

// Rehearsed strips what only a stored location has.
func (l Location) Rehearsed() Location {
	l.ID, l.Status, l.SubmitDate = "", "", nil
	return l
}

// Time is printed in UTC without a zone, trailing zeros of the fraction trimmed.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.999999"

// String prints the time.
func (t Time) String() string { return t.UTC().Format(timeLayout) }

// MarshalJSON prints the time; without it the zone of time.Time would come through.
func (t Time) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Time) UnmarshalJSON(data []byte) (err error) {
	t.Time, err = time.Parse(`"`+timeLayout+`"`, string(data))
	return err
}

// position is where anyone may know a location to be; nil where it has no coordinates or hides its address.
func position(p *directory.Profile) (latitude, longitude *float64) {
	if p.Coordinates == nil || p.SuppressAddress {
		return nil, nil
	}
	return p.Coordinates.Latitude, p.Coordinates.Longitude
}
