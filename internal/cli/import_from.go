package cli

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/trigpoint/trigpoint/internal/foreign"
)

// importCmd takes over what people have in other tools; docs/migrating.md says what of it.
type importCmd struct {
	LocalFalcon importLocalFalconCmd `cmd:"" name:"localfalcon" help:"Take over scans of Local Falcon as reports of campaigns, into this store."`
	BrightLocal importBrightLocalCmd `cmd:"" name:"brightlocal" help:"Take over BrightLocal's Local Search Grids as reports of campaigns, into this store."`
	SerpBear    importSerpBearCmd    `cmd:"" name:"serpbear" help:"Take over the domains, keywords, tags and ranks of SerpBear, into this store."`

	SearchConsole importSearchConsoleCmd `cmd:"" name:"search-console" help:"Take over queries of Google Search Console by day, into this store."`

	GoogleBusiness       importLocationsCmd `cmd:"" name:"google-business" help:"Take over locations from the spreadsheet of Google Business Profile, through the API of this server or another."`
	BrightLocalLocations importLocationsCmd `cmd:"" name:"brightlocal-locations" help:"Take over locations from an export of BrightLocal, likewise."`
}

// intoAccount are the flags of imports that write to the store: what has been found in the past cannot be told through the API.
type intoAccount struct {
	Account string `required:"" help:"Id or email of the account that gets it."`
	DryRun  bool   `help:"Only say what would be made."`
}

// foreignFile is an export being read.
type foreignFile struct {
	foreign.File
	*importProgress
	file *os.File
	left badRows
}

func (f *foreignFile) bad(at foreign.Row, reason string) { f.left.noting(f.importProgress)(at, reason) }

// badRows are the rows of which something was left out: one may have several faults.
type badRows map[foreign.Row]bool

func (b badRows) noting(progress *importProgress) foreign.Skip {
	return func(at foreign.Row, reason string) {
		b[at] = true
		progress.badIn(at.File, at.Line, reason)
	}
}

func openForeign(e *env, path, what string) (*foreignFile, error) {
	f, err := openImport(path, what, e.err)
	if err != nil {
		return nil, err
	}
	if f.size == 0 {
		_ = f.Close()
		return nil, fmt.Errorf("%s is empty", path)
	}
	return &foreignFile{foreign.File{Name: path, ReaderAt: f.File, Size: f.size}, f.importProgress, f.File, badRows{}}, nil
}

// eachForeign reads files one after the other; what cannot be read of one does not keep the others.
func eachForeign(e *env, paths []string, what string, read func(*foreignFile) error) (skipped int, err error) {
	for _, path := range paths {
		f, openErr := openForeign(e, path, what)
		if openErr != nil {
			err = errors.Join(err, openErr)
			continue
		}
		if readErr := read(f); readErr != nil {
			err = errors.Join(err, errors.New(path+": "+readErr.Error())) // all its words, with the file of an archive
		}
		skipped += len(f.left)
		_ = f.file.Close()
	}
	return skipped, err
}

// would is how what is done is told: as something that would be where nothing is.
func would(dryRun bool) string {
	if dryRun {
		return "would be "
	}
	return ""
}

// sumUpImport ends the account of an import. One of which nothing was taken, nor there before, has failed.
func sumUpImport(e *env, dryRun bool, skipped int, taken bool) error {
	if skipped > 0 {
		fmt.Fprintf(e.out, "Left out in whole or in part, and named above: %s.\n", counted(skipped, "rows"))
	}
	if !taken {
		return errors.New("there was nothing that could be taken")
	}
	if dryRun {
		fmt.Fprintln(e.out, "Nothing has been changed. Without --dry-run it is.")
	}
	return nil
}

// readDate reads a date that was typed.
func readDate(text string, dayFirst bool) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := foreign.Time(text, dayFirst)
	if err != nil {
		return at, fmt.Errorf("--date: %w", err)
	}
	return at, nil
}
