package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
)

// benchWeb drives the built program with a browser: web/bench.mjs says how.
func benchWeb(out io.Writer) error {
	if _, err := os.Stat("web/node_modules"); err != nil {
		return fmt.Errorf("run make build first, with Node 20.19 or newer: %w", err)
	}
	cmd := exec.Command("node", "web/bench.mjs")
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	return cmd.Run()
}
