package businessprofile

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trigpoint/trigpoint/internal/clock"
	"github.com/trigpoint/trigpoint/internal/provider"
)

// Where Google's APIs are.
const (
	accountsURL      = "https://mybusinessaccountmanagement.googleapis.com"
	informationURL   = "https://mybusinessbusinessinformation.googleapis.com"
	verificationsURL = "https://mybusinessverifications.googleapis.com"
	mediaURL         = "https://mybusiness.googleapis.com"
)

// quota is what a project may ask: 300 requests a minute.
var quota = provider.Pace{Concurrent: 8, PerSecond: 5}

const (
	maxPages = 20 // of any list that is read
	pageSize = 100

	// readFields are those that tell whether a profile is a location's, and what differs.
	readFields = "name,storeCode,title,phoneNumbers,categories,storefrontAddress,websiteUri,latlng,regularHours,specialHours,moreHours,serviceArea,openInfo,profile,metadata"
)

// Tokens opens an account's connection with Google. The errors of Token are a provider's.
type Tokens interface {
	Token(ctx context.Context, accountID string) (string, error)
	Reject(accountID, token string)
}

// api asks Google's APIs for accounts of ours, within the pace of the project.
type api struct {
	tokens                                      Tokens
	caller                                      *provider.Caller
	accounts, information, verifications, media *provider.Client
}

// describe names the provider; project stands for the Google Cloud project whose quota is used.
func describe(project string) provider.Descriptor {
	return provider.Descriptor{Name: "business_profile", Title: "Google Business Profile", Pace: quota, Account: project}
}

// newAPI takes a base URL in place of all of Google's, for tests.
func newAPI(baseURL, project string, tokens Tokens, c clock.Clock, o provider.CallerOptions) (*api, error) {
	a := &api{tokens: tokens, caller: provider.NewCaller(describe(project), o)}
	for _, part := range []struct {
		client **provider.Client
		url    string
	}{{&a.accounts, accountsURL}, {&a.information, informationURL}, {&a.verifications, verificationsURL}, {&a.media, mediaURL}} {
		var err error
		if *part.client, err = provider.NewClient(provider.ClientOptions{
			Descriptor: describe(project), BaseURL: cmp.Or(baseURL, part.url), Clock: c, Explain: explain,
		}); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ask asks for an account of ours.
func (a *api) ask(ctx context.Context, accountID string, c *provider.Client, r provider.Request, out provider.Answer) error {
	_, err := provider.Call(ctx, a.caller, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, a.attempt(ctx, accountID, c, r, out)
	})
	return err
}

// askOnce is ask for what must not be done twice: whether a request that failed on its way was heard is for its user to
// find out.
func (a *api) askOnce(ctx context.Context, accountID string, c *provider.Client, r provider.Request, out provider.Answer) error {
	var unclear error
	_, err := provider.Call(ctx, a.caller, func(ctx context.Context) (struct{}, error) {
		err := a.attempt(ctx, accountID, c, r, out)
		if provider.KindOf(err) == provider.Transient {
			unclear, err = err, nil
		}
		return struct{}{}, err
	})
	if err == nil {
		err = unclear
	}
	return err
}

// attempt is one request, or two where Google takes the token for ended before its time.
func (a *api) attempt(ctx context.Context, accountID string, c *provider.Client, r provider.Request, out provider.Answer) error {
	token, err := a.tokens.Token(ctx, accountID)
	if err != nil {
		return err
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}}
	err = c.Do(ctx, r, out)
	if provider.KindOf(err) != provider.Unauthorized {
		return err
	}
	a.tokens.Reject(accountID, token)
	fresh, failed := a.tokens.Token(ctx, accountID)
	if failed != nil {
		return failed
	}
	if err := provider.Turn(ctx); err != nil {
		return err
	}
	r.Header = http.Header{"Authorization": {"Bearer " + fresh}}
	return c.Do(ctx, r, out)
}

// googleAccounts lists what the person who connected may manage.
func (a *api) googleAccounts(ctx context.Context, accountID string) (all []googleAccount, err error) {
	query := url.Values{"pageSize": {"20"}}
	for range maxPages {
		var page accountsPage
		if err := a.ask(ctx, accountID, a.accounts, provider.Request{Path: "v1/accounts", Query: query}, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Accounts...); page.Next == "" {
			break
		}
		query.Set("pageToken", page.Next)
	}
	return all, nil
}

// locationsWith lists the profiles of a Google account whose field is the value. Google's filter is not believed: who
// asks looks again.
func (a *api) locationsWith(ctx context.Context, accountID, googleAccount, field, value string) (all []location, err error) {
	query := url.Values{"readMask": {readFields}, "pageSize": {strconv.Itoa(pageSize)}, "filter": {field + "=" + strconv.Quote(value)}}
	for range maxPages {
		var page locationsPage
		if err := a.ask(ctx, accountID, a.information, provider.Request{Path: "v1/" + googleAccount + "/locations", Query: query}, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Locations...); page.Next == "" {
			break
		}
		query.Set("pageToken", page.Next)
	}
	return all, nil
}

// search finds what Google knows of a business, whoever owns it.
func (a *api) search(ctx context.Context, accountID string, l location) (found googleLocations, err error) {
	body := map[string]any{"location": l, "pageSize": 10}
	err = a.ask(ctx, accountID, a.information, provider.Request{Method: http.MethodPost, Path: "v1/googleLocations:search", Body: body}, &found)
	return found, err
}

func (a *api) get(ctx context.Context, accountID, name, mask string) (l location, err error) {
	err = a.ask(ctx, accountID, a.information, provider.Request{Path: "v1/" + name, Query: url.Values{"readMask": {mask}}}, &l)
	return l, err
}

// create makes a profile. Asking again with the same request id makes no second one.
func (a *api) create(ctx context.Context, accountID, googleAccount, requestID string, l location) (made location, err error) {
	query := url.Values{"requestId": {requestID}}
	err = a.ask(ctx, accountID, a.information, provider.Request{Method: http.MethodPost, Path: "v1/" + googleAccount + "/locations", Query: query, Body: l}, &made)
	return made, err
}

// patch changes what the mask names, once Google has said that it would accept it.
func (a *api) patch(ctx context.Context, accountID, name string, c change) error {
	query := url.Values{"updateMask": {strings.Join(c.mask, ",")}, "validateOnly": {"true"}}
	r := provider.Request{Method: http.MethodPatch, Path: "v1/" + name, Query: query, Body: c.body}
	if err := a.ask(ctx, accountID, a.information, r, &nothing{}); err != nil {
		return err
	}
	query.Del("validateOnly")
	return a.ask(ctx, accountID, a.information, r, &location{})
}

func (a *api) remove(ctx context.Context, accountID, name string) error {
	return a.ask(ctx, accountID, a.information, provider.Request{Method: http.MethodDelete, Path: "v1/" + name}, &nothing{})
}

// offered lists the attributes that Google offers for a profile.
func (a *api) offered(ctx context.Context, accountID, name string) (names []string, err error) {
	query := url.Values{"parent": {name}, "pageSize": {"200"}}
	for range maxPages {
		var page attributeMetadata
		if err := a.ask(ctx, accountID, a.information, provider.Request{Path: "v1/attributes", Query: query}, &page); err != nil {
			return nil, err
		}
		for _, e := range page.Entries {
			if !e.Deprecated {
				names = append(names, e.Parent)
			}
		}
		if page.Next == "" {
			break
		}
		query.Set("pageToken", page.Next)
	}
	return names, nil
}

// setAttributes sets the attributes that the mask names; those without a value are cleared.
func (a *api) setAttributes(ctx context.Context, accountID, name string, mask []string, values map[string]bool) error {
	body := attributes{Name: name + "/attributes"}
	slices.Sort(mask)
	for _, attributeName := range mask {
		if value, ok := values[attributeName]; ok {
			body.Attributes = append(body.Attributes, attribute{attributeName, []any{value}})
		}
	}
	r := provider.Request{Method: http.MethodPatch, Path: "v1/" + name + "/attributes", Query: url.Values{"attributeMask": {strings.Join(mask, ",")}}, Body: body}
	return a.ask(ctx, accountID, a.information, r, &attributes{})
}

// categoriesCalled lists the categories whose English names begin so.
func (a *api) categoriesCalled(ctx context.Context, accountID, region, name string) ([]categoryEntry, error) {
	query := url.Values{"regionCode": {region}, "languageCode": {"en"}, "view": {"BASIC"}, "filter": {"displayName=" + name}, "pageSize": {strconv.Itoa(pageSize)}}
	var page categoriesPage
	err := a.ask(ctx, accountID, a.information, provider.Request{Path: "v1/categories", Query: query}, &page)
	return page.Categories, err
}

// hourTypes lists the types of hours that a category offers.
func (a *api) hourTypes(ctx context.Context, accountID, region, category string) ([]string, error) {
	query := url.Values{"regionCode": {region}, "languageCode": {"en"}, "view": {"FULL"}, "names": {category}}
	var page categoriesPage
	if err := a.ask(ctx, accountID, a.information, provider.Request{Path: "v1/categories:batchGet", Query: query}, &page); err != nil {
		return nil, err
	}
	types := []string{}
	for _, c := range page.Categories {
		if c.Name != category {
			continue
		}
		for _, t := range c.MoreHoursTypes {
			types = append(types, t.HoursTypeID)
		}
	}
	return types, nil
}

func (a *api) voice(ctx context.Context, accountID, name string) (v voiceOfMerchant, err error) {
	err = a.ask(ctx, accountID, a.verifications, provider.Request{Path: "v1/" + name + "/VoiceOfMerchantState"}, &v)
	return v, err
}

// addPicture has Google fetch a picture. It is asked once: see askOnce.
func (a *api) addPicture(ctx context.Context, accountID, profile string, m mediaItem) (name string, err error) {
	var made mediaItem
	err = a.askOnce(ctx, accountID, a.media, provider.Request{Method: http.MethodPost, Path: "v4/" + profile + "/media", Body: m}, &made)
	return made.Name, err
}

// pictures lists the pictures of a profile that the owner has put there.
func (a *api) pictures(ctx context.Context, accountID, profile string) (all []mediaItem, err error) {
	query := url.Values{"pageSize": {strconv.Itoa(pageSize)}}
	for range maxPages {
		var page mediaPage
		if err := a.ask(ctx, accountID, a.media, provider.Request{Path: "v4/" + profile + "/media", Query: query}, &page); err != nil {
			return nil, err
		}
		if all = append(all, page.Items...); page.Next == "" {
			break
		}
		query.Set("pageToken", page.Next)
	}
	return all, nil
}

func (a *api) removePicture(ctx context.Context, accountID, name string) error {
	return a.ask(ctx, accountID, a.media, provider.Request{Method: http.MethodDelete, Path: "v4/" + name}, &nothing{})
}
