// Generate writes the types of the Go client from the documents. It runs in tools/clients.
package main

import (
	"log"
	"os"
	"path/filepath"

	"github.com/trigpoint/trigpoint/tools/clients"
)

func main() {
	files, err := clients.Types()
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(clients.Folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // source is read by all
			log.Fatal(err)
		}
	}
}
