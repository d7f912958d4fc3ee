// The summary of a day. It names the logs that it has counted, so that a capture that runs twice counts once, and other counts in the
// summary stay.

package record

import (
	"context"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// summarizeDays counts the result in the summary of its day, and all logs of other days that are not counted yet.
func (c *capture) summarizeDays(ctx context.Context) error {
	if err := c.makeDir(core.SummaryDir); err != nil {
		return err
	}
	dates := []string{c.own.Day()}
	for _, l := range c.Logs {
		if d := statemd.ReadDaily(c.Project, l.Day()); !slices.Contains(dates, l.Day()) && (d == nil || !slices.Contains(d.Logs, path.Base(l.File))) {
			dates = append(dates, l.Day())
		}
	}
	for _, date := range dates {
		if err := c.summarizeDay(ctx, date); err != nil {
			return err
		}
	}
	return nil
}

// summarizeDay updates the summary of a day from its logs. An invalid summary is set aside and counted again.
func (c *capture) summarizeDay(ctx context.Context, date string) error {
	file := statemd.DailyFile(date)
	findFault := func(text string) string {
		d, _ := statemd.ParseDaily(text, date)
		return d.Fault
	}
	if err := c.setUnreadableAside(file, findFault); err != nil {
		return err
	}
	err := c.writeFile(ctx, file, true, func(content string) (string, []model.Span, error) {
		var was *statemd.Daily
		if strings.TrimSpace(content) != "" {
			if was, _ = statemd.ParseDaily(content, date); was.Fault != "" {
				was = nil
			}
		}
		var logs, others []*core.Log
		for _, l := range c.Logs {
			if l.Day() != date {
				continue
			}
			if logs = append(logs, l); l.File != c.own.File {
				others = append(others, l)
			}
		}
		d := statemd.CountDay(date, was, others) // a summary that names no logs has not counted the result
		if name := path.Base(c.own.File); date == c.own.Day() && !slices.Contains(d.Logs, name) {
			d.AddLog(c.own)
			d.Logs = nil
			if was != nil {
				d.Logs = slices.Clone(was.Logs)
			}
			for _, l := range logs { // oldest first
				if name := path.Base(l.File); !slices.Contains(d.Logs, name) {
					d.Logs = append(d.Logs, name)
				}
			}
			earlier := c.findUnlogged()
			statemd.AddEarlier(earlier, d.Earlier)
			d.Earlier = earlier
		}
		after, err := dailyText(content, d)
		return after, nil, err
	})
	c.m.Touch(core.SummaryDir)
	return err
}

// findUnlogged returns the plans and times that only STATE.md has, leaving out the log of this capture.
func (c *capture) findUnlogged() map[string]statemd.Earlier {
	content, err := c.r.store.Read(c.r.targetOf(c.StateFile))
	if err != nil {
		return map[string]statemd.Earlier{}
	}
	before := *c.Project
	before.Logs = slices.DeleteFunc(slices.Clone(c.Logs), func(l *core.Log) bool { return l.File == c.own.File })
	return statemd.FindUnlogged(content, statemd.NewFigures(&before, nil, false), c.plan.Phase.Number)
}

// dailyText returns the text of a summary: indented by two blanks, plans ordered by number. In an existing text only the values change, and
// data of other programs stays.
func dailyText(text string, d *statemd.Daily) (string, error) {
	d.SuccessRate = 0
	if d.Executed > 0 {
		d.SuccessRate = float64((d.Succeeded*20_000+d.Executed)/(2*d.Executed)) / 10_000
	}
	if d.Plans == nil {
		d.Plans = map[string]statemd.DailyPlan{}
	}
	if strings.TrimSpace(text) == "" {
		return encodeJSON(d, "  "), nil
	}
	return updateJSON(text, d)
}
