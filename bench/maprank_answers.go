package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank"
)

// answers measures the handler with a thousand reports behind a campaign, beside few and beside many others.
func (b *mapBench) answers(ctx context.Context, out io.Writer) error {
	start := time.Now()
	c, err := b.campaign(ctx, []string{"keyword 0"})
	if err != nil {
		return err
	}
	first := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range historyLen {
		b.maps.week(i)
		if err := b.app.MapRank.ImportReport(ctx, c.ID, first.AddDate(0, 0, i), b.maps.at); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%d reports of %d points recorded in %.1f s\n", historyLen, gridSide*gridSide, time.Since(start).Seconds())
	last := maprank.Instant{Time: first.AddDate(0, 0, historyLen-1)}.String()
	base := maprank.Prefix + "/campaigns/" + c.ID
	asked := "?keywordId=" + c.Keywords[0].ID + "&reportDate=" + last + "&cid="
	own, other := b.maps.businesses[0].CID, b.maps.businesses[b.maps.ranked(0)[7]].CID
	requests := []struct{ name, path string }{
		{"heatmap, own business", base + "/heatmap" + asked + own},
		{"heatmap, a competitor", base + "/heatmap" + asked + other},
		{"top competitors", base + "/top-competitors" + asked},
		{"top competitors by name", base + "/top-competitors" + asked + "&sort=name,ASC"},
		{"metrics, own business", base + "/metrics" + asked + own},
		{"metrics, a competitor", base + "/metrics" + asked + other},
		{"view, own business", base + "/view"},
		{"view, a competitor", base + "/view?cid=" + other},
		{"campaign", base},
		{"list of campaigns", maprank.Prefix + "/campaigns"},
	}
	times := map[string][]time.Duration{}
	for _, others := range []int{100, 5_000} {
		if err := b.others(ctx, others); err != nil {
			return err
		}
		for _, r := range requests {
			median, slow, err := b.time(r.path)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			times[r.name] = append(times[r.name], median, slow)
		}
	}
	fmt.Fprintf(out, "%-26s %28s %28s\n", "at the handler", "beside 100 campaigns", "beside 5,000 campaigns")
	for _, r := range requests {
		t := times[r.name]
		fmt.Fprintf(out, "%-26s %12v (95%% %10v) %12v (95%% %10v)\n", r.name, t[0].Round(time.Microsecond), t[1].Round(time.Microsecond), t[2].Round(time.Microsecond), t[3].Round(time.Microsecond))
	}
	return nil
}

// others makes campaigns until the account has that many beside the first.
func (b *mapBench) others(ctx context.Context, number int) error {
	have, err := b.app.MapRank.Campaigns(ctx, b.owner, number+1)
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	work := make(chan int)
	faults := make(chan error, 16)
	for range 16 {
		wait.Go(func() {
			for i := range work {
				_, err := b.app.MapRank.Create(ctx, maprank.Draft{
					AccountID: b.owner, Name: fmt.Sprintf("Other %d", i), PlaceID: b.maps.businesses[i%len(b.maps.businesses)].PlaceID, Keywords: []string{"a", "b", "c"},
				})
				if err != nil {
					select {
					case faults <- err:
					default:
					}
				}
			}
		})
	}
	for i := len(have); i <= number; i++ {
		work <- i
	}
	close(work)
	wait.Wait()
	close(faults)
	return <-faults
}

// time asks the handler and returns the median and the 95th percentile.
func (b *mapBench) time(path string) (median, slow time.Duration, err error) {
	const warm, runs = 5, 60
	var times []time.Duration
	for i := range warm + runs {
		req := httptest.NewRequest(http.MethodGet, path, nil)
		req.Header.Set("Authorization", "Bearer "+b.token)
		answer := httptest.NewRecorder()
		start := time.Now()
		b.handler.ServeHTTP(answer, req)
		if i >= warm {
			times = append(times, time.Since(start))
		}
		if answer.Code != http.StatusOK {
			return 0, 0, fmt.Errorf("%d %s", answer.Code, answer.Body)
		}
	}
	slices.Sort(times)
	return times[runs/2], times[runs*95/100], nil
}
