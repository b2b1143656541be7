package googleads

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/trigpoint/trigpoint/internal/provider"
	"github.com/trigpoint/trigpoint/internal/provider/wire"
)

// geoTargets remembers Google's names of towns and regions, which do not change.
type geoTargets struct {
	mu    sync.Mutex
	known map[string]string // by the canonical name
}

// maxTargets bounds what is remembered; then it begins anew.
const maxTargets = 10_000

func (g *geoTargets) get(location string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.known[location]
}

func (g *geoTargets) put(location, target string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.known == nil || len(g.known) >= maxTargets {
		g.known = map[string]string{}
	}
	g.known[location] = target
}

type suggestRequest struct {
	Locale  string `json:"locale"`
	Country string `json:"countryCode,omitempty"`
	Names   struct {
		Names []string `json:"names"`
	} `json:"locationNames"`
}

type suggestAnswer struct {
	Suggestions []struct {
		Target struct {
			ResourceName  wire.Text `json:"resourceName"`
			CanonicalName wire.Text `json:"canonicalName"`
			Status        wire.Text `json:"status"`
		} `json:"geoTargetConstant"`
	} `json:"geoTargetConstantSuggestions"`

	empty bool
}

// UnmarshalJSON also notes an answer without any field.
func (a *suggestAnswer) UnmarshalJSON(raw []byte) error {
	type plain suggestAnswer
	a.empty = emptyObject(raw)
	return json.Unmarshal(raw, (*plain)(a))
}

// Verify wants suggestions, or an answer that is wholly empty.
func (a *suggestAnswer) Verify() error {
	if !a.empty && len(a.Suggestions) == 0 {
		return errors.New("geoTargetConstantSuggestions are missing")
	}
	return nil
}

// geoTarget finds the target of a place such as "Decatur,Georgia,United States". It costs a request the first time.
func (p *Provider) geoTarget(ctx context.Context, location, country string) (string, error) {
	if target := p.targets.get(location); target != "" {
		return target, nil
	}
	parts := strings.Split(location, ",")
	req := suggestRequest{Locale: "en", Country: strings.ToUpper(country)}
	req.Names.Names = parts[:1]
	var answer suggestAnswer
	if err := p.ask(ctx, "/geoTargetConstants:suggest", req, &answer); err != nil {
		return "", err
	}
	for _, s := range answer.Suggestions {
		if t := s.Target; strings.HasPrefix(string(t.ResourceName), "geoTargetConstants/") && cmp.Or(t.Status, "ENABLED") == "ENABLED" && t.CanonicalName.Same(wire.Text(location)) {
			p.targets.put(location, string(t.ResourceName))
			return string(t.ResourceName), provider.Turn(ctx)
		}
	}
	return "", provider.Errorf(provider.BadQuery, "Google Ads", "Google Ads has no figures of %s: choose the country.", location)
}
