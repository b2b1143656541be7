package event

import (
	"fmt"
	"strings"

	"github.com/trigpoint/trigpoint/internal/alertrule"
)

// facts are what alert rules may wait for in an event that is written under an id. All are of one kind of subject.
func (e *Event) facts(id string) []alertrule.Fact {
	fact := alertrule.Fact{AccountID: e.AccountID, EventID: id, On: alertrule.Account}
	switch data := e.Data.(type) {
	case Listing:
		return data.facts(&fact)
	case Location:
		if e.Kind != LocationRejected {
			return nil
		}
		fact.On, fact.SubjectID, fact.Name = alertrule.Location, data.LocationID, data.BusinessName
		fact.Happened, fact.Detail = alertrule.LocationRejected, "it was rejected. "+data.Reason
	case Report:
		if e.Kind != ReportCollected {
			return nil
		}
		return data.facts(e, id)
	case Quota:
		if fact.Happened, fact.Detail = alertrule.CreditsLow, "credits"; e.Kind == LookupsLow {
			fact.Happened, fact.Detail = alertrule.LookupsLow, "look-ups"
		}
		fact.Detail = fmt.Sprintf("Less than a tenth of the month's %s is left: %d of %d are used.", fact.Detail, data.Used, data.Limit)
	case Budget:
		fact.Happened, fact.Detail = alertrule.BudgetLow, fmt.Sprintf("Less than a tenth of the month's budget is left: %.2f of %.2f USD are spent.", data.SpentUSD, data.LimitUSD)
	case Provider:
		fact.Happened, fact.Detail = alertrule.ProviderFailing, data.Reason
	default:
		return nil
	}
	return []alertrule.Fact{fact}
}

// facts are a listing that changed without having been told to, and a place that is shown as closed.
func (l *Listing) facts(about *alertrule.Fact) (all []alertrule.Fact) {
	about.On, about.SubjectID, about.Name = alertrule.Location, l.LocationID, l.BusinessName
	was, is := strings.ToLower(l.StatusBefore), strings.ToLower(l.Status)
	about.Detail = strings.TrimSpace(fmt.Sprintf("its listing in %s went from %s to %s. %s", l.DirectoryName, was, is, l.Detail))
	if was == is {
		about.Detail = fmt.Sprintf("its listing in %s is %s. %s", l.DirectoryName, is, l.Detail)
	}
	if asked := was == "processing" && is != "unavailable"; !asked {
		changed := *about
		changed.Happened = alertrule.ListingChanged
		all = append(all, changed)
	}
	if l.Closed {
		closed := *about
		closed.Happened = alertrule.LocationClosed
		all = append(all, closed)
	}
	return all
}

// facts are the figures of a report that have changed since the one before.
func (r *Report) facts(e *Event, id string) (all []alertrule.Fact) {
	about := alertrule.Fact{AccountID: e.AccountID, EventID: id, On: alertrule.Campaign, SubjectID: e.Subject, Name: r.Name}
	add := func(figure alertrule.Figure, after, gained *float64, sign float64) {
		if after == nil || gained == nil {
			return
		}
		f, before := about, *after+sign**gained
		f.Figure, f.Before, f.After = figure, &before, after
		all = append(all, f)
	}
	add(alertrule.AveragePosition, r.AveragePosition, r.PositionChange, 1)
	add(alertrule.ShareOfVoice, r.ShareOfVoice, r.ShareChange, -1)
	add(alertrule.TopShare, r.TopShare, r.TopChange, -1)
	for _, rival := range r.PassedBy {
		f := about
		f.Happened, f.Rival = alertrule.BusinessPassed, rival.Name
		f.Detail = fmt.Sprintf("%s has passed: its share of voice is %.1f %%, after %.1f %%.", rival.Name, rival.ShareOfVoice, rival.ShareBefore)
		if r.ShareOfVoice != nil {
			f.Detail = fmt.Sprintf("%s has passed: its share of voice is %.1f %%, after %.1f %%; yours is %.1f %%.", rival.Name, rival.ShareOfVoice, rival.ShareBefore, *r.ShareOfVoice)
		}
		all = append(all, f)
	}
	return all
}
