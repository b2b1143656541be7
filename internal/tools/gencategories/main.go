// Command gencategories makes the category catalogue of internal/category from an unpacked
// @openstreetmap/id-tagging-schema package:
//
//	npm pack @openstreetmap/id-tagging-schema@7.2.0 && tar xzf openstreetmap-id-tagging-schema-7.2.0.tgz
//	go run ./internal/tools/gencategories package internal/category/catalogue.tsv.gz
//
// Names in other languages go into translations.tsv.gz beside it. The same source gives the same bytes. Locations store category ids, so an id that the present
// catalogue has may not disappear: the command refuses unless -drop is given.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	drop := flag.Bool("drop", false, "allow ids of the present catalogue to disappear")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: gencategories [-drop] SRC_DIR OUT")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *drop); err != nil {
		fmt.Fprintln(os.Stderr, "gencategories:", err)
		os.Exit(1)
	}
}

func run(src, out string, drop bool) error {
	schema, err := readSchema(src)
	if err != nil {
		return err
	}
	categories, err := choose(schema)
	if err != nil {
		return err
	}
	tags, err := tagRules(schema, categories)
	if err != nil {
		return err
	}
	if !drop {
		if err := keepsIDs(out, categories); err != nil {
			return err
		}
	}
	data, err := encode(categories, tags)
	if err != nil {
		return err
	}
	fmt.Printf("%d categories, %d tag rules, %d bytes\n", len(categories), len(tags), len(data))
	if err := os.WriteFile(out, data, 0o644); err != nil {
		return err
	}
	if data, err = encodeTranslations(translations(schema, categories)); err != nil {
		return err
	}
	fmt.Printf("translations, %d bytes\n", len(data))
	return os.WriteFile(filepath.Join(filepath.Dir(out), "translations.tsv.gz"), data, 0o644)
}

// keepsIDs reports the ids of the catalogue at path that the new one lacks.
func keepsIDs(path string, categories []category) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	have := map[string]bool{}
	for _, c := range categories {
		have[c.id] = true
	}
	var lost []string
	lines := bufio.NewScanner(unzipped)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) > 1 && fields[0] == "category" && !have[fields[1]] {
			lost = append(lost, fields[1])
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if len(lost) > 0 {
		return fmt.Errorf("%d ids in use would disappear: %s", len(lost), strings.Join(lost, ", "))
	}
	return nil
}

// encode writes one line per category and per tag rule; package category documents the format.
func encode(categories []category, tags []tagRule) ([]byte, error) {
	var text strings.Builder
	row := func(fields ...string) {
		text.WriteString(strings.Join(fields, "\t"))
		text.WriteByte('\n')
	}
	row("# Made from @openstreetmap/id-tagging-schema (ISC, see NOTICE) by internal/tools/gencategories; do not edit.")
	for _, c := range categories {
		row("category", c.id, c.parent, c.name, c.countries.String(), strings.Join(c.terms, "|"))
	}
	for _, t := range tags {
		row("tag", strings.Join(t.tags, "&"), t.id)
	}
	if err := wellFormed(text.String()); err != nil {
		return nil, err
	}

	return zipped(text.String())
}

func zipped(text string) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// wellFormed catches a value of the source that holds one of our separators.
func wellFormed(text string) error {
	columns := map[string]int{"category": 6, "tag": 3}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if want, known := columns[fields[0]]; known && len(fields) == want {
			continue
		} else if !strings.HasPrefix(line, "#") {
			return fmt.Errorf("a value breaks the line %q", line)
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
