package local

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"

	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Attention is what the owner of locations should look at.
type Attention struct {
	Total     int64              `json:"total"`
	Attention []TroubledLocation `json:"attention" nullable:"false"`
	Troubled  int64              `json:"attention_total"`
}

// TroubledLocation is a location that is not as its owner wants it.
type TroubledLocation struct {
	ID           string `json:"location_id"`
	BusinessName string `json:"business_name"`
	Reason       string `json:"reason"`
	Severity     string `json:"severity" enum:"error,warning"`
}

// The severities: an error keeps the location from the public, a warning is about one directory or the plan.
const (
	severe = "error"
	mild   = "warning"
)

const (
	attentionShown = 10

	// failedOrFrozen is served by the index of unusual locations.
	failedOrFrozen = unusual + " AND (status = 'FAILED' OR frozen)"
)

// Attention finds the locations that were refused, then those that are frozen, then those whose listings fail, newest first.
func (s *Service) Attention(ctx context.Context, accountID string) (Attention, error) {
	found := Attention{Attention: []TroubledLocation{}}
	p := db.Params{Args: []any{accountID}}
	troubled := "l.account_id = $1 AND l.status = 'UNAVAILABLE' AND l.wanted AND l.directory IN " + db.AddAll(&p, s.usableDirectories())
	_, err := db.One(ctx, s.db, func(row db.Scanner) (struct{}, error) { return struct{}{}, row.Scan(&found.Total, &found.Troubled) },
		`SELECT a.locations + (SELECT count(*) FROM locations WHERE account_id = $1 AND status = 'FAILED'),
			(SELECT count(*) FROM (SELECT id FROM locations WHERE account_id = $1 AND `+failedOrFrozen+` UNION SELECT l.location_id FROM listings l WHERE `+troubled+`) t)
		FROM accounts a WHERE a.id = $1`, p.Args...)
	if err != nil || found.Troubled == 0 {
		return found, err
	}
	if found.Attention, err = failedAndFrozen(ctx, s.db, accountID); err != nil || len(found.Attention) >= attentionShown {
		return found, err
	}
	listed, err := s.failingListings(ctx, troubled, p)
	known := map[string]bool{}
	for _, l := range found.Attention {
		known[l.ID] = true
	}
	for _, l := range listed {
		if len(found.Attention) < attentionShown && !known[l.ID] {
			found.Attention = append(found.Attention, l)
		}
	}
	return found, err
}

// usableDirectories are those that can list a location at all: one that the operator has not configured is no trouble of
// a location's.
func (s *Service) usableDirectories() []string {
	var ids []string
	for _, c := range s.directories {
		if c.Place(directory.Item{}).Status != directory.Unavailable {
			ids = append(ids, c.Describe().ID)
		}
	}
	return ids
}

func failedAndFrozen(ctx context.Context, q db.Queryer, accountID string) ([]TroubledLocation, error) {
	const order = " ORDER BY CASE status WHEN 'FAILED' THEN 0 ELSE 1 END, submitted_at DESC, id DESC"
	all := []TroubledLocation{}
	return all, db.Each(ctx, q, func(row db.Scanner) error {
		var status Status
		var profile, problems []byte
		l := TroubledLocation{Severity: mild, Reason: "Frozen: the plan has no room for it."}
		if err := row.Scan(&l.ID, &status, &profile, &problems); err != nil {
			return err
		}
		if status == Failed {
			var found []errs.Detail
			if err := json.Unmarshal(problems, &found); err != nil {
				return fmt.Errorf("errors of location %s: %w", l.ID, err)
			}
			l.Severity, l.Reason = severe, "It could not be published."
			if len(found) > 0 {
				l.Reason = found[0].Message
			}
		}
		var err error
		l.BusinessName, err = nameIn(profile)
		all = append(all, l)
		return err
	}, `SELECT id, status, profile, errors FROM locations WHERE id IN (SELECT id FROM locations WHERE account_id = $1 AND `+failedOrFrozen+order+` LIMIT $2)`+order, accountID, attentionShown)
}

// failingListings has one line for each location, of the listing that failed last.
func (s *Service) failingListings(ctx context.Context, troubled string, p db.Params) ([]TroubledLocation, error) {
	var all []TroubledLocation
	err := db.Each(ctx, s.db, func(row db.Scanner) error {
		var locationID, directoryID, detail string
		var profile []byte
		if err := row.Scan(&locationID, &directoryID, &detail, &profile); err != nil {
			return err
		}
		if n := len(all); n > 0 && all[n-1].ID == locationID {
			return nil
		}
		name, err := nameIn(profile)
		reason := s.directories.find(directoryID).Describe().Name + ": " + cmp.Or(detail, "it is not shown there.")
		all = append(all, TroubledLocation{ID: locationID, BusinessName: name, Reason: reason, Severity: mild})
		return err
	}, `SELECT l.location_id, l.directory, l.detail, c.profile
		FROM (SELECT l.location_id, max(l.updated_at) AS failed_at FROM listings l WHERE `+troubled+` GROUP BY l.location_id ORDER BY failed_at DESC, l.location_id LIMIT `+p.Add(2*attentionShown)+`) t
		JOIN listings l ON l.location_id = t.location_id AND `+troubled+`
		JOIN locations c ON c.id = t.location_id
		ORDER BY t.failed_at DESC, t.location_id, l.updated_at DESC, l.id`, p.Args...)
	return all, err
}

// nameIn reads the name of the business out of a stored profile.
func nameIn(profile []byte) (string, error) {
	var p struct {
		BusinessName string `json:"business_name"`
	}
	err := json.Unmarshal(profile, &p)
	return p.BusinessName, err
}
