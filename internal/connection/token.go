package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Tokens are the access tokens of one service.
type Tokens struct {
	connections *Connections
	service     Service
}

// Tokens gives those of a service.
func (c *Connections) Tokens(s Service) Tokens { return Tokens{c, s} }

// Token is Connections.Token of the service.
func (t Tokens) Token(ctx context.Context, accountID string) (string, error) {
	return t.connections.Token(ctx, accountID, t.service)
}

// Reject is Connections.Reject of the service.
func (t Tokens) Reject(accountID, token string) { t.connections.Reject(accountID, t.service, token) }

// early is how long before its end an access token is used no more.
const early = time.Minute

// accessToken is held in memory only.
type accessToken struct {
	sealed string // the credential that it was given for: another one makes it worthless
	text   string
	until  time.Time
}

// Token gives an access token of an account's connection, asking Google when the one at hand ends soon. Errors are a
// provider's: Unauthorized says how to connect. A connection that Google has ended is marked as broken.
func (c *Connections) Token(ctx context.Context, accountID string, s Service) (string, error) {
	kept, err := find(ctx, c.db, accountID, s)
	if db.IsNoRow(err) {
		return "", provider.Errorf(provider.Unauthorized, s.Title(), "The account is not connected with %s. %s", s.Title(), s.howToConnect())
	}
	if err != nil {
		return "", err
	}
	if kept.Status == Broken {
		return "", brokenOff(s, kept.Detail)
	}
	if held, ok := c.held(kept); ok {
		return held, nil
	}
	// Whoever asks first may go away; the others still want the answer.
	answer := c.asking.DoChan(kept.sealed, func() (any, error) {
		if held, ok := c.held(kept); ok { // another may just have asked
			return held, nil
		}
		return c.renew(context.WithoutCancel(ctx), kept)
	})
	select {
	case <-ctx.Done():
		return "", fmt.Errorf("%s: %w", s.Title(), ctx.Err())
	case result := <-answer:
		if result.Err != nil {
			return "", result.Err
		}
		return result.Val.(string), nil
	}
}

// Reject drops an access token that a service has refused, so that the next call of Token asks for another.
func (c *Connections) Reject(accountID string, s Service, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if key := owner(accountID, s); c.tokens[key].text == token {
		delete(c.tokens, key)
	}
}

func (c *Connections) held(r record) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tokens[owner(r.accountID, r.Service)]
	return t.text, t.sealed == r.sealed && t.text != "" && c.clock.Now().Before(t.until)
}

// renew asks Google for an access token and keeps what came with it.
func (c *Connections) renew(ctx context.Context, r record) (string, error) {
	if err := c.ready(r.Kind); err != nil {
		return "", provider.Errorf(provider.Unauthorized, r.Service.Title(), "%s", err.Error())
	}
	credential, err := c.open(r)
	if err != nil {
		return "", provider.Errorf(provider.Unauthorized, r.Service.Title(), "The credential of %s cannot be opened: %s.", r.Service.Title(), err)
	}
	token, err := c.google.token(ctx, r.Service, credential)
	var ended *endedError
	if errors.As(err, &ended) {
		return "", c.breakOff(ctx, r, ended.reason)
	}
	if err != nil {
		return "", err
	}
	if err := c.refresh(ctx, &r, credential, token.RefreshToken); err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens[owner(r.accountID, r.Service)] = accessToken{r.sealed, token.AccessToken, c.clock.Now().Add(time.Until(token.Expiry) - early)}
	return token.AccessToken, nil
}

// refresh seals a credential anew where Google has rotated the refresh token, or the configuration the key.
func (c *Connections) refresh(ctx context.Context, r *record, credential Credential, refreshToken string) error {
	rotated := r.Kind == RefreshToken && refreshToken != "" && refreshToken != credential.RefreshToken
	if !rotated && !c.keys.Outdated(r.sealed) {
		return nil
	}
	if rotated {
		credential.RefreshToken = refreshToken
	}
	sealed, err := c.seal(r.accountID, r.Service, credential)
	if err != nil {
		return err
	}
	err = c.db.Tx(ctx, func(tx *db.Tx) error { return reseal(ctx, tx, *r, sealed) })
	r.sealed = sealed
	return err
}

func (c *Connections) breakOff(ctx context.Context, r record, reason string) error {
	if err := c.db.Tx(ctx, func(tx *db.Tx) error { return breakOff(ctx, tx, r, reason, c.clock.Now()) }); err != nil {
		return err
	}
	return brokenOff(r.Service, reason)
}

func brokenOff(s Service, reason string) error {
	return provider.Errorf(provider.Unauthorized, s.Title(), "The connection with %s has ended: %s %s", s.Title(), reason, s.howToConnect())
}

// granted are the scopes that Google says a token has; it may leave them out when they are those asked for.
func granted(token *oauth2.Token, s Service) []string {
	if text, ok := token.Extra("scope").(string); ok && text != "" {
		return strings.Fields(text)
	}
	return []string{s.scope()}
}

func checkScopes(s Service, scopes []string) error {
	if slices.Contains(scopes, s.scope()) || s == SearchConsole && slices.Contains(scopes, strings.TrimSuffix(s.scope(), ".readonly")) {
		return nil
	}
	return errs.New(errs.Invalid, "Google was not allowed to give access to %s: connect again and leave its box ticked (scope %s).", s.Title(), s.scope())
}
