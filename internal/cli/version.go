package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

type versionCmd struct{}

// Run prints the version.
func (versionCmd) Run(e *env) error {
	fmt.Fprintln(e.out, "trigpoint", built())
	return nil
}

// build is what the program was made from, as Go's linker has noted it.
type build struct {
	version  string // the tag, or what Go makes of the commits since
	commit   string
	date     string
	modified bool
}

func built() build {
	info, known := debug.ReadBuildInfo()
	if !known {
		return build{version: "unknown"}
	}
	b := build{version: info.Main.Version}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.commit = s.Value
		case "vcs.time":
			b.date, _, _ = strings.Cut(s.Value, "T")
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

// String is one line for a person: v1.2.0 (commit 0123456789ab of 2026-11-08, go1.26.0 linux/amd64).
func (b build) String() string {
	from := ""
	if len(b.commit) >= 12 {
		from = fmt.Sprintf("commit %s of %s", b.commit[:12], b.date)
		if b.modified {
			from += " with changes"
		}
		from += ", "
	}
	return fmt.Sprintf("%s (%s%s %s/%s)", b.version, from, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version names the program where one word must do.
func version() string {
	b := built()
	if len(b.commit) >= 12 && strings.Count(b.version, "-") >= 2 { // between two tags only the commit says something
		return b.commit[:12]
	}
	return b.version
}
