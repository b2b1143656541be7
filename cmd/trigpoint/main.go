// Command trigpoint is the whole service; see trigpoint --help.
package main

import (
	"os"

	"github.com/trigpoint/trigpoint/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
