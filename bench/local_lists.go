package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Accounts whose lists are compared.
const (
	fewLocations  = 100
	manyLocations = 20_000
)

// benchLists compares the lists of an account that holds few locations with those of one that holds many.
// They take turns, so that both meet the same machine.
func benchLists(out io.Writer, few, many *client) error {
	body, err := json.Marshal(newLocation())
	if err != nil {
		return err
	}
	ids := map[*client]string{}
	for c, n := range map[*client]int{few: fewLocations, many: manyLocations} {
		if ids[c], err = c.fill(body, n); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "  ms a request with %d and with %d locations, one client\n", fewLocations, manyLocations)
	for _, path := range []string{
		"/locations", "/locations?location_statuses=COMPLETED", "/locations?frozen=false", "/locations?location_statuses=FAILED",
		"/locations/{id}/listings", "/locations/{id}/images",
	} {
		took := map[*client][]float64{}
		for range 200 {
			for _, c := range []*client{few, many} {
				start := time.Now()
				if _, err := c.send(context.Background(), http.MethodGet, strings.ReplaceAll(path, "{id}", ids[c]), nil); err != nil {
					return err
				}
				took[c] = append(took[c], float64(time.Since(start).Microseconds())/1000)
			}
		}
		slices.Sort(took[few])
		slices.Sort(took[many])
		a, b := took[few][100], took[many][100] // medians
		fmt.Fprintf(out, "    %-42s %6.2f %6.2f   %.2f times\n", path, a, b, b/a)
	}
	return nil
}

// fill creates n locations, waits until all are published, and returns the last one's id.
func (c *client) fill(body []byte, n int) (id string, err error) {
	c.http.Transport = &http.Transport{MaxIdleConnsPerHost: 32}
	var creates errgroup.Group
	creates.SetLimit(32)
	for range n {
		creates.Go(func() error {
			_, err := c.send(context.Background(), http.MethodPost, "/locations", body)
			return err
		})
	}
	if err := creates.Wait(); err != nil {
		return "", err
	}
	for {
		answer, err := c.send(context.Background(), http.MethodGet, "/locations?limit=1", nil)
		if err != nil {
			return "", err
		}
		waiting, err := c.send(context.Background(), http.MethodGet, "/locations?limit=1&location_statuses=PROCESSING", nil)
		if err != nil {
			return "", err
		}
		var newest, processing struct {
			Data []struct {
				ID string `json:"location_id"`
			}
		}
		if err := errors.Join(json.Unmarshal(answer, &newest), json.Unmarshal(waiting, &processing)); err != nil {
			return "", err
		}
		if len(processing.Data) == 0 {
			return newest.Data[0].ID, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
}
