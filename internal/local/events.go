package local

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/event"
)

// tell writes the event of a change to locations.
func (s *Service) tell(ctx context.Context, tx *db.Tx, kind event.Kind, locations ...Location) error {
	events := make([]event.Event, len(locations))
	for i, l := range locations {
		events[i] = l.event(kind)
	}
	return event.Emit(ctx, tx, s.clock.Now(), events...)
}

func (l *Location) event(kind event.Kind) event.Event {
	return event.Event{AccountID: l.accountID, Kind: kind, Subject: l.ID, Data: event.Location{LocationID: l.ID, BusinessName: l.BusinessName}}
}

// changedFields are those of some fields in which two profiles differ.
func changedFields(before, after *directory.Profile, names []string) (changed []string, err error) {
	was, err := fieldsOf(before)
	if err != nil {
		return nil, err
	}
	is, err := fieldsOf(after)
	for _, name := range names {
		if !bytes.Equal(was[name], is[name]) {
			changed = append(changed, name)
		}
	}
	return changed, err
}

func fieldsOf(p *directory.Profile) (all map[string]json.RawMessage, err error) {
	text, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	return all, err
}

// tellChanged is tell for fields of a location, or its images.
func (s *Service) tellChanged(ctx context.Context, tx *db.Tx, l *Location, changed ...string) error {
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{
		AccountID: l.accountID, Kind: event.LocationChanged, Subject: l.ID, Data: event.Location{LocationID: l.ID, BusinessName: l.BusinessName, Changed: changed},
	})
}

// tellRejected is tell for a location that a directory refuses.
func (s *Service) tellRejected(ctx context.Context, tx *db.Tx, l *Location, reason string) error {
	return event.Emit(ctx, tx, s.clock.Now(), event.Event{
		AccountID: l.accountID, Kind: event.LocationRejected, Subject: l.ID, Data: event.Location{LocationID: l.ID, BusinessName: l.BusinessName, Reason: reason},
	})
}

// turned is the event of a listing that shows something else than before, and may be shown as closed. One that is new, or still being worked on, is none.
func (ds Directories) turned(loc *Location, before, after listing, closed bool) (e event.Event, is bool) {
	same := before.status == after.status && before.detail == after.detail
	if same || before.status == "" || after.status == directory.Processing {
		return e, false
	}
	return event.Event{AccountID: loc.accountID, Kind: event.ListingChanged, Subject: after.id, Data: event.Listing{
		Location: event.Location{LocationID: loc.ID, BusinessName: loc.BusinessName}, ListingID: after.id, Directory: after.directory, DirectoryName: ds.find(after.directory).Describe().Name,
		Status: string(after.status), StatusBefore: string(before.status), Detail: after.detail, URL: after.url, Closed: closed,
	}}, true
}
