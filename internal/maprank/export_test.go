package maprank

import (
	"context"

	"github.com/riverqueue/river/rivertype"

	"github.com/trigpoint/trigpoint/internal/job"
)

// StartDue, RemoveDue and EndSilent are the sweeps, for tests that do not wait for them.
func (s *Service) StartDue(ctx context.Context) (bool, error) { return s.startDue(ctx) }

func (s *Service) RemoveDue(ctx context.Context) (bool, error) { return s.removeDue(ctx) }

func (s *Service) EndSilent(ctx context.Context) (bool, error) { return s.endSilent(ctx) }

// SliceArgs orders a slice.
type SliceArgs = sliceArgs

// WorkSlice works a slice as the n-th attempt of its job does.
func (s *Service) WorkSlice(ctx context.Context, a SliceArgs, attempt int) error {
	return s.workSlice(ctx, &job.Job[sliceArgs]{JobRow: &rivertype.JobRow{Attempt: attempt}, Args: a})
}
