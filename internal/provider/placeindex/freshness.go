package placeindex

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// lookEvery is how often it is looked whether something has changed, which costs next to nothing.
	lookEvery = time.Second
	// maxRead bounds how long the reading of what has changed may take.
	maxRead = 10 * time.Minute
)

// freshness sees to it that something is read again when it is time, by one at a time, before it is used.
type freshness struct {
	read    func(context.Context) error
	reading singleflight.Group
	good    atomic.Bool  // the last reading has gone well
	looked  atomic.Int64 // Unix nanoseconds of its end
}

// refresh waits until what has changed is read, unless it was looked a moment ago and now is not asked for: a search that went on
// with what there was would be charged for an answer of yesterday. The reading goes on when the caller goes.
func (f *freshness) refresh(ctx context.Context, now bool) error {
	if !now && f.good.Load() && time.Now().UnixNano()-f.looked.Load() < int64(lookEvery) {
		return nil
	}
	done := f.begin(ctx)
	for again := now; ; again = false {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case result := <-done:
			if result.Err != nil || !result.Shared || !again {
				return result.Err
			}
			done = f.begin(ctx) // what we joined may have begun before what we are to see
		}
	}
}

func (f *freshness) begin(ctx context.Context) <-chan singleflight.Result {
	return f.reading.DoChan("", func() (any, error) {
		own, cancel := context.WithTimeout(context.WithoutCancel(ctx), maxRead)
		defer cancel()
		err := f.read(own)
		f.looked.Store(time.Now().UnixNano())
		f.good.Store(err == nil)
		return nil, err
	})
}
