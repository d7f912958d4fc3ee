// What a captured result changes beside the logs: STATE.md, continue.md; and which task comes next.

package ultraplan

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/reader"
	"gatehouse/parse/text/plantask"
	"gatehouse/parse/ultraplan/rules"
)

// maxSummary is how many columns of an error stand among the blockers.
const maxSummary = 160

// blockerOf returns the line that a result leaves among the blockers, "" for a success.
func blockerOf(l *logged) string {
	if l.status == model.OutcomeSuccess {
		return ""
	}
	summary := clean(plainLine(l.err))
	if r := []rune(summary); len(r) > maxSummary {
		summary = string(r[:maxSummary-1]) + "…"
	}
	return clean(l.name) + ": " + cmp.Or(summary, "no reason given")
}

// activityOf returns what "Last activity" says of a result.
func activityOf(l *logEntry) string {
	word := map[string]string{model.OutcomeSuccess: "Completed ", model.OutcomeFailure: "Failed: ", model.OutcomeBlocked: "Blocked: "}[l.status]
	if word == "" { // a log of somebody else's
		word = l.status + ": "
	}
	return path.Base(path.Dir(l.file)) + " - " + word + clean(l.name)
}

// updateState brings STATE.md up to date with the logs and the tree. There need not be one, and sections that it lacks stay
// missing.
func (c *capture) updateState(ctx context.Context) error {
	if !c.stateIs {
		c.note("there is no STATE.md, which would be updated")
		return nil
	}
	return c.write(ctx, c.b.File, false, inPlace(func(content string) []model.Span {
		c.m.Touch(path.Dir(c.Log)) // a try again comes later
		var spans []model.Span
		add := func(more []model.Span, _ string) { spans = append(spans, more...) }
		add(setField(content, "Last activity", activityOf(c.newest())))
		logs := c.ofTask()
		if last := logs[len(logs)-1]; last.status == model.OutcomeSuccess {
			for _, l := range unlike(logs) {
				add(removeBlocker(content, l), "")
			}
			tree := &collector{m: c.m, now: c.now, b: &model.Build{}}
			tree.listPhases()
			spans = append(spans, c.progressOf(content, tree)...)
		} else {
			add(addBlocker(content, blockerOf(last.logged)))
		}
		if _, is := c.m.Stat(resumeFile); (!is || c.taken) && strings.Contains(parsedState(content).resumeFile, path.Base(resumeFile)) {
			add(setField(content, "Resume file", "None"))
		}
		return spans
	}))
}

func parsedState(content string) *state {
	s, _ := parseState(content) // what it could not read is not there
	return s
}

// unlike returns the lines that results have left among the blockers, each once.
func unlike(logs []*logEntry) (blockers []string) {
	for _, l := range logs {
		if b := blockerOf(l.logged); b != "" && !slices.Contains(blockers, b) {
			blockers = append(blockers, b)
		}
	}
	return blockers
}

// newest returns the newest log of all from the day of this one on: what is older is not the last activity.
func (c *capture) newest() *logEntry {
	newest := c.own
	from := path.Base(path.Dir(c.own.file))
	for _, d := range c.days {
		if d < from {
			continue
		}
		if logs := c.readLogs(c.logsIn(path.Join(executionsDir, d))); len(logs) > 0 && compareLogs(logs[len(logs)-1], newest) > 0 {
			newest = logs[len(logs)-1]
		}
	}
	return newest
}

// progressOf returns what a success changes: the counts, which come from the tree and never from counting results, the row
// of its phase, and the status, as far as the tree knows better.
func (c *capture) progressOf(content string, tree *collector) (spans []model.Span) {
	if tree.unlisted != "" {
		c.note("%s can't be listed in full: STATE.md does not get the progress", tree.unlisted)
		return nil
	}
	var all model.Count
	var own *phase
	for _, p := range tree.phases {
		n := p.count()
		all.Done, all.Total = all.Done+n.Done, all.Total+n.Total
		if p.Dir == c.plan.phase.Dir {
			own = p
		}
	}
	add := func(more []model.Span, _ string) { spans = append(spans, more...) }
	add(setProgress(content, all.Done, all.Total))
	add(setField(content, "Total plans completed", strconv.Itoa(all.Done)))
	if own == nil {
		return spans
	}
	add(setStatus(content, own))
	took, timed := c.phaseTime(own)
	add(setPhaseRow(content, own.Number, own.count(), took, timed), "")
	return spans
}

// setStatus sets the status of the position to that of a phase, where the position is at that phase and the tree denies what
// it says. Planning and verifying are in no file: only a phase that has plans is not being planned any more.
func setStatus(content string, p *phase) ([]model.Span, string) {
	s := parsedState(content)
	if s.Phase != "" && rules.CompareNumbers(s.Phase, p.Number) != 0 {
		return nil, stateSet
	}
	claimed, word := rules.Status(s.Status), treeWord(p.count())
	if claimed == word || claimed == rules.StatusVerifying {
		return nil, stateSet
	}
	return setField(content, "Status", word)
}

// phaseTime returns how long the plans of a phase have taken: as their summaries say, else as the logs do. timed is how many
// plans say so.
func (c *capture) phaseTime(p *phase) (took model.Millis, timed int) {
	logged := map[string]model.Millis{}
	known := map[string]bool{}
	keys := map[string]bool{}
	for _, s := range p.plans {
		keys[s.key] = true
	}
	for _, l := range c.logsOf(executionsDir, func(plan, _ string) bool { return keys[plan] }) {
		if l.timed {
			k := planKey(l.plan)
			logged[k], known[k] = logged[k]+l.took, true
		}
	}
	for _, s := range p.plans {
		if s.Done {
			if sum := mirror.Read(c.m, path.Join(p.dir(), s.ID+"-SUMMARY.md"), parseSummary).Value; sum != nil && sum.timed {
				logged[s.key], known[s.key] = sum.duration, true
			}
		}
		if known[s.key] {
			took, timed = took+logged[s.key], timed+1
		}
	}
	return took, timed
}

// takeUp puts continue.md away once the task that it names has reported; one that names no task of any plan is over with the
// first report. It is kept under another name, so that nothing is lost. One written after the result was logged is about
// something that happened since.
func (c *capture) takeUp(context.Context) error {
	r := reader.File(c.m, c.b, resumeFile, parseResume)
	logged, known := c.m.Stat(c.Log)
	if !r.Exists || known && r.ModTime.After(logged.ModTime) || r.Value != nil && !c.resumes(r.Value) {
		return nil
	}
	to := path.Base(resumeFile) + ".done"
	for n := 2; !c.rep.DryRun; n++ {
		err := c.r.store.Move(c.r.target(stateDir), path.Base(resumeFile), to)
		if errors.Is(err, fs.ErrExist) {
			to = path.Base(resumeFile) + ".done-" + strconv.Itoa(n)
			continue
		}
		if err != nil {
			return err
		}
		break
	}
	c.m.Touch(resumeFile)
	c.taken = true
	c.Files = append(c.Files, FileChange{File: path.Join(stateDir, to), Made: true, Edits: []model.Edit{}})
	if !c.rep.DryRun {
		c.note("work is taken up again: continue.md is now %s", to)
	}
	return nil
}

// resumes reports whether a task's result means that work is taken up where continue.md broke it off.
func (c *capture) resumes(r *resume) bool {
	named := false
	for _, text := range []string{r.last, r.next} {
		plan, task := resumedTask(text)
		if task == "" {
			continue
		}
		named = true
		if task == c.task.number && (plan == "" || plan == c.plan.key) {
			return true
		}
	}
	return !named
}

// resumedTask returns the task that a line of continue.md names: "03-01:task-2 …", "Task 2: … (03-01)". A plan that it does not
// name is "".
func resumedTask(text string) (plan, task string) {
	for word := range strings.FieldsSeq(text) {
		switch k := parseKey(strings.Trim(word, "()[],.;`*")); {
		case k.plan != "" && k.task != "":
			return k.plan, k.task
		case k.plan != "" && plan == "":
			plan = k.plan
		}
	}
	if at := strings.Index(text, "Task "); at >= 0 {
		if number, _, ok := plantask.Number(text[at:]); ok {
			return plan, number
		}
		if number, _, _ := strings.Cut(text[at+len("Task "):], " "); strings.Trim(number, "0123456789.") == "" {
			return plan, rules.TrimZeros(strings.TrimSuffix(number, "."))
		}
	}
	return plan, ""
}

// following returns which task of the plan comes next, by all that is known of its tasks: the newest word about the one that
// reported is its result. One at work is not given out twice.
func (c *capture) following() Following {
	c.m.Touch(c.plan.file, sessionFile, c.b.File)
	one := &collector{m: c.m, now: c.now, b: &model.Build{File: c.b.File}, plans: map[string]*planState{}}
	p := *c.plan.phase
	s := &planState{Plan: c.plan.Plan, node: c.plan.node, key: c.plan.key, file: c.plan.file, phase: &p}
	p.plans = []*planState{s}
	one.phases, one.plans[s.key] = []*phase{&p}, s
	one.collectState()
	one.collectSession()
	one.collectPlan(s)
	one.logs = c.logsOf(executionsDir, func(plan, _ string) bool { return plan == s.key })
	one.deriveTasks()
	tasks := make([]taskStanding, len(s.tasks))
	open := 0
	for i, t := range s.tasks {
		status := t.status
		if t.number == c.task.number && t.name == c.Name && !s.Done && status != model.Skipped {
			if last := t.last(); last != nil && status != model.Done {
				status = outcomeStatus(last.status)
			}
		}
		tasks[i] = taskStanding{Wave: t.wave, Done: status.Closed(), Blocked: status == model.Blocked || status == model.Active || status == model.Retrying}
		if !tasks[i].Done {
			open++
		}
	}
	f := Following{Kind: planStuck, Plan: c.Plan}
	if i := nextTask(tasks); i >= 0 {
		f.Kind, f.Task, f.Name = nextTaskIs, s.tasks[i].number, line.Clean(cmp.Or(s.tasks[i].name, s.tasks[i].title))
	} else if open == 0 {
		f.Kind = planDone
	}
	return f
}
