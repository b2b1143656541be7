package desk

import (
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/picture"
)

// BrandInput is a brand as it is sent.
type BrandInput struct {
	Name   httpapi.Field[string] `json:"name" required:"false"`
	Colour httpapi.Field[string] `json:"colour" required:"false"`
	Logo   httpapi.Field[string] `json:"logo" required:"false"`
}

const (
	maxBrandName = 80
	maxLogo      = 256 << 10
	maxBrandBody = maxLogo*4/3 + 16<<10 // as base64, and the rest of the body
)

var (
	colour     = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	logoBounds = picture.Bounds{MinWidth: 16, MinHeight: 16, MaxWidth: 2000, MaxHeight: 2000}
)

// check reads the brand; an empty name is none.
func (in *BrandInput) check() (account.BrandChange, error) {
	var problems errs.Problems
	var b account.BrandChange
	switch {
	case in.Name.Given(&problems, "name"):
		b.Name = strings.Join(strings.Fields(in.Name.Value), " ")
		if n := utf8.RuneCountInString(b.Name); n > maxBrandName {
			problems.Add("name", errs.TooLong, "name has %d characters; at most %d are allowed.", n, maxBrandName)
		}
		if strings.ContainsFunc(b.Name, unicode.IsControl) {
			problems.Add("name", errs.InvalidCharacters, "name contains characters that are not text.")
		}
	case len(problems) == 0:
		problems.Add("name", errs.NotSpecified, "name is not specified; an empty one removes the brand.")
	}
	named := b.Name != ""
	switch wrong := len(problems); {
	case in.Colour.Given(&problems, "colour"):
		if b.Colour = strings.ToLower(in.Colour.Value); named && !colour.MatchString(b.Colour) {
			problems.Add("colour", errs.InvalidValue, "colour must be written as #rrggbb, such as #0f766e, not %.20q.", in.Colour.Value)
		}
	case named && len(problems) == wrong:
		problems.Add("colour", errs.NotSpecified, "colour is not specified; write it as #rrggbb, such as #0f766e.")
	}
	b.SetLogo = in.Logo.Set
	if in.Logo.Given(&problems, "logo") {
		rule := picture.Rule{Field: "logo", Kind: "logo", MaxBytes: maxLogo, Bounds: &logoBounds}
		if pic := rule.Read(&problems, in.Logo.Value); pic != nil {
			b.Logo = &account.Logo{Name: pic.Name, Data: pic.Data}
		}
	}
	return b, problems.Err()
}

// MountPublic serves the logos of brands.
func (d *Desk) MountPublic(mux *http.ServeMux) {
	mux.HandleFunc("GET "+account.BrandPath+"{name}", d.serveLogo)
}

func (d *Desk) serveLogo(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := d.Accounts.Logo(r.Context(), name)
	switch {
	case db.IsNoRow(err):
		http.NotFound(w, r)
		return
	case err != nil:
		http.Error(w, "not available at the moment", http.StatusServiceUnavailable)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("Cache-Control", "public, max-age=31536000, immutable") // the name is the content
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'")
	_, _ = w.Write(data) //nolint:gosec // a checked picture, under a policy that runs nothing; a client that has gone is no failure
}
