package gsd

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/doc"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// Check returns every rule that the build's files break, in the order of files and lines, with what [Reader.Read] reports.
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.read(now)
	k := &checker{Check: protocol.NewCheck(c.b), build: c, circles: findCircles(c.Phases), archived: map[string]bool{}}
	for _, p := range c.Archived {
		for _, s := range p.Plans {
			k.archived[core.PlanKey(p.ID, s.ID)] = true
		}
	}
	k.checkState()
	k.checkSignals()
	for _, p := range c.Phases {
		k.checkPhase(p)
	}
	return k.End("bring the file in line with the tree")
}

// checker gathers the rules that are broken.
type checker struct {
	*protocol.Check
	*build
	archived map[string]bool // plans of archived phases
	circles  map[*core.PlanState]bool
}

const isoForm = "write it like 2026-06-01T12:34:56Z"

// checkTime reports a time that can't be read, and what is unknown then.
func (k *checker) checkTime(at model.Pos, key, text, unknown string) {
	if text != "" && protocol.ParseTime(text).IsZero() {
		k.Report(at, model.Warning, "gsd-time", key+" is not an ISO 8601 time: "+protocol.Quote(text)+", so "+unknown, isoForm)
	}
}

func (k *checker) checkSignals() {
	if h := k.HandOff; h != nil && !h.IsOver() && protocol.ParseTime(h.Since).IsZero() {
		k.Report(model.Pos{File: h.File, Line: 1}, model.Warning, "gsd-time", "timestamp is missing or not an ISO 8601 time, so nobody can tell whether work continued since", isoForm)
	}
	s := k.Signal
	if s == nil {
		return
	}
	at := model.Pos{File: s.File, Line: 1}
	if s.Stale == "" {
		k.checkTime(at, "since", s.Since, "nobody can tell how long it waits")
	}
	if s.Status != "" && core.Normalize(s.Status) != "waiting" {
		k.Report(at, model.Warning, "gsd-waiting-status", "status is "+protocol.Quote(s.Status)+", so nobody is asked", "write waiting while an agent waits, and delete the file once it is answered")
	}
}

// frontmatter reports what is wrong with the frontmatter of a file, and returns it; ok is false if there is nothing to check further.
func (k *checker) frontmatter(file string, s model.Severity) (d core.Document, ok bool) {
	text, err := k.m.Text(file)
	if err != nil {
		return d, false // reported by reading
	}
	if d, err = core.ParseDocument(text); err != nil || d.Front == nil {
		return d, err == nil
	}
	ok = true
	lines := doc.IndexLines(text)
	for _, p := range d.Front.Problems {
		at := model.Pos{File: file}
		at.Line, at.Col = lines.Position(p.At)
		switch isTwice := strings.HasSuffix(p.Text, "appears twice"); {
		case isTwice:
			k.Report(at, s, "gsd-key-twice", p.Text, p.Fix)
		case ok:
			k.Report(at, s, "gsd-yaml", "the frontmatter is not YAML: "+p.Text, p.Fix)
			ok = false
		}
	}
	return d, ok
}

// checkState checks STATE.md: "Frontmatter parsing constraints" and "Field reference" of GSD's documentation.
func (k *checker) checkState() {
	file := k.b.File
	if !k.StateFile.Exists {
		for i := range k.Problems {
			if k.Problems[i].File == file {
				k.Problems[i].Severity, k.Problems[i].Rule = model.Error, "gsd-state-missing"
			}
		}
		return
	}
	d, ok := k.frontmatter(file, model.Error)
	switch {
	case d.Text != "" && !meansFrontmatter(d.Text):
		k.Report(model.Pos{File: file, Line: 1}, model.Warning, "gsd-frontmatter-first", "the file has no frontmatter", "GSD's next command writes it; until then the status line shows what the body says")
		return
	case d.Text != "" && !strings.HasPrefix(d.Text, "---\n") && !strings.HasPrefix(d.Text, "---\r\n"):
		k.Report(model.Pos{File: file, Line: 1, Col: 1}, model.Error, "gsd-frontmatter-first", "the file does not begin with a line --- and nothing else",
			"remove what is before or behind the three dashes, a byte order mark too; otherwise the status line reads no frontmatter")
		return
	case !ok || d.Front == nil:
		return
	}
	at := func(key string) model.Pos { return k.posOf(&d, d.Value(key)) }
	if d.Field("gsd_state_version") == "" {
		k.Report(model.Pos{File: file, Line: 1}, model.Error, "gsd-version", "gsd_state_version is missing", `write gsd_state_version: '1.0'`)
	}
	const known = "discussing, planning, executing, verifying, completed, paused"
	switch status := d.Field("status"); {
	case status == "":
		k.Report(model.Pos{File: file, Line: 1}, model.Error, "gsd-status", "status is missing", "write what the project is doing: "+known)
	case !isKnownStatus(status):
		k.Report(at("status"), model.Error, "gsd-status", "unknown status "+protocol.Quote(status), "use "+known)
	}
	k.checkNext(&d, at)
	k.checkProgress(&d)
	if v := d.Field("last_updated"); v != "" && protocol.ParseTime(v).IsZero() {
		k.Report(at("last_updated"), model.Error, "gsd-time", "last_updated is not an ISO 8601 time: "+protocol.Quote(v), isoForm)
	}
	for _, key := range []string{"milestone", "milestone_name", "active_phase", "next_action", "current_phase", "current_phase_name", "current_plan", "last_updated", "last_activity", "stopped_at", "paused_at"} {
		if v := d.Value(key); v.Is(doc.List) || v.Is(doc.Map) {
			k.Report(at(key), model.Error, "gsd-type", key+" is "+v.Kind().String()+"; it must be text", "write it as text on one line")
		}
	}
}

func (k *checker) posOf(d *core.Document, v doc.Value) model.Pos {
	at := model.Pos{File: k.b.File}
	at.Line, at.Col = doc.IndexLines(d.Text).Position(v.Offset())
	return at
}

// meansFrontmatter reports whether dashes among the first lines of a file are meant to open frontmatter: the file begins with them, but
// for blanks and a byte order mark, or a key follows.
func meansFrontmatter(text string) bool {
	lines := strings.SplitN(text, "\n", 6)
	for i, l := range lines[:min(len(lines), 5)] {
		if !strings.HasPrefix(strings.TrimLeft(l, "\uFEFF \t"), "---") {
			continue
		}
		if i == 0 {
			return true
		}
		if i+1 < len(lines) {
			if key, _, ok := strings.Cut(lines[i+1], ":"); ok && key != "" && !strings.ContainsAny(key, " \t*#") {
				return true
			}
		}
	}
	return false
}

// isKnownStatus reports whether GSD, or a person, would know what a status means.
func isKnownStatus(status string) bool {
	lower := strings.ReplaceAll(strings.ToLower(status), "_", " ")
	return lower == "unknown" || slices.ContainsFunc([]string{
		"discussing", "planning", "ready to plan", "executing", "in progress", "ready to execute", "verif", "complete", "done", "paused", "stopped", "awaiting", "defining",
		"shipped", "archived", "closed", "between milestones", "blocked",
	}, func(part string) bool { return strings.Contains(lower, part) })
}

var nextActions = []string{"discuss-phase", "plan-phase", "execute-phase", "verify-phase"}

func (k *checker) checkNext(d *core.Document, at func(string) model.Pos) {
	action, phases := d.Field("next_action"), d.Value("next_phases")
	isList := phases.Is(doc.List)
	isEmpty := phases.IsEmpty() || isList && phases.Len() == 0
	if action != "" && !slices.Contains(nextActions, action) {
		k.Report(at("next_action"), model.Error, "gsd-next-action", "next_action is "+protocol.Quote(action)+", which is no command of GSD", "use "+strings.Join(nextActions, ", ")+", or null")
	}
	if action != "" && isEmpty {
		k.Report(at("next_action"), model.Error, "gsd-next-phases", "next_action is set, next_phases is not", "name the phase: next_phases: [\"4\"]; otherwise the line shows no next step")
	}
	if action == "" && !isEmpty {
		k.Report(at("next_phases"), model.Error, "gsd-next-phases", "next_phases is set, next_action is not", "set both or none")
	}
	if d.Field("active_phase") != "" && action != "" {
		k.Report(at("next_action"), model.Warning, "gsd-next-active", "next_action is set while active_phase says that a command is running", "set next_action and next_phases to null")
	}
	if !isEmpty && !isList {
		k.Report(at("next_phases"), model.Error, "gsd-next-phases", "next_phases is "+phases.Kind().String()+", not a list", "write next_phases: [\"4\"]")
	}
}

func (k *checker) checkProgress(d *core.Document) {
	p := d.Value("progress")
	if !p.Is(doc.Map) {
		if !p.IsEmpty() {
			k.Report(k.posOf(d, p), model.Error, "gsd-progress", "progress is "+p.Kind().String()+"; it must be an object", "indent its keys below it")
		}
		return
	}
	value := map[string]int{}
	for _, key := range []string{"total_phases", "completed_phases", "total_plans", "completed_plans", "percent"} {
		v := p.Get(key)
		if v.IsEmpty() {
			continue
		}
		n, err := strconv.Atoi(v.Scalar())
		switch {
		case err != nil || n < 0 || !v.Is(doc.Number):
			k.Report(k.posOf(d, v), model.Error, "gsd-progress-number", "progress."+key+" is "+protocol.Quote(v.Raw())+"; it must be a whole number without quotes", "write only the number")
		case key == "percent" && n > 100:
			k.Report(k.posOf(d, v), model.Error, "gsd-percent", fmt.Sprintf("progress.percent is %d", n), "a percentage is at most 100")
		default:
			value[key] = n
		}
	}
	for _, noun := range []string{"phases", "plans"} {
		done, hasDone := value["completed_"+noun]
		total, hasTotal := value["total_"+noun]
		if hasDone && hasTotal && done > total {
			k.Report(k.posOf(d, p.Get("completed_"+noun)), model.Error, "gsd-progress-order", fmt.Sprintf("progress.completed_%s is %d, more than progress.total_%s, %d", noun, done, noun, total), "count again")
		}
	}
	if k.State.Line.Percent == "" && value["percent"] > 0 {
		k.Report(k.posOf(d, p.Get("percent")), model.Error, "gsd-progress-line", "the status line does not see progress.percent", "let the keys follow progress: directly, one a line, without comments or blank lines between")
	}
}

var verificationStatuses = []string{"passed", "human_needed", "gaps_found", "pending", "blocked", "partial", "failed", "in_progress"}

var resultWords = []string{"", core.ResultPending, core.ResultPass, core.ResultIssue, core.ResultSkipped, core.ResultBlocked}

// checkPhase checks the directory of a phase.
func (k *checker) checkPhase(p *core.Phase) {
	known := map[string]bool{}
	for _, s := range p.Plans {
		known[s.File.Summary] = true
		k.frontmatter(s.Path, model.Warning)
		if name := path.Base(s.File.Name); !strings.HasSuffix(name, "PLAN.md") && !core.IsNestedPlan(name) {
			k.Report(model.Pos{File: s.Path}, model.Warning, "gsd-plan-name", "the file counts as a plan because its name contains “plan”", "rename it if it is not; GSD counts it too")
		}
		k.checkDependencies(p, s)
	}
	if p.Past != "" {
		k.checkTests(p)
		return
	}
	done, total := p.CountPlans()
	for _, e := range p.Files {
		// Beside plans that are all finished, or gone, another summary means nothing.
		if core.IsSummary(e.Name) && !known[e.Name] && done < total {
			k.Report(model.Pos{File: path.Join(p.Dir, e.Name)}, model.Warning, "gsd-summary-alone", "the summary closes no plan", "give it the name of its plan, with SUMMARY for PLAN")
		}
	}
	if v := p.Main; v != nil {
		file := path.Join(p.Dir, v.File)
		switch at := (model.Pos{File: file, Line: max(v.StatusLine, 1)}); {
		case v.Status == "":
			k.Report(at, model.Warning, "gsd-verification-status", "the verification has no status in its frontmatter, so the phase counts as not verified", "write status: passed, human_needed or gaps_found")
		case !slices.Contains(verificationStatuses, v.Written):
			k.Report(at, model.Error, "gsd-verification-status", "unknown status "+protocol.Quote(v.Written), "use passed, human_needed or gaps_found")
		}
		k.frontmatter(file, model.Warning)
		k.checkTime(model.Pos{File: file, Line: max(v.VerifiedAt, 1)}, "verified", v.Verified, "nobody can tell since when it says so")
	}
	for _, u := range p.UATs {
		file := path.Join(p.Dir, u.File)
		k.frontmatter(file, model.Warning)
		k.checkTime(model.Pos{File: file, Line: max(u.UpdatedLine, 1)}, "updated", u.Updated, "nobody can tell since when it says so")
	}
	k.checkTests(p)
}

func (k *checker) checkTests(p *core.Phase) {
	for _, u := range p.UATs {
		for i := range u.Tests {
			t := &u.Tests[i]
			at := model.Pos{File: path.Join(p.Dir, u.File), Line: t.ResultLine()}
			if t.CountFields("result") > 1 {
				k.Report(at, model.Error, "gsd-uat-result", "the test has two results", "keep one; the last one counts")
			}
			if !slices.Contains(resultWords, t.Result) {
				k.Report(at, model.Error, "gsd-uat-result", "unknown result "+protocol.Quote(t.Result), "use pending, pass, issue, skipped or blocked")
			}
		}
	}
}

// checkDependencies checks that a plan depends on plans that exist, and not on itself.
func (k *checker) checkDependencies(p *core.Phase, s *core.PlanState) {
	at := model.Pos{File: s.Path, Line: s.Plan.DependsLine}
	if k.circles[s] {
		k.Report(at, model.Error, "gsd-cycle", "plan "+s.ID+" depends on itself, through "+strings.Join(s.Plan.DependsOn, ", "), "remove one of the dependencies")
	}
	for _, d := range s.Plan.DependsOn {
		key := core.PlanKey(p.ID, d)
		switch other := k.Plans[key]; {
		case other == s:
			k.Report(at, model.Error, "gsd-cycle", "plan "+s.ID+" depends on itself", "remove it")
		case other == nil && k.Named(d) == nil && !k.archived[key] && !k.hasSummaryOf(key): // neither a phase nor a plan that is gone
			k.Report(at, model.Error, "gsd-depends-on", "depends_on names "+protocol.Quote(d)+", and there is no such plan", "name a plan by its number, 03-01")
		}
	}
}

// hasSummaryOf reports whether there is a summary of a plan, though the plan itself is gone.
func (k *checker) hasSummaryOf(key string) bool {
	for _, q := range k.Phases {
		for _, e := range q.Files {
			if id, ok := strings.CutSuffix(e.Name, "-SUMMARY.md"); ok && core.PlanKey(q.ID, id) == key {
				return true
			}
		}
	}
	return false
}

// findCircles returns the plans that depend on themselves through others.
func findCircles(phases []*core.Phase) map[*core.PlanState]bool {
	circles, place := map[*core.PlanState]bool{}, map[*core.PlanState]int{} // place on the current way, from 1; -1 when done
	var way []*core.PlanState
	var walk func(s *core.PlanState)
	walk = func(s *core.PlanState) {
		way = append(way, s)
		place[s] = len(way)
		for _, d := range s.DependsOn {
			switch at := place[d]; {
			case at > 0:
				for _, member := range way[at-1:] {
					circles[member] = true
				}
			case at == 0:
				walk(d)
			}
		}
		way = way[:len(way)-1]
		place[s] = -1
	}
	for _, p := range phases {
		for _, s := range p.Plans {
			if place[s] == 0 {
				walk(s)
			}
		}
	}
	return circles
}
