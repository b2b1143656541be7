package rankwatch

import "github.com/trigpoint/trigpoint/internal/provider"

// WebProvider is a provider that searches the web.
type WebProvider interface {
	provider.Provider
	provider.WebSearcher
}
