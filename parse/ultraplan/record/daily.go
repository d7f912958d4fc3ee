// The summary of a day: it is read, and what it has not counted yet is added. It names the logs that it has counted, so that a
// capture that is done twice counts once, and so that what it says beside them, or of logs that are gone, stays.

package record

import (
	"context"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/statemd"
)

// summarize counts the result in the summary of its day, and the logs of all days that nobody has counted.
func (c *capture) summarize(ctx context.Context) error {
	if err := c.makeDir(facts.SummaryDir); err != nil {
		return err
	}
	tree := &facts.Project{Mirror: c.Mirror, Build: &model.Build{}}
	tree.ReadDays()
	own := facts.LogDay(c.own)
	dates := []string{own}
	counted := map[string]int{}
	for _, d := range tree.Summaries {
		counted[d.Date] = d.TasksExecuted
	}
	for _, d := range tree.Days {
		if n, there := counted[d.Date]; d.Date != own && (!there && d.TasksExecuted > 0 || d.TasksExecuted > n) {
			dates = append(dates, d.Date)
		}
	}
	for _, date := range dates {
		if err := c.summarizeDay(ctx, date, date == own); err != nil {
			return err
		}
	}
	return nil
}

// summarizeDay brings the summary of one day in line with its logs. One that can't be read, or not be believed, is kept beside, and
// made anew.
func (c *capture) summarizeDay(ctx context.Context, date string, own bool) error {
	file := facts.SummaryOf(date)
	if text, err := c.r.store.Read(c.r.target(file)); err == nil && strings.TrimSpace(text) != "" {
		why := "it can't be read"
		if tree, syntax := doc.ParseJSON(text); syntax == nil && tree.Root().Is(doc.Map) {
			d, _ := facts.ParseDaily(text)
			why = d.Doubt(date)
		}
		if why != "" {
			to, err := c.setAside(file, ".unreadable")
			if err != nil {
				return err
			}
			c.note("%s: %s; it is kept as %s, and counted anew", file, why, to)
		}
	}
	return c.write(ctx, file, true, func(content string) (string, []model.Span, error) {
		c.Mirror.Touch(path.Join(facts.ExecutionsDir, date), facts.SummaryDir) // a try again comes later
		var was *facts.Daily
		if strings.TrimSpace(content) != "" {
			if was, _ = facts.ParseDaily(content); was.Doubt(date) != "" {
				was = nil // somebody has just written it
			} else {
				was.Date = date
			}
		}
		var d *facts.Daily
		if own {
			d = c.counted(c.Project, c.Count(date, was, c.own.File))
			if was == nil || !slices.Contains(was.Logs, path.Base(c.own.File)) {
				c.noteEarlier(d, was)
			}
		} else {
			d = c.Count(date, was, "")
		}
		after, err := dailyText(content, d)
		return after, nil, err
	})
}

// counted returns a day with the result being captured counted once.
func (c *capture) counted(pr *facts.Project, d *facts.Daily) *facts.Daily {
	if slices.Contains(d.Logs, path.Base(c.own.File)) {
		return d
	}
	with := *d
	with.ByPlan = map[string]facts.DailyPlan{}
	for k, p := range d.ByPlan {
		with.ByPlan[k] = p
	}
	with.Logs = slices.Clone(d.Logs)
	newest := pr.NewestOf(d)
	if !c.hasCounted(d) {
		with.Add(c.own.LogDoc)
	}
	with.Name(c.own, newest)
	return &with
}

// hasCounted reports whether a summary that names no logs has counted the result all the same: a capture by an earlier version
// was broken off behind it, and it is exactly what all logs of the day come to.
func (c *capture) hasCounted(d *facts.Daily) bool {
	was := c.Summary(d.Date)
	if !c.Already || was == nil || was.Logs != nil {
		return false
	}
	all := c.ReadLogs(c.LogsIn(path.Join(facts.ExecutionsDir, d.Date)))
	sum := newDaily(d.Date, all)
	return len(all) > 0 && sum.TasksExecuted == was.TasksExecuted && sum.TasksSucceeded == was.TasksSucceeded && sum.TasksFailed == was.TasksFailed &&
		sum.TasksBlocked == was.TasksBlocked && sum.TotalDurationMS == was.TotalDurationMS
}

// noteEarlier keeps what STATE.md knows beyond the tree and the logs, with the first count of the result.
func (c *capture) noteEarlier(d, was *facts.Daily) {
	content, err := c.r.store.Read(c.r.target(c.Build.File))
	if err != nil {
		return
	}
	tree := &facts.Project{Mirror: c.Mirror, Build: &model.Build{}}
	tree.ReadTree()
	for i, day := range tree.Days { // before this result
		if day.Date == d.Date {
			tree.Days[i] = c.Count(d.Date, was, c.own.File)
		}
	}
	d.Earlier = maps.Clone(d.Earlier)
	for key, e := range statemd.Unlogged(content, statemd.NewFigures(tree, nil, false), c.plan.Phase.Number) {
		if d.Earlier == nil {
			d.Earlier = map[string]facts.Earlier{}
		}
		sum := d.Earlier[key]
		d.Earlier[key] = facts.Earlier{Plans: sum.Plans + e.Plans, Took: sum.Took + e.Took, Untimed: sum.Untimed + e.Untimed}
	}
}

// newDaily returns the summary of a day, "2026-01-26", from all its results.
func newDaily(date string, results []*facts.Log) *facts.Daily {
	d := &facts.Daily{Date: date, ByPlan: map[string]facts.DailyPlan{}}
	for _, l := range results {
		d.Add(l.LogDoc)
	}
	return d
}

// dailyText returns the file: two blanks of indentation, plans in the order of their numbers as texts, a line end at its end.
// One that is there already changes in its values alone, and keeps what others have put into it.
func dailyText(text string, d *facts.Daily) (string, error) {
	if strings.TrimSpace(text) == "" {
		whole, _ := json.MarshalIndent(d, "", "  ") // numbers, texts and maps of them: it can't fail
		return string(whole) + "\n", nil
	}
	tree, syntax := doc.ParseJSON(text)
	if syntax != nil {
		return "", protocol.SyntaxFault(text, syntax)
	}
	root := tree.Root()
	rate, _ := d.SuccessRate.MarshalJSON()
	names, _ := json.MarshalIndent(d.Logs, "  ", "  ")
	all := []doc.Assignment{
		jsonValue("date", jsonText(d.Date)), jsonNumber(d.TasksExecuted, "tasks_executed"), jsonNumber(d.TasksSucceeded, "tasks_succeeded"),
		jsonNumber(d.TasksFailed, "tasks_failed"), jsonNumber(d.TasksBlocked, "tasks_blocked"), jsonNumber(d.TotalRetries, "total_retries"),
		jsonValue("success_rate", string(rate)), jsonNumber(d.TotalDurationMS, "total_duration_ms"), jsonNumber(d.AverageDurationMS, "average_duration_ms"),
		jsonNumber(d.FilesModified, "files_modified_count"), jsonNumber(d.TasksWithDuration, "tasks_with_duration"), jsonValue("logs", string(names)), jsonValue("newest", jsonText(d.Newest)),
	}
	if len(d.Earlier) > 0 {
		earlier, _ := json.MarshalIndent(d.Earlier, "  ", "  ")
		all = append(all, jsonValue("earlier", string(earlier)))
	}
	if !root.Get("by_plan").Is(doc.Map) {
		plans, _ := json.MarshalIndent(d.ByPlan, "  ", "  ")
		all = append(all, jsonValue("by_plan", string(plans)))
	} else {
		for plan, p := range d.ByPlan {
			if !root.Get("by_plan", plan).Is(doc.Map) {
				one, _ := json.MarshalIndent(p, "    ", "  ")
				all = append(all, doc.Assignment{Path: []string{"by_plan", plan}, JSON: string(one)})
				continue
			}
			all = append(all, jsonNumber(p.Tasks, "by_plan", plan, "tasks"), jsonNumber(p.Succeeded, "by_plan", plan, "succeeded"),
				jsonNumber(p.Failed, "by_plan", plan, "failed"), jsonNumber(p.DurationMS, "by_plan", plan, "duration_ms"))
			if p.Blocked > 0 || root.Get("by_plan", plan, "blocked").Exists() {
				all = append(all, jsonNumber(p.Blocked, "by_plan", plan, "blocked"))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b doc.Assignment) int { return slices.Compare(a.Path, b.Path) })
	spans, err := protocol.SetJSON(text, all)
	if err != nil {
		return "", err
	}
	return protocol.Apply(text, spans)
}

// jsonNumber assigns a whole number.
func jsonNumber[N int | model.Millis](n N, path ...string) doc.Assignment {
	return doc.Assignment{Path: path, JSON: strconv.FormatInt(int64(n), 10)}
}
