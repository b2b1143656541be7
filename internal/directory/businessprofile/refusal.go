package businessprofile

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/trigpoint/trigpoint/internal/provider"
)

// refusal is how Google says no.
type refusal struct {
	Error struct {
		Message string `json:"message"`
		Status  string `json:"status"`
		Details []struct {
			Reason          string            `json:"reason"`
			Metadata        map[string]string `json:"metadata"`
			FieldViolations []struct {
				Field       string `json:"field"`
				Description string `json:"description"`
			} `json:"fieldViolations"`
		} `json:"details"`
	} `json:"error"`
}

const approval = "A Google Cloud project must be approved for the Business Profile APIs before it may ask them; until then its quota is 0: https://developers.google.com/my-business/content/prereqs."

// explain reads a refusal; fields that Google does not accept are told one by one.
func explain(status int, body []byte) provider.Refusal {
	var r refusal
	if json.Unmarshal(body, &r) != nil {
		return provider.Refusal{}
	}
	var violations []string
	disabled, noQuota := false, false
	for _, d := range r.Error.Details {
		for _, v := range d.FieldViolations {
			violations = append(violations, strings.TrimPrefix(v.Field+": "+v.Description, ": "))
		}
		disabled = disabled || d.Reason == "SERVICE_DISABLED"
		noQuota = noQuota || d.Metadata["quota_limit_value"] == "0"
	}
	told := provider.Refusal{Words: r.Error.Message}
	switch {
	case len(violations) > 0:
		told.Words = strings.Join(violations, "; ")
	case noQuota:
		told.Kind, told.Advice = provider.Unauthorized, approval
	case status == http.StatusTooManyRequests:
		told.Advice = "If it never takes any, the reason is this: " + approval
	case disabled:
		told.Advice = "Its APIs are switched off in the Google Cloud project of the OAuth client: enable Business Information, Account Management and Verifications, and My Business. " + approval
	case status == http.StatusForbidden:
		told.Advice = "The person who connected the account must be an owner or manager of the profile. " + approval
	case status == http.StatusConflict:
		told.Kind = provider.Transient // somebody changes the same profile, or it has just been made
	}
	return told
}
