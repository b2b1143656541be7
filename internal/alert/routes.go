package alert

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Mount registers every operation.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Alerts", Summary: summary, Help: help}
	}
	create := op("create-alert-rule", http.MethodPost, "/alerts/rules", "Make an alert rule", "From now on an alert is raised whenever the condition holds: it is compared with the check, report or state before, once, when that is stored. At most 100.").Requires("condition").Fails(errs.Conflict)
	update := op("update-alert-rule", http.MethodPatch, "/alerts/rules/{id}", "Change an alert rule", "What is absent stays as it is. A rule that is paused raises nothing.")
	test := op("test-alert-rule", http.MethodPost, "/alerts/rules/{id}/test", "Test an alert rule", "Sends a message to each of its mail addresses and to Slack now, once, and answers with what came of it.")
	test.Time = httpapi.ProviderTime
	httpapi.Read(a, op("list-alert-rules", http.MethodGet, "/alerts/rules", "List alert rules", "Oldest first."), s.listRules)
	httpapi.Change(a, create, s.createRule)
	httpapi.Change(a, update, s.updateRule)
	httpapi.Change(a, op("delete-alert-rule", http.MethodDelete, "/alerts/rules/{id}", "Delete an alert rule", "What it has raised stays in the list; what was not sent yet is not sent any more."), s.deleteRule)
	httpapi.Change(a, test, s.testRule)
	httpapi.Read(a, op("list-alerts", http.MethodGet, "/alerts", "List alerts", "Newest first, of the last 90 days, with what came of telling people."), s.listAlerts)
}

func (s *Service) listRules(ctx context.Context, _ *struct{}) (httpapi.Answer[[]Rule], error) {
	all, err := s.Rules(ctx, httpapi.Who(ctx).AccountID)
	return httpapi.Reply(all), err
}

type createInput struct{ Body RuleInput }

func (s *Service) createRule(ctx context.Context, in *createInput) (httpapi.Apply[httpapi.Answer[Rule]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Rule], error) {
		made, err := s.add(ctx, tx, who.AccountID, &in.Body)
		return httpapi.Reply(made), err
	}, nil
}

// Path names a rule.
type Path struct {
	ID string `path:"id"`
}

type updateInput struct {
	Path
	Body RuleInput
}

func (s *Service) updateRule(ctx context.Context, in *updateInput) (httpapi.Apply[httpapi.Answer[Rule]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Rule], error) {
		changed, err := s.change(ctx, tx, who.AccountID, in.ID, &in.Body)
		return httpapi.Reply(changed), err
	}, nil
}

func (s *Service) deleteRule(ctx context.Context, in *Path) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), s.remove(ctx, tx, who.AccountID, in.ID)
	}, nil
}

func (s *Service) testRule(ctx context.Context, in *Path) (httpapi.Apply[httpapi.Answer[[]Tested]], error) {
	all, err := s.Test(ctx, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	return func(context.Context, *db.Tx) (httpapi.Answer[[]Tested], error) { return httpapi.Reply(all), nil }, nil
}

type listInput struct {
	RuleID string `query:"rule_id" maxLength:"36"`
	Limit  int    `query:"limit" default:"100" minimum:"1" maximum:"1000"`
	Offset int    `query:"offset" default:"0" minimum:"0"`
}

func (s *Service) listAlerts(ctx context.Context, in *listInput) (httpapi.Answer[[]Alert], error) {
	all, err := s.List(ctx, httpapi.Who(ctx).AccountID, in.RuleID, in.Limit, in.Offset)
	return httpapi.Answer[[]Alert]{Data: all, Meta: httpapi.Meta{Limit: &in.Limit, Offset: &in.Offset}}, err
}
