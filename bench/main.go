// Command bench measures the program as its users meet it and prints the figures that README.md explains.
//
//	make bench                 all of it
//	make bench BENCH=local     one part: local, peers, rows, maprank, rankwatch, research, pace, scale, web
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
)

var parts = []struct {
	name string
	run  func(io.Writer) error
}{
	{"local", benchLocal},
	{"peers", benchPeers},
	{"rows", benchRows},
	{"maprank", benchMapRank},
	{"rankwatch", benchRankWatch},
	{"research", benchResearch},
	{"pace", benchPace},
	{"scale", benchScale},
	{"web", benchWeb},
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == "bare" { // the peer process of benchLocal
		serveBare(os.Args[2])
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "ask" { // a process of benchPace
		if err := askVendor(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	only := ""
	if len(os.Args) > 1 {
		only = os.Args[1]
	}
	fmt.Printf("%s, %d cores\n", runtime.Version(), runtime.NumCPU())
	for _, part := range parts {
		if only != "" && only != part.name {
			continue
		}
		fmt.Printf("\n== %s\n", part.name)
		if err := part.run(os.Stdout); err != nil {
			fmt.Fprintf(os.Stderr, "bench %s: %v\n", part.name, err)
			os.Exit(1)
		}
	}
}
