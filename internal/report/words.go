package report

import "github.com/trigpoint/trigpoint/internal/httpapi"

// Words say what the names of reports mean.
var Words = httpapi.Words{}
