package provider

import (
	"strconv"
	"strings"
	"time"
)

const dayMinutes = 24 * 60

// Add opens a day from one minute to another, both counted since the day's own midnight. What lasts beyond the end of the next
// day is cut into days.
func (h *Hours) Add(day time.Weekday, from, to int) {
	for ; to > 2*dayMinutes; day, from, to = (day+1)%7, 0, to-dayMinutes {
		h[day] = append(h[day], Span{From: from, To: dayMinutes})
	}
	h[day] = append(h[day], Span{From: from, To: to})
}

// EnglishHours reads hours as Google's maps write them in English: "Closed", "Open 24 hours", "7 AM–6 PM",
// "11:30 AM–2 PM, 5–10 PM". Of a week that is not whole, or that has a day in other words, nothing is known: nil.
func EnglishHours(week map[string]string) *Hours {
	if len(week) != 7 {
		return nil
	}
	var h Hours
	for day := range time.Weekday(7) {
		spans, ok := englishDay(inEnglish(week, day))
		if !ok {
			return nil
		}
		h[day] = spans
	}
	return &h
}

// inEnglish finds the day in any case; some vendors add what is special about it: "Thursday (Thanksgiving)".
func inEnglish(week map[string]string, day time.Weekday) string {
	for name, text := range week {
		bare, _, _ := strings.Cut(name, "(")
		if strings.EqualFold(strings.TrimSpace(bare), day.String()) {
			return text
		}
	}
	return ""
}

// spaces are those that Google puts between a time and AM or PM, and around a dash; dashes are all written as "-".
var tidyHours = strings.NewReplacer("\u202f", " ", "\u00a0", " ", "\u2009", " ", "–", "-", "—", "-", " to ", "-")

func englishDay(text string) ([]Span, bool) {
	text = strings.ToLower(strings.TrimSpace(tidyHours.Replace(text)))
	switch text {
	case "closed":
		return nil, true
	case "open 24 hours":
		return []Span{{From: 0, To: dayMinutes}}, true
	}
	var spans []Span
	for part := range strings.SplitSeq(text, ",") {
		opens, closes, ok := strings.Cut(part, "-")
		to, half, okTo := englishTime(closes, "")
		from, _, okFrom := englishTime(opens, half)
		if !ok || !okTo || !okFrom {
			return nil, false
		}
		if to <= from {
			to += dayMinutes // after midnight
		}
		spans = append(spans, Span{From: from, To: to})
	}
	return spans, true
}

// englishTime reads "7", "7:30 pm" or "19:30" as minutes since midnight. A time without its half of the day, as in
// "5-10 PM", is in the given one.
func englishTime(text, half string) (minutes int, ownHalf string, ok bool) {
	text = strings.TrimSpace(text)
	for _, suffix := range []string{"am", "pm"} {
		if bare, has := strings.CutSuffix(text, suffix); has {
			text, half = strings.TrimSpace(bare), suffix
		}
	}
	hourText, minuteText, _ := strings.Cut(text, ":")
	hour, err := strconv.Atoi(hourText)
	minute := 0
	if err == nil && minuteText != "" {
		minute, err = strconv.Atoi(minuteText)
	}
	if err != nil || hour < 0 || hour > 24 || minute < 0 || minute > 59 || (half != "" && (hour < 1 || hour > 12)) {
		return 0, "", false
	}
	if half != "" {
		hour %= 12
	}
	if half == "pm" {
		hour += 12
	}
	return hour*60 + minute, half, true
}
