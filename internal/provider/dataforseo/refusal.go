package dataforseo

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// code is DataForSEO's own status, of an answer or of a task.
type code int

const (
	codeOK        code = 20000
	codeCreated   code = 20100
	codeSEError   code = 40101 // Google failed; billed
	codeNothing   code = 40102 // nothing was found: a valid answer
	codeFailed    code = 40103
	codeLoginBad  code = 40100
	codeUnpaid    code = 40200
	codePerMinute code = 40202
	codeOwnLimit  code = 40203
	codeNotSigned code = 40204
	codeAddress   code = 40207
	codeTooMany   code = 40209
	codeNoFunds   code = 40210
	codeNotFound  code = 40400
	codePath      code = 40402
	codeHanded    code = 40601
	codeQueued    code = 40602
)

// rateFor is the pause after too many requests in a minute, of which DataForSEO does not say how much is left.
const rateFor = 15 * time.Second

// billed tells what costs something although an answer need not say how much.
func (c code) billed() bool {
	return c == codeOK || c == codeCreated || c == codeSEError || c == codeNothing
}

// failed tells of a task that DataForSEO has given up.
func (c code) failed() bool { return c == codeSEError || c == codeFailed }

// kind is what a refusal means; 0 leaves it to the status of HTTP.
func (c code) kind() provider.Kind {
	switch c {
	case 0:
		return provider.Unknown
	case codeLoginBad, codeAddress:
		return provider.Unauthorized
	case codePerMinute, codeTooMany:
		return provider.RateLimited
	case codeNotSigned, codeNotFound, codePath:
		return provider.BadQuery
	case codeHanded, codeQueued:
		return provider.Pending
	case codeOwnLimit:
		return provider.OverBudget // a budget of the user's too, only kept by DataForSEO
	}
	switch c / 100 {
	case 401:
		return provider.Transient
	case 402:
		if c == codeUnpaid || c == codeNoFunds {
			return provider.QuotaSpent
		}
		return provider.BadQuery // the same task too often
	case 404:
		return provider.NotFound // a task that is unknown, or whose result has expired
	case 400, 403, 405:
		return provider.BadQuery
	default:
		return provider.Transient
	}
}

// advice says what to change where the kind does not.
func (c code) advice(words string) string {
	switch {
	case c == codeLoginBad:
		return "The login is TRIGPOINT_DATAFORSEO_LOGIN; both are shown at app.dataforseo.com/api-access."
	case c == codeAddress:
		return "The account answers listed addresses only: add this server's at app.dataforseo.com."
	case c == codeOwnLimit:
		return "Raise the limit that is set at app.dataforseo.com, or wait until it begins anew."
	case c == codeNotSigned:
		return "This part of DataForSEO needs a subscription of its own."
	case c == codeNotFound || c == codePath:
		return "Check TRIGPOINT_DATAFORSEO_URL."
	case strings.Contains(words, "location_name"):
		return "DataForSEO knows no location of this name."
	default:
		return ""
	}
}

func (c code) refusal(status int, message wire.Text) provider.Refusal {
	if c == 0 {
		return provider.Refusal{Status: status, Words: string(message)}
	}
	words := fmt.Sprintf("%s (%d).", strings.TrimRight(string(message), ". "), int(c))
	r := provider.Refusal{Status: status, Kind: c.kind(), Words: words, Advice: c.advice(words)}
	if c == codePerMinute {
		r.RetryAfter = rateFor
	}
	return r
}

// refused is the error for a task that failed inside a success.
func (p *Provider) refused(c code, message wire.Text) *provider.Error {
	e := p.client.Refuse(c.refusal(http.StatusOK, message))
	if e.Kind == provider.Pending {
		e.Message, e.RetryAfter = "DataForSEO still works on it.", pendingFor
	}
	return e
}

// explain reads an answer that is refused as a whole.
func explain(status int, body []byte) provider.Refusal {
	var a answers[json.RawMessage]
	if json.Unmarshal(body, &a) != nil || a.Code == codeOK {
		return provider.Refusal{}
	}
	return a.Code.refusal(status, a.Message)
}
