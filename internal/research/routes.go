package research

import (
	"bytes"
	"context"
	"encoding/base64"
	"net/http"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/account"
	"github.com/trigpoint/trigpoint/internal/db"
	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/location"
	"github.com/trigpoint/trigpoint/internal/research/snapshot"
	"github.com/trigpoint/trigpoint/internal/serp"
	"github.com/trigpoint/trigpoint/internal/webtarget"
)

// Prefix is the base path of area C.
const Prefix = "/_api/v3"

// Scheme is how the area's requests are signed: X-Access-Token: <API_KEY>.
var Scheme = httpapi.Scheme{Header: "X-Access-Token", Kind: account.Key}

// Mount registers the research operations of area C.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, tag, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: tag, Summary: summary, Help: help, Time: httpapi.ProviderTime}
	}
	imports := op("import-keywords", http.MethodPost, "/keywordtool/keyword-imports", "Keyword research", "Get the metrics of keywords", "At most 1,000 keywords. Figures that are missing or older than 30 days are asked of the configured data providers, all in one question, which takes one of the plan's live look-ups. A keyword-planner export (UTF-16 or UTF-8; tabs, commas or semicolons) as body fills the account's keyword store instead: at most 10,000 lines, with location_id and language_id in the query, as many as the plan allows.").Requires("keywords").Fails(errs.Dependency)
	imports.Media, imports.Body, imports.MaxBody = []string{"text/csv", "text/tab-separated-values"}, importBody{}, maxImport

	httpapi.ChangePlain(a, imports, s.postKeywords)
	httpapi.ReadPlain(a, op("related-keywords", http.MethodGet, "/keywordtool/related-keywords", "Keyword research", "Find related keywords", "The seed first, then by shared words, shared results, and what the search engine and the configured data providers propose; at most 1,000. Proposals are asked for once in 30 days.").Fails(errs.Dependency), s.relatedKeywords)
	httpapi.ReadPlain(a, op("suggested-keywords", http.MethodGet, "/keywordtool/suggested-keywords", "Keyword research", "Suggest keywords for a domain or URL", "What it and its closest competitors rank for, what is like it, and what the configured data providers propose; 100 a page.").Fails(errs.Dependency), s.suggestedKeywords)
	httpapi.ReadPlain(a, op("gap-analysis", http.MethodPost, "/keywordtool/gap-analysis", "Keyword research", "Find keywords that competitors rank for and the domain does not", "100 a page and competitor.").Requires("domain", "competitors").Fails(errs.Dependency), s.gapAnalysis)
	httpapi.ReadPlain(a, op("competitor-keywords", http.MethodGet, "/keywordtool/competitor-keywords", "Keyword research", "List the keywords that a domain or URL ranks for", "Best position first, 100 a page, from the account's newest result pages in the location and inside it, and from the configured data providers for its country, once a day.").Fails(errs.Dependency), s.competitorKeywords)
	httpapi.ReadPlain(a, op("competitor-keywords-by-body", http.MethodPost, "/keywordtool/competitor-keywords", "Keyword research", "List the keywords that a domain or URL ranks for", "As the GET form, with the parameters in the body or in the query.").Fails(errs.Dependency), s.competitorKeywordsByBody)
	httpapi.ReadPlain(a, op("competitor-domain", http.MethodGet, "/keywordtool/competitor-domain", "Keyword research", "List the domains that share most keywords with a domain or URL", "At most 20, those that share most first: by the account's result pages and, where it ranks on fewer than ten of them, first of all by the configured data providers, once a day.").Fails(errs.Dependency), s.competitorDomains)
	httpapi.ReadPlain(a, op("get-serp", http.MethodGet, "/serpcheck/serps", "Result pages", "Get the result page of a keyword", "The first 20 organic results and what surrounds them. An account that asks the same within 24 hours gets the same page; another page takes one of the plan's live look-ups, 429 CreditLimit when there are none left. 424 when the data provider fails, and nothing is taken.").Fails(errs.Dependency), s.getSerp)
	httpapi.ReadPage(a, op("get-snapshot", http.MethodGet, "/serpcheck/serps/{serp_id}/snapshot", "Result pages", "Get a picture of a result page", "A PNG as base64, or a web page for clients that prefer text/html. Results of tracked domains are marked."), s.getSnapshot, s.showSnapshot)
	httpapi.ReadPlain(a, op("url-metrics", http.MethodGet, "/serpcheck/url-metrics", "Result pages", "Get the metrics of a URL", "From imported lists of domains, from the account's own result pages and, once in 7 days, from the configured data providers."), s.urlMetrics)
	httpapi.ReadPlain(a, op("search-locations", http.MethodGet, "/shared/locations", "Locations", "Search locations", "Countries, regions and cities whose name begins with the query; accents and case do not matter. At most 100, the best match first. Data: GeoNames, CC BY 4.0."), s.searchLocations)
}

type relatedInput struct {
	Keyword    string `query:"kw" required:"true" doc:"Seed, at most 80 characters and 10 words."`
	LocationID int    `query:"location_id" default:"0" doc:"0 is anywhere."`
	LanguageID int    `query:"language_id" default:"0" doc:"Language constant of Google Ads; 1000 is English, 0 any."`
	market     market
}

// Resolve implements huma.Resolver.
func (in *relatedInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	in.market = readMarket(&problems, in.LocationID, in.LanguageID)
	readQueryKeyword(&problems, in.Keyword)
	return problems.Resolved()
}

func readQueryKeyword(problems *errs.Problems, kw string) {
	if kw == "" {
		return // the schema has said so
	}
	if problem, bad := checkKeyword("kw", kw); bad {
		*problems = append(*problems, problem)
	}
}

func (s *Service) relatedKeywords(ctx context.Context, in *relatedInput) (RelatedKeywords, error) {
	return s.related(ctx, httpapi.Who(ctx).AccountID, serp.NormalKeyword(in.Keyword), in.market)
}

// TargetQuery names a domain or URL and where it is searched.
type TargetQuery struct {
	URL        string `query:"url" required:"true" doc:"Domain, host or URL prefix."`
	LocationID int    `query:"location_id" default:"0" doc:"Result pages of this place and of all inside it; 0 is anywhere."`
	target     webtarget.Target
	market     market
}

// Resolve implements huma.Resolver.
func (in *TargetQuery) Resolve(huma.Context) []error {
	var problems errs.Problems
	in.market = readMarket(&problems, in.LocationID, 0)
	if in.URL != "" {
		in.target = parseTarget(&problems, "url", in.URL)
	}
	return problems.Resolved()
}

type domainInput struct {
	TargetQuery
	Page int `query:"page" default:"0" minimum:"0" maximum:"1000000" doc:"From 0."`
}

func (s *Service) suggestedKeywords(ctx context.Context, in *domainInput) (KeywordPage, error) {
	return s.suggested(ctx, httpapi.Who(ctx).AccountID, in.target, in.market, in.Page)
}

func (s *Service) competitorKeywords(ctx context.Context, in *domainInput) (KeywordPage, error) {
	return s.keywordsOf(ctx, httpapi.Who(ctx).AccountID, in.target, in.market, in.Page)
}

type competitorBody struct {
	URL        httpapi.Field[string] `json:"url" required:"false" doc:"Domain, host or URL prefix. Required here or in the query."`
	LocationID httpapi.Field[int]    `json:"location_id" required:"false" doc:"0, the default, is anywhere."`
	Page       httpapi.Field[int]    `json:"page" required:"false" doc:"From 0."`
}

type competitorBodyInput struct {
	URL        httpapi.Optional[string] `query:"url" doc:"As in the body, which wins."`
	LocationID httpapi.Optional[int]    `query:"location_id"`
	Page       httpapi.Optional[int]    `query:"page"`
	Body       *competitorBody
	target     webtarget.Target
	market     market
	page       int
}

// Resolve implements huma.Resolver.
func (in *competitorBodyInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	body := in.Body
	if body == nil {
		body = &competitorBody{}
	}
	in.target = readTarget(&problems, "url", body.URL, in.URL.Value)
	in.page = readPage(&problems, body.Page, 0, in.Page.Value)
	in.market = readMarket(&problems, readField(&problems, "location_id", body.LocationID, in.LocationID.Value), 0)
	return problems.Resolved()
}

func (s *Service) competitorKeywordsByBody(ctx context.Context, in *competitorBodyInput) (KeywordPage, error) {
	return s.keywordsOf(ctx, httpapi.Who(ctx).AccountID, in.target, in.market, in.page)
}

func (s *Service) competitorDomains(ctx context.Context, in *TargetQuery) ([]string, error) {
	return s.competitors(ctx, httpapi.Who(ctx).AccountID, in.target, in.market)
}

type gapInput struct {
	Body *struct {
		Domain      httpapi.Field[string]   `json:"domain" required:"false" doc:"Domain, host or URL prefix. Required."`
		Competitors httpapi.Field[[]string] `json:"competitors" required:"false" doc:"1 to 5 of the same. Required."`
		LocationID  httpapi.Field[int]      `json:"location_id" required:"false" doc:"0, the default, is anywhere."`
		Page        httpapi.Field[int]      `json:"page" required:"false" doc:"From 1."`
	}
	domain      webtarget.Target
	competitors []webtarget.Target
	market      market
	page        int
}

// Resolve implements huma.Resolver.
func (in *gapInput) Resolve(huma.Context) []error {
	if in.Body == nil {
		return nil // there is none, which gapAnalysis reports, or it is not JSON
	}
	var problems errs.Problems
	in.domain = readTarget(&problems, "domain", in.Body.Domain, "")
	in.competitors = readCompetitors(&problems, &in.Body.Competitors, in.domain)
	in.page = readPage(&problems, in.Body.Page, 1, 1)
	in.market = readMarket(&problems, readField(&problems, "location_id", in.Body.LocationID, 0), 0)
	return problems.Resolved()
}

func (s *Service) gapAnalysis(ctx context.Context, in *gapInput) (GapAnalysis, error) {
	if in.Body == nil {
		return GapAnalysis{}, noBody()
	}
	return s.gaps(ctx, httpapi.Who(ctx).AccountID, in.domain, in.competitors, in.market, in.page)
}

type serpInput struct {
	Keyword    string `query:"kw" required:"true" doc:"At most 80 characters and 10 words."`
	LocationID int    `query:"location_id" default:"0" doc:"Where the search is made from; 0 is anywhere."`
	PlatformID int    `query:"platform_id" default:"1" enum:"1,2" doc:"1 desktop, 2 mobile."`
	market     market
}

// Resolve implements huma.Resolver.
func (in *serpInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	in.market = readMarket(&problems, in.LocationID, 0)
	readQueryKeyword(&problems, in.Keyword)
	return problems.Resolved()
}

func (s *Service) getSerp(ctx context.Context, in *serpInput) (Serp, error) {
	record, err := s.serp(ctx, httpapi.Who(ctx).AccountID, in.Keyword, in.market, in.PlatformID)
	if err != nil {
		return Serp{}, err
	}
	return s.show(ctx, record, in.market)
}

type snapshotInput struct {
	ID     string `path:"serp_id"`
	Domain string `query:"domain" doc:"A domain or URL prefix to mark, besides the tracked ones."`
	marked []webtarget.Target
}

// Resolve implements huma.Resolver.
func (in *snapshotInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	if in.Domain != "" {
		in.marked = []webtarget.Target{parseTarget(&problems, "domain", in.Domain)}
	}
	return problems.Resolved()
}

// Snapshot is a picture of a result page.
type Snapshot struct {
	Image string `json:"image" doc:"PNG as base64."`
}

func (s *Service) getSnapshot(ctx context.Context, in *snapshotInput) (Snapshot, error) {
	page, marked, err := s.snapshot(ctx, httpapi.Who(ctx).AccountID, in.ID, in.marked)
	if err != nil {
		return Snapshot{}, err
	}
	var png bytes.Buffer
	if err := snapshot.Draw(&png, page, marked); err != nil {
		return Snapshot{}, err
	}
	return Snapshot{Image: base64.StdEncoding.EncodeToString(png.Bytes())}, nil
}

func (s *Service) showSnapshot(ctx context.Context, in *snapshotInput) (httpapi.Page, error) {
	page, marked, err := s.snapshot(ctx, httpapi.Who(ctx).AccountID, in.ID, in.marked)
	if err != nil {
		return httpapi.Page{}, err
	}
	var html bytes.Buffer
	err = snapshot.WriteHTML(&html, page, marked)
	return httpapi.Page{Body: html.Bytes(), Policy: snapshot.Policy()}, err
}

type urlInput struct {
	URL    string `query:"url" required:"true" doc:"URL or domain."`
	target webtarget.Target
}

// Resolve implements huma.Resolver.
func (in *urlInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	if in.URL != "" {
		in.target = parseTarget(&problems, "url", in.URL)
	}
	return problems.Resolved()
}

func (s *Service) urlMetrics(ctx context.Context, in *urlInput) (URLMetrics, error) {
	return s.metrics(ctx, httpapi.Who(ctx).AccountID, in.URL, in.target)
}

type locationsInput struct {
	Query string `query:"query" required:"true" doc:"Start of a name, 2 to 100 characters; a region or country may follow, as in: portland, oregon."`
}

// Resolve implements huma.Resolver.
func (in *locationsInput) Resolve(huma.Context) []error {
	var problems errs.Problems
	if n := utf8.RuneCountInString(in.Query); in.Query != "" && (n < location.MinQuery || n > location.MaxQuery) {
		problems.Add("query", "", "query must have 2 to 100 characters.")
	}
	return problems.Resolved()
}

func (s *Service) searchLocations(_ context.Context, in *locationsInput) ([]location.Location, error) {
	return location.Search(in.Query, location.MaxResults), nil
}

type importBody struct {
	Keywords   httpapi.Field[[]string] `json:"keywords" required:"false" doc:"1 to 1,000 keywords of at most 80 characters and 10 words. Required."`
	LocationID httpapi.Field[int]      `json:"location_id" required:"false" doc:"0, the default, is anywhere."`
	LanguageID httpapi.Field[int]      `json:"language_id" required:"false" doc:"0, the default, is any."`
}

type importInput struct {
	LocationID httpapi.Optional[int] `query:"location_id" doc:"For a planner export; a JSON body has its own."`
	LanguageID httpapi.Optional[int] `query:"language_id" doc:"For a planner export; a JSON body has its own."`
	RawBody    []byte                `contentType:"text/csv"`
	isExport   bool                  // of a planner; else keywords as JSON
	keywords   []string
	market     market
}

// Resolve implements huma.Resolver.
func (in *importInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	media := httpapi.From(ctx.Context()).Media
	if in.isExport = media != "" && media != "application/json"; in.isExport {
		in.market = readMarket(&problems, in.LocationID.Value, in.LanguageID.Value)
		return problems.Resolved()
	}
	if len(in.RawBody) > maxJSON {
		return []error{errs.New(errs.TooLarge, "The request body is too large.")}
	}
	if len(bytes.TrimSpace(in.RawBody)) == 0 {
		return []error{noBody()}
	}
	var body importBody
	if err := httpapi.Decode(in.RawBody, &body); err != nil {
		return []error{err}
	}
	in.keywords = readKeywords(&problems, &body.Keywords)
	locationID := readField(&problems, "location_id", body.LocationID, in.LocationID.Value)
	languageID := readField(&problems, "language_id", body.LanguageID, in.LanguageID.Value)
	in.market = readMarket(&problems, locationID, languageID)
	return problems.Resolved()
}

// postKeywords stores before its transaction, in short ones of its own: thousands of rows in one would
// keep all other writers waiting. An import that ends early can be sent again.
func (s *Service) postKeywords(ctx context.Context, in *importInput) (httpapi.Apply[ImportedKeywords], error) {
	var answer ImportedKeywords
	var err error
	if accountID := httpapi.Who(ctx).AccountID; in.isExport {
		answer, err = s.importPlannerExport(ctx, accountID, in.RawBody, in.market)
	} else {
		answer, err = s.importKeywords(ctx, accountID, in.keywords, in.market)
	}
	if err != nil {
		return nil, err
	}
	return func(context.Context, *db.Tx) (ImportedKeywords, error) { return answer, nil }, nil
}
