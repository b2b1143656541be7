package rankwatch

import "github.com/trigpoint/trigpoint/internal/source"

// WebProvider is a provider that searches the web.
type WebProvider = source.Web
