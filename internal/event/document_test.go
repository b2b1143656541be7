package event_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/trigpoint/trigpoint/internal/event"
)

var update = flag.Bool("update", false, "write docs/events.md anew")

const (
	document = "../../docs/events.md"
	begins   = "## Kinds\n" // from here on the document follows from the table in the code
)

func TestEveryKindIsDocumented(t *testing.T) {
	t.Parallel()
	var kinds strings.Builder
	kinds.WriteString(begins)
	for _, d := range event.Kinds() {
		data, err := json.MarshalIndent(d.Data, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&kinds, "\n### `%s`\n\n%s\n\n```json\n%s\n```\n", d.Kind, d.When, data)
	}
	raw, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, stored, found := strings.Cut(string(raw), begins)
	if *update {
		if err := os.WriteFile(document, []byte(head+kinds.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !found || begins+stored != kinds.String() {
		t.Errorf("%s does not say what the code does; if the change is meant: go test ./internal/event -update", document)
	}
}
