package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trigpoint/trigpoint/client"
)

func (t tools) addChanges(s *sdk.Server) {
	add(s, described{name: "collect_report", title: "Collect a report", writes: true, description: "Orders a new report of a campaign, which costs credits. Without confirm it orders nothing and tells the cost: say it to the person, and call again with confirm=true only when they agree."}, t.collectReport)
	add(s, described{name: "track_keywords", title: "Track keywords", writes: true, description: "Adds keywords to a tracking; those that are tracked already stay as they are. Use it only when the person asks for it: tracked keywords count for the plan."}, t.trackKeywords)
	add(s, described{name: "annotate", title: "Write a remark", writes: true, description: "Writes a remark at a day of a tracking, such as \"new website\", which is shown beside its ranks. Use it when the person wants something remembered."}, t.annotate)
}

type collectIn struct {
	CampaignID string `json:"campaign_id" jsonschema:"id of the campaign, from list_campaigns"`
	Confirm    bool   `json:"confirm,omitempty" jsonschema:"true when the person has agreed to the cost"`
}

type collectOut struct {
	Campaign  string     `json:"campaign"`
	Cost      int64      `json:"cost_in_credits"`
	Available int64      `json:"credits_available"`
	Ordered   bool       `json:"ordered"`
	Report    *time.Time `json:"report"`
}

func (t tools) collectReport(ctx context.Context, in collectIn) (collectOut, string, error) {
	v, err := t.c.Campaigns.View(ctx, in.CampaignID, client.Look{Reports: 1})
	if err != nil {
		return collectOut{}, "", err
	}
	if v.CollectCost == nil || v.Credits == nil {
		return collectOut{}, "", errors.New("this key may not collect reports of the campaign")
	}
	out := collectOut{Campaign: v.Campaign.Name, Cost: *v.CollectCost, Available: v.Credits.Available}
	if !in.Confirm {
		return out, fmt.Sprintf("A report of %s costs %s credits; %s are left this month. Nothing is ordered yet: call again with confirm=true when the person agrees.", out.Campaign, thousands(out.Cost), thousands(out.Available)), nil
	}
	date, err := t.c.Campaigns.Collect(ctx, in.CampaignID)
	if err != nil {
		return out, "", err
	}
	out.Ordered, out.Report = true, &date
	return out, fmt.Sprintf("The report of %s is being collected for %s credits.", out.Campaign, thousands(out.Cost)), nil
}

type trackIn struct {
	TrackingID string   `json:"tracking_id" jsonschema:"id of the tracking, from list_trackings"`
	Keywords   []string `json:"keywords" jsonschema:"the keywords, at most 100"`
}

type trackOut struct {
	Domain   string `json:"domain"`
	Keywords int64  `json:"keywords_tracked"`
	Waiting  int64  `json:"keywords_checked_later"`
}

func (t tools) trackKeywords(ctx context.Context, in trackIn) (trackOut, string, error) {
	added, err := t.c.Trackings.AddKeywords(ctx, in.TrackingID, in.Keywords...)
	if err != nil {
		return trackOut{}, "", err
	}
	out := trackOut{added.Tracking.Domain, added.Tracking.Count, added.PostponedKeywords}
	return out, fmt.Sprintf("%s now tracks %s keywords; the new ones are checked soon.", out.Domain, thousands(out.Keywords)), nil
}

type annotateIn struct {
	TrackingID string `json:"tracking_id" jsonschema:"id of the tracking, from list_trackings"`
	Text       string `json:"text" jsonschema:"the remark"`
	Day        string `json:"day,omitempty" jsonschema:"the day it belongs to, YYYY-MM-DD; today when empty"`
}

func (t tools) annotate(ctx context.Context, in annotateIn) (remark, string, error) {
	made, err := t.c.Trackings.Annotate(ctx, in.TrackingID, cmp.Or(in.Day, time.Now().UTC().Format(time.DateOnly)), in.Text)
	if err != nil {
		return remark{}, "", err
	}
	return remark{made.Date, made.Content.Text}, fmt.Sprintf("Noted at %s: %s", made.Date, made.Content.Text), nil
}
