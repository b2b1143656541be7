package searchconsole

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// Site is a property: a domain such as sc-domain:example.org, or the addresses below a prefix such as
// https://www.example.org/. Its name is used exactly as Google spells it.
type Site struct {
	URL        string
	Permission Permission
}

// Permission is what the connected user may do with a property.
type Permission string

// The permissions.
const (
	Owner      Permission = "siteOwner"
	FullUser   Permission = "siteFullUser"
	Restricted Permission = "siteRestrictedUser"
	Unverified Permission = "siteUnverifiedUser"
)

// permissions by both spellings that Google uses.
var permissions = map[string]Permission{
	"siteOwner": Owner, "SITE_OWNER": Owner, "siteFullUser": FullUser, "SITE_FULL_USER": FullUser,
	"siteRestrictedUser": Restricted, "SITE_RESTRICTED_USER": Restricted, "siteUnverifiedUser": Unverified, "SITE_UNVERIFIED_USER": Unverified,
}

// Readable tells whether the user may see how the property was found.
func (s Site) Readable() bool { return s.Permission != Unverified }

// Domain is the domain of a domain property; "" for a prefix of addresses.
func (s Site) Domain() string {
	domain, _ := strings.CutPrefix(s.URL, "sc-domain:")
	if domain == s.URL {
		return ""
	}
	return domain
}

// siteList is a list, or an empty object where the user has no property.
type siteList struct {
	fields map[string]json.RawMessage
	sites  []Site
}

// UnmarshalJSON keeps the fields, which tell an empty list from what is none.
func (l *siteList) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &l.fields); err != nil {
		return err
	}
	var list struct {
		SiteEntry []struct{ SiteURL, PermissionLevel string }
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, entry := range list.SiteEntry {
		if entry.SiteURL == "" {
			return errors.New("a property has no siteUrl")
		}
		permission, known := permissions[entry.PermissionLevel]
		if !known {
			permission = Unverified // nothing is promised
		}
		l.sites = append(l.sites, Site{URL: entry.SiteURL, Permission: permission})
	}
	return nil
}

// Verify implements provider.Answer.
func (l *siteList) Verify() error {
	_, listed := l.fields["siteEntry"]
	if l.fields == nil || len(l.fields) > 0 && !listed {
		return errors.New("there is no siteEntry")
	}
	return nil
}

// Sites lists the properties that the account's connected user can see.
func (c *Console) Sites(ctx context.Context, accountID string) ([]Site, error) {
	var list siteList
	err := c.do(ctx, accountID, provider.Request{Path: "webmasters/v3/sites"}, &list)
	return list.sites, err
}
