package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/mattn/go-isatty"

	"github.com/trigpoint/trigpoint/internal/textfile"
)

// importedFile is a file being imported: it tells how far it has been read, and names its bad rows.
type importedFile struct {
	*os.File
	what    string
	size    int64
	read    int64
	done    int // rows kept
	skipped int
	out     io.Writer
	live    bool // a person is watching
	shown   time.Time
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
	i := &importedFile{File: f, what: what, size: info.Size(), out: out}
	if terminal, ok := out.(*os.File); ok {
		i.live = isatty.IsTerminal(terminal.Fd())
	}
	return i, nil
}

// Read counts what is read.
func (f *importedFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.read += int64(n)
	f.show(false)
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

func (f *importedFile) kept(n int) {
	f.done = n
	f.show(false)
}

func (f *importedFile) bad(line int, reason string) {
	if f.skipped++; f.skipped > maxBadRows {
		return
	}
	f.clear()
	fmt.Fprintf(f.out, "%s:%d: %s\n", f.Name(), line, reason)
	if f.skipped == maxBadRows {
		fmt.Fprintln(f.out, "Further bad rows are only counted.")
	}
}

// barWidth is the progress bar's, in characters.
const barWidth = 30

// show draws the progress for a person, a few times a second.
func (f *importedFile) show(last bool) {
	if !f.live || !last && time.Since(f.shown) < 200*time.Millisecond {
		return
	}
	f.shown = time.Now()
	share := 1.0
	if f.size > 0 && !last {
		share = min(float64(f.read)/float64(f.size), 1)
	}
	filled := int(share * barWidth)
	fmt.Fprintf(f.out, "\r%s%s %3.0f%%  %s %s  %s\x1b[K", bytes.Repeat([]byte("█"), filled), bytes.Repeat([]byte("░"), barWidth-filled),
		100*share, humanize.Comma(int64(f.done)), f.what, humanize.Bytes(uint64(f.size)))
}

func (f *importedFile) clear() {
	if f.live {
		fmt.Fprint(f.out, "\r\x1b[K")
	}
}

func (f *importedFile) finish() {
	f.show(true)
	if f.live {
		fmt.Fprintln(f.out)
	}
}

// sumUp says what came of the import; one that imported nothing has failed.
func (f *importedFile) sumUp(out io.Writer, kept, bad int64) error {
	rows := ""
	if bad > 0 {
		rows = fmt.Sprintf(", %s bad rows skipped", humanize.Comma(bad))
	}
	if kept == 0 {
		return fmt.Errorf("%s: no %s imported%s", f.Name(), f.what, rows)
	}
	_, err := fmt.Fprintf(out, "%s %s imported%s.\n", humanize.Comma(kept), f.what, rows)
	return err
}
