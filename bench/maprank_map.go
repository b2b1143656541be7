package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/trigpoint/trigpoint/internal/maprank/grid"
	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/placeindex"
)

// benchMap is a map provider whose answers cost next to nothing: for each keyword some hundred businesses of
// an invented market, of which the twenty nearest are found.
type benchMap struct {
	businesses []provider.Business
	perKeyword int
	pace       provider.Pace
	delay      atomic.Int64
	weekNumber atomic.Int64

	mu     sync.Mutex
	chosen map[string][]int
}

func newBenchMap(businesses, perKeyword int) *benchMap {
	m := &benchMap{perKeyword: perKeyword, pace: provider.Pace{Concurrent: 100}, chosen: map[string][]int{}}
	for _, p := range placeindex.NewMarket(1, businesses).Drift(0) {
		m.businesses = append(m.businesses, provider.Business{
			PlaceID: p.ID, CID: p.CID, Name: p.Name, Address: p.Address, Lat: p.Lat, Lng: p.Lng, Rating: p.Rating, Reviews: p.Reviews, CountryCode: p.CountryCode,
		})
	}
	return m
}

func (m *benchMap) slow(delay time.Duration, atOnce int) {
	m.delay.Store(int64(delay))
	if atOnce > 0 {
		m.pace.Concurrent = atOnce
	}
}

// week changes who ranks, as time does.
func (m *benchMap) week(n int) { m.weekNumber.Store(int64(n)) }

// Describe names the provider.
func (m *benchMap) Describe() provider.Descriptor {
	return provider.Descriptor{Name: "bench", Title: "Bench", Pace: m.pace}
}

// FindPlace knows the market.
func (m *benchMap) FindPlace(_ context.Context, placeID string) (provider.Business, error) {
	for _, b := range m.businesses {
		if b.PlaceID == placeID {
			return b, nil
		}
	}
	return provider.Business{}, provider.Errorf(provider.NotFound, "Bench", "No such place.")
}

// SearchMap answers after the delay.
func (m *benchMap) SearchMap(ctx context.Context, q provider.MapQuery) ([]provider.Business, error) {
	if delay := time.Duration(m.delay.Load()); delay > 0 {
		select {
		case <-time.After(delay):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return m.at(q.Keyword, grid.Coordinates{Lat: q.At.Lat, Lng: q.At.Lng}), nil
}

func (m *benchMap) at(keyword string, at grid.Coordinates) []provider.Business {
	type near struct {
		index int
		far   float64
	}
	week := int(m.weekNumber.Load())
	best := make([]near, 0, gridResults+1)
	for i, index := range m.of(keyword) {
		if week > 0 && (i+week)%7 == 0 { // each week others are closed
			continue
		}
		b := &m.businesses[index]
		far := (b.Lat-at.Lat)*(b.Lat-at.Lat) + 0.7*(b.Lng-at.Lng)*(b.Lng-at.Lng)
		if len(best) == gridResults && far >= best[gridResults-1].far {
			continue
		}
		place, _ := slices.BinarySearchFunc(best, far, func(n near, far float64) int { return cmp.Compare(n.far, far) })
		best = slices.Insert(best, place, near{index, far})
		best = best[:min(len(best), gridResults)]
	}
	found := make([]provider.Business, len(best))
	for i, n := range best {
		found[i] = m.businesses[n.index]
	}
	return found
}

// of are the businesses that match a keyword, the first of the market among them.
func (m *benchMap) of(keyword string) []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	chosen, ok := m.chosen[keyword]
	if !ok {
		sum := fnv.New64a()
		fmt.Fprint(sum, keyword)
		chosen = rand.New(rand.NewPCG(sum.Sum64(), 1)).Perm(len(m.businesses))[:m.perKeyword]
		chosen[0] = 0
		m.chosen[keyword] = chosen
	}
	return chosen
}

func (m *benchMap) ranked(keyword int) []int { return m.of(fmt.Sprintf("keyword %d", keyword)) }

// watchMemory samples what the process has resident; calling the result ends it and tells the most, in MB.
func watchMemory() (most func() float64) {
	done, result := make(chan struct{}), make(chan float64)
	go func() {
		highest := 0.0
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			highest = max(highest, resident())
			select {
			case <-done:
				result <- highest
				return
			case <-tick.C:
			}
		}
	}()
	return func() float64 {
		close(done)
		return <-result
	}
}

// resident is what /proc says of this process, in MB.
func resident() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}
