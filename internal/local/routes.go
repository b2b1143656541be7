package local

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/category"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/directory"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/picture"
	"github.com/trigpoint/trigpoint/internal/spreadsheet"
	"github.com/trigpoint/trigpoint/internal/words"
)

// Prefix is the base path of the area.
const Prefix = "/_api/apis/v4/local/v1"

// Scheme is how the area's requests are signed: Authorization: Apikey <API_KEY>.
var Scheme = httpapi.Scheme{Header: "Authorization", Word: "Apikey", Kind: account.Key}

// maxUpload is 4 MB of image as base64, and the rest of its body.
const maxUpload = 6 << 20

// Mount registers every operation of the area.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, tag, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: tag, Summary: summary, Help: help}
	}
	upload := op("create-image", http.MethodPost, "/locations/{location_id}/images", "Images", "Add an image", "JPEG or PNG as base64, at most 4 MB. COVER 480x270 to 2120x1192 px, PHOTO 270x270 to 5000x5000 px, PROFILE 250x250 to 5000x5000 px.").Requires("content", "type")
	upload.MaxBody, upload.Time = maxUpload, httpapi.ProviderTime
	lookUp := op("look-up-location", http.MethodPost, "/locations/{location_id}/look-up", "Listings", "Look a location up on the map", "Compares what the map shows with the location now, and answers with the listing of the map. Needs a place_id and takes one of the account's live look-ups. By itself it happens every week, which takes none.").Fails(errs.Conflict)
	lookUp.Time = httpapi.ProviderTime

	export := op("export-locations", http.MethodGet, "/locations/export", "Locations", "Export locations for a directory", "The table that a directory without an open API takes in an upload: a row for each location that is COMPLETED and not frozen, newest first.")
	export.Time = httpapi.ProviderTime

	httpapi.Change(a, op("create-location", http.MethodPost, "/locations", "Locations", "Create a location", "The location is PROCESSING until it is published. With validate_only=true everything is checked and nothing is stored.").Requires("business_name", "phone_number", "country", "city", "address_line_1", "category_ids"), s.createLocation)
	httpapi.Change(a, op("update-location", http.MethodPatch, "/locations/{location_id}", "Locations", "Update a location", "A field is changed when update_mask names it and the body has it; null, an empty string or an empty list clears it.").Requires("update_mask").Fails(errs.Conflict), s.updateLocation)
	httpapi.Read(a, op("get-location", http.MethodGet, "/locations/{location_id}", "Locations", "Get a location", ""), s.getLocation)
	httpapi.Read(a, op("list-locations", http.MethodGet, "/locations", "Locations", "List locations", "Newest first."), s.listLocations)
	httpapi.ReadFile(a, export, []string{spreadsheet.CSV.MediaType(), spreadsheet.XLSX.MediaType()}, s.exportLocations)
	httpapi.Change(a, op("delete-location", http.MethodDelete, "/locations/{location_id}", "Locations", "Delete a location", "Removes it permanently with its listings and images."), s.deleteLocation)
	httpapi.Read(a, op("list-listings", http.MethodGet, "/locations/{location_id}/listings", "Listings", "List the listings of a location", ""), s.listListings)
	httpapi.Change(a, op("disable-listing", http.MethodPost, "/listings/{listing_id}/disable", "Listings", "Disable a listing", "Needs a controllable listing that is CONNECTED, SUBMITTED or UNAVAILABLE."), s.switchListing(false))
	httpapi.Change(a, op("enable-listing", http.MethodPost, "/listings/{listing_id}/enable", "Listings", "Enable a listing", "Needs a controllable listing that is DISCONNECTED."), s.switchListing(true))
	httpapi.Change(a, lookUp, s.lookUpLocation)
	httpapi.Change(a, upload, s.createImage)
	httpapi.Read(a, op("list-images", http.MethodGet, "/locations/{location_id}/images", "Images", "List the images of a location", "Newest first."), s.listLocationImages)
	httpapi.Change(a, op("update-image", http.MethodPut, "/images/{image_id}", "Images", "Change the description of an image", ""), s.updateImage)
	httpapi.Change(a, op("delete-image", http.MethodDelete, "/images/{image_id}", "Images", "Delete an image", "Removes it permanently."), s.deleteImage)
	httpapi.Read(a, op("list-categories", http.MethodGet, "/categories", "Catalogues", "List the categories of a country", "The OpenStreetMap preset taxonomy."), s.listCategories)
	httpapi.Read(a, op("list-more-hour-types", http.MethodGet, "/locations/{location_id}/more-hour-types", "Catalogues", "List the types that more_hours may use", "Those of the primary category for a location that is connected with Google Business Profile."), s.listHourTypes)
	httpapi.Read(a, op("list-payment-options", http.MethodGet, "/locations/{location_id}/payment-options", "Catalogues", "List the identifiers that payment_options may use", ""), s.listPaymentOptions)
}

// LocationPath names a location.
type LocationPath struct {
	ID string `path:"location_id"`
}

type createLocationInput struct {
	ValidateOnly bool `query:"validate_only" doc:"Check everything, store nothing."`
	Body         Input
}

// DryRun implements httpapi.DryRunner.
func (in *createLocationInput) DryRun() bool { return in.ValidateOnly }

func (s *Service) createLocation(ctx context.Context, in *createLocationInput) (httpapi.Apply[httpapi.Answer[Location]], error) {
	var profile directory.Profile
	if err := assign(&in.Body, &profile, nil, HourTypes, s.clock.Now()).Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Location], error) {
		l, err := s.create(ctx, tx, who, profile)
		if in.ValidateOnly {
			l = l.Rehearsed()
		}
		return httpapi.Answer[Location]{Data: l, Meta: httpapi.Meta{ValidateOnly: &in.ValidateOnly}}, err
	}, nil
}

type updateLocationInput struct {
	LocationPath
	UpdateMask   string `query:"update_mask" doc:"Comma-separated names of the fields to change. Required."`
	ValidateOnly bool   `query:"validate_only" doc:"Check everything, store nothing."`
	Body         Input
}

// DryRun implements httpapi.DryRunner.
func (in *updateLocationInput) DryRun() bool { return in.ValidateOnly }

func (s *Service) updateLocation(ctx context.Context, in *updateLocationInput) (httpapi.Apply[httpapi.Answer[Location]], error) {
	mask, problems := ParseMask(in.UpdateMask)
	if len(problems) > 0 {
		return nil, append(problems, mistyped(&in.Body)...).Err()
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Location], error) {
		l, err := s.update(ctx, tx, who.AccountID, in.ID, &in.Body, mask)
		return httpapi.Answer[Location]{Data: l, Meta: httpapi.Meta{UpdateMask: mask}}, err
	}, nil
}

func (s *Service) getLocation(ctx context.Context, in *LocationPath) (httpapi.Answer[Location], error) {
	l, err := showLocation(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	return httpapi.Reply(l), err
}

type listLocationsInput struct {
	Statuses []Status               `query:"location_statuses" enum:"COMPLETED,PROCESSING,FAILED" doc:"Only locations in one of these states."`
	Frozen   httpapi.Optional[bool] `query:"frozen" doc:"Only frozen, or only other locations."`
	Query    string                 `query:"query" maxLength:"255" doc:"Only locations that have all of these words, or parts of words, in their name, address or phone number."`
	Limit    int                    `query:"limit" default:"50" minimum:"1" maximum:"50"`
	Offset   int                    `query:"offset" default:"0" minimum:"0"`
}

func (s *Service) listLocations(ctx context.Context, in *listLocationsInput) (httpapi.Answer[[]Location], error) {
	owner, filter := httpapi.Who(ctx).AccountID, locationFilter{in.Statuses, in.Frozen.Pointer()}
	if sought := strings.Fields(words.Fold(in.Query)); len(sought) > 0 {
		page, total, err := searchLocations(ctx, s.db, owner, filter, sought, in.Limit, in.Offset)
		return paged(page, in.Limit, in.Offset, total), err
	}
	total, err := countLocations(ctx, s.db, owner, filter)
	if err != nil {
		return httpapi.Answer[[]Location]{}, err
	}
	page, err := listLocations(ctx, s.db, owner, filter, in.Limit, in.Offset)
	return paged(page, in.Limit, in.Offset, total), err
}

type exportLocationsInput struct {
	For    string             `query:"for" required:"true" enum:"bing,apple" doc:"The directory: bing is Bing Places for Business, apple is Apple Business Connect."`
	Format spreadsheet.Format `query:"format" default:"csv" enum:"csv,xlsx" doc:"The kind of file."`
}

// exportMemory is what a page of locations may take while it is written.
const exportMemory = 4 << 20

func (s *Service) exportLocations(ctx context.Context, in *exportLocationsInput) (httpapi.File, error) {
	bulk, ok := directory.FindBulk(in.For)
	if !ok {
		return httpapi.File{}, errs.New(errs.Invalid, "There is no table for %.32q.", in.For)
	}
	owner := httpapi.Who(ctx).AccountID
	return httpapi.File{
		Name: "locations-" + bulk.ID + "." + string(in.Format), Type: in.Format.MediaType(),
		Write: func(ctx context.Context, w io.Writer) error {
			_, err := s.Export(ctx, owner, bulk, in.Format, w)
			return err
		},
	}, httpapi.Hold(ctx, exportMemory)
}

// paged answers with a page of a list; an empty one is [].
func paged[T any](page []T, limit, offset int, total int64) httpapi.Answer[[]T] {
	if page == nil {
		page = []T{}
	}
	return httpapi.Answer[[]T]{Data: page, Meta: httpapi.Meta{Limit: &limit, Offset: &offset, Total: &total}}
}

func (s *Service) deleteLocation(ctx context.Context, in *LocationPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Answer[httpapi.Empty]{}, s.remove(ctx, tx, who.AccountID, in.ID)
	}, nil
}

type listListingsInput struct {
	LocationPath
	Statuses []directory.Status `query:"listing_statuses" enum:"CONNECTED,SUBMITTED,UNAVAILABLE,DISCONNECTED,PROCESSING"`
}

func (s *Service) listListings(ctx context.Context, in *listListingsInput) (httpapi.Answer[[]Listing], error) {
	token, err := feedTokenOf(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return httpapi.Answer[[]Listing]{}, err
	}
	stored, err := listingsOf(ctx, s.db, in.ID)
	return httpapi.Reply(s.directories.show(stored, directory.Item{LocationID: in.ID, FeedToken: token}, in.Statuses)), err
}

// ListingPath names a listing.
type ListingPath struct {
	ID string `path:"listing_id"`
}

func (s *Service) switchListing(enable bool) func(context.Context, *ListingPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	return func(ctx context.Context, in *ListingPath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
		who := httpapi.Who(ctx)
		return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
			return httpapi.Answer[httpapi.Empty]{}, s.setWanted(ctx, tx, who.AccountID, in.ID, enable)
		}, nil
	}
}

func (s *Service) lookUpLocation(ctx context.Context, in *LocationPath) (httpapi.Apply[httpapi.Answer[Listing]], error) {
	l, outcome, err := s.lookUp(ctx, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Listing], error) {
		if err := s.recordLook(ctx, tx, l, outcome); err != nil {
			return httpapi.Answer[Listing]{}, err
		}
		stored, err := getListing(ctx, tx, l.accountID, l.id)
		if err != nil {
			return httpapi.Answer[Listing]{}, err
		}
		return httpapi.Reply(s.directories.show([]listing{stored}, directory.Item{LocationID: in.ID}, nil)[0]), nil
	}, nil
}

type createImageInput struct {
	LocationPath
	Body struct {
		Content     httpapi.Field[string] `json:"content" required:"false" doc:"Base64 of JPEG or PNG data, with or without a data: prefix. Required."`
		Type        httpapi.Field[string] `json:"type" required:"false" doc:"PHOTO, PROFILE or COVER. Required."`
		Description httpapi.Field[string] `json:"description" required:"false" doc:"Caption, at most 255 characters."`
	}
}

func (s *Service) createImage(ctx context.Context, in *createImageInput) (httpapi.Apply[httpapi.Answer[Image]], error) {
	who := httpapi.Who(ctx)
	pic, err := in.check()
	if err != nil {
		return nil, err
	}
	l, err := showLocation(ctx, s.db, who.AccountID, in.ID) // before bytes are stored for nothing
	if err == nil {
		err = checkFrozen(l)
	}
	if err == nil {
		err = s.accounts.Check(ctx, s.db, who.AccountID, account.ImageBytes, int64(len(pic.Data)))
	}
	if err != nil {
		return nil, err
	}
	if err := s.store(ctx, pic); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Image], error) {
		img, err := s.addImage(ctx, tx, who.AccountID, in.ID, in.Body.Type.Value, in.Body.Description.Value, pic)
		return httpapi.Reply(img), err
	}, nil
}

func (in *createImageInput) check() (pic *picture.Picture, err error) {
	var problems errs.Problems
	kind, content := &in.Body.Type, &in.Body.Content
	if !kind.Mistyped(&problems, "type") && !slices.Contains(ImageTypes, kind.Value) {
		problems.Add("type", errs.ImageTypeUnknown, "type must be %s.", strings.Join(ImageTypes, ", "))
	}
	switch {
	case content.Mistyped(&problems, "content"):
	case content.Value == "":
		problems.Add("content", errs.NotSpecified, "content is not specified.")
	default:
		pic = readPicture(&problems, content.Value, kind.Value)
	}
	checkCaption(&problems, &in.Body.Description)
	return pic, problems.Err()
}

func checkCaption(problems *errs.Problems, f *httpapi.Field[string]) {
	if n := utf8.RuneCountInString(f.Value); !f.Mistyped(problems, "description") && n > maxCaption {
		problems.Add("description", errs.TooLong, "description has %d characters; at most %d are allowed.", n, maxCaption)
	}
}

type listImagesInput struct {
	LocationPath
	Types  []string `query:"image_types" enum:"PHOTO,PROFILE,COVER"`
	Limit  int      `query:"limit" default:"50" minimum:"1" maximum:"50"`
	Offset int      `query:"offset" default:"0" minimum:"0"`
}

func (s *Service) listLocationImages(ctx context.Context, in *listImagesInput) (httpapi.Answer[[]Image], error) {
	page, total, err := listImages(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID, in.Types, in.Limit, in.Offset)
	for i := range page {
		page[i].URL = s.imageURL(page[i])
	}
	return paged(page, in.Limit, in.Offset, total), err
}

// ImagePath names an image.
type ImagePath struct {
	ID string `path:"image_id"`
}

type updateImageInput struct {
	ImagePath
	Body struct {
		Description httpapi.Field[string] `json:"description" required:"false" doc:"Caption, at most 255 characters."`
	}
}

func (s *Service) updateImage(ctx context.Context, in *updateImageInput) (httpapi.Apply[httpapi.Answer[Image]], error) {
	var problems errs.Problems
	if !in.Body.Description.Set {
		problems.Add("description", errs.NotSpecified, "description is not specified.")
	}
	checkCaption(&problems, &in.Body.Description)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[Image], error) {
		img, err := s.describeImage(ctx, tx, who.AccountID, in.ID, in.Body.Description.Value)
		return httpapi.Reply(img), err
	}, nil
}

func (s *Service) deleteImage(ctx context.Context, in *ImagePath) (httpapi.Apply[httpapi.Answer[httpapi.Empty]], error) {
	who := httpapi.Who(ctx)
	return func(ctx context.Context, tx *db.Tx) (httpapi.Answer[httpapi.Empty], error) {
		return httpapi.Answer[httpapi.Empty]{}, s.removeImage(ctx, tx, who.AccountID, in.ID)
	}, nil
}

type listCategoriesInput struct {
	Country string `query:"country" required:"true" doc:"ISO 3166-1 alpha-2."`
	Limit   int    `query:"limit" default:"1000" minimum:"1" maximum:"1000"`
	Offset  int    `query:"offset" default:"0" minimum:"0"`
}

func (s *Service) listCategories(_ context.Context, in *listCategoriesInput) (httpapi.Answer[[]category.Category], error) {
	page, total, ok := category.List(in.Country, in.Limit, in.Offset)
	if !ok {
		var problems errs.Problems
		problems.Add("country", errs.CountryUnknown, "%.16q is not an ISO 3166-1 alpha-2 country code in upper case.", in.Country)
		return httpapi.Answer[[]category.Category]{}, problems.Err()
	}
	return paged(page, in.Limit, in.Offset, int64(total)), nil
}

type hourTypes struct {
	Types []string `json:"more_hour_types"`
}

func (s *Service) listHourTypes(ctx context.Context, in *LocationPath) (httpapi.Answer[hourTypes], error) {
	l, err := showLocation(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	if err != nil {
		return httpapi.Answer[hourTypes]{}, err
	}
	types, err := s.hourTypes(ctx, s.db, l.accountID, l.ID)
	return httpapi.Reply(hourTypes{types}), err
}

type paymentOptions struct {
	Options []string `json:"payment_options"`
}

func (s *Service) listPaymentOptions(ctx context.Context, in *LocationPath) (httpapi.Answer[paymentOptions], error) {
	_, err := showLocation(ctx, s.db, httpapi.Who(ctx).AccountID, in.ID)
	return httpapi.Reply(paymentOptions{PaymentOptions}), err
}
