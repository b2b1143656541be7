package cli

import (
	"fmt"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/doctor"
)

type doctorCmd struct {
	CheckProviders bool `help:"Make the cheapest real request of each configured provider, too; some cost money."`
}

// Run examines the installation.
func (cmd *doctorCmd) Run(e *env) error {
	d := &doctor.Doctor{Config: e.config}
	found, looked := d.Examine(e.ctx)
	if cmd.CheckProviders {
		failing, asked, err := failingProviders(e)
		if err != nil {
			return err
		}
		found, looked = append(found, failing...), looked+asked
	}
	for i, f := range found {
		fmt.Fprintf(e.out, "%d. %s\n   %s\n", i+1, f.Wrong, f.Do)
	}
	for _, note := range d.Notes {
		fmt.Fprintln(e.out, note)
	}
	switch len(found) {
	case 0:
		fmt.Fprintf(e.out, "%d things were looked at, and nothing is wrong.\n", looked)
		return nil
	case 1:
		return fmt.Errorf("%d things were looked at, and one is wrong", looked)
	}
	return fmt.Errorf("%d things were looked at, and %d are wrong", looked, len(found))
}

// failingProviders asks every provider that is configured.
func failingProviders(e *env) (found []doctor.Finding, asked int, err error) {
	var ledger *db.DB // what it costs is recorded where that is possible
	if in, err := app.OpenInstallation(e.ctx, e.config); err == nil {
		defer func() { _ = in.DB.Close() }()
		ledger = in.DB
	}
	shown, err := describe(e.ctx, e.config, ledger, append(app.BuiltIn(), e.config.Vendors...))
	if err != nil {
		return nil, 0, err
	}
	_ = checkAccess(e.ctx, ledger, shown) // what fails is told of each
	for _, p := range shown {
		if p.Check == nil {
			continue
		}
		asked++
		if !p.Check.OK {
			found = append(found, doctor.Finding{
				Wrong: fmt.Sprintf("The data provider %s is configured and does not work: %s.", p.Name, p.Check.Says),
				Do:    "Check its key and what is left of its credits with the vendor; trigpoint providers shows its settings.",
			})
		}
	}
	return found, asked, nil
}
