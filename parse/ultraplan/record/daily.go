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
		if !slices.Contains(dates, l.Day()) && !slices.Contains(c.countedLogs(l.Day()), path.Base(l.File)) {
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

// countedLogs returns the logs that the summary of a day names.
func (c *capture) countedLogs(date string) []string {
	if d := c.Daily(date); d != nil {
		return d.Logs
	}
	return nil
}

// summarizeDay updates the summary of a day from its logs. An invalid summary is set aside and counted again.
func (c *capture) summarizeDay(ctx context.Context, date string) error {
	file := core.SummaryFile(date)
	findFault := func(text string) string {
		d, _ := core.ParseDaily(text, date)
		return d.Fault
	}
	if err := c.setUnreadableAside(file, findFault); err != nil {
		return err
	}
	err := c.writeFile(ctx, file, true, func(content string) (string, []model.Span, error) {
		var was *core.Daily
		if strings.TrimSpace(content) != "" {
			if was, _ = core.ParseDaily(content, date); was.Fault != "" {
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
		d := core.CountDay(date, was, others) // a summary that names no logs has not counted the result
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
			d.Earlier = append(slices.Clone(d.Earlier), c.findUnlogged()...)
		}
		after, err := dailyText(content, d)
		return after, nil, err
	})
	c.m.Touch(core.SummaryDir)
	return err
}

// findUnlogged returns the plans and times that only STATE.md has, leaving out the log of this capture.
func (c *capture) findUnlogged() []core.Earlier {
	content, err := c.r.store.Read(c.r.targetOf(c.StateFile))
	if err != nil {
		return nil
	}
	before := *c.Project
	before.Logs = slices.DeleteFunc(slices.Clone(c.Logs), func(l *core.Log) bool { return l.File == c.own.File })
	return statemd.FindUnlogged(content, statemd.NewFigures(&before, nil, false), c.plan.Phase.Number)
}

// dailyFile and dailyPlan are the summary of a day as JSON.
type (
	dailyFile struct {
		Date         string                 `json:"date"`
		Executed     int                    `json:"tasks_executed"`
		Succeeded    int                    `json:"tasks_succeeded"`
		Failed       int                    `json:"tasks_failed"`
		Blocked      int                    `json:"tasks_blocked"`
		Retries      int                    `json:"total_retries"`
		SuccessRate  float64                `json:"success_rate"`
		TotalMS      int64                  `json:"total_duration_ms"`
		AverageMS    int64                  `json:"average_duration_ms"`
		Plans        map[string]dailyPlan   `json:"by_plan"`
		Files        int                    `json:"files_modified_count"`
		WithDuration int                    `json:"tasks_with_duration"`
		Logs         []string               `json:"logs,omitempty"`
		Earlier      map[string]earlierWork `json:"earlier,omitempty"`
	}
	dailyPlan struct {
		Tasks      int   `json:"tasks"`
		Succeeded  int   `json:"succeeded"`
		Failed     int   `json:"failed"`
		Blocked    int   `json:"blocked"`
		DurationMS int64 `json:"duration_ms"`
	}
	earlierWork struct {
		Plans   int   `json:"plans"`
		MS      int64 `json:"ms"`
		Untimed int   `json:"untimed"`
	}
)

// dailyText returns the text of a summary: indented by two blanks, plans ordered by number. In an existing text only the values change, and
// data of other programs stays.
func dailyText(text string, d *core.Daily) (string, error) {
	f := dailyFile{
		Date: d.Date, Executed: d.Executed, Succeeded: d.Succeeded, Failed: d.Failed, Blocked: d.BlockedN, Retries: d.Retries, TotalMS: d.TotalMS,
		AverageMS: d.AverageMS, Plans: map[string]dailyPlan{}, Files: d.Files, WithDuration: d.WithDuration, Logs: d.Logs, Earlier: map[string]earlierWork{},
	}
	if d.Executed > 0 { // four decimals
		f.SuccessRate = float64((d.Succeeded*20_000+d.Executed)/(2*d.Executed)) / 10_000
	}
	for _, p := range d.Plans {
		f.Plans[p.Plan] = dailyPlan{p.Tasks, p.Succeeded, p.Failed, p.BlockedN, p.DurationMS}
	}
	for _, e := range d.Earlier {
		sum := f.Earlier[e.Phase]
		f.Earlier[e.Phase] = earlierWork{sum.Plans + e.Plans, sum.MS + e.MS, sum.Untimed + e.Untimed}
	}
	if strings.TrimSpace(text) == "" {
		return encodeJSON(f, "  "), nil
	}
	return updateJSON(text, f)
}
