package businessprofile

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/nyaruka/phonenumbers"

	"github.com/trigpoint/trigpoint/internal/words"
)

// fields are those of a profile that we write, as JSON by name.
type fields map[string]json.RawMessage

// masks are the names of fields in a mask. Where we write a part of a field only, its other parts stay the owner's.
var masks = map[string]string{"phoneNumbers": "phoneNumbers.primaryPhone", "openInfo": "openInfo.status", "profile": "profile.description"}

func fieldsOf(l location) (fields, error) {
	l.Name, l.Metadata = "", nil
	encoded, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	var all fields
	return all, json.Unmarshal(encoded, &all)
}

// change is what is to be written, and its mask.
type change struct {
	body fields
	mask []string
}

// changed compares what a profile should have with what it has. A field that it has and should not is in the mask alone,
// which clears it.
func changed(has, wants fields) change {
	c := change{body: fields{}}
	add := func(name string) {
		if mask, ok := masks[name]; ok {
			name = mask
		}
		c.mask = append(c.mask, name)
	}
	for name, value := range wants {
		if !bytes.Equal(has[name], value) {
			c.body[name] = value
			add(name)
		}
	}
	for name := range has {
		if _, wanted := wants[name]; !wanted {
			add(name)
		}
	}
	slices.Sort(c.mask)
	return c
}

// seen is what a profile that somebody else has made says of the fields that we want to write: what we have nothing to
// say about stays as it is, and so does what differs in spelling only.
func seen(theirs location, wants location, country string) (fields, error) {
	if sameNumber(theirs, wants, country) {
		theirs.PhoneNumbers = wants.PhoneNumbers
	}
	if theirs.RegularHours != nil {
		slices.SortFunc(theirs.RegularHours.Periods, byDay)
	}
	if theirs.LatLng == nil { // not told where Google follows the address
		theirs.LatLng = wants.LatLng
	}
	has, err := fieldsOf(theirs)
	if err != nil {
		return nil, err
	}
	wanted, err := fieldsOf(wants)
	for name := range has {
		if _, ok := wanted[name]; !ok {
			delete(has, name)
		}
	}
	return has, err
}

var weekdays = []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"}

// byDay orders periods as ours are.
func byDay(a, b period) int {
	if d := slices.Index(weekdays, a.OpenDay) - slices.Index(weekdays, b.OpenDay); d != 0 {
		return d
	}
	return (a.OpenTime.Hours*60 + a.OpenTime.Minutes) - (b.OpenTime.Hours*60 + b.OpenTime.Minutes)
}

func sameNumber(a, b location, country string) bool {
	if a.PhoneNumbers == nil || b.PhoneNumbers == nil {
		return false
	}
	one, errOne := phonenumbers.Parse(a.PhoneNumbers.PrimaryPhone, country)
	other, errOther := phonenumbers.Parse(b.PhoneNumbers.PrimaryPhone, country)
	return errOne == nil && errOther == nil && phonenumbers.Format(one, phonenumbers.E164) == phonenumbers.Format(other, phonenumbers.E164)
}

// sameBusiness tells whether a profile is surely that of the location: it has its name, and its number or its address.
func sameBusiness(theirs, ours location, country string) bool {
	if plain(theirs.Title) != plain(ours.Title) {
		return false
	}
	return sameNumber(theirs, ours, country) || sameAddress(theirs.StorefrontAddress, ours.StorefrontAddress)
}

func sameAddress(a, b *address) bool {
	if a == nil || b == nil || len(a.AddressLines) == 0 || len(b.AddressLines) == 0 {
		return false
	}
	return plain(a.AddressLines[0]) == plain(b.AddressLines[0]) && plain(a.PostalCode) == plain(b.PostalCode)
}

// plain is a text without case, accents and signs.
func plain(s string) string {
	return strings.Join(slices.Collect(words.Of(s)), " ")
}
