// Package doctor looks for what is wrong with an installation and says it in sentences, each with what to do. It changes nothing:
// a schema that is behind stays so, and no mail is sent. What it puts into the object store to try it, it takes out again.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/blob"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/db"
)

// Finding is something that is wrong.
type Finding struct {
	Wrong string // a sentence
	Do    string // what helps
}

// lookTime bounds one look.
const lookTime = time.Minute

// Doctor examines the installation of a configuration.
type Doctor struct {
	Config *config.Config
	Free   func(folder string) (share float64, err error) // of a disk, from 0 to 1; the disk's own when nil
	Now    func() time.Time                               // the machine's clock when nil
	Getenv func(name string) string                       // the machine's environment when nil

	// LookupHost finds the addresses of a host; the machine's own way when nil.
	LookupHost func(ctx context.Context, host string) ([]string, error)

	Notes []string // sentences on what was looked at and may be as it is

	db    *db.DB
	blobs blob.Store
	app   *app.App
}

// look is one thing that is examined.
type look struct {
	at  string
	see func(context.Context) ([]Finding, error)
}

// Examine looks at everything that can be looked at, and says how many things that were. Without a store it goes no further, and
// in one that cannot be served it leaves alone what needs its tables.
func (d *Doctor) Examine(ctx context.Context) (all []Finding, looked int) {
	if d.Free == nil {
		d.Free = freeShare
	}
	if d.Now == nil {
		d.Now = time.Now
	}
	if d.Getenv == nil {
		d.Getenv = os.Getenv
	}
	if d.LookupHost == nil {
		d.LookupHost = net.DefaultResolver.LookupHost
	}
	run := func(looks ...look) (well bool) {
		well = true
		for _, l := range looks {
			found := l.run(ctx)
			all, looked, well = append(all, found...), looked+1, well && len(found) == 0
		}
		return well
	}
	run(look{"the public address", d.address}, look{"the fonts of reports", d.fonts}, look{"mail", d.mail}, look{"traces", d.traces})
	well := run(look{"the store", d.store})
	if d.db == nil {
		return all, looked
	}
	defer func() { _ = d.db.Close() }()
	run(look{"the database", d.database})
	if well {
		run(look{"the address of the service", d.listen}, look{"background work", d.work}, look{"mail that waits", d.unsent}, look{"sealed secrets", d.secrets})
	}
	if d.Config.DatabaseURL == "" || d.Config.S3Endpoint == "" {
		run(look{"the disk", d.disk})
	}
	if run(look{"the object store", d.objects}) && well {
		run(look{"images", d.images})
	}
	return all, looked
}

func (l look) run(ctx context.Context) []Finding {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	found, err := l.see(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		found = append(found, Finding{fmt.Sprintf("Looking at %s took longer than %s.", l.at, lookTime), "Find out what holds it up: the machine's load, the network, locks in the database."})
	case err != nil:
		found = append(found, Finding{fmt.Sprintf("Looking at %s failed: %v.", l.at, err), "Mend that first; more may come to light then."})
	}
	return found
}

// quiet is for parts of the program that would log what is told here.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }
