package cli

import (
	"errors"
	"os"

	"github.com/trigpoint/trigpoint/client"
)

// remote are the flags of commands that speak to a running server, here or elsewhere.
type remote struct {
	Server string `help:"Address of the server; the service at --listen when empty." placeholder:"URL"`
	Key    string `help:"API key; TRIGPOINT_KEY in the environment when empty." placeholder:"KEY"`
}

func (r remote) client(e *env) (*client.Client, error) {
	address, key := r.Server, r.Key
	if key == "" {
		key = os.Getenv("TRIGPOINT_KEY")
	}
	if key == "" {
		return nil, errors.New("an API key is needed: set TRIGPOINT_KEY, or give --key; trigpoint key create makes one")
	}
	if address == "" {
		var err error
		if address, err = e.localService(); err != nil {
			return nil, err
		}
	}
	return client.New(address, client.Key(key), client.UserAgent("trigpoint/"+built().version))
}
