package desk

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/trigpoint/trigpoint/internal/httpapi"
)

// Share is a record that anyone with its link can read.
type Share struct {
	Kind      string    `json:"kind" enum:"campaign,tracking"`
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	URL       string    `json:"url"`
	CreatedAt time.Time `json:"created_at"`
}

// maxShares bounds each kind in the list.
const maxShares = 1000

// shares lists what an account lets anyone read, newest first.
func (d *Desk) shares(ctx context.Context, accountID string) ([]Share, error) {
	campaigns, err := d.MapRank.OpenCampaigns(ctx, accountID, maxShares)
	if err != nil {
		return nil, err
	}
	trackings, err := d.RankWatch.Shared(ctx, accountID, maxShares)
	if err != nil {
		return nil, err
	}
	all := []Share{}
	for _, c := range campaigns {
		all = append(all, d.share("campaign", c.ID, c.Name, c.ShareToken, c.SharedAt))
	}
	for _, t := range trackings {
		all = append(all, d.share("tracking", t.ID, t.Domain, t.ShareToken, t.CreatedAt))
	}
	slices.SortStableFunc(all, func(a, b Share) int { return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

func (d *Desk) share(kind, id, name, token string, at time.Time) Share {
	link := d.PublicURL + "/shared/" + kind + "/" + id + "?" + url.Values{httpapi.ShareToken: {token}}.Encode()
	return Share{Kind: kind, ID: id, Name: name, URL: link, CreatedAt: at}
}
