package report

import (
	"context"
	"net/http"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
)

func (s *Service) mountSchedules(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Reports", Summary: summary, Help: help}
	}
	httpapi.Read(a, op("list-report-schedules", http.MethodGet, "/reports/schedules", "List the reports that are mailed on a schedule", "Oldest first, at most 50."), s.listSchedules)
	httpapi.Change(a, op("create-report-schedule", http.MethodPost, "/reports/schedules", "Mail a report on a schedule",
		"Every week or month, as a PDF, about the week or month before, to the address of the account and no other: nobody gets mail who has not asked for it. The hour is one of the account's time zone. Nothing is sent when nothing was collected or checked since the last one. At most 50 schedules.").
		Requires("kind", "frequency").Fails(errs.NotFound, errs.Conflict), s.createSchedule)
	httpapi.Change(a, op("delete-report-schedule", http.MethodDelete, "/reports/schedules/{id}", "Stop mailing a report", "What was mailed stays where it is."), s.deleteSchedule)
}

func (s *Service) listSchedules(ctx context.Context, _ *struct{}) (httpapi.Answer[[]Schedule], error) {
	records, err := listSchedules(ctx, s.DB, httpapi.Who(ctx).AccountID)
	all := make([]Schedule, len(records))
	for i, r := range records {
		all[i] = r.Schedule
	}
	return httpapi.Reply(all), err
}

type createScheduleInput struct{ Body ScheduleInput }

func (s *Service) createSchedule(ctx context.Context, in *createScheduleInput) (httpapi.Apply[httpapi.Answer[Schedule]], error) {
	who := httpapi.Who(ctx)
	made, err := in.Body.check()
	if err != nil {
		return nil, err
	}
	if s.Mail == nil {
		return nil, errs.New(errs.Conflict, "No mail is sent from here: the operator has to set smtp-url and mail-from first.")
	}
	now := s.Clock.Now().UTC()
	if _, err := s.Make(ctx, Query{AccountID: who.AccountID, Kind: made.Kind, ID: made.SubjectID, From: now, To: now}); err != nil { // what is not there cannot be told of
		return nil, err
	}
	made.ID, made.CreatedAt = id.New(), now
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Schedule], error) {
		tx.AfterCommit(s.sender.Wake)
		err := insertSchedule(ctx, tx, who.AccountID, &made)
		return httpapi.Reply(made), err
	}, nil
}

type schedulePath struct {
	ID string `path:"id"`
}

func (s *Service) deleteSchedule(ctx context.Context, in *schedulePath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Reply(httpapi.Empty{}), deleteSchedule(ctx, tx, who.AccountID, in.ID)
	}, nil
}
