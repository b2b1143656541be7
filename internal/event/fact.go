package event

import (
	"fmt"

	"github.com/trigpoint/trigpoint/internal/alertrule"
)

// facts are what alert rules may wait for in an event that is written under an id. All are of one kind of subject.
func (e *Event) facts(id string) []alertrule.Fact {
	fact := alertrule.Fact{AccountID: e.AccountID, EventID: id, On: alertrule.Account}
	switch data := e.Data.(type) {
	case Listing:
		fact.On, fact.SubjectID, fact.Name = alertrule.Location, data.LocationID, data.BusinessName
		fact.Happened, fact.Detail = alertrule.ListingChanged, fmt.Sprintf("its listing in %s is %s, after %s. %s", data.Directory, data.Status, data.StatusBefore, data.Detail)
		if !data.Closed {
			return []alertrule.Fact{fact}
		}
		closed := fact
		closed.Happened = alertrule.LocationClosed
		return []alertrule.Fact{fact, closed}
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
		all = append(all, f)
	}
	return all
}
