package local

import (
	"slices"
	"strings"

	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
)

// Listing is a location in one directory, as the API shows it.
type Listing struct {
	ID           string           `json:"id"`
	Name         string           `json:"name"`
	Status       directory.Status `json:"status" enum:"CONNECTED,SUBMITTED,UNAVAILABLE,DISCONNECTED,PROCESSING"`
	Controllable bool             `json:"controllable"`
	URL          string           `json:"url"`
	ParentID     string           `json:"parent_id"`
	Detail       string           `json:"status_detail,omitempty" doc:"Why the listing is not connected."`
}

// listing is a stored listing.
type listing struct {
	id, accountID, locationID, directory string
	status                               directory.Status
	wanted                               bool
	url                                  string // as a directory has told it
	detail                               string
	version                              int64
	lookAt                               int64  // in microseconds; 0 is never
	subject                              string // of the last look, see directory.Watcher
	placeID                              string // as a directory has told it
}

// Directories is the set of connectors that a service publishes to, in the order that listings show.
type Directories []directory.Connector

func (ds Directories) find(id string) directory.Connector {
	for _, c := range ds {
		if c.Describe().ID == id {
			return c
		}
	}
	return nil
}

// show makes API listings of the stored ones of a location; a listing whose directory is no longer
// configured is not shown. A directory that is told or looked at has told its URL; of the others it is where
// this service is reached now.
func (ds Directories) show(stored []listing, item directory.Item, statuses []directory.Status) []Listing {
	byDirectory := map[string]listing{}
	for _, l := range stored {
		byDirectory[l.directory] = l
	}
	shown := []Listing{}
	for _, c := range ds {
		d := c.Describe()
		l, ok := byDirectory[d.ID]
		if !ok || (len(statuses) > 0 && !slices.Contains(statuses, l.status)) {
			continue
		}
		_, told := c.(directory.Pusher)
		_, looked := c.(directory.Looker)
		if !told && !looked && l.status != directory.Disconnected {
			l.url = c.Place(item).URL
		}
		shown = append(shown, Listing{
			ID: l.id, Name: d.Name, Status: l.status, Controllable: d.Controllable,
			URL: l.url, ParentID: byDirectory[d.Parent].id, Detail: l.detail,
		})
	}
	return shown
}

var (
	canDisable = []directory.Status{directory.Connected, directory.Submitted, directory.Unavailable}
	canEnable  = []directory.Status{directory.Disconnected}
)

// checkSwitch tells whether a listing may be enabled or disabled now.
func checkSwitch(d directory.Descriptor, status directory.Status, enable bool) error {
	word, from := "disabled", canDisable
	if enable {
		word, from = "enabled", canEnable
	}
	if !d.Controllable {
		why := "follows its parent"
		if d.Parent == "" {
			why = "has nothing to switch"
		}
		return errs.With(errs.Conflict, errs.ListingNotControllable, "The listing %s %s and cannot be %s.", d.Name, why, word)
	}
	if !slices.Contains(from, status) {
		names := make([]string, len(from))
		for i, s := range from {
			names[i] = string(s)
		}
		return errs.With(errs.Conflict, errs.ListingWrongStatus, "A listing that is %s cannot be %s; it must be %s.", status, word, strings.Join(names, " or "))
	}
	return nil
}
