// The log of a result being captured: its identity, by which it is found again, and the other logs that it stands among.

package ultraplan

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
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/rules"
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
	for _, d := range c.list(executionsDir) {
		if d.Dir && day(d.Name) != "" {
			c.days = append(c.days, d.Name)
		}
	}
	if c.own = c.ownLog(); c.own != nil {
		c.Already, c.Log = true, c.own.file
		c.at = c.own.at.In(c.now.Location())
		return nil
	}
	c.at = c.now.Truncate(time.Second)
	e := loggedResult{LoggedAt: c.at, Plan: c.Plan, Task: c.task.number, Session: c.sessionID(), Capture: c.id}
	text, err := e.LogText(c.rep.Text)
	if err != nil {
		return err
	}
	written, err := parseLog(text)
	if err != nil {
		return fmt.Errorf("the log would not be read again: %w", err)
	}
	if err := c.createLog(ctx, &e, text); err != nil {
		return err
	}
	if d := path.Base(path.Dir(c.Log)); len(c.days) == 0 || c.days[len(c.days)-1] < d {
		c.days = append(c.days, d)
	}
	c.own = &logEntry{logged: written, file: c.Log}
	c.Files = append(c.Files, FileChange{File: c.Log, Made: true, Edits: []model.Edit{}})
	c.m.Touch(path.Dir(c.Log))
	return c.verify()
}

// createLog makes the file of a log, under the first name that is free.
func (c *capture) createLog(ctx context.Context, e *loggedResult, text string) error {
	taken := map[string]bool{}
	for {
		name := e.LogName(c.Result.Status, func(name string) bool {
			_, there := c.m.Stat(path.Join(executionsDir, name))
			return there || taken[name]
		})
		c.Log = path.Join(executionsDir, name)
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
	if r := mirror.Read(c.m, c.Log, parseLog); r.Err != nil || r.Value == nil || r.Value.capture != c.id {
		return fmt.Errorf("%s: the log is not there as it was written", c.Log)
	}
	return nil
}

// ownLog returns the log of this capture, nil where it has not been written.
func (c *capture) ownLog() *logEntry {
	for _, dir := range []string{executionsDir, archiveDir + "/executions"} {
		for _, l := range c.logsOf(dir, func(plan, task string) bool { return plan == c.plan.key && task == c.task.number }) {
			if l.capture == c.id {
				return l
			}
		}
	}
	return nil
}

// logsOf returns the logs below a directory of days whose names say that they are of some plans and tasks, the oldest first.
// What a name does not say the log itself does.
func (c *capture) logsOf(dir string, of func(plan, task string) bool) (logs []*logEntry) {
	var files []string
	for _, file := range c.logFiles(dir) {
		if m := logName.FindStringSubmatch(path.Base(file)); m == nil || of(planKey(m[1]), rules.TrimZeros(m[2])) {
			files = append(files, file)
		}
	}
	for _, l := range c.withOwn(c.readLogs(files)) {
		if of(planKey(l.plan), l.task) {
			logs = append(logs, l)
		}
	}
	return logs
}

// withOwn adds the log of this capture to others, where it is not among them yet.
func (c *capture) withOwn(logs []*logEntry) []*logEntry {
	if c.own == nil {
		return logs
	}
	at := 0
	for i, l := range logs {
		if l.file == c.own.file {
			return logs
		}
		if compareLogs(l, c.own) <= 0 {
			at = i + 1
		}
	}
	return append(logs[:at:at], append([]*logEntry{c.own}, logs[at:]...)...)
}

// ofTask returns the logs of the task, the oldest first.
func (c *capture) ofTask() []*logEntry {
	return c.logsOf(executionsDir, func(plan, task string) bool { return plan == c.plan.key && task == c.task.number })
}
