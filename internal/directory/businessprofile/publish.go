package businessprofile

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// publisher brings the profile of one location to what a message says.
type publisher struct {
	*Connector
	record  *record
	message message
	version int64    // of the message
	notes   []string // what Google does not take
}

// unpublishable says why a location cannot have a profile now, though nothing failed.
type unpublishable struct{ reason string }

func (u *unpublishable) Error() string { return u.reason }

func (p *publisher) publish(ctx context.Context) (directory.Outcome, error) {
	k, primary, err := p.learnCategories(ctx)
	if err != nil {
		return directory.Outcome{}, err
	}
	wants, notes := translate(p.record.locationID, p.message.Profile, k, p.clock.Now())
	p.notes = notes
	if wants.Categories == nil {
		return directory.Outcome{}, &unpublishable{strings.Join(notes, " ") + " A profile needs one: give the location another category."}
	}
	if err := p.write(ctx, wants, primary); err != nil {
		return directory.Outcome{}, err
	}
	if err := p.setPayments(ctx); err != nil {
		return directory.Outcome{}, err
	}
	if err := p.setPictures(ctx); err != nil {
		return directory.Outcome{}, err
	}
	outcome, err := p.state(ctx, p.record)
	if err != nil {
		return directory.Outcome{}, err
	}
	p.record.synced = true
	if err := p.save(ctx, p.record); err != nil {
		return directory.Outcome{}, err
	}
	outcome.Detail = strings.TrimSpace(outcome.Detail + " " + strings.Join(p.notes, " "))
	outcome.LookAfter = p.nextLook(outcome, p.message.Profile)
	return outcome, nil
}

// learnCategories finds what Google calls the location's categories, and which hours the primary one offers.
func (p *publisher) learnCategories(ctx context.Context) (k known, primary string, err error) {
	region := p.message.Profile.Country
	k.categories = map[string]string{}
	var unknown []string
	for _, id := range p.message.Profile.CategoryIDs {
		if name, ok := commonCategories()[id]; ok {
			k.categories[id] = name
		} else {
			unknown = append(unknown, id)
		}
	}
	learned, err := p.lookedUp(ctx, region, unknown)
	if err != nil {
		return k, "", err
	}
	for _, id := range unknown {
		name, ok := learned[id]
		if !ok {
			found, err := p.api.categoriesCalled(ctx, p.record.accountID, region, category.Name(id))
			if err != nil {
				return k, "", err
			}
			name = bestCategory(category.Name(id), found)
			if err := p.keepCategory(ctx, region, id, name); err != nil {
				return k, "", err
			}
		}
		k.categories[id] = name
	}
	for _, id := range p.message.Profile.CategoryIDs {
		if primary = k.categories[id]; primary != "" {
			break
		}
	}
	if primary != "" {
		k.hourTypes, err = p.learnHourTypes(ctx, region, primary)
	}
	return k, primary, err
}

func (p *publisher) learnHourTypes(ctx context.Context, region, primary string) ([]string, error) {
	types, err := p.keptHourTypes(ctx, region, primary)
	if !db.IsNoRow(err) {
		return types, err
	}
	if types, err = p.api.hourTypes(ctx, p.record.accountID, region, primary); provider.KindOf(err) == provider.BadQuery {
		return nil, nil // a category that Google does not know: the publication itself is told what is wrong with it
	} else if err != nil {
		return nil, err
	}
	return types, p.keepHourTypes(ctx, region, primary, types)
}

// write finds or makes the profile and changes what differs from what Google was told last.
func (p *publisher) write(ctx context.Context, wants location, primary string) error {
	wanted, err := fieldsOf(wants)
	if err != nil {
		return err
	}
	if !p.record.attached() {
		if err := p.attach(ctx, wants, wanted); err != nil {
			return err
		}
	}
	has := p.record.sent
	if has == nil { // somebody else has written it
		theirs, err := p.api.get(ctx, p.record.accountID, p.record.name, readFields)
		if err != nil {
			return err
		}
		if has, err = seen(theirs, wants, p.message.Profile.Country); err != nil {
			return err
		}
	}
	if c := changed(has, wanted); len(c.mask) > 0 {
		if err := p.edit(ctx); err != nil {
			return err
		}
		if err := p.api.patch(ctx, p.record.accountID, p.record.name, c); err != nil {
			return rejected(err)
		}
	}
	p.record.sent, p.record.category, p.record.region = wanted, primary, p.message.Profile.Country
	return p.save(ctx, p.record)
}

// rejected makes a refusal of the location's own data final.
func rejected(err error) error {
	if words, refused := refusedWords(err); refused {
		return &directory.Rejected{Reason: strings.TrimSuffix(words, ".")}
	}
	return err
}

// Google takes ten edits of a profile a minute.
const (
	editEvery = 6 * time.Second
	editBurst = time.Minute
)

// edit takes the right to one edit, or says when there is one.
func (p *publisher) edit(ctx context.Context) error {
	now := p.clock.Now()
	until := now
	if p.record.editsUntil.After(now) {
		until = p.record.editsUntil
	}
	if until = until.Add(editEvery); until.Sub(now) > editBurst {
		return &directory.Unfinished{After: until.Sub(now) - editBurst}
	}
	p.record.editsUntil = until
	return p.save(ctx, p.record)
}

// setPayments sets the attributes that the payment options decide, as far as Google offers them for the profile.
func (p *publisher) setPayments(ctx context.Context) error {
	options := strings.Join(slices.Sorted(slices.Values(p.message.Profile.PaymentOptions)), ",")
	if options == p.record.payments {
		return nil
	}
	offered, err := p.api.offered(ctx, p.record.accountID, p.record.name)
	if err != nil {
		return err
	}
	mask := slices.DeleteFunc(slices.Clone(paymentNames), func(name string) bool { return !slices.Contains(offered, name) })
	if len(mask) == 0 {
		p.notes = append(p.notes, "Google offers no payment options for this category.")
		return nil
	}
	if err := p.edit(ctx); err != nil {
		return err
	}
	err = p.api.setAttributes(ctx, p.record.accountID, p.record.name, mask, paymentAttributes(p.message.Profile.PaymentOptions))
	if refused, ok := refusedWords(err); ok {
		p.notes = append(p.notes, "The payment options were refused: "+refused)
		return nil
	}
	if err != nil {
		return err
	}
	p.record.payments = options
	return p.save(ctx, p.record)
}

// refusedWords tells whether Google will never accept something, and why.
func refusedWords(err error) (string, bool) {
	var failure *provider.Error
	if errors.As(err, &failure) && failure.Kind == provider.BadQuery {
		return failure.Message, true
	}
	return "", false
}
