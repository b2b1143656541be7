package report

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/event"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/id"
)

func (s *Service) mountSchedules(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Reports", Summary: summary, Help: help}
	}
	httpapi.Read(a, op("list-report-schedules", http.MethodGet, "/reports/schedules", "List the reports that are mailed on a schedule", "Oldest first, at most 50."), s.listSchedules)
	httpapi.Change(a, op("create-report-schedule", http.MethodPost, "/reports/schedules", "Mail a report on a schedule",
		"Every week or month, as a PDF about the days since the one before, to the address of the account or to recipients of it who have confirmed: nobody gets mail who has not asked for it. The hour is one of the account's time zone. Nothing is sent when nothing was collected or checked on those days. At most 50 schedules.").
		Requires("kind", "frequency").Fails(errs.Conflict), s.createSchedule)
	httpapi.Change(a, op("update-report-schedule", http.MethodPatch, "/reports/schedules/{id}", "Change when a report is mailed", "What is absent stays as it is. A schedule that is paused sends nothing, and one whose campaign or tracking was deleted pauses by itself."), s.updateSchedule)
	httpapi.Change(a, op("delete-report-schedule", http.MethodDelete, "/reports/schedules/{id}", "Stop mailing a report", "What was mailed stays where it is."), s.deleteSchedule)
}

func (s *Service) listSchedules(ctx context.Context, _ *struct{}) (httpapi.Answer[[]Schedule], error) {
	accountID := httpapi.Who(ctx).AccountID
	records, err := listSchedules(ctx, s.DB, accountID)
	if err != nil {
		return httpapi.Answer[[]Schedule]{}, err
	}
	known, err := account.ReadReceivers(ctx, s.DB, accountID)
	all := make([]Schedule, len(records))
	for i, r := range records {
		all[i] = s.show(&r, known)
	}
	return httpapi.Reply(all), err
}

type createScheduleInput struct{ Body ScheduleInput }

func (s *Service) createSchedule(ctx context.Context, in *createScheduleInput) (httpapi.Apply[httpapi.Answer[Schedule]], error) {
	now := s.Clock.Now()
	r := record{Schedule: Schedule{ID: id.New(), Day: 1, Hour: 8, Paper: paperA4, CreatedAt: now}, accountID: httpapi.Who(ctx).AccountID, named: true}
	var problems errs.Problems
	if in.Body.apply(&problems, &r.Schedule, now); len(problems) > 0 {
		return nil, problems.Err()
	}
	if s.Mail == nil {
		return nil, errs.New(errs.Conflict, noMail)
	}
	if stored, ok := id.Parse(r.SubjectID); ok && r.Kind == Campaign {
		r.SubjectID = stored
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Schedule], error) {
		made, err := s.addSchedule(ctx, tx, r, now)
		return httpapi.Reply(made), err
	}, nil
}

// addSchedule stores a new schedule, unless the account has enough of them or does not see what it is about.
func (s *Service) addSchedule(ctx context.Context, tx *db.Tx, r record, now time.Time) (Schedule, error) {
	zone, err := lockAccount(ctx, tx, r.accountID)
	if err != nil {
		return Schedule{}, err
	}
	held, err := countSchedules(ctx, tx, r.accountID)
	if err != nil {
		return Schedule{}, err
	}
	if held >= maxSchedules {
		return Schedule{}, errs.With(errs.Conflict, errs.TooMany, "The account has %d schedules already; delete one that is not needed.", held)
	}
	r.plan(now, zone)
	made, err := s.keep(ctx, tx, &r)
	if err != nil {
		return made, err
	}
	return made, r.tell(ctx, tx, event.ScheduleCreated, now)
}

// keep stores a schedule and returns it as it is then; one about something that is not there, or for somebody whom the account has
// not named, is an error.
func (s *Service) keep(ctx context.Context, tx *db.Tx, changed *record) (Schedule, error) {
	known, err := account.ReadReceivers(ctx, tx, changed.accountID)
	if err != nil {
		return Schedule{}, err
	}
	if err := saveSchedules(ctx, tx, *changed); err != nil {
		return Schedule{}, err
	}
	r, err := findSchedule(ctx, tx, changed.accountID, changed.ID)
	if err != nil {
		return Schedule{}, err
	}
	var problems errs.Problems
	if r.gone() && r.PausedAt == nil {
		problems.Add("subject_id", errs.InvalidValue, "subject_id: there is no %s %.64q.", r.Kind, r.SubjectID)
	}
	if changed.named {
		known.Check(&problems, "recipients", r.To)
	}
	return s.show(&r, known), problems.Err()
}

type updateScheduleInput struct {
	ID   string `path:"id"`
	Body ScheduleChange
}

func (s *Service) updateSchedule(ctx context.Context, in *updateScheduleInput) (httpapi.Apply[httpapi.Answer[Schedule]], error) {
	who, now := httpapi.Who(ctx), s.Clock.Now()
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Schedule], error) {
		zone, err := lockAccount(ctx, tx, who.AccountID)
		if err != nil {
			return httpapi.Answer[Schedule]{}, err
		}
		r, err := findSchedule(ctx, tx, who.AccountID, in.ID)
		if err != nil {
			return httpapi.Answer[Schedule]{}, err
		}
		before := r.Schedule
		var problems errs.Problems
		if in.Body.apply(&problems, &r.Schedule, now); len(problems) > 0 {
			return httpapi.Answer[Schedule]{}, problems.Err()
		}
		same := reflect.DeepEqual(r.Schedule, before)
		r.Problem = ""
		r.plan(now, zone)
		r.named = in.Body.To.Set
		changed, err := s.keep(ctx, tx, &r)
		if err == nil && !same {
			err = r.tell(ctx, tx, event.ScheduleChanged, now)
		}
		return httpapi.Reply(changed), err
	}, nil
}

type deleteScheduleInput struct {
	ID string `path:"id"`
}

func (s *Service) deleteSchedule(ctx context.Context, in *deleteScheduleInput) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		r, err := findSchedule(ctx, tx, who.AccountID, in.ID)
		if err == nil {
			err = removeSchedule(ctx, tx, who.AccountID, in.ID)
		}
		if err == nil {
			err = r.tell(ctx, tx, event.ScheduleDeleted, s.Clock.Now())
		}
		return httpapi.Reply(httpapi.Empty{}), err
	}, nil
}

// tell writes the event of a change to a schedule.
func (r *record) tell(ctx context.Context, tx *db.Tx, kind event.Kind, at time.Time) error {
	return event.Emit(ctx, tx, at, event.NewSchedule(kind, r.accountID, event.Schedule{ScheduleID: r.ID, Kind: string(r.Kind), SubjectID: r.SubjectID, Paused: r.PausedAt != nil}))
}
