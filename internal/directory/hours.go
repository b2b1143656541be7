package directory

import (
	"slices"
	"strings"
	"time"
)

// AllDay tells whether the range covers the whole of its day.
func (r Range) AllDay() bool { return r.From == "00:00" && r.To == "00:00" }

// Closes is the end of the range for readers that take an end equal to the start for closed: a minute before.
func (r Range) Closes() string {
	end, err := time.Parse("15:04", r.To)
	if r.From != r.To || err != nil {
		return r.To
	}
	return end.Add(-time.Minute).Format("15:04")
}

// String is how people read the hours of a day.
func (r Ranges) String() string {
	if len(r) == 0 {
		return "Closed"
	}
	spans := make([]string, len(r))
	for i, one := range r {
		if spans[i] = one.From + "–" + one.To; one.AllDay() {
			spans[i] = "Open 24 hours"
		}
	}
	return strings.Join(spans, ", ")
}

// Hours are the ranges that the special day has in place of the week's.
func (d SpecialDay) Hours() Ranges {
	if d.Type == OpenedAllDay {
		return Ranges{{"00:00", "00:00"}}
	}
	return d.Times
}

// SpecialDays lists the special days in the order of their dates.
func (p *Profile) SpecialDays() []SpecialDay {
	return slices.SortedFunc(slices.Values(p.SpecialHours), func(a, b SpecialDay) int { return strings.Compare(a.Day, b.Day) })
}

// OpeningHours are the hours of the week and of special days as OpenStreetMap writes them.
func (p *Profile) OpeningHours() string {
	if p.BusinessHours == nil {
		return ""
	}
	var rules []string
	add := func(day string, hours Ranges) {
		spans := make([]string, len(hours))
		for i, r := range hours {
			if spans[i] = r.From + "-" + r.To; r.AllDay() {
				spans[i] = "00:00-24:00"
			}
		}
		if len(spans) == 0 {
			spans = []string{"off"}
		}
		rules = append(rules, day+" "+strings.Join(spans, ","))
	}
	for _, d := range p.BusinessHours.Days() {
		add(d.Name[:2], d.Ranges)
	}
	for _, d := range p.SpecialDays() {
		if day, err := time.Parse(time.DateOnly, d.Day); err == nil {
			add(day.Format("2006 Jan 02"), d.Hours())
		}
	}
	return strings.Join(rules, "; ")
}

// labels are names that people use, where the identifier says it otherwise. The dashboard has the same.
var labels = map[string]string{"NFC_MOBILE_PAYMENTS": "Contactless", "PRAYER_GENERAL": "Prayer", "DRIVE_THROUGH": "Drive-through"}

// label makes words of an identifier: SENIOR_HOURS is "Senior hours".
func label(identifier string) string {
	if usual, ok := labels[identifier]; ok {
		return usual
	}
	words := strings.ToLower(strings.ReplaceAll(identifier, "_", " "))
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):]
}
