package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	peerRounds   = 3
	peerRoundFor = 1500 * time.Millisecond
)

// api is a server that keeps locations, and how it is asked.
type api struct {
	*client
	create, list string
	body         []byte
	readID       func(made []byte) (string, error)
}

// benchPeers asks our server on SQLite and PocketBase the same, in turns so that both meet the same machine.
func benchPeers(out io.Writer) error {
	dir, err := os.MkdirTemp("", "trigpoint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ours, stopOurs, err := startOurs(dir)
	if err != nil {
		return err
	}
	defer stopOurs()
	peer, stopPeer, err := startPocketBase(dir)
	if err != nil {
		return err
	}
	defer stopPeer()
	for _, ask := range []struct {
		name string
		call func(a *api, id string) func(context.Context) error
	}{
		{"create", func(a *api, _ string) func(context.Context) error {
			return func(ctx context.Context) error { _, err := a.send(ctx, http.MethodPost, a.create, a.body); return err }
		}},
		{"get", func(a *api, id string) func(context.Context) error {
			return func(ctx context.Context) error {
				_, err := a.send(ctx, http.MethodGet, a.create+"/"+id, nil)
				return err
			}
		}},
		{"list 50", func(a *api, _ string) func(context.Context) error {
			return func(ctx context.Context) error { _, err := a.send(ctx, http.MethodGet, a.list, nil); return err }
		}},
	} {
		for _, clients := range []int{1, 32} {
			rates, err := inTurns(clients, ask.call, ours, peer)
			if err != nil {
				return fmt.Errorf("%s, %d clients: %w", ask.name, clients, err)
			}
			fmt.Fprintf(out, "  %-8s %2d clients   ours %7.0f a second   PocketBase %7.0f   %.2f times as fast\n",
				ask.name, clients, rates[0], rates[1], rates[0]/rates[1])
		}
	}
	return nil
}

// inTurns measures each server in rounds and returns the mean of each.
func inTurns(clients int, call func(*api, string) func(context.Context) error, servers ...*api) ([]float64, error) {
	rates := make([]float64, len(servers))
	for range peerRounds {
		for i, a := range servers {
			made, err := a.send(context.Background(), http.MethodPost, a.create, a.body)
			if err != nil {
				return nil, err
			}
			id, err := a.readID(made)
			if err != nil {
				return nil, err
			}
			rate, err := a.measure(clients, peerRoundFor, call(a, id))
			if err != nil {
				return nil, err
			}
			rates[i] += rate / peerRounds
		}
	}
	return rates, nil
}

func startOurs(dir string) (*api, func(), error) {
	binary, err := build(dir, "trigpoint", ".", "./cmd/trigpoint")
	if err != nil {
		return nil, nil, err
	}
	body, err := json.Marshal(newLocation())
	if err != nil {
		return nil, nil, err
	}
	service, _, c, err := startService(binary, filepath.Join(dir, "ours"), "")
	if err != nil {
		return nil, nil, err
	}
	return &api{client: c, create: "/locations", list: "/locations?limit=50", body: body, readID: func(made []byte) (string, error) {
		var answer struct {
			Data struct {
				ID string `json:"location_id"`
			}
		}
		err := json.Unmarshal(made, &answer)
		return answer.Data.ID, err
	}}, service.stop, nil
}

// startPocketBase starts the server of bench/peers, which prints the id and the token of a user.
func startPocketBase(dir string) (*api, func(), error) {
	binary, err := build(dir, "peers", "bench/peers", ".")
	if err != nil {
		return nil, nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(context.Background(), binary, filepath.Join(dir, "pocketbase"), port)
	cmd.Stderr = os.Stderr
	printed, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	service, _, err := start(cmd, "http://"+port+"/api/health")
	if err != nil {
		return nil, nil, err
	}
	line, err := bufio.NewReader(printed).ReadString('\n')
	user, token, ok := strings.Cut(strings.TrimSpace(line), " ")
	if err != nil || !ok {
		service.stop()
		return nil, nil, fmt.Errorf("PocketBase printed %q: %w", line, err)
	}
	location := newLocation()
	location["owner"], location["location_status"] = user, "PROCESSING"
	body, err := json.Marshal(location)
	return &api{
		client: &client{base: "http://" + port + "/api/collections/locations", credential: token}, create: "/records",
		list: "/records?perPage=50&sort=-submit_date,-id", body: body,
		readID: func(made []byte) (string, error) {
			var answer struct{ ID string }
			err := json.NewDecoder(bytes.NewReader(made)).Decode(&answer)
			return answer.ID, err
		},
	}, service.stop, err
}
