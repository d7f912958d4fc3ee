// The log of a result, and the logs around it.

package record

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// captureID returns the identity of a capture, made from the received text, its task, and how often the same text has come.
func captureID(rep *Report, plan, task string) string {
	h := sha256.New()
	for _, part := range []string{plan, task, fmt.Sprint(max(1, rep.Again)), rep.Text} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// writeLog finds the log of this capture, or writes it.
func (c *capture) writeLog(ctx context.Context) error {
	c.r.step("log")
	for _, l := range c.task.Logs {
		if l.Capture == c.id {
			c.own, c.Already, c.Log, c.at = l, true, l.File, time.Unix(l.At, 0).In(c.now.Location())
			return nil
		}
	}
	c.at = c.now.Truncate(time.Second)
	e := loggedResult{LoggedAt: c.at, Plan: c.Plan, Task: c.task.Number, Session: c.sessionID(), Capture: c.id, Sequence: c.nextSequence(), Warnings: c.listWarnings()}
	text := e.formatLog(c.Verdict, c.rep.Text)
	written := core.ParseLog(text)
	if written.Lacks != "" {
		return errors.New("the log would not be read again: " + written.Lacks)
	}
	if err := c.createLog(ctx, &e, text); err != nil {
		return err
	}
	c.own = written.InFile(c.Log)
	c.Files = append(c.Files, FileChange{File: c.Log, Made: true, Edits: []model.Edit{}})
	c.refreshProject()
	if l := c.ReadLog(c.Log); !c.rep.DryRun && (l == nil || l.Capture != c.id) {
		return fmt.Errorf("%s: the log is not there as it was written", c.Log)
	}
	return nil
}

// listWarnings returns the warnings about a result for users.
func (c *capture) listWarnings() (all []string) {
	for i := range c.Reasoned {
		all = append(all, c.Reasoned[i].String())
	}
	if text, err := c.r.store.Read(c.r.targetOf(c.plan.File)); err == nil {
		switch _, box := syncPlan(text, c.Result.Status, c.Result.Name, c.at.Format(time.DateOnly)); box {
		case core.BoxNotFound, core.BoxAmbiguous, syncNoSection:
			all = append(all, c.unmatchedBox(box))
		}
	}
	return all
}

// nextSequence returns the number of a new result among those of its day.
func (c *capture) nextSequence() int {
	date := c.at.Format(time.DateOnly)
	n := 0
	if d := statemd.ReadDaily(c.Project, date); d != nil && d.Fault == "" {
		n = max(len(d.Logs), d.Executed)
	}
	for _, l := range c.Logs {
		if l.Day() == date {
			n = max(n, l.Sequence)
		}
	}
	return n + 1
}

// createLog creates the file of a log, under the first free name: other programs write logs, too.
func (c *capture) createLog(ctx context.Context, e *loggedResult, text string) error {
	for n := 1; ; n++ {
		c.Log = path.Join(core.ExecutionsDir, e.LogName(c.Result.Status, n))
		if _, exists := c.m.Stat(c.Log); exists {
			continue
		}
		if c.rep.DryRun {
			return nil
		}
		if err := c.makeDir(path.Dir(c.Log)); err != nil {
			return err
		}
		if err := c.r.store.Create(ctx, c.r.targetOf(c.Log), text); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}
