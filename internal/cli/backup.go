package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/trigpoint/trigpoint/internal/app"
	"github.com/trigpoint/trigpoint/internal/backup"
	"github.com/trigpoint/trigpoint/internal/config"
	"github.com/trigpoint/trigpoint/internal/secret"
)

// keyFlag is how a command is given the key of an archive.
type keyFlag struct {
	KeyFile string `help:"File with the key that encrypts the backup: 32 random bytes as base64 or hex. TRIGPOINT_BACKUP_KEY when empty; without either it is not encrypted." type:"existingfile" placeholder:"FILE"`
}

// key is nil without one.
func (f *keyFlag) key(c *config.Config) (*backup.Key, error) {
	text, whence := c.BackupKey, "backup-key"
	if f.KeyFile != "" {
		content, err := os.ReadFile(f.KeyFile)
		if err != nil {
			return nil, err
		}
		text, whence = strings.TrimSpace(string(content)), f.KeyFile
	} else if text == "" {
		return nil, nil //nolint:nilnil // no key is no error
	}
	key, err := secret.ParseKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", whence, err)
	}
	return (*backup.Key)(&key), nil
}

type backupCmd struct {
	keyFlag
	File   string `arg:"" help:"File to write, in place of the one that is there; - is standard output."`
	Verify bool   `help:"Write nothing: read the file and compare every checksum."`
}

// Run writes an archive, or checks one.
func (cmd *backupCmd) Run(e *env) error {
	key, err := cmd.key(e.config)
	if err != nil {
		return err
	}
	if cmd.Verify {
		return verifyBackup(e, cmd.File, key)
	}
	in, err := app.OpenInstallation(e.ctx, e.config)
	if err != nil {
		return err
	}
	defer func() { _ = in.DB.Close() }()
	var totals *backup.Totals
	if cmd.File == "-" {
		totals, err = in.Write(e.ctx, e.out, key, version())
	} else {
		err = writeFile(cmd.File, 0o600, func(f *os.File) (err error) {
			if totals, err = in.Write(e.ctx, f, key, version()); err != nil {
				return err
			}
			return readBack(e.ctx, f, key)
		})
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: %s was not written", cmd.File)
	case err != nil:
		return fmt.Errorf("the backup was not made: %w", err)
	}
	fmt.Fprintf(e.err, "Backed up %s.\n", contentsOf(totals))
	if cmd.File != "-" {
		fmt.Fprintln(e.err, "It was read back, and every checksum is right.")
	}
	if e.config.SecretKey != "" {
		fmt.Fprintln(e.err, "Credentials of connected services stay sealed in it: where it is restored, TRIGPOINT_SECRET_KEY must be the same. Keep that key apart from the backup.")
	}
	if n := len(totals.Lost); n > 0 {
		fmt.Fprintf(e.err, "%s that locations have %s missing in the object store before, such as %s; trigpoint doctor says more.\n", counted(n, "images"), were(n), totals.Lost[0])
	}
	return nil
}

// readBack checks what was written, from its beginning.
func readBack(ctx context.Context, f *os.File, key *backup.Key) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, _, err := backup.Verify(ctx, f, key); err != nil {
		return fmt.Errorf("read back: %w", err)
	}
	return nil
}

func verifyBackup(e *env, file string, key *backup.Key) error {
	return withBackup(file, func(r io.Reader) error {
		header, totals, err := backup.Verify(e.ctx, r, key)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Every checksum is right. It holds %s; schema %d, written by version %s on %s.\n", contentsOf(totals), header.Schema, header.Program, header.Engine.Title())
		return nil
	})
}

// withBackup opens an archive to read; - is standard input.
func withBackup(file string, read func(io.Reader) error) error {
	if file == "-" {
		return read(os.Stdin)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := read(f); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

type restoreCmd struct {
	keyFlag
	File string `arg:"" help:"File that trigpoint backup wrote; - is standard input."`
}

// Run fills an empty installation.
func (cmd *restoreCmd) Run(e *env) error {
	key, err := cmd.key(e.config)
	if err != nil {
		return err
	}
	return withBackup(cmd.File, func(r io.Reader) error {
		in, err := app.NewInstallation(e.ctx, e.config)
		if err != nil {
			return err
		}
		defer func() { _ = in.DB.Close() }()
		header, totals, err := in.Restore(e.ctx, r, key)
		if errors.Is(err, context.Canceled) {
			return errors.New("interrupted, and nothing can be served yet: run it again, and it does what is left")
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "Restored %s, from %s to %s. What is stored was read back and is what was backed up.\n", contentsOf(totals), header.Engine.Title(), in.DB.Dialect.Title())
		if e.config.SecretKey == "" {
			fmt.Fprintln(e.out, "TRIGPOINT_SECRET_KEY is not set: services that accounts have connected need the key of the old installation.")
		}
		return nil
	})
}

// contentsOf says what an archive holds.
func contentsOf(t *backup.Totals) string {
	return fmt.Sprintf("%s of %s, %s and %s (%s) as of %s", counted(t.Rows(), "rows"), counted(len(t.Tables), "tables"),
		counted(t.Jobs.Number, "waiting jobs"), counted(t.Objects.Number, "images"), humanize.IBytes(uint64(t.Objects.Bytes)), t.AsOf.Format(time.DateTime+" UTC")) //nolint:gosec // a size is not negative
}
