package cli

import (
	"fmt"

	"github.com/trigpoint/trigpoint/client"
	"github.com/trigpoint/trigpoint/client/keyword"
)

type trackingCmd struct {
	List   trackingListCmd   `cmd:"" help:"List trackings."`
	Create trackingCreateCmd `cmd:"" help:"Watch where a domain ranks."`
	Delete trackingDeleteCmd `cmd:"" help:"End a tracking."`
}

const trackingHead = "ID DOMAIN LOCATION DEVICE KEYWORDS"

func trackingRow(t keyword.Tracking) []any {
	return []any{t.ID, t.Domain, t.Location.Label, map[int64]string{1: "desktop", 2: "mobile"}[t.PlatformID], t.Count}
}

type trackingListCmd struct{ listed }

// Run lists trackings, newest first.
func (cmd *trackingListCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	return many(e, cmd.listed, each(c.Trackings.List(e.ctx, client.Period{})), trackingHead, trackingRow)
}

type trackingCreateCmd struct {
	shown
	Domain   string   `arg:"" help:"Domain, or the start of an address."`
	Keywords []string `arg:"" help:"Keywords, each as one word of the command line: \"pizza near me\"."`
	Location int64    `help:"Where it is searched from, as trigpoint locations search shows it; 0 is anywhere."`
	Mobile   bool     `help:"As seen on a phone."`
}

// Run makes a tracking.
func (cmd *trackingCreateCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	want := keyword.NewTracking{Domain: cmd.Domain, Keywords: cmd.Keywords, LocationID: cmd.Location, PlatformID: 1}
	if cmd.Mobile {
		want.PlatformID = 2
	}
	made, err := c.Trackings.Create(e.ctx, want)
	if err != nil {
		return err
	}
	return one(e, cmd.shown, made.Tracking, trackingHead, trackingRow)
}

type trackingDeleteCmd struct {
	remote
	Tracking string `arg:"" help:"Id of the tracking."`
}

// Run ends a tracking.
func (cmd *trackingDeleteCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	if err := c.Trackings.Delete(e.ctx, cmd.Tracking); err != nil {
		return err
	}
	fmt.Fprintln(e.out, "Ended. What it has found can still be read.")
	return nil
}

type keywordCmd struct {
	List   keywordListCmd   `cmd:"" help:"List the keywords of a tracking with their ranks."`
	Add    keywordAddCmd    `cmd:"" help:"Track more keywords."`
	Remove keywordRemoveCmd `cmd:"" help:"Track keywords no longer."`
}

const keywordHead = "ID KEYWORD RANK VOLUME URL"

func keywordRow(k keyword.TrackedKeyword) []any {
	page := ""
	if k.URL != nil {
		page = *k.URL
	}
	return []any{k.ID, k.Keyword, k.Rank, k.SearchVolume, page}
}

type keywordListCmd struct {
	listed
	Tracking string `arg:"" help:"Id of the tracking."`
}

// Run lists tracked keywords.
func (cmd *keywordListCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	return many(e, cmd.listed, each(c.Trackings.Keywords(e.ctx, cmd.Tracking)), keywordHead, keywordRow)
}

type keywordAddCmd struct {
	listed
	Tracking string   `arg:"" help:"Id of the tracking."`
	Keywords []string `arg:"" help:"Keywords, each as one word of the command line: \"pizza near me\"."`
}

// Run tracks more keywords, and lists them.
func (cmd *keywordAddCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	added, err := c.Trackings.AddKeywords(e.ctx, cmd.Tracking, cmd.Keywords...)
	return many(e, cmd.listed, each(added.Keywords, err), keywordHead, keywordRow)
}

type keywordRemoveCmd struct {
	remote
	Tracking string   `arg:"" help:"Id of the tracking."`
	IDs      []string `arg:"" name:"ids" help:"Ids of the keywords."`
}

// Run tracks keywords no longer.
func (cmd *keywordRemoveCmd) Run(e *env) error {
	c, err := cmd.client(e)
	if err != nil {
		return err
	}
	if err := c.Trackings.RemoveKeywords(e.ctx, cmd.Tracking, cmd.IDs...); err != nil {
		return err
	}
	fmt.Fprintln(e.out, "Removed. Their history is kept.")
	return nil
}
