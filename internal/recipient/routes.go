package recipient

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/job"
)

// Mount registers every operation.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Recipients", Summary: summary, Help: help}
	}
	httpapi.Read(a, op("list-recipients", http.MethodGet, "/recipients", "List recipients", "Who may be named in schedules of reports and in alert rules beside the account's own address, by address."), s.list)
	httpapi.Change(a, op("create-recipient", http.MethodPost, "/recipients", "Name a recipient",
		"The address is sent one letter that asks, with a link that works for a week; it gets nothing else until it has confirmed. Naming one again that waits asks again, at most once a day. One that said no may be asked again after 30 days. At most 100 recipients.").
		Requires("email").Fails(errs.Conflict), s.create)
	httpapi.Change(a, op("delete-recipient", http.MethodDelete, "/recipients/{id}", "Delete a recipient", "It gets no more mail; schedules and rules that name it pass over it."), s.remove)
}

func (s *Service) list(ctx context.Context, _ *struct{}) (httpapi.Answer[[]account.Recipient], error) {
	all, err := s.Accounts.Recipients(ctx, httpapi.Who(ctx).AccountID)
	if all == nil {
		all = []account.Recipient{}
	}
	return httpapi.Reply(all), err
}

type createInput struct {
	Body struct {
		Email httpapi.Field[string] `json:"email" required:"false" doc:"The address." example:"client@example.com"`
	}
}

func (s *Service) create(ctx context.Context, in *createInput) (httpapi.Apply[httpapi.Answer[account.Recipient]], error) {
	var problems errs.Problems
	var email string
	switch given := in.Body.Email.Given(&problems, "email"); {
	case given:
		if emails := account.ParseEmails(&problems, "email", []string{in.Body.Email.Value}, 1); len(emails) == 1 {
			email = emails[0]
		}
	case len(problems) == 0:
		problems.Add("email", errs.NotSpecified, "email is not specified; say whom to ask.")
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if s.Mail == nil {
		return nil, errs.New(errs.Conflict, "This service sends no mail; whoever runs it sets smtp-url.")
	}
	who := httpapi.Who(ctx)
	if s.DemoEmail != "" && who.Email == s.DemoEmail { // else any stranger could have anybody mailed
		return nil, errs.New(errs.Conflict, "The demo account is anybody's, and asks nobody; name recipients in an account of your own.")
	}
	return func(ctx context.Context, tx *db.Tx) (answer httpapi.Answer[account.Recipient], err error) {
		r, ask, err := s.Accounts.NameRecipient(ctx, tx, who.AccountID, email)
		if err == nil && ask {
			err = s.Jobs.Enqueue(ctx, tx, question{r.ID}, &job.Insert{MaxAttempts: askTries})
		}
		return httpapi.Reply(r), err
	}, nil
}

type removeInput struct {
	ID string `path:"id"`
}

func (s *Service) remove(ctx context.Context, in *removeInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (answer httpapi.Answer[httpapi.Empty], err error) {
		return answer, s.Accounts.RemoveRecipient(ctx, tx, who.AccountID, in.ID)
	}, nil
}
