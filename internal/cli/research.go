package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/provider/webindex"
	"github.com/trigpoint/trigpoint/internal/research"
)

type keywordsCmd struct {
	Import keywordsImportCmd `cmd:"" help:"Import a keyword-planner export for all accounts."`
}

type keywordsImportCmd struct {
	File     string `arg:"" help:"Export of the keyword planner: UTF-16 or UTF-8; tabs, commas or semicolons." type:"existingfile"`
	Location int    `help:"Location that the figures are of, as trigpoint locations search shows it; 0 is anywhere."`
	Language int    `help:"Language of the searchers; 1000 is English, 0 any."`
}

// Run imports keywords.
func (cmd *keywordsImportCmd) Run(e *env) error {
	return importFile(e, cmd.File, "keywords", func(ctx context.Context, a *app.App, r io.Reader, f *importedFile) (int, error) {
		return a.Research.ImportKeywords(ctx, r, research.KeywordFile{LocationID: cmd.Location, LanguageID: cmd.Language}, f.kept, f.bad)
	})
}

type pagesCmd struct {
	Import pagesImportCmd `cmd:"" help:"Import web pages for the built-in web search."`
}

type pagesImportCmd struct {
	File   string `arg:"" help:"JSON lines (url, title, description, body, country, language) or a WARC archive; plain or gzip." type:"existingfile"`
	Format string `help:"jsonl or warc; by the file's name when empty." enum:",jsonl,warc" default:""`
}

// Run imports pages.
func (cmd *pagesImportCmd) Run(e *env) error {
	read := webindex.ReadJSONL
	name := strings.TrimSuffix(strings.ToLower(cmd.File), ".gz")
	if cmd.Format == "warc" || cmd.Format == "" && strings.HasSuffix(name, ".warc") {
		read = webindex.ReadWARC
	}
	return importFile(e, cmd.File, "pages", func(ctx context.Context, a *app.App, r io.Reader, f *importedFile) (int, error) {
		return a.Pages.Import(ctx, func(yield func(webindex.Page) error) error { return read(r, yield, f.bad) }, f.kept)
	})
}

type domainsCmd struct {
	Import domainsImportCmd `cmd:"" help:"Import a list of domains with their ranks."`
}

type domainsImportCmd struct {
	File   string `arg:"" help:"rank,domain as of Tranco, a table with a header, or Common Crawl's domain ranks; plain, gzip or zip." type:"existingfile"`
	Source string `help:"Name of the list; by the file's name when empty. An import puts its list in place of the former one of that name."`
}

var sourceName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,31}$`)

// Run imports ranks.
func (cmd *domainsImportCmd) Run(e *env) error {
	source := cmd.Source
	if source == "" {
		source = sourceOf(cmd.File)
	}
	if !sourceName.MatchString(source) || source == "seen" {
		return fmt.Errorf("%q cannot be the name of a list; give --source with lower-case letters and digits, such as tranco", source)
	}
	return importFile(e, cmd.File, "domains", func(ctx context.Context, a *app.App, r io.Reader, f *importedFile) (int, error) {
		return a.Research.ImportDomains(ctx, r, source, f.kept, f.bad)
	})
}

// sourceOf names a list by its file: the well-known ones, or the name itself.
func sourceOf(file string) string {
	name := strings.ToLower(filepath.Base(file))
	switch {
	case strings.HasPrefix(name, "tranco"):
		return "tranco"
	case strings.HasPrefix(name, "cc-main"):
		return "commoncrawl"
	case strings.HasPrefix(name, "majestic"):
		return "majestic"
	}
	name, _, _ = strings.Cut(name, ".")
	return name
}

// importFile runs an import with its progress, and sums up what came of it.
func importFile(e *env, path, what string, run func(context.Context, *app.App, io.Reader, *importedFile) (int, error)) error {
	f, err := openImport(path, what, e.err)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	r, err := f.unpacked()
	if err != nil {
		return err
	}
	return withNewStore(e, func(ctx context.Context, a *app.App) error {
		kept, err := run(ctx, a, r, f)
		f.finish()
		if err != nil && kept > 0 {
			return errors.Join(err, fmt.Errorf("%s %s imported before that; importing the file again does no harm", counted(kept, what), were(kept)))
		}
		if err != nil {
			return err
		}
		return f.sumUp(e.out, int64(kept), int64(f.skipped))
	})
}

type locationsCmd struct {
	Search locationsSearchCmd `cmd:"" help:"Find the id of a location."`
}

type locationsSearchCmd struct {
	Query []string `arg:"" help:"Start of a name; a region or country may follow: portland, oregon."`
	Limit int      `help:"Most places to show." default:"10"`
}

// Run prints the places found.
func (cmd *locationsSearchCmd) Run(e *env) error {
	found := location.Search(strings.Join(cmd.Query, " "), cmd.Limit)
	if len(found) == 0 {
		return fmt.Errorf("no place begins with %q", strings.Join(cmd.Query, " "))
	}
	t := tabwriter.NewWriter(e.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tTYPE\tPLACE")
	for _, l := range found {
		fmt.Fprintf(t, "%d\t%s\t%s\n", l.ID, strings.ToLower(l.TargetType), l.Label)
	}
	return t.Flush()
}
