package alertrule

import (
	"fmt"
	"strconv"
	"strings"
)

// Fact is something that happened to a subject, which rules may wait for: a figure that moved, or something else.
type Fact struct {
	AccountID string
	On        Subject
	SubjectID string
	Name      string // of the subject
	EventID   string // of the event that tells of it: the same event raises a rule once; "" for none

	Figure Figure // that has moved; "" where Happened says what has happened
	Move
	Happened Condition

	Keyword string
	Rival   string // who passed
	Detail  string // a sentence
}

// Rule is what raises alerts.
type Rule struct {
	ID        string
	AccountID string
	On        Subject
	SubjectID string // "" is all of the account's
	Condition Condition
	Threshold float64
	Rival     string
}

// Holds tells whether a fact is what the rule waits for.
func (r *Rule) Holds(f *Fact) bool {
	if r.AccountID != f.AccountID || r.On != f.On || r.SubjectID != "" && r.SubjectID != f.SubjectID {
		return false
	}
	if f.Figure == "" {
		return r.Condition == f.Happened && (r.Rival == "" || r.Rival == f.Rival)
	}
	d, known := Find(r.Condition)
	return known && d.figure == f.Figure && d.holds(f.Move, r.Threshold)
}

// sentence tells of a fact as a rule of this condition sees it.
func (r *Rule) sentence(f *Fact) string {
	keyword, from, to := "“"+f.Keyword+"”", f.shown(f.Before), f.shown(f.After)
	switch r.Condition {
	case PositionLost:
		return fmt.Sprintf("%s: %s fell from %s to %s.", f.Name, keyword, from, to)
	case PositionGained:
		return fmt.Sprintf("%s: %s climbed from %s to %s.", f.Name, keyword, from, to)
	case LeftTop:
		return fmt.Sprintf("%s: %s left the top %g, from %s to %s.", f.Name, keyword, r.Threshold, from, to)
	case EnteredTop:
		return fmt.Sprintf("%s: %s entered the top %g, from %s to %s.", f.Name, keyword, r.Threshold, from, to)
	case NotFound:
		return fmt.Sprintf("%s: %s is no longer found; it was %s.", f.Name, keyword, from)
	case SnippetWon:
		return fmt.Sprintf("%s: the featured snippet of %s is won.", f.Name, keyword)
	case SnippetLost:
		return fmt.Sprintf("%s: the featured snippet of %s is lost.", f.Name, keyword)
	case AveragePositionLost, AveragePositionGained:
		return fmt.Sprintf("%s: the average position went from %s to %s.", f.Name, from, to)
	case ShareOfVoiceLost, ShareOfVoiceGained:
		return fmt.Sprintf("%s: the share of voice went from %s to %s.", f.Name, from, to)
	case TopShareLost, TopShareGained:
		return fmt.Sprintf("%s: the share of points in the top 3 went from %s to %s.", f.Name, from, to)
	}
	return strings.TrimPrefix(f.Name+": "+f.Detail, ": ")
}

// shown is a figure as people read it.
func (f *Fact) shown(v *float64) string {
	switch {
	case v == nil:
		return "not found"
	case f.Figure == ShareOfVoice || f.Figure == TopShare:
		return strconv.FormatFloat(*v, 'f', 1, 64) + " %"
	case f.Figure == AveragePosition:
		return strconv.FormatFloat(*v, 'f', 1, 64)
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
