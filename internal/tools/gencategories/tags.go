package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// tagRule says which category an object with all of these tags ("key=value", the leading one first) is.
type tagRule struct {
	tags []string
	id   string
}

// tagRules gives each set of tags one category. The preset's own tags come first; then the tags that
// go with it, presets for old data that have a present one of the same name, and replaced tags. A
// value nobody knows falls to its group ("shop=*") where the schema itself lets it.
func tagRules(s *schema, categories []category) ([]tagRule, error) {
	rules := map[string]string{} // tags joined by & -> id
	add := func(tags map[string]string, id string) {
		if key := strings.Join(ordered(tags), "&"); key != "" && rules[key] == "" {
			rules[key] = id
		}
	}

	byName := map[string]string{}
	for _, c := range categories {
		p := s.presets[c.path]
		if c.parent == "" && !p.current() {
			continue // amenity=* is anything
		}
		add(p.Tags, c.id)
		if name := s.texts[c.path].Name; byName[name] == "" {
			byName[name] = c.id
		}
	}
	for _, c := range categories {
		p := s.presets[c.path]
		for _, key := range sortedKeys(p.AddTags) {
			if _, own := p.Tags[key]; !own && len(p.Tags) == 1 && slices.Contains(groups, key) {
				add(map[string]string{key: p.AddTags[key]}, c.id)
			}
		}
	}
	for _, path := range sortedKeys(s.presets) {
		if p := s.presets[path]; !p.current() && byName[s.texts[path].Name] != "" {
			add(p.Tags, byName[s.texts[path].Name])
		}
	}
	for _, d := range s.deprecated {
		if id := rules[strings.Join(ordered(d.Replace), "&")]; id != "" && len(d.Old) == 1 {
			add(d.Old, id)
		}
	}
	// Known not to be a place, and hidden from the group's wildcard.
	for path := range excluded {
		if tags := s.presets[path].Tags; len(tags) == 1 {
			add(tags, "-")
		}
	}
	return flatten(rules)
}

func flatten(rules map[string]string) ([]tagRule, error) {
	var flat []tagRule
	for _, key := range sortedKeys(rules) {
		tags := strings.Split(key, "&")
		for _, tag := range tags {
			if strings.Count(tag, "=") != 1 {
				return nil, fmt.Errorf("tag %q cannot be written", tag)
			}
		}
		flat = append(flat, tagRule{tags, rules[key]})
	}
	return flat, nil
}

// ordered writes tags as key=value, those of the groups first: they say what it is, the rest which kind.
func ordered(tags map[string]string) []string {
	keys := sortedKeys(tags)
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(leading(a), leading(b)) })
	for i, key := range keys {
		keys[i] = key + "=" + tags[key]
	}
	return keys
}

func leading(key string) int {
	if slices.Contains(groups, key) {
		return 0
	}
	return 1
}
