package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/mattn/go-isatty"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// importedFile is a file being imported.
type importedFile struct {
	*os.File
	*importProgress
}

// importProgress tells how far an import has come, and names its bad rows.
type importProgress struct {
	from    string // what is read
	what    string // what it holds
	size    int64  // in bytes; 0 when nobody knows
	read    int64
	done    int // rows kept
	skipped int
	out     io.Writer
	live    bool // a person is watching
	shown   time.Time
}

func newImportProgress(from, what string, size int64, out io.Writer) *importProgress {
	p := &importProgress{from: from, what: what, size: size, out: out}
	if terminal, ok := out.(*os.File); ok {
		p.live = isatty.IsTerminal(terminal.Fd())
	}
	return p
}

// maxBadRows bounds the bad rows that are named one by one.
const maxBadRows = 50

func openImport(path, what string, out io.Writer) (*importedFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &importedFile{f, newImportProgress(f.Name(), what, info.Size(), out)}, nil
}

// Read counts what is read.
func (f *importedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.hasRead(n)
	return n, err
}

// unpacked reads gzip, and the only file of a zip, as what they hold.
func (f *importedFile) unpacked() (io.Reader, error) {
	archive, err := zip.NewReader(f.File, f.size)
	if err != nil || len(archive.File) != 1 { // a workbook is a zip of many files; the reader says what it wants
		return textfile.Unpack(f)
	}
	return archive.File[0].Open()
}

func (p *importProgress) hasRead(n int) {
	p.read += int64(n)
	p.show(false)
}

func (p *importProgress) kept(n int) {
	p.done = n
	p.show(false)
}

func (p *importProgress) bad(line int, reason string) { p.badIn("", line, reason) }

// badIn names a row of a file in an archive, or of the file itself.
func (p *importProgress) badIn(file string, line int, reason string) {
	if p.skipped++; p.skipped > maxBadRows {
		return
	}
	p.clear()
	fmt.Fprintf(p.out, "%s:%d: %s\n", path.Join(p.from, file), line, reason)
	if p.skipped == maxBadRows {
		fmt.Fprintln(p.out, "Further bad rows are only counted.")
	}
}

// barWidth is the progress bar's, in characters.
const barWidth = 30

// show draws the progress for a person, a few times a second.
func (p *importProgress) show(last bool) {
	if !p.live || !last && time.Since(p.shown) < 200*time.Millisecond {
		return
	}
	p.shown = time.Now()
	if p.size == 0 {
		fmt.Fprintf(p.out, "\r%s %s  %s\x1b[K", humanize.Comma(int64(p.done)), p.what, humanize.Bytes(uint64(p.read)))
		return
	}
	share := 1.0
	if !last {
		share = min(float64(p.read)/float64(p.size), 1)
	}
	filled := int(share * barWidth)
	fmt.Fprintf(p.out, "\r%s%s %3.0f%%  %s %s  %s\x1b[K", bytes.Repeat([]byte("█"), filled), bytes.Repeat([]byte("░"), barWidth-filled),
		100*share, humanize.Comma(int64(p.done)), p.what, humanize.Bytes(uint64(p.size)))
}

func (p *importProgress) clear() {
	if p.live {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *importProgress) finish() {
	p.show(true)
	if p.live {
		fmt.Fprintln(p.out)
	}
}

// sumUp says what came of the import; one that imported nothing has failed.
func (p *importProgress) sumUp(out io.Writer, kept, bad int64) error {
	rows := ""
	if bad > 0 {
		rows = fmt.Sprintf(", %s skipped", counted(bad, "bad rows"))
	}
	if kept == 0 {
		return fmt.Errorf("%s: no %s imported%s", p.from, p.what, rows)
	}
	_, err := fmt.Fprintf(out, "%s imported%s.\n", counted(kept, p.what), rows)
	return err
}
