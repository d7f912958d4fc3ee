// The summary of a day. It names the logs that it has counted, so that a capture that runs twice counts once, and other counts in the
// summary stay.

package record

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
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

// dailyText returns the text of a summary: indented by two blanks, plans ordered by number. In an existing text only the values change, and
// data of other programs stays.
func dailyText(text string, d *core.Daily) (string, error) {
	isNew := strings.TrimSpace(text) == ""
	tree := &doc.Tree{}
	if !isNew {
		var syntax *doc.SyntaxError
		if tree, syntax = doc.ParseJSON(text); syntax != nil {
			return "", protocol.SyntaxFault(text, syntax)
		}
	}
	rate := 0
	if d.Executed > 0 {
		rate = (d.Succeeded*20_000 + d.Executed) / (2 * d.Executed)
	}
	names := slices.Clone(d.Logs)
	for i := range names {
		names[i] = "\n    " + jsonText(names[i])
	}
	all := []doc.Assignment{
		jsonValue("date", jsonText(d.Date)), jsonNumber(d.Executed, "tasks_executed"), jsonNumber(d.Succeeded, "tasks_succeeded"), jsonNumber(d.Failed, "tasks_failed"),
		jsonNumber(d.BlockedN, "tasks_blocked"), jsonNumber(d.Retries, "total_retries"), jsonValue("success_rate", strconv.FormatFloat(float64(rate)/10_000, 'f', -1, 64)),
		jsonNumber(d.TotalMS, "total_duration_ms"), jsonNumber(d.AverageMS, "average_duration_ms"),
	}
	plans := slices.Clone(d.Plans)
	slices.SortFunc(plans, func(a, b core.DailyPlan) int { return cmp.Compare(a.Plan, b.Plan) })
	var members []doc.Assignment
	for _, p := range plans {
		values := []doc.Assignment{jsonNumber(p.Tasks, "tasks"), jsonNumber(p.Succeeded, "succeeded"), jsonNumber(p.Failed, "failed"), jsonNumber(p.BlockedN, "blocked"), jsonNumber(p.DurationMS, "duration_ms")}
		if old := tree.Root().Get("by_plan", p.Plan); old.Is(doc.Map) {
			for _, v := range values {
				if p.BlockedN > 0 || v.Path[0] != "blocked" || old.Get("blocked").Exists() {
					v.Path = []string{"by_plan", p.Plan, v.Path[0]}
					all = append(all, v)
				}
			}
			continue
		}
		members = append(members, jsonValue(p.Plan, formatObject(values, "    ")))
	}
	switch {
	case isNew || !tree.Root().Get("by_plan").Is(doc.Map):
		all = append(all, jsonValue("by_plan", formatObject(members, "  ")))
	default:
		for _, m := range members {
			all = append(all, doc.Assignment{Path: []string{"by_plan", m.Path[0]}, JSON: m.JSON})
		}
	}
	all = append(all, jsonNumber(d.Files, "files_modified_count"), jsonNumber(d.WithDuration, "tasks_with_duration"))
	if len(names) > 0 {
		all = append(all, jsonValue("logs", "["+strings.Join(names, ",")+"\n  ]"))
	}
	if len(d.Earlier) > 0 {
		sums := map[string]core.Earlier{}
		for _, e := range d.Earlier {
			s := sums[e.Phase]
			sums[e.Phase] = core.Earlier{Phase: e.Phase, Plans: s.Plans + e.Plans, MS: s.MS + e.MS, Untimed: s.Untimed + e.Untimed}
		}
		var members []doc.Assignment
		for _, e := range sums {
			members = append(members, jsonValue(e.Phase, formatObject([]doc.Assignment{jsonNumber(e.Plans, "plans"), jsonNumber(e.MS, "ms"), jsonNumber(e.Untimed, "untimed")}, "    ")))
		}
		slices.SortFunc(members, func(a, b doc.Assignment) int { return cmp.Compare(a.Path[0], b.Path[0]) })
		all = append(all, jsonValue("earlier", formatObject(members, "  ")))
	}
	if isNew {
		return formatObject(all, "") + "\n", nil
	}
	slices.SortStableFunc(all, func(a, b doc.Assignment) int { return slices.Compare(a.Path, b.Path) })
	spans, err := protocol.SetJSON(text, all)
	if err != nil {
		return "", err
	}
	return protocol.Apply(text, spans)
}

// jsonNumber assigns a whole number.
func jsonNumber[N int | int64](n N, path ...string) doc.Assignment {
	return doc.Assignment{Path: path, JSON: strconv.FormatInt(int64(n), 10)}
}
