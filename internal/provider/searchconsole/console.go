// Package searchconsole reads Google Search Console: the properties of a connected user, and how they were found in
// Google's search. It owns the translation of the API; who is connected, pacing, retrying and keeping are others' work.
package searchconsole

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// maxBody holds a page of rows with long addresses.
const maxBody = 32 << 20

// Tokens are the access tokens of connected accounts.
type Tokens interface {
	Token(ctx context.Context, accountID string) (string, error)
	// Reject says that Google has refused a token: the next one is asked for.
	Reject(accountID, token string)
}

// Console is Google Search Console.
type Console struct {
	client *provider.Client
	tokens Tokens
}

// New makes a client of the API, which is Google's own when url is empty. It asks nothing yet.
func New(url string, tokens Tokens, c clock.Clock) (*Console, error) {
	console := &Console{tokens: tokens}
	var err error
	console.client, err = provider.NewClient(provider.ClientOptions{
		Descriptor: console.Describe(), BaseURL: cmp.Or(url, "https://searchconsole.googleapis.com"), MaxBody: maxBody, Clock: c, Explain: explain,
	})
	return console, err
}

// Describe names the API and its pace: 1,200 requests a minute for one property, which all properties share here.
func (c *Console) Describe() provider.Descriptor {
	return provider.Descriptor{Name: "search_console", Title: "Google Search Console", Account: "google-search-console", Pace: provider.Pace{Concurrent: 4, PerSecond: 20}}
}

// do asks with the account's token. A token may end before its time: then it is asked once more with another.
func (c *Console) do(ctx context.Context, accountID string, r provider.Request, out provider.Answer) error {
	for again := true; ; again = false {
		token, err := c.tokens.Token(ctx, accountID)
		if err != nil {
			return err
		}
		r.Header = http.Header{"Authorization": {"Bearer " + token}}
		err = c.client.Do(ctx, r, out)
		var refused *provider.Error
		if !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized || !again {
			return err
		}
		c.tokens.Reject(accountID, token)
		if err := provider.Turn(ctx); err != nil {
			return err
		}
	}
}

// explain reads Google's form of a refusal. Its words are not passed on: ours say what to do.
func explain(status int, body []byte) provider.Refusal {
	var answer struct {
		Error struct {
			Message string
			Errors  []struct{ Reason string }
		}
	}
	if json.Unmarshal(body, &answer) != nil {
		return provider.Refusal{}
	}
	reason := ""
	if len(answer.Error.Errors) > 0 {
		reason = answer.Error.Errors[0].Reason
	}
	switch {
	case reason == "rateLimitExceeded" || reason == "userRateLimitExceeded" || reason == "quotaExceeded" || reason == "dailyLimitExceeded":
		return provider.Refusal{Kind: provider.RateLimited}
	case reason == "accessNotConfigured" || strings.Contains(answer.Error.Message, "has not been used in project"):
		return provider.Refusal{Kind: provider.Unauthorized, Advice: "Enable the Google Search Console API in the Google Cloud project of the OAuth client or service account."}
	case status == http.StatusForbidden:
		return provider.Refusal{Kind: provider.Unauthorized, Advice: "The connected user has no access to the property: add the user in Search Console, or choose another property."}
	case status == http.StatusUnauthorized:
		return provider.Refusal{Kind: provider.Unauthorized, Advice: "Connect Google Search Console again."}
	}
	return provider.Refusal{}
}
