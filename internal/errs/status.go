package errs

// Status is a stable UPPER_SNAKE name of a problem. Clients match on it, so a name is never changed.
type Status string

// The names, all of them; the API documents list this table.
const (
	// Any operation.
	InvalidParameter    Status = "INVALID_PARAMETER"
	InvalidBody         Status = "INVALID_BODY"
	InvalidType         Status = "INVALID_TYPE"
	InvalidValue        Status = "INVALID_VALUE"
	InvalidCharacters   Status = "INVALID_CHARACTERS"
	NotSpecified        Status = "NOT_SPECIFIED"
	TooLong             Status = "TOO_LONG"
	TooShort            Status = "TOO_SHORT"
	TooMany             Status = "TOO_MANY"
	Duplicate           Status = "DUPLICATE"
	ReadOnlyKey         Status = "READ_ONLY_KEY"
	IdempotencyMismatch Status = "IDEMPOTENCY_KEY_REUSED"

	// People.
	SessionRequired Status = "SESSION_REQUIRED"
	CrossOrigin     Status = "CROSS_ORIGIN"
	EmailInvalid    Status = "EMAIL_INVALID"
	PasswordWrong   Status = "PASSWORD_WRONG"
	PasswordWeak    Status = "PASSWORD_WEAK"
	TooManyTries    Status = "TOO_MANY_TRIES"
	LinkInvalid     Status = "LINK_INVALID"
	SignupClosed    Status = "SIGNUP_CLOSED"
	AccountExists   Status = "ACCOUNT_EXISTS"

	// Locations.
	BusinessNameNotSpecified Status = "BUSINESS_NAME_NOT_SPECIFIED"
	PhoneNotSpecified        Status = "PHONE_NOT_SPECIFIED"
	PhoneInvalid             Status = "PHONE_INVALID"
	CountryNotSpecified      Status = "COUNTRY_NOT_SPECIFIED"
	CountryUnknown           Status = "COUNTRY_UNKNOWN"
	RegionNotSpecified       Status = "REGION_NOT_SPECIFIED"
	CityNotSpecified         Status = "CITY_NOT_SPECIFIED"
	ZipNotSpecified          Status = "ZIP_NOT_SPECIFIED"
	AddressNotSpecified      Status = "ADDRESS_NOT_SPECIFIED"
	CategoriesNotSpecified   Status = "CATEGORIES_NOT_SPECIFIED"
	CategoryUnknown          Status = "CATEGORY_UNKNOWN"
	URLInvalid               Status = "URL_INVALID"
	CoordinatesInvalid       Status = "COORDINATES_INVALID"
	HoursInvalid             Status = "HOURS_INVALID"
	HoursOverlap             Status = "HOURS_OVERLAP"
	SpecialHoursInvalid      Status = "SPECIAL_HOURS_INVALID"
	BusinessHoursRequired    Status = "BUSINESS_HOURS_REQUIRED"
	MoreHoursTypeUnknown     Status = "MORE_HOURS_TYPE_UNKNOWN"
	PaymentOptionUnknown     Status = "PAYMENT_OPTION_UNKNOWN"
	ServiceAreaRequired      Status = "SERVICE_AREA_REQUIRED"
	ReopenDateInvalid        Status = "REOPEN_DATE_INVALID"
	UpdateMaskNotSpecified   Status = "UPDATE_MASK_NOT_SPECIFIED"
	UpdateMaskInvalid        Status = "UPDATE_MASK_INVALID"
	LocationLimitReached     Status = "LOCATION_LIMIT_REACHED"
	LocationFrozen           Status = "LOCATION_FROZEN"
	DirectoryRejected        Status = "DIRECTORY_REJECTED"

	// Listings and images.
	ListingNotControllable Status = "LISTING_NOT_CONTROLLABLE"
	ListingWrongStatus     Status = "LISTING_WRONG_STATUS"
	ImageInvalid           Status = "IMAGE_INVALID"
	ImageTooLarge          Status = "IMAGE_TOO_LARGE"
	ImageDimensions        Status = "IMAGE_DIMENSIONS"
	ImageTypeUnknown       Status = "IMAGE_TYPE_UNKNOWN"
	ImageStorageFull       Status = "IMAGE_STORAGE_FULL"

	// Campaigns.
	PlaceNotFound        Status = "PLACE_NOT_FOUND"
	CampaignLimitReached Status = "CAMPAIGN_LIMIT_REACHED"
	NotEnoughCredits     Status = "NOT_ENOUGH_CREDITS"
	GridAndPoints        Status = "GRID_AND_POINTS"
	GridInvalid          Status = "GRID_INVALID"
	PointsInvalid        Status = "POINTS_INVALID"
	KeywordInvalid       Status = "KEYWORD_INVALID"
	FrequencyInvalid     Status = "FREQUENCY_INVALID"
	CollectionRunning    Status = "COLLECTION_RUNNING"
	ReportExists         Status = "REPORT_EXISTS"
	ReportUnknown        Status = "REPORT_UNKNOWN"
	AccessDenied         Status = "ACCESS_DENIED"

	// Trackings.
	TrackingExists       Status = "TRACKING_EXISTS"
	TrackingLimitReached Status = "TRACKING_LIMIT_REACHED"
	KeywordLimitReached  Status = "KEYWORD_LIMIT_REACHED"
	TagExists            Status = "TAG_EXISTS"
	AnnotationAutomatic  Status = "ANNOTATION_AUTOMATIC"

	// Research.
	LookupLimitReached Status = "LOOKUP_LIMIT_REACHED"
	KeywordStorageFull Status = "KEYWORD_STORAGE_FULL"

	// Connections.
	ConnectionNotConfigured Status = "CONNECTION_NOT_CONFIGURED"
)

// Statuses lists every name, in the order above; a test holds the two together.
var Statuses = []Status{
	InvalidParameter, InvalidBody, InvalidType, InvalidValue, InvalidCharacters, NotSpecified, TooLong, TooShort,
	TooMany, Duplicate, ReadOnlyKey, IdempotencyMismatch, SessionRequired, CrossOrigin, EmailInvalid,
	PasswordWrong, PasswordWeak, TooManyTries, LinkInvalid, SignupClosed, AccountExists, BusinessNameNotSpecified, PhoneNotSpecified, PhoneInvalid,
	CountryNotSpecified, CountryUnknown, RegionNotSpecified, CityNotSpecified, ZipNotSpecified, AddressNotSpecified,
	CategoriesNotSpecified, CategoryUnknown, URLInvalid, CoordinatesInvalid, HoursInvalid, HoursOverlap,
	SpecialHoursInvalid, BusinessHoursRequired, MoreHoursTypeUnknown, PaymentOptionUnknown, ServiceAreaRequired,
	ReopenDateInvalid, UpdateMaskNotSpecified, UpdateMaskInvalid, LocationLimitReached, LocationFrozen,
	DirectoryRejected, ListingNotControllable, ListingWrongStatus, ImageInvalid, ImageTooLarge, ImageDimensions,
	ImageTypeUnknown, ImageStorageFull, PlaceNotFound, CampaignLimitReached, NotEnoughCredits, GridAndPoints, GridInvalid, PointsInvalid,
	KeywordInvalid, FrequencyInvalid, CollectionRunning, ReportExists, ReportUnknown, AccessDenied, TrackingExists,
	TrackingLimitReached, KeywordLimitReached, TagExists, AnnotationAutomatic, LookupLimitReached, KeywordStorageFull,
	ConnectionNotConfigured,
}
