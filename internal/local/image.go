package local

import (
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/picture"
)

// Image is a picture of a location.
type Image struct {
	ID          string `json:"id"`
	Type        string `json:"type" enum:"PHOTO,PROFILE,COVER"`
	URL         string `json:"url"`
	Description string `json:"description"`
	CreateDate  *Time  `json:"create_date"`

	accountID, locationID string
	object                string
	bytes                 int64
}

// imageBounds are the sizes in pixels that a type of image may have.
var imageBounds = map[string]picture.Bounds{
	"PHOTO":   {MinWidth: 270, MinHeight: 270, MaxWidth: 5000, MaxHeight: 5000},
	"PROFILE": {MinWidth: 250, MinHeight: 250, MaxWidth: 5000, MaxHeight: 5000},
	"COVER":   {MinWidth: 480, MinHeight: 270, MaxWidth: 2120, MaxHeight: 1192},
}

// ImageTypes are the types that an image may have.
var ImageTypes = []string{"PHOTO", "PROFILE", "COVER"}

const (
	maxImageBytes = 4 << 20
	maxCaption    = 255
)

// readPicture checks an upload; it is nil when a problem was noted.
func readPicture(problems *errs.Problems, content, kind string) *picture.Picture {
	rule := picture.Rule{Field: "content", Kind: kind, MaxBytes: maxImageBytes}
	if b, known := imageBounds[kind]; known {
		rule.Bounds = &b
	}
	return rule.Read(problems, content)
}
