package businessprofile

import (
	"context"
	"fmt"
	"slices"
)

// attach finds the location's profile, or makes it. A profile that was made and not remembered, because the process died,
// is found by its store code.
func (p *publisher) attach(ctx context.Context, wants location, wanted fields) error {
	accounts, err := p.api.googleAccounts(ctx, p.record.accountID)
	if err != nil {
		return err
	}
	if len(accounts) == 0 {
		return &unpublishable{"The person who connected the account manages no business at Google: open https://business.google.com once with that Google account."}
	}
	for _, find := range []func(context.Context, []googleAccount, location) (bool, error){p.findByStoreCode, p.findByContact} {
		if found, err := find(ctx, accounts, wants); err != nil || found {
			return err
		}
	}
	if err := p.checkOwned(ctx, wants); err != nil {
		return err
	}
	return p.create(ctx, accounts, wants, wanted)
}

func (p *publisher) findByStoreCode(ctx context.Context, accounts []googleAccount, wants location) (bool, error) {
	for _, account := range accounts {
		found, err := p.api.locationsWith(ctx, p.record.accountID, account.Name, "storeCode", wants.StoreCode)
		if err != nil {
			return false, err
		}
		for _, theirs := range found {
			if theirs.StoreCode == wants.StoreCode {
				return true, p.remember(ctx, account.Name, theirs.Name, p.record.created)
			}
		}
	}
	return false, nil
}

// findByContact takes the only profile that is surely the location'p. One with a store code is another location'p.
func (p *publisher) findByContact(ctx context.Context, accounts []googleAccount, wants location) (bool, error) {
	type candidate struct{ account, name string }
	var candidates []candidate
	for _, account := range accounts {
		found, err := p.api.locationsWith(ctx, p.record.accountID, account.Name, "title", wants.Title)
		if err != nil {
			return false, err
		}
		for _, theirs := range found {
			known := slices.ContainsFunc(candidates, func(c candidate) bool { return c.name == theirs.Name }) // seen through another account
			closed := theirs.OpenInfo != nil && theirs.OpenInfo.Status == closedForGood
			if !known && !closed && theirs.StoreCode == "" && sameBusiness(theirs, wants, p.message.Profile.Country) {
				candidates = append(candidates, candidate{account.Name, theirs.Name})
			}
		}
	}
	if len(candidates) != 1 {
		return false, nil
	}
	return true, p.remember(ctx, candidates[0].account, candidates[0].name, false)
}

// checkOwned refuses to make a second profile of a business that somebody else manages.
func (p *publisher) checkOwned(ctx context.Context, wants location) error {
	asked := wants
	asked.StoreCode, asked.LatLng, asked.MoreHours, asked.SpecialHours = "", nil, nil, nil
	found, err := p.api.search(ctx, p.record.accountID, asked)
	if err != nil {
		return err
	}
	for _, g := range found.GoogleLocations {
		if g.RequestAdminRightsURI != "" && sameBusiness(g.Location, wants, p.message.Profile.Country) {
			return &unpublishable{"Another Google account manages the profile of this business: ask for access at " + g.RequestAdminRightsURI + "."}
		}
	}
	return nil
}

// create makes the profile. That we are about to is kept first, so that a profile found by its store code is known for ours.
func (p *publisher) create(ctx context.Context, accounts []googleAccount, wants location, wanted fields) error {
	p.record.created, p.record.googleAccount = true, holder(accounts)
	if err := p.edit(ctx); err != nil {
		return err
	}
	if wants.StorefrontAddress.empty() {
		wants.StorefrontAddress = nil
	}
	requestID := fmt.Sprintf("%s-%d", p.record.locationID, p.version) // at most 50 characters
	made, err := p.api.create(ctx, p.record.accountID, p.record.googleAccount, requestID, wants)
	if err != nil {
		return rejected(err)
	}
	p.record.sent = wanted
	return p.remember(ctx, p.record.googleAccount, made.Name, true)
}

func (p *publisher) remember(ctx context.Context, googleAccount, name string, created bool) error {
	p.record.googleAccount, p.record.name, p.record.created = googleAccount, name, created
	return p.save(ctx, p.record)
}

// holder is the account that new profiles are made in: a business group before the person's own.
func holder(accounts []googleAccount) string {
	for _, kind := range []string{"LOCATION_GROUP", "PERSONAL"} {
		for _, a := range accounts {
			if a.Type == kind && a.Role != "SITE_MANAGER" {
				return a.Name
			}
		}
	}
	return accounts[0].Name
}

// empty tells whether an address hides where the business is.
func (a *address) empty() bool { return a != nil && a.RegionCode == "" }
