package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// token is the access token that map ranks are asked for with. It is got for the key when it is first needed, and again
// before it ends.
type token struct {
	mu     sync.Mutex
	secret string
	ends   time.Time
}

// renewal is how long before its end a token is exchanged for another.
const renewal = time.Hour

func (t *token) used() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.secret != ""
}

func (t *token) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.secret = ""
}

// accessToken returns the token, or exchanges the key for one. Others who need it wait for the same.
func (c *Client) accessToken(ctx context.Context) (string, error) {
	t := &c.token
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.secret != "" && time.Until(t.ends) > 0 {
		return t.secret, nil
	}
	body, err := c.send(ctx, call{area: accountArea, method: http.MethodGet, path: "/session"}, nil, "")
	if err != nil {
		return "", err
	}
	var who enveloped[struct {
		Account struct {
			ID string `json:"account_id"`
		} `json:"account"`
	}]
	if err := json.Unmarshal(body, &who); err != nil {
		return "", err
	}
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {who.Data.Account.ID}, "client_secret": {c.key}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/oauth2/token", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if body, err = c.exchange(req); err != nil {
		return "", err
	}
	var made struct {
		Secret  string `json:"access_token"`
		Seconds int64  `json:"expires_in"`
	}
	if err := json.Unmarshal(body, &made); err != nil {
		return "", err
	}
	life := time.Duration(made.Seconds) * time.Second
	t.secret, t.ends = made.Secret, time.Now().Add(life-min(renewal, life/2))
	return t.secret, nil
}
