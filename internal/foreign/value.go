package foreign

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// number reads 33.7745, 33,7745, 1.234,5, 1,234.5, 12.3% and "< 1". A single separator stands before decimals.
func number(text string) (float64, error) {
	s := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%"))
	s = strings.NewReplacer("\u00a0", "", "\u202f", "", " ", "", "'", "", "<", "", "~", "", "−", "-").Replace(s)
	dot, comma := strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ',')
	switch {
	case comma > dot && (dot >= 0 || strings.Count(s, ",") == 1): // the comma stands before decimals
		s = strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)
	case comma >= 0:
		s = strings.ReplaceAll(s, ",", "")
	case strings.Count(s, ".") > 1:
		s = strings.ReplaceAll(s, ".", "")
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, fmt.Errorf("%.40q is no number", text)
	}
	return n, nil
}

// count reads a whole number, however its thousands are told apart: 1,234 and 1.234 are 1234.
func count(text string) (int, error) {
	s := strings.Map(func(r rune) rune {
		if strings.ContainsRune("., '\u00a0\u202f", r) {
			return -1
		}
		return r
	}, text)
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%.40q is no count", text)
	}
	return n, nil
}

// maxRank is the last rank that reports tell apart.
const maxRank = 20

// rank reads a rank on a map; 0 is that the business was not found among the first 20.
func rank(text string) (int, error) {
	s := strings.ToLower(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "#")))
	switch s {
	case "", "-", "–", "—", "n/a", "na", "none", "null", "not found", "not ranked", "not in top 20", "unranked", "false":
		return 0, nil
	}
	if strings.HasPrefix(s, ">") || strings.HasSuffix(s, "+") { // >20 and 20+
		if _, err := count(strings.Trim(s, ">+ ")); err == nil {
			return 0, nil
		}
	}
	n, err := number(s)
	if err != nil || n < 0 || n != math.Trunc(n) {
		return 0, fmt.Errorf("the rank %.40q is no whole number", text)
	}
	if n > maxRank {
		return 0, nil
	}
	return int(n), nil
}

// coordinates reads a latitude and a longitude, from two cells or from one that holds both.
func coordinates(lat, lng, both string) (y, x float64, err error) {
	if lat == "" && lng == "" && both != "" {
		lat, lng, _ = strings.Cut(strings.Trim(both, "()[] "), ",")
		if strings.Count(both, ",") == 3 { // 33,7745, -84,2951
			parts := strings.SplitN(strings.Trim(both, "()[] "), ",", 4)
			lat, lng = parts[0]+","+parts[1], parts[2]+","+parts[3]
		}
	}
	y, errY := number(lat)
	x, errX := number(lng)
	if errY != nil || errX != nil || math.Abs(y) > 90 || math.Abs(x) > 180 {
		return 0, 0, fmt.Errorf("%.30q, %.30q is no latitude and longitude", lat, lng)
	}
	return metre(y), metre(x), nil
}

// metre rounds degrees to a tenth of a metre: exports of one tool write the same point with more digits or fewer.
func metre(degrees float64) float64 { return math.Round(degrees*1e6) / 1e6 }

// How days are written, and what may follow.
var (
	layouts = []string{
		"2006-1-2", "2006/1/2", "20060102", "2.1.2006", "Jan 2, 2006", "Jan 2 2006", "January 2, 2006", "January 2 2006", "2 Jan 2006", "2 January 2006",
		"2-Jan-2006", "Mon, 2 Jan 2006",
	}
	monthFirst = []string{"1/2/2006", "1-2-2006"}
	dayFirst   = []string{"2/1/2006", "2-1-2006"}
	clocks     = []string{"", " 15:04:05", " 15:04", " 3:04 PM", " 3:04:05 PM", " 3:04PM", "T15:04:05", ", 15:04", ", 3:04 PM", ", 15:04:05", ", 3:04:05 PM"}
)

// Time reads a day or an instant as tools write it: 2026-03-01, 3/1/2026, 01.03.2026, Mar 1, 2026, with a time or without,
// or Unix seconds. What names no zone is UTC. Where days and months can be mistaken, as in 3/1/2026, the month comes
// first unless the day is said to.
func Time(text string, dayComesFirst bool) (time.Time, error) {
	s := strings.TrimSpace(text)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05 -0700"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 1e9 {
		if n >= 1e12 {
			n /= 1000
		}
		return time.Unix(n, 0).UTC(), nil
	}
	for _, zone := range []string{"(UTC)", "UTC", "GMT", "Z"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, zone))
	}
	ambiguous := monthFirst
	if dayComesFirst {
		ambiguous = dayFirst
	}
	for _, days := range [][]string{layouts, ambiguous} {
		for _, day := range days {
			for _, clock := range clocks {
				if t, err := time.Parse(day+clock, s); err == nil {
					return t, nil
				}
			}
		}
	}
	hint := "write it as 2026-03-01"
	if !dayComesFirst && strings.Count(s, "/") == 2 {
		hint = "where the day comes before the month, give --day-first"
	}
	return time.Time{}, fmt.Errorf("%.40q is no date; %s", text, hint)
}
