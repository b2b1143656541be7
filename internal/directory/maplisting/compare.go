package maplisting

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nyaruka/phonenumbers"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/geo"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/words"
)

// compare tells in sentences what the map shows otherwise than the location. What the map does not tell is no
// difference, nor is another spelling.
func compare(p directory.Profile, found provider.Business, now time.Time) (differences []string) {
	differ := func(format string, args ...any) { differences = append(differences, fmt.Sprintf(format, args...)) }
	if how := closed(p, found, now); how != "" {
		differ("The map shows the place as %s closed.", how)
	}
	if found.Name != "" && !sameName(p.BusinessName, found.Name) {
		differ("The map shows the name %s, not %s.", clip(found.Name), p.BusinessName)
	}
	if found.Phone != "" && !samePhone(p.PhoneNumber, found.Phone, p.Country) {
		differ("The map shows the phone number %s, not %s.", clip(found.Phone), p.PhoneNumber)
	}
	if found.Address != "" && !p.SuppressAddress && !sameAddress(p, found.Address) {
		differ("The map shows the address %s, not %s.", clip(found.Address), ownAddress(p))
	}
	if found.Website != "" && p.WebsiteURL != "" && site(p.WebsiteURL) != site(found.Website) {
		differ("The map shows the website %s, not %s.", clip(found.Website), p.WebsiteURL)
	}
	if found.Website != "" && p.WebsiteURL == "" {
		differ("The map shows the website %s, and the location has none.", clip(found.Website))
	}
	if found.Hours != nil && p.BusinessHours != nil {
		differences = append(differences, compareHours(p.BusinessHours, found.Hours)...)
	}
	return differences
}

// closed tells how the map shows a place as closed that is not meant to be; "" when it does not.
func closed(p directory.Profile, found provider.Business, now time.Time) string {
	reopens, err := time.Parse(time.DateOnly, p.ReopenDate)
	resting := err == nil && reopens.After(now)
	switch {
	case found.Closed == provider.ClosedForGood:
		return "permanently"
	case found.Closed == provider.ClosedTemporarily && !resting:
		return "temporarily"
	}
	return ""
}

// legalForms are words of a company's name that a shop's sign leaves out.
var legalForms = []string{
	"inc", "incorporated", "llc", "llp", "ltd", "limited", "co", "company", "corp", "corporation", "plc", "pty",
	"gmbh", "ag", "kg", "ohg", "ug", "ek", "mbh", "sa", "sarl", "sas", "srl", "spa", "sl", "bv", "nv", "ab", "oy", "as", "aps", "and", "und", "et", "y",
}

func sameName(ours, theirs string) bool {
	return slices.Equal(nameWords(ours), nameWords(theirs))
}

func nameWords(name string) []string {
	name = strings.ReplaceAll(name, ".", "") // G.m.b.H., S.A.
	all := slices.Collect(words.Of(name))
	return words.Telling(all, func(word string) bool { return slices.Contains(legalForms, word) })
}

func samePhone(ours, theirs, country string) bool {
	a, errA := phonenumbers.Parse(ours, country)
	b, errB := phonenumbers.Parse(theirs, country)
	if errA != nil || errB != nil {
		return digits(ours) == digits(theirs)
	}
	return phonenumbers.Format(a, phonenumbers.E164) == phonenumbers.Format(b, phonenumbers.E164)
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// site is the host and path of a website, without scheme, www and a slash at the end.
func site(address string) string {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") + strings.TrimRight(u.Path, "/")
}

// sameAddress wants the words of our street and the postal code in their address. An address that has neither a
// street nor another postal code does not tell.
func sameAddress(p directory.Profile, theirs string) bool {
	told := addressWords(theirs)
	street := addressWords(p.AddressLine1)
	country, _ := geo.CountryName(p.Country)
	others := addressWords(strings.Join([]string{p.City, p.Region, p.Zip, country, p.Country, p.AddressLine2}, " "))
	tellsStreet := false
	for word := range told {
		tellsStreet = tellsStreet || !others[word]
	}
	if tellsStreet {
		for word := range street {
			if !told[word] {
				return false
			}
		}
	}
	return sameZip(p.Zip, theirs, street)
}

// sameZip tells false only when their address has something of the form of our postal code that is another one.
func sameZip(zip, theirs string, street map[string]bool) bool {
	zip, _, _ = strings.Cut(zip, "-") // 30030-1234
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }
	if zip == "" || strings.Contains(plain(theirs), plain(zip)) {
		return true
	}
	form := formOf(zip)
	for word := range addressWords(theirs) {
		if !street[word] && formOf(word) == form {
			return false
		}
	}
	return true
}

// formOf writes 9 for every digit and a for every letter.
func formOf(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsDigit(r):
			return '9'
		case unicode.IsLetter(r):
			return 'a'
		}
		return r
	}, s)
}

// shortened are words of streets as they are abbreviated.
var shortened = map[string]string{
	"street": "st", "avenue": "ave", "road": "rd", "boulevard": "blvd", "drive": "dr", "lane": "ln", "highway": "hwy", "square": "sq",
	"place": "pl", "court": "ct", "parkway": "pkwy", "suite": "ste", "north": "n", "south": "s", "east": "e", "west": "w",
	"northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw", "saint": "st", "platz": "pl", "strasse": "str",
}

func addressWords(text string) map[string]bool {
	set := map[string]bool{}
	for word := range words.Of(text) {
		if short, ok := shortened[word]; ok {
			word = short
		}
		if strings.HasSuffix(word, "strasse") {
			word = strings.TrimSuffix(word, "asse")
		}
		set[word] = true
	}
	return set
}

func ownAddress(p directory.Profile) string {
	return strings.Join(slices.DeleteFunc([]string{p.AddressLine1, p.City, strings.TrimSpace(p.Region + " " + p.Zip)}, func(s string) bool { return s == "" }), ", ")
}

const (
	dayMinutes  = 24 * 60
	weekMinutes = 7 * dayMinutes

	// nightEnds is when a day begins for those who compare hours, so that a night which the map splits at midnight is
	// the same night.
	nightEnds = 4 * 60
)

// compareHours tells the days whose hours differ.
func compareHours(ours *directory.Week, theirs *provider.Hours) (differences []string) {
	own := hoursOf(ours)
	open, shown := minutesOpen(own), minutesOpen(*theirs)
	for i, day := range ours.Days() {
		weekday := (i + 1) % 7
		for minute := range dayMinutes {
			if at := (weekday*dayMinutes + nightEnds + minute) % weekMinutes; open[at] != shown[at] {
				differences = append(differences, fmt.Sprintf("On %s the map shows %s, not %s.", day.Name, spans(theirs[weekday]), spans(own[weekday])))
				break
			}
		}
	}
	return differences
}

// hoursOf writes our week as a provider does.
func hoursOf(w *directory.Week) (hours provider.Hours) {
	for i, day := range w.Days() {
		for _, r := range day.Ranges {
			from, errFrom := time.Parse("15:04", r.From)
			to, errTo := time.Parse("15:04", r.To)
			if errFrom != nil || errTo != nil {
				continue // the rules of a location let none through
			}
			span := provider.Span{From: from.Hour()*60 + from.Minute(), To: to.Hour()*60 + to.Minute()}
			if span.To <= span.From {
				span.To += dayMinutes
			}
			hours[(i+1)%7] = append(hours[(i+1)%7], span)
		}
	}
	return hours
}

// minutesOpen are the minutes of the week at which a place is open.
func minutesOpen(hours provider.Hours) (open [weekMinutes]bool) {
	for day, all := range hours {
		for _, span := range all {
			for minute := max(span.From, 0); minute < min(span.To, 2*dayMinutes); minute++ {
				open[(day*dayMinutes+minute)%weekMinutes] = true
			}
		}
	}
	return open
}

// spans is how people read the hours of a day.
func spans(day []provider.Span) string {
	day = slices.SortedFunc(slices.Values(day), func(a, b provider.Span) int { return a.From - b.From })
	ranges := make(directory.Ranges, len(day))
	for i, s := range day {
		ranges[i] = directory.Range{From: clockTime(s.From), To: clockTime(s.To)}
	}
	if len(ranges) == 0 {
		return "closed"
	}
	return strings.Replace(ranges.String(), "Open", "open", 1)
}

func clockTime(minute int) string {
	return fmt.Sprintf("%02d:%02d", minute/60%24, minute%60)
}

// clip keeps what a provider tells to a length that fits a sentence.
func clip(s string) string {
	const most = 200
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return s
}
