package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/spreadsheet"
)

type listingsCmd struct {
	Export listingsExportCmd `cmd:"" help:"Write the published locations of an account as the table that a directory takes in an upload."`
}

type listingsExportCmd struct {
	For     string `required:"" enum:"bing,apple" help:"The directory: bing (Bing Places for Business) or apple (Apple Business Connect)."`
	Account string `required:"" help:"Id or email of the account."`
	Output  string `required:"" help:"File to write, .csv or .xlsx; - is CSV on standard output." placeholder:"FILE"`
}

// Validate refuses a file whose kind is not known.
func (cmd *listingsExportCmd) Validate() error {
	_, err := cmd.format()
	return err
}

func (cmd *listingsExportCmd) format() (spreadsheet.Format, error) {
	switch {
	case cmd.Output == "-" || strings.EqualFold(filepath.Ext(cmd.Output), ".csv"):
		return spreadsheet.CSV, nil
	case strings.EqualFold(filepath.Ext(cmd.Output), ".xlsx"):
		return spreadsheet.XLSX, nil
	}
	return "", fmt.Errorf("--output: the name of %s does not tell its format; it must end in .csv or .xlsx, or be - for standard output", cmd.Output)
}

// Run writes the table.
func (cmd *listingsExportCmd) Run(e *env) error {
	format, err := cmd.format()
	if err != nil {
		return err
	}
	bulk, ok := directory.FindBulk(cmd.For)
	if !ok {
		return fmt.Errorf("there is no table for %q", cmd.For)
	}
	return withStore(e, func(ctx context.Context, a *app.App) error {
		acc, err := a.Accounts.Find(ctx, cmd.Account)
		if err != nil {
			return err
		}
		locations := 0
		write := func(w io.Writer) (err error) {
			locations, err = a.Local.Export(ctx, acc.ID, bulk, format, w)
			return err
		}
		if cmd.Output == "-" {
			err = write(e.out)
		} else {
			err = writeFile(cmd.Output, 0o644, func(f *os.File) error { return write(f) })
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.err, "%s exported for %s. Those that are not published, or frozen, are left out.\n", counted(locations, "locations"), bulk.Title)
		return err
	})
}
