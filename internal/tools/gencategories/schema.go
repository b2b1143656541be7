package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// schema is what is read of the package: presets with their texts, and outdated tags.
type schema struct {
	presets    map[string]preset
	texts      map[string]text
	deprecated []deprecation
	languages  map[string]map[string]text // texts by language, then preset
}

type preset struct {
	Geometry    []string          `json:"geometry"`
	Fields      []string          `json:"fields"`
	MoreFields  []string          `json:"moreFields"`
	Tags        map[string]string `json:"tags"`
	AddTags     map[string]string `json:"addTags"`
	Searchable  *bool             `json:"searchable"`
	LocationSet *locationSet      `json:"locationSet"`
}

type locationSet struct {
	Include []string `json:"include"`
	Exclude []string `json:"exclude"`
}

type text struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases"`
	Terms   []string `json:"terms"`
}

type deprecation struct {
	Old     map[string]string `json:"old"`
	Replace map[string]string `json:"replace"`
}

// current tells whether mappers may still choose the preset; the others are kept for old data.
func (p preset) current() bool { return p.Searchable == nil || *p.Searchable }

// staffed tells whether the schema gives the preset a telephone number: somebody answers there.
func (p preset) staffed() bool {
	return slices.Contains(p.Fields, "phone") || slices.Contains(p.MoreFields, "phone")
}

func readSchema(dir string) (*schema, error) {
	var s schema
	for name, into := range map[string]any{"presets.json": &s.presets, "deprecated.json": &s.deprecated} {
		if err := readJSON(filepath.Join(dir, "dist", name), into); err != nil {
			return nil, err
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "dist", "translations", "*.json"))
	if err != nil {
		return nil, err
	}
	s.languages = map[string]map[string]text{}
	for _, file := range files {
		language := strings.TrimSuffix(filepath.Base(file), ".json")
		if language == "index" || strings.HasSuffix(language, ".min") {
			continue
		}
		var texts map[string]struct {
			Presets struct {
				Presets map[string]text `json:"presets"`
			} `json:"presets"`
		}
		if err := readJSON(file, &texts); err != nil {
			return nil, err
		}
		s.languages[language] = texts[language].Presets.Presets
	}
	s.texts = s.languages["en"]
	return &s, nil
}

func readJSON(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// parentPath is the path one level up, "" at the top.
func parentPath(path string) string {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)]
}
