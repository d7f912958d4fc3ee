// The log of a result being captured: its identity, by which it is found again, and the other logs that it stands among.

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
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/facts"
)

// identity returns what tells a capture from all others: the text that was received, what it is about, and how often the
// same has come.
func identity(rep *Report, plan, task string) string {
	h := sha256.New()
	for _, part := range []string{plan, task, fmt.Sprint(max(1, rep.Again)), rep.Text} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// writeLog finds the log of this capture, or writes it.
func (c *capture) writeLog(ctx context.Context) error {
	c.r.step("log")
	if c.own = c.ownLog(); c.own != nil {
		c.Already, c.Log = true, c.own.File
		c.at = c.own.At.In(c.now.Location())
		return nil
	}
	c.at = c.now.Truncate(time.Second)
	e := loggedResult{LoggedAt: c.at, Plan: c.Plan, Task: c.task.Number, Session: c.sessionID(), Capture: c.id, Sequence: c.sequence(), Warnings: c.review()}
	text, err := e.LogText(c.rep.Text)
	if err != nil {
		return err
	}
	written, err := facts.ParseLog(text)
	if err != nil {
		return fmt.Errorf("the log would not be read again: %w", err)
	}
	if err := c.createLog(ctx, &e, text); err != nil {
		return err
	}
	c.own = &facts.Log{LogDoc: written, File: c.Log}
	c.Files = append(c.Files, FileChange{File: c.Log, Made: true, Edits: []model.Edit{}})
	c.Mirror.Touch(path.Dir(c.Log))
	return c.verify()
}

// review returns what is to be known of the result, and looked at by people: its warnings in words, and that its box is not found.
func (c *capture) review() (notes []string) {
	for i := range c.Reasoned {
		notes = append(notes, c.Reasoned[i].String())
	}
	if text, err := c.r.store.Read(c.r.target(c.plan.File)); err == nil {
		switch _, box := syncPlan(text, c.Result.Status, c.Result.TaskName, c.at.Format(time.DateOnly)); box {
		case facts.BoxNotFound, facts.BoxAmbiguous, syncNoSection:
			notes = append(notes, "box-"+box+": no box of "+c.plan.File+" was checked off for “"+line.Tidy(c.Result.TaskName)+"”")
		}
	}
	return notes
}

// sequence returns which result of its day the one being captured is: one more than the day has counted and than any other log
// of it says.
func (c *capture) sequence() int {
	date := c.at.Format(time.DateOnly)
	d := c.Count(date, c.Summary(date), "")
	n := len(d.Logs)
	if newest := c.NewestOf(d); newest != nil {
		n = max(n, newest.Sequence)
	}
	return n + 1
}

// createLog makes the file of a log, under the first name that is free.
func (c *capture) createLog(ctx context.Context, e *loggedResult, text string) error {
	taken := map[string]bool{}
	for {
		name := e.LogName(c.Result.Status, func(name string) bool {
			_, there := c.Mirror.Stat(path.Join(facts.ExecutionsDir, name))
			return there || taken[name]
		})
		c.Log = path.Join(facts.ExecutionsDir, name)
		if c.rep.DryRun {
			return nil
		}
		if err := c.makeDir(path.Dir(c.Log)); err != nil {
			return err
		}
		_, err := c.r.store.Create(ctx, c.r.target(c.Log), text)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		taken[name] = true // somebody else writes logs, too
	}
}

// verify reads the log that was written once more: it has to be there, and to say what was received.
func (c *capture) verify() error {
	if c.rep.DryRun {
		return nil
	}
	if r := mirror.Read(c.Mirror, c.Log, facts.ParseLog); r.Err != nil || r.Value == nil || r.Value.Capture != c.id {
		return fmt.Errorf("%s: the log is not there as it was written", c.Log)
	}
	return nil
}

// ownLog returns the log of this capture, nil where it has not been written.
func (c *capture) ownLog() *facts.Log {
	for _, l := range c.ofTask() {
		if l.Capture == c.id {
			return l
		}
	}
	return nil
}

// logsOf returns the logs, those in the archive too, whose names say that they are of some plans and tasks, the oldest first.
// What a name does not say the log itself does.
func (c *capture) logsOf(of func(plan, task string) bool) (logs []*facts.Log) {
	for _, l := range c.withOwn(c.ReadLogs(c.LogsOf(of))) {
		if of(facts.PlanKey(l.Plan), l.Task) {
			logs = append(logs, l)
		}
	}
	return logs
}

// withOwn adds the log of this capture to others, where it is not among them yet.
func (c *capture) withOwn(logs []*facts.Log) []*facts.Log {
	if c.own == nil {
		return logs
	}
	at := 0
	for i, l := range logs {
		if l.File == c.own.File {
			return logs
		}
		if facts.CompareLogs(l, c.own) <= 0 {
			at = i + 1
		}
	}
	return append(logs[:at:at], append([]*facts.Log{c.own}, logs[at:]...)...)
}

// ofPlan returns the logs of the plan, the oldest first. They are looked for once: no other capture writes meanwhile.
func (c *capture) ofPlan() (logs []*facts.Log) {
	if c.planLogs == nil {
		c.planLogs = append([]*facts.Log{}, c.logsOf(func(plan, _ string) bool { return plan == c.plan.Key })...)
	}
	return c.withOwn(c.planLogs)
}

// ofTask returns those of the plan's logs that are of the task.
func (c *capture) ofTask() (logs []*facts.Log) {
	for _, l := range c.ofPlan() {
		if l.Task == c.task.Number {
			logs = append(logs, l)
		}
	}
	return logs
}
