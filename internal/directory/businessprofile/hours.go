package businessprofile

import (
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/directory"
)

// periods writes the hours of a week. A day without hours has no period and is closed.
func periods(w *directory.Week) []period {
	all := []period{}
	days := w.Days()
	for i, day := range days {
		next := days[(i+1)%len(days)]
		for _, r := range day.Ranges {
			opens, closes, overnight := timesOf(r)
			p := period{OpenDay: strings.ToUpper(day.Name), OpenTime: opens, CloseDay: strings.ToUpper(day.Name), CloseTime: closes}
			if overnight {
				p.CloseDay = strings.ToUpper(next.Name)
			}
			all = append(all, p)
		}
	}
	return all
}

// timesOf reads a range. One that ends at midnight ends at 24:00 of its day; one that ends after it is overnight.
func timesOf(r directory.Range) (opens, closes timeOfDay, overnight bool) {
	opens, closes = timeOf(r.From), timeOf(r.To)
	if closes == (timeOfDay{}) {
		return opens, timeOfDay{Hours: 24}, false
	}
	return opens, closes, r.To <= r.From
}

func timeOf(clock string) timeOfDay {
	t, err := time.Parse("15:04", clock)
	if err != nil {
		return timeOfDay{} // the rules of a location let none through
	}
	return timeOfDay{t.Hour(), t.Minute()}
}

// specialPeriods writes the special days that are not over. today is where the day begins first.
func specialPeriods(days []directory.SpecialDay, today time.Time) []specialPeriod {
	var all []specialPeriod
	for _, d := range days {
		day, err := time.Parse(time.DateOnly, d.Day)
		if err != nil || day.Before(today) {
			continue
		}
		if d.Type == directory.Closed {
			all = append(all, specialPeriod{StartDate: dateOf(day), Closed: true})
		}
		for _, r := range d.Hours() {
			opens, closes, overnight := timesOf(r)
			end := dateOf(day)
			if overnight {
				end = dateOf(day.AddDate(0, 0, 1))
			}
			all = append(all, specialPeriod{StartDate: dateOf(day), EndDate: &end, OpenTime: &opens, CloseTime: &closes})
		}
	}
	return all
}

func dateOf(t time.Time) date { return date{t.Year(), int(t.Month()), t.Day()} }
