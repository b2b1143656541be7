package businessprofile

import (
	"context"
	"strings"

	"github.com/trigpoint/trigpoint/internal/directory"
)

// state tells what has become of a profile.
func (c *Connector) state(ctx context.Context, r *record) (directory.Outcome, error) {
	l, err := c.api.get(ctx, r.accountID, r.name, "name,metadata")
	if err != nil {
		return directory.Outcome{}, err
	}
	if l.Metadata == nil {
		l.Metadata = &metadata{}
	}
	var v voiceOfMerchant
	if v.HasVoiceOfMerchant = l.Metadata.HasVoiceOfMerchant; !v.HasVoiceOfMerchant {
		if v, err = c.api.voice(ctx, r.accountID, r.name); err != nil {
			return directory.Outcome{}, err
		}
	}
	outcome := v.outcome()
	if strings.HasPrefix(l.Metadata.MapsURI, "https://") && len(l.Metadata.MapsURI) <= 2000 {
		outcome.URL = l.Metadata.MapsURI
	}
	if len(l.Metadata.PlaceID) <= 255 {
		outcome.PlaceID = l.Metadata.PlaceID
	}
	return outcome, nil
}

// outcome says what a listing shows, and what its owner has to do.
func (v voiceOfMerchant) outcome() directory.Outcome {
	submitted := func(detail string) directory.Outcome {
		return directory.Outcome{Status: directory.Submitted, Detail: detail}
	}
	unavailable := func(detail string) directory.Outcome {
		return directory.Outcome{Status: directory.Unavailable, Detail: detail}
	}
	switch {
	case v.HasVoiceOfMerchant:
		return directory.Outcome{Status: directory.Connected}
	case v.Comply != nil && v.Comply.Reason == "BUSINESS_LOCATION_SUSPENDED":
		return unavailable("Google has suspended the profile: the owner must bring it in line with Google's guidelines and appeal at https://business.google.com.")
	case v.Comply != nil && v.Comply.Reason == "BUSINESS_LOCATION_DISABLED":
		return unavailable("Google has disabled the profile: the owner must bring it in line with Google's guidelines and appeal at https://business.google.com.")
	case v.Comply != nil:
		return unavailable("Google says that the profile does not follow its guidelines: see https://business.google.com.")
	case v.ResolveConflict != nil:
		return unavailable("Another verified profile stands for the same business: the owner must ask for access to it at https://business.google.com.")
	case v.Unverified != nil && v.Unverified.HasPendingVerification:
		return submitted("The verification of the business has begun: the owner must finish it at https://business.google.com, for example with the code that Google has sent.")
	case v.Unverified != nil:
		return submitted("The owner must verify the business at https://business.google.com before Google shows it.")
	case v.Wait != nil:
		return submitted("Google reviews the profile before it shows it; there is nothing to do.")
	}
	return submitted("Google does not show the profile yet; see https://business.google.com.")
}
