package report

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/trigpoint/trigpoint/internal/errs"
	"github.com/trigpoint/trigpoint/internal/httpapi"
	"github.com/trigpoint/trigpoint/internal/report/document"
)

// The media types of a report.
const (
	htmlMedia = "text/html; charset=utf-8"
	pdfMedia  = "application/pdf"
)

var media = []string{"text/html", pdfMedia}

// Mount registers every operation.
func (s *Service) Mount(a *httpapi.Area) {
	op := func(id, method, path, summary, help string) httpapi.Op {
		return httpapi.Op{ID: id, Method: method, Path: path, Tag: "Reports", Summary: summary, Help: help}
	}
	const brand = " It bears the account's brand. The page needs nothing else and prints well; format=pdf is the same as a file."
	campaign := op("get-campaign-report", http.MethodGet, "/reports/campaigns/{campaign_id}", "Get a report of a campaign",
		"Ranks on the map when the period began beside those when it ended, trends, winners and losers among keywords, and who is ahead. Maps are of the first 12 keywords. With a share_token no key is needed."+brand)
	campaign.Shared = s.MapRank.SharedBy
	tracking := op("get-tracking-report", http.MethodGet, "/reports/trackings/{tracking_id}", "Get a report of a tracking",
		"Visibility and visits day by day, keywords by rank before the period and at its end, winners and losers, and every keyword. With a share_token no key is needed."+brand)
	tracking.Shared = s.RankWatch.SharedBy
	httpapi.ReadFile(a, campaign, media, s.getCampaign)
	httpapi.ReadFile(a, tracking, media, s.getTracking)
	httpapi.ReadFile(a, op("get-account-report", http.MethodGet, "/reports/account", "Get a report of the whole account",
		"How every campaign and tracking moved, and where the locations are listed."+brand), media, s.getAccount)
	s.mountSchedules(a)
}

// PeriodInput says which days a report covers and how it is written.
type PeriodInput struct {
	From   string `query:"from" doc:"First day, YYYY-MM-DD, today at the latest; 29 days before to when missing. What stood before it is what the end is compared with, or else the first that is known within the period."`
	To     string `query:"to" doc:"Last day, not one to come; today (UTC) when missing. A report covers at most 366 days."`
	Format string `query:"format" default:"html" enum:"html,pdf" doc:"html is a page, pdf a file."`
	Paper  string `query:"paper" default:"a4" enum:"a4,letter" doc:"Of a PDF."`

	first, last time.Time
}

// Resolve implements huma.Resolver.
func (in *PeriodInput) Resolve(ctx huma.Context) []error {
	var problems errs.Problems
	in.first, in.last = readPeriod(&problems, in.From, in.To, httpapi.Now(ctx.Context()))
	return problems.Resolved()
}

type campaignInput struct {
	ID         string `path:"campaign_id"`
	Keyword    string `query:"keyword" maxLength:"255" doc:"Name or id of the one keyword to tell of; all when missing."`
	ShareToken string `query:"share_token" doc:"In place of a key."`
	PeriodInput
}

func (s *Service) getCampaign(ctx context.Context, in *campaignInput) (httpapi.File, error) {
	return s.file(ctx, &in.PeriodInput, Query{Kind: Campaign, ID: in.ID, Keyword: in.Keyword, ShareToken: in.ShareToken})
}

type trackingInput struct {
	ID         string `path:"tracking_id"`
	ShareToken string `query:"share_token" doc:"In place of a key."`
	PeriodInput
}

func (s *Service) getTracking(ctx context.Context, in *trackingInput) (httpapi.File, error) {
	return s.file(ctx, &in.PeriodInput, Query{Kind: Tracking, ID: in.ID, ShareToken: in.ShareToken})
}

func (s *Service) getAccount(ctx context.Context, in *PeriodInput) (httpapi.File, error) {
	return s.file(ctx, in, Query{Kind: Account})
}

// reportBytes is about what a report takes while it is made.
const reportBytes = 8 << 20

// file makes a report as it was asked for.
func (s *Service) file(ctx context.Context, in *PeriodInput, q Query) (httpapi.File, error) {
	if err := httpapi.Hold(ctx, reportBytes); err != nil {
		return httpapi.File{}, err
	}
	q.AccountID, q.From, q.To = httpapi.Who(ctx).AccountID, in.first, in.last
	r, err := s.Make(ctx, q)
	if err != nil {
		return httpapi.File{}, err
	}
	if in.Format == "pdf" {
		paper := document.A4
		if in.Paper == "letter" {
			paper = document.Letter
		}
		return httpapi.File{Name: r.FileName() + ".pdf", Type: pdfMedia, Write: func(_ context.Context, w io.Writer) error { return s.WritePDF(w, r, paper) }}, nil
	}
	page, err := r.Page()
	return httpapi.File{Type: htmlMedia, Policy: document.PagePolicy, Write: func(_ context.Context, w io.Writer) error {
		_, err := w.Write(page)
		return err
	}}, err
}
