package maprank

import "context"

// StartDue and RemoveDue are the sweeps, for tests that do not wait for them.
func (s *Service) StartDue(ctx context.Context) (bool, error) { return s.startDue(ctx) }

func (s *Service) RemoveDue(ctx context.Context) (bool, error) { return s.removeDue(ctx) }
