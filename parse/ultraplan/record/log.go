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
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
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
	c.addOwn()
	if c.rep.DryRun {
		return nil
	}
	if c.m.Touch(path.Dir(c.Log)); !c.m.IsDir(path.Dir(c.Log)) {
		c.m.Touch(core.LogsDir)
	}
	if l := c.ReadLog(c.Log); l == nil || l.Capture != c.id {
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
	if d := c.Daily(date); d != nil && d.Fault == "" {
		n = max(len(d.Logs), d.Executed)
	}
	for _, l := range c.logsOfDay(date) {
		n = max(n, l.Sequence)
	}
	return n + 1
}

// createLog creates the file of a log, under the first free name.
func (c *capture) createLog(ctx context.Context, e *loggedResult, text string) error {
	taken := map[string]bool{}
	for {
		name := e.LogName(c.Result.Status, func(name string) bool {
			_, exists := c.m.Stat(path.Join(core.ExecutionsDir, name))
			return exists || taken[name]
		})
		c.Log = path.Join(core.ExecutionsDir, name)
		if c.rep.DryRun {
			return nil
		}
		if err := c.makeDir(path.Dir(c.Log)); err != nil {
			return err
		}
		_, err := c.r.store.Create(ctx, c.r.targetOf(c.Log), text)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		taken[name] = true // other programs write logs, too
	}
}

// logsOfDay returns the newest log that the summary of a day names, and the logs that it does not count.
func (c *capture) logsOfDay(date string) (logs []*core.Log) {
	var files []string
	for _, file := range c.listUncounted() {
		if path.Base(path.Dir(file)) == date {
			files = append(files, file)
		}
	}
	if d := c.Daily(date); d != nil && d.Newest != "" {
		for _, dir := range core.LogDirs {
			files = append(files, path.Join(dir, date, d.Newest))
		}
	}
	logs, _, _ = c.ReadLogs(files)
	return logs
}

// listUncounted returns the logs that the summaries of their days do not name, with the logs of the same task and outcome: a copy of one counts
// once.
func (c *capture) listUncounted() (files []string) {
	counted := map[string]map[string]bool{}
	byDay := map[string][]string{}
	for _, file := range c.LogFiles() {
		day := path.Base(path.Dir(file))
		if _, isKnown := counted[day]; !isKnown {
			counted[day] = nil
			if d := c.Daily(day); d != nil && d.Fault == "" && d.Logs != nil {
				counted[day] = map[string]bool{}
				for _, name := range d.Logs {
					counted[day][name] = true
				}
			}
		}
		if !counted[day][path.Base(file)] {
			files = append(files, file)
		}
		byDay[day] = append(byDay[day], file)
	}
	for _, file := range slices.Clone(files) {
		name, _ := core.ParseLogName(path.Base(file))
		day := path.Base(path.Dir(file))
		for _, other := range byDay[day] {
			if its, ok := core.ParseLogName(path.Base(other)); ok && its.TaskKey == name.TaskKey && its.Status == name.Status && !slices.Contains(files, other) {
				files = append(files, other)
			}
		}
	}
	return files
}

// readUncounted reads the logs that no summary counts, and the log of this capture.
func (c *capture) readUncounted() {
	files := c.listUncounted()
	if !c.rep.DryRun && !slices.Contains(files, c.Log) {
		files = append(files, c.Log)
	}
	c.Logs, c.Broken, c.Copies = c.ReadLogs(files)
	if c.rep.DryRun && !slices.ContainsFunc(c.Logs, func(l *core.Log) bool { return l.File == c.own.File }) {
		c.Logs = append(c.Logs, c.own)
		slices.SortStableFunc(c.Logs, core.CompareLogs)
	}
}

// findNewest returns the newest log of all.
func (c *capture) findNewest() *core.Log {
	newest := c.own
	for _, date := range slices.Backward(c.SummaryDates()) {
		if date < c.own.Day() {
			break
		}
		for _, l := range c.logsOfDay(date) {
			if core.CompareLogs(l, newest) > 0 {
				newest = l
			}
		}
	}
	for _, l := range c.Logs {
		if core.CompareLogs(l, newest) > 0 {
			newest = l
		}
	}
	return newest
}
