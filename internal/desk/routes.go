package desk

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/alert"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/report"
)

// Mount registers every operation.
func (d *Desk) Mount(a *httpapi.Area) {
	op := func(id, method, path, tag, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: tag, Summary: summary, Help: help}
	}
	brand := op("set-brand", http.MethodPut, "/brand", "Brand", "Set the brand", "Shown on what the account shares and publishes. An empty name removes it. The logo stays as it is when it is left out; null removes it.").Requires("name", "colour")
	brand.MaxBody = maxBrandBody
	create := op("create-credential", http.MethodPost, "/credentials", "Keys and tokens", "Make a key or token", "The answer is the one place where its secret is shown. Needs a person who has signed in: a key that made others would outlive its own end. `trigpoint key` and `trigpoint token` do it on the command line. At most 200 are live.").Requires("kind", "name")
	revoke := op("revoke-credential", http.MethodDelete, "/credentials/{id}", "Keys and tokens", "Revoke a key or token", "It ends at once, with the tokens that were made with it. Needs a person who has signed in.")
	create.Secret, create.Session, revoke.Session = true, true, true
	httpapi.Read(a, op("get-overview", http.MethodGet, "/overview", "Account", "Get what has changed within a week", "Of campaigns: among the 32 that their last report moved most, the 8 that changed most since a week ago, then the newest. Of trackings: the 8 whose visibility changed most, then the newest, and the keywords that climbed and fell most; they are reckoned a little after ranks change, at most half an hour later. Of locations: up to 10 that need attention."), d.getOverview)
	httpapi.Read(a, op("get-usage", http.MethodGet, "/usage", "Account", "Get what is used of the plan", "Credits and look-ups are those of the UTC calendar month."), d.getUsage)
	httpapi.Read(a, op("list-providers", http.MethodGet, "/providers", "Account", "List who is asked for data", "In the order in which they take over from each other, with what asking has cost the account this month."), d.listProviders)
	httpapi.Read(a, op("list-shares", http.MethodGet, "/shares", "Account", "List what anyone with its link can read", "Newest first, at most 1,000 campaigns and 1,000 trackings."), d.listShares)
	httpapi.Read(a, op("list-credentials", http.MethodGet, "/credentials", "Keys and tokens", "List keys and tokens", "The live ones first, newest first, at most 500. Secrets are not kept and never shown."), d.listCredentials)
	httpapi.Change(a, create, d.createCredential)
	httpapi.Change(a, revoke, d.revokeCredential)
	httpapi.Read(a, op("get-brand", http.MethodGet, "/brand", "Brand", "Get the brand", "All empty when there is none."), d.getBrand)
	httpapi.Change(a, brand, d.setBrand)
	httpapi.Change(a, op("set-time-zone", http.MethodPut, "/time-zone", "Account", "Set the time zone", "In which the account's days and weeks are reckoned, as for digests of alerts and reports by mail. UTC until it is set.").Requires("time_zone"), d.setZone)
}

type setZoneInput struct {
	Body struct {
		Zone httpapi.Field[string] `json:"time_zone" required:"false"`
	}
}

func (d *Desk) setZone(ctx context.Context, in *setZoneInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		if err := d.Accounts.SetZone(ctx, tx, who.AccountID, in.Body.Zone.Value); err != nil {
			return httpapi.Answer[httpapi.Empty]{}, err
		}
		if err := alert.Rescheduled(ctx, tx, who.AccountID); err != nil {
			return httpapi.Answer[httpapi.Empty]{}, err
		}
		return httpapi.Reply(httpapi.Empty{}), report.Rescheduled(ctx, tx, who.AccountID, d.Clock.Now())
	}, nil
}

func (d *Desk) getOverview(ctx context.Context, _ *struct{}) (httpapi.Answer[Overview], error) {
	o, err := d.overview(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(o), err
}

func (d *Desk) getUsage(ctx context.Context, _ *struct{}) (httpapi.Answer[Usage], error) {
	u, err := d.usage(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(u), err
}

func (d *Desk) listProviders(ctx context.Context, _ *struct{}) (httpapi.Answer[Asked], error) {
	asked, err := d.asked(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(asked), err
}

func (d *Desk) listShares(ctx context.Context, _ *struct{}) (httpapi.Answer[[]Share], error) {
	all, err := d.shares(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(all), err
}

func (d *Desk) listCredentials(ctx context.Context, _ *struct{}) (httpapi.Answer[[]account.Credential], error) {
	all, err := d.Accounts.Made(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(all), err
}

type createCredentialInput struct{ Body CredentialInput }

func (d *Desk) createCredential(ctx context.Context, in *createCredentialInput) (httpapi.Apply[httpapi.Answer[MadeCredential]], error) {
	who := httpapi.Who(ctx)
	want, err := in.Body.check()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[MadeCredential], error) {
		secret, c, err := d.Accounts.Make(ctx, tx, who.AccountID, want)
		return httpapi.Reply(MadeCredential{c, secret}), err
	}, nil
}

type credentialPath struct {
	ID string `path:"id"`
}

func (d *Desk) revokeCredential(ctx context.Context, in *credentialPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), d.Accounts.End(ctx, tx, who.AccountID, in.ID)
	}, nil
}

func (d *Desk) getBrand(ctx context.Context, _ *struct{}) (answer httpapi.Answer[account.Brand], err error) {
	b, err := d.Accounts.Brand(ctx, httpapi.Who(ctx).AccountID)
	if b != nil {
		answer.Data = *b
	}
	return answer, err
}

type setBrandInput struct{ Body BrandInput }

func (d *Desk) setBrand(ctx context.Context, in *setBrandInput) (httpapi.Apply[httpapi.Answer[account.Brand]], error) {
	who := httpapi.Who(ctx)
	change, err := in.Body.check()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[account.Brand], error) {
		if change.Name == "" {
			return httpapi.Reply(account.Brand{}), d.Accounts.RemoveBrand(ctx, tx, who.AccountID)
		}
		b, err := d.Accounts.SetBrand(ctx, tx, who.AccountID, change)
		return httpapi.Reply(b), err
	}, nil
}
