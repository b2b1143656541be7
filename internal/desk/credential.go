package desk

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// MadeCredential is a new key or token with its secret, which is shown this once.
type MadeCredential struct {
	account.Credential
	Secret string `json:"secret"`
}

// CredentialInput asks for a key or token.
type CredentialInput struct {
	Kind     httpapi.Field[string] `json:"kind" required:"false" enum:"key,token"`
	Name     httpapi.Field[string] `json:"name" required:"false"`
	ReadOnly httpapi.Field[bool]   `json:"read_only" required:"false"`
	Days     httpapi.Field[int]    `json:"expires_in_days" required:"false"`
}

const (
	maxCredentialName = 100
	maxCredentialDays = 3650
)

func (in *CredentialInput) check() (account.Issue, error) {
	var problems errs.Problems
	var want account.Issue
	switch wrong := len(problems); {
	case in.Kind.Given(&problems, "kind"):
		if want.Kind = account.Kind(in.Kind.Value); want.Kind != account.Key && want.Kind != account.Token {
			problems.Add("kind", errs.InvalidValue, "kind must be key (for locations, keywords and the account) or token (for map ranks), not %.20q.", in.Kind.Value)
		}
	case len(problems) == wrong:
		problems.Add("kind", errs.NotSpecified, "kind is not specified: key (for locations, keywords and the account) or token (for map ranks).")
	}
	switch wrong := len(problems); {
	case in.Name.Given(&problems, "name"):
		want.Name = strings.TrimSpace(in.Name.Value)
		switch n := utf8.RuneCountInString(want.Name); {
		case n == 0:
			problems.Add("name", errs.NotSpecified, "name is empty; say what uses it, such as Reporting script.")
		case n > maxCredentialName:
			problems.Add("name", errs.TooLong, "name has %d characters; at most %d are allowed.", n, maxCredentialName)
		case strings.ContainsFunc(want.Name, unicode.IsControl):
			problems.Add("name", errs.InvalidCharacters, "name contains characters that are not text.")
		}
	case len(problems) == wrong:
		problems.Add("name", errs.NotSpecified, "name is not specified; say what uses it, such as Reporting script.")
	}
	want.ReadOnly = in.ReadOnly.Given(&problems, "read_only") && in.ReadOnly.Value
	if in.Days.Given(&problems, "expires_in_days") {
		if days := in.Days.Value; days < 1 || days > maxCredentialDays {
			problems.Add("expires_in_days", errs.InvalidValue, "expires_in_days must be 1 to %d, not %d; leave it out for a credential that does not end.", maxCredentialDays, days)
		}
		want.Life = time.Duration(in.Days.Value) * 24 * time.Hour
	}
	return want, problems.Err()
}
