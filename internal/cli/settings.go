package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"
)

// settingsFile reads the config file: a JSON object whose keys are flag names, with - or _. What the
// environment sets wins over it. An object as value, such as the plans, is passed on as JSON.
func settingsFile(r io.Reader) (kong.Resolver, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("config file: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("config file: %w", err)
	}
	settings := map[string]json.RawMessage{}
	for key, value := range raw {
		settings[strings.ReplaceAll(key, "_", "-")] = value
	}
	return settingsResolver(settings), nil
}

type settingsResolver map[string]json.RawMessage

// Validate refuses keys that are no setting: a misspelt one must not be ignored.
func (s settingsResolver) Validate(app *kong.Application) error {
	known := map[string]bool{}
	err := kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if f, ok := node.(*kong.Flag); ok {
			known[f.Name] = true
		}
		return next(nil)
	})
	if err != nil {
		return err
	}
	for key := range s {
		if !known[key] {
			return fmt.Errorf("config file: there is no setting %q", key)
		}
	}
	return nil
}

// Resolve implements kong.Resolver.
func (s settingsResolver) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	value, ok := s[flag.Name]
	if !ok {
		return nil, nil
	}
	for _, name := range flag.Envs {
		if _, set := os.LookupEnv(name); set {
			return nil, nil
		}
	}
	if len(value) > 0 && value[0] == '{' {
		return string(value), nil
	}
	var decoded any
	err := json.Unmarshal(value, &decoded)
	return decoded, err
}
