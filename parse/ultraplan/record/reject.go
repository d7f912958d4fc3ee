// Refused results are kept in a directory of their own and do not count.

package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// keepRejected stores a refused result with the reasons. The same result is stored once.
func (c *capture) keepRejected(ctx context.Context) error {
	task := core.TrimZeros(c.rep.Task)
	if c.task != nil {
		task = c.task.Number
	}
	e := loggedResult{LoggedAt: c.now.Truncate(time.Second), Plan: c.Plan, Task: task}
	name := fmt.Sprintf("%s-task-%s-%s.yaml", plainName(path.Base(c.Plan)), plainName(taskOr(task)), strings.TrimPrefix(captureID(&c.rep, c.Plan, task), "sha256:")[:8])
	c.Captured.Rejected = path.Join(core.RejectedDir, e.LoggedAt.Format(time.DateOnly), name)
	if c.rep.DryRun {
		return nil
	}
	c.at = e.LoggedAt
	var b strings.Builder
	fmt.Fprintf(&b, "rejected_at: %s\nplan_id: %s\ntask_index: %s\nbehind: %d # results of the day\nreasons:\n", statemd.Quote(protocol.FormatTime(c.at)), statemd.Quote(c.Plan), taskIndex(task), c.nextSequence()-1)
	for i := range c.Reasoned[:len(c.Errors)] {
		fmt.Fprintf(&b, "  - %s\n", statemd.Quote(c.Reasoned[i].String()))
	}
	// The text is kept byte for byte, as one string, because it may not be YAML.
	fmt.Fprintf(&b, "\nreceived: %s\n", statemd.Quote(c.rep.Text))
	if err := c.r.targetOf(c.Captured.Rejected).Inside(); err != nil {
		return err
	}
	if err := c.makeDir(path.Dir(c.Captured.Rejected)); err != nil {
		return err
	}
	_, err := c.r.store.Create(ctx, c.r.targetOf(c.Captured.Rejected), b.String())
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	c.Files = append(c.Files, FileChange{File: c.Captured.Rejected, Made: true, Edits: []model.Edit{}})
	return nil
}

// taskOr returns the part of a file name that names the task, with a substitute if the task is unknown.
func taskOr(task string) string {
	if task == "" {
		return "unknown"
	}
	return task
}
