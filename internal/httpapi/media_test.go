package httpapi

import "testing"

func TestPrefersHTML(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/html": true, "text/html,application/xhtml+xml,*/*;q=0.8": true,
		"text/html;q=0.5, application/json": false, "application/json;q=0.5, text/html;q=0.9": true, "text/html;q=0": false,
		"text/html;q=x": false, "nonsense; ;;, text/html": true, "TEXT/HTML": true, "text/*": false,
	} {
		if got := prefersHTML(accept); got != want {
			t.Errorf("%q: %v, want %v", accept, got, want)
		}
	}
}
