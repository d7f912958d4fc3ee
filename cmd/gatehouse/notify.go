package main

// Notifications about new waits while the user looks elsewhere.

import (
	"context"
	"path/filepath"

	"gatehouse/model"
	"gatehouse/parse/agents/notice"
	"gatehouse/parse/agents/pane"
	"gatehouse/tui"
)

// newNotifier returns a notifier that notifies once. Its marks are next to the store of asks. command is the user's own, "" for none.
func (s *env) newNotifier(how tui.Notify, command string) model.Notifier {
	n := &notice.Notifier{Command: command, Env: s.environ, Now: s.now}
	if s.agents != "" {
		n.Dir = filepath.Join(filepath.Dir(s.agents), "told")
	}
	if how == tui.NotifyOSC9 {
		n.Nested = func(ctx context.Context) int { return pane.Nested(ctx, s.getenv, runCommand) }
	}
	return n
}
