package googleads

import (
	"cmp"
	"encoding/json"
	"net/http"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

type errorAnswer struct {
	Error struct {
		Code    int       `json:"code"`
		Message wire.Text `json:"message"`
		Details []struct {
			Errors []struct {
				Code    map[string]wire.Text `json:"errorCode"` // one sort of error and its name
				Message wire.Text            `json:"message"`
				Details struct {
					Quota struct {
						RetryDelay wire.Text `json:"retryDelay"` // as "30s"
					} `json:"quotaErrorDetails"`
				} `json:"details"`
			} `json:"errors"`
		} `json:"details"`
	} `json:"error"`
}

// longPause is from where on a limit is that of the day rather than of the second.
const longPause = time.Hour

// explain reads Google's error, of which the first detail says most.
func (p *Provider) explain(status int, body []byte) provider.Refusal {
	var e errorAnswer
	_ = json.Unmarshal(body, &e) // what is not JSON has only its status
	r := provider.Refusal{Words: string(e.Error.Message)}
	if status < 300 && e.Error.Code >= 400 {
		status, r.Status = e.Error.Code, e.Error.Code
	}
	d := p.Describe()
	for _, detail := range e.Error.Details {
		for _, one := range detail.Errors {
			r.Words = string(cmp.Or(one.Message, wire.Text(r.Words)))
			r.Advice = cmp.Or(r.Advice, advice(d, one.Code))
			if after, err := time.ParseDuration(string(one.Details.Quota.RetryDelay)); err == nil {
				r.RetryAfter = max(r.RetryAfter, after)
			}
		}
	}
	switch {
	case status == http.StatusTooManyRequests && r.RetryAfter >= longPause:
		r.Kind = provider.QuotaSpent
	case status == http.StatusNotFound:
		r.Kind = provider.BadQuery // versions of the API end after a year or so
		r.Advice = "Its version may have ended: check " + d.Env("url") + "."
	}
	return r
}

// advice is what to change about an error of this code.
func advice(d provider.Descriptor, code map[string]wire.Text) string {
	for _, name := range code {
		switch name {
		case "DEVELOPER_TOKEN_NOT_APPROVED":
			return "The developer token works with test accounts only: apply for basic access in the API centre of Google Ads."
		case "USER_PERMISSION_DENIED":
			return "The user may not use this customer: check " + d.Env("customer_id") + " and " + d.Env("login_customer_id") + "."
		case "CUSTOMER_NOT_ENABLED":
			return "The account is not active: check " + d.Env("customer_id") + "."
		}
	}
	return ""
}
