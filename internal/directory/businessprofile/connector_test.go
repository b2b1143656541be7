package businessprofile_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/db/dbtest"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/directory/businessprofile"
	"github.com/trigpoint/trigpoint/internal/directory/businessprofile/profiletest"
)

// heldTokens gives a token once it is let go.
type heldTokens struct{ asked, free chan struct{} }

func (h heldTokens) Token(context.Context, string) (string, error) {
	select {
	case h.asked <- struct{}{}:
	default:
	}
	<-h.free
	return "token", nil
}

func (heldTokens) Reject(string, string) {}

func TestOneMessageAtATimeAndNoneAfterANewerOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		google, tokens, now := profiletest.Start(t), heldTokens{make(chan struct{}, 1), make(chan struct{})}, clock.NewFake(time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC))
		plans, err := account.Override("")
		if err != nil {
			t.Fatal(err)
		}
		owner, err := account.New(d, plans, now).Create(t.Context(), "owner@trigpoint.example", "pro")
		if err != nil {
			t.Fatal(err)
		}
		c, err := businessprofile.New(businessprofile.Options{DB: d, Clock: now, Tokens: tokens, Project: "project", URL: google.URL})
		if err != nil {
			t.Fatal(err)
		}
		push := func(version int64, name string) (directory.Outcome, error) {
			body, err := json.Marshal(map[string]any{"profile": directory.Profile{
				BusinessName: name, PhoneNumber: "+1 404-555-0123", Country: "US", Region: "GA", City: "Decatur", Zip: "30030", AddressLine1: "1 Main Street",
				CategoryIDs: []string{"amenity.cafe.coffee_shop"},
			}})
			if err != nil {
				return directory.Outcome{}, err
			}
			return c.Push(t.Context(), directory.Message{Type: directory.Published, AccountID: owner.ID, LocationID: "location", Version: version, Body: body})
		}
		first := make(chan error, 1)
		go func() {
			_, err := push(1, "Deli")
			first <- err
		}()
		<-tokens.asked // it is at work
		var unfinished *directory.Unfinished
		if _, err := push(2, "New Deli"); !errors.As(err, &unfinished) || unfinished.After <= 0 {
			t.Errorf("a second message while the first is at work: %v", err)
		}
		close(tokens.free)
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		if outcome, err := push(2, "New Deli"); err != nil || outcome.Status != directory.Submitted {
			t.Errorf("the second message: %+v, %v", outcome, err)
		}
		asked := len(google.Log(""))
		if _, err := push(1, "Deli"); err != nil || len(google.Log("")) != asked {
			t.Errorf("the first message again, after the second: %v, %d requests", err, len(google.Log(""))-asked)
		}
		if outcome, err := push(2, "New Deli"); err != nil || outcome.Status != directory.Submitted || len(google.Log("PATCH")) != 2 {
			t.Errorf("the second message again: %+v, %v; changed by %q", outcome, err, google.Log("PATCH"))
		}
	})
}
