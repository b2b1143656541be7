package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Names of entries.
const (
	headerEntry   = "header.json"
	totalsEntry   = "totals.json"
	objectsFolder = "objects/"
	tablesFolder  = "tables/"
	jobsFolder    = "jobs/"
)

const (
	hashRecord = "TRIGPOINT.sha256" // of an entry's bytes, in its header
	maxEntry   = 1 << 30            // no value of PostgreSQL is larger
	maxWindow  = 64 << 20           // of memory to unpack with; the writer needs far less
	zstdMagic  = "\x28\xb5\x2f\xfd"
)

// writer writes entries.
type writer struct {
	tar    *tar.Writer
	closes []io.Closer // from the inside out
}

func newWriter(w io.Writer, key *Key) (*writer, error) {
	var out writer
	if key != nil {
		sealed, err := newSealWriter(w, key)
		if err != nil {
			return nil, err
		}
		out.closes = append(out.closes, sealed)
		w = sealed
	}
	packed, err := zstd.NewWriter(w, zstd.WithEncoderCRC(true), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	out.tar = tar.NewWriter(packed)
	out.closes = append([]io.Closer{out.tar, packed}, out.closes...)
	return &out, nil
}

func (w *writer) add(name string, data []byte) error {
	hash := sha256.Sum256(data)
	err := w.tar.WriteHeader(&tar.Header{
		Name: name, Mode: 0o600, Size: int64(len(data)), Format: tar.FormatPAX, PAXRecords: map[string]string{hashRecord: hex.EncodeToString(hash[:])},
	})
	if err != nil {
		return err
	}
	_, err = w.tar.Write(data)
	return err
}

func (w *writer) addJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return w.add(name, text)
}

// Close ends the archive; without it, it is cut short.
func (w *writer) Close() error {
	for _, c := range w.closes {
		if err := c.Close(); err != nil {
			return err
		}
	}
	return nil
}

// reader reads entries in their order, each only after its bytes were found to be right.
type reader struct {
	file   *faultKeeper
	sealed *sealReader // nil of an archive that is not encrypted
	packed *zstd.Decoder
	tar    *tar.Reader
	ahead  *entry // read, and not taken yet
	Header Header
	read   Totals // of what was taken so far
}

type entry struct {
	name string
	data []byte
}

// open reads the beginning of an archive.
func open(r io.Reader, key *Key) (*reader, error) {
	in := &reader{file: &faultKeeper{from: r}, read: Totals{Tables: map[string]Sum{}}}
	from := bufio.NewReaderSize(in.file, chunkSize)
	var stream io.Reader = from
	beginning, err := from.Peek(len(sealedMagic))
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case string(beginning) == sealedMagic:
		if key == nil {
			return nil, ErrNeedsKey
		}
		_, _ = from.Discard(len(sealedMagic))
		if in.sealed, err = newSealReader(from, key); err != nil {
			return nil, err
		}
		stream = in.sealed
	case !strings.HasPrefix(string(beginning), zstdMagic):
		return nil, errors.New("this is no backup of Trigpoint's")
	case key != nil:
		return nil, ErrNotSealed
	}
	if in.packed, err = zstd.NewReader(stream, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow)); err != nil {
		return nil, err
	}
	in.tar = tar.NewReader(in.packed)
	if err := in.readHeader(); err != nil {
		in.packed.Close()
		return nil, err
	}
	return in, nil
}

func (in *reader) readHeader() error {
	first, err := in.next()
	if err != nil {
		return err
	}
	if first.name != headerEntry {
		return damaged("it begins with %s", first.name)
	}
	if err := json.Unmarshal(first.data, &in.Header); err != nil {
		return damaged("its header: %v", err)
	}
	if in.Header.Format > format {
		return fmt.Errorf("the backup is of a later version of Trigpoint (%s): read it with that version", in.Header.Program)
	}
	return nil
}

// next takes an entry.
func (in *reader) next() (*entry, error) {
	if e := in.ahead; e != nil {
		in.ahead = nil
		return e, nil
	}
	h, err := in.tar.Next()
	if err != nil {
		return nil, in.fault(err)
	}
	if h.Size > maxEntry {
		return nil, damaged("%s is too large", h.Name)
	}
	var data bytes.Buffer // grows with what is there, whatever the header promises
	if _, err := io.Copy(&data, in.tar); err != nil {
		return nil, in.fault(err)
	}
	if hash := sha256.Sum256(data.Bytes()); hex.EncodeToString(hash[:]) != h.PAXRecords[hashRecord] {
		return nil, damaged("%s is not what was written", h.Name)
	}
	return &entry{h.Name, data.Bytes()}, nil
}

// each takes the entries of a folder that come next; their names are told without the folder.
func (in *reader) each(folder string, fn func(name string, data []byte) error) error {
	for {
		e, err := in.next()
		if err != nil {
			return err
		}
		name, inside := strings.CutPrefix(e.name, folder)
		if !inside {
			in.ahead = e
			return nil
		}
		if err := fn(name, e.data); err != nil {
			return err
		}
	}
}

// end takes the totals and compares them with what was read.
func (in *reader) end() (*Totals, error) {
	last, err := in.next()
	if err != nil {
		return nil, err
	}
	if last.name != totalsEntry {
		return nil, damaged("%s is out of place", last.name)
	}
	var totals Totals
	if err := json.Unmarshal(last.data, &totals); err != nil {
		return nil, damaged("its totals: %v", err)
	}
	for _, table := range in.Header.Tables {
		if in.read.Tables[table.Name] != totals.Tables[table.Name] {
			return nil, damaged("table %s has %d rows, not the %d that were written", table.Name, in.read.Tables[table.Name].Number, totals.Tables[table.Name].Number)
		}
	}
	if in.read.Jobs != totals.Jobs || in.read.Objects != totals.Objects {
		return nil, damaged("it does not have all jobs and objects that were written")
	}
	if _, err := in.tar.Next(); !errors.Is(err, io.EOF) {
		return nil, damaged("something follows its end")
	}
	if _, err := io.Copy(io.Discard, in.packed); err != nil {
		return nil, in.fault(err)
	}
	return &totals, nil
}

func damaged(what string, args ...any) error {
	return fmt.Errorf("the backup is damaged: "+what, args...)
}

// fault says in a sentence why an archive could not be read on.
func (in *reader) fault(err error) error {
	switch {
	case in.file.err != nil && !errors.Is(in.file.err, io.EOF):
		return in.file.err
	case in.sealed != nil && in.sealed.err != nil && !errors.Is(in.sealed.err, io.EOF):
		return in.sealed.err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrCut
	}
	return damaged("%v", err)
}

// faultKeeper remembers why a file could not be read, which decoders may hide.
type faultKeeper struct {
	from io.Reader
	err  error
}

// Read implements io.Reader.
func (f *faultKeeper) Read(p []byte) (n int, err error) {
	n, err = f.from.Read(p)
	if err != nil {
		f.err = err
	}
	return n, err
}
