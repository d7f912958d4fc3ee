// The strict side of reading: every rule of STATE.md and the files around it
// that a project breaks. "gatehouse check" shows them.

package gsd

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/protocol"
	"gatehouse/parse/text/scan"
	"gatehouse/parse/text/yamldoc"
)

// Check returns every rule that the build's files break, in the order of files
// and lines. Besides the rules, it holds what [Reader.Read] has to report.
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.read(now)
	k := &checker{Check: protocol.NewCheck(c.b), c: c}
	k.archived, k.circles = c.archivedPlans(), c.circles()
	k.state()
	if h := c.handoff; h != nil && !h.over() && h.since.IsZero() {
		k.Report(model.Pos{File: c.handFile, Line: 1}, model.Warning, "gsd-time", "timestamp is missing or no ISO 8601 time, so nobody can tell whether work went on since", "write it like 2026-06-01T12:34:56Z")
	}
	if w := c.waiting; w != nil && w.over == "" {
		k.time(model.Pos{File: c.waitFile, Line: 1}, "since", w.asked, "nobody can tell how long it waits")
	}
	if w := c.waiting; w != nil && w.status != "" && w.status != "waiting" {
		k.Report(model.Pos{File: c.waitFile, Line: 1}, model.Warning, "gsd-waiting-status", "status is "+protocol.Quote(w.status)+", so the question counts as open", "write waiting, and delete the file once it is answered")
	}
	for _, p := range c.phases {
		k.phase(p)
	}
	return k.End("bring the file in line with the tree")
}

// time reports a time that is written and can't be read, and what nobody knows then.
func (k *checker) time(at model.Pos, key, text, unknown string) {
	if text != "" && protocol.ParseTime(text).IsZero() {
		k.Report(at, model.Warning, "gsd-time", key+" is no ISO 8601 time: "+protocol.Quote(text)+", so "+unknown, "write it like 2026-06-01T12:34:56Z")
	}
}

// checker gathers the rules broken.
type checker struct {
	*protocol.Check
	c        *collector
	archived map[string]bool     // the plans of archived phases
	circles  map[*planState]bool // the plans that depend on themselves
}

// front reads a file once more, and all of its frontmatter; what is wrong with
// that is reported. ok is false when there is nothing to check further.
func (k *checker) front(file string, s model.Severity) (text string, front yamldoc.Doc, ok bool) {
	text, err := k.c.m.Text(file)
	if err != nil {
		return "", yamldoc.Doc{}, false // reported by reading
	}
	d, err := yamldoc.Split(text)
	if err != nil {
		return text, yamldoc.Doc{}, false // likewise
	}
	front, err = yamldoc.Parse(d.Front, yamldoc.FrontLine)
	var e *yamldoc.Error
	if errors.As(err, &e) {
		k.Report(model.Pos{File: file, Line: e.Line}, s, "gsd-yaml", "the frontmatter is not YAML: "+e.Text, "mend the line; what can be read without YAML is shown")
		return text, front, false
	}
	for key, no := range front.Twice() {
		k.Report(model.Pos{File: file, Line: no, Col: 1}, s, "gsd-key-twice", "the key "+key+" is there twice", "keep one; the last counts")
	}
	return text, front, true
}

// state checks STATE.md: "Frontmatter parsing constraints" and "Field
// reference".
func (k *checker) state() {
	file := k.c.b.File
	if !k.c.stateIs.Exists {
		for i := range k.Problems {
			if k.Problems[i].File == file {
				k.Problems[i].Severity, k.Problems[i].Rule = model.Error, "gsd-state-missing"
			}
		}
		return
	}
	text, d, ok := k.front(file, model.Error)
	if text != "" && !meansFrontmatter(text) {
		k.Report(model.Pos{File: file, Line: 1}, model.Warning, "gsd-frontmatter-first",
			"the file has no frontmatter", "GSD's next command writes it; until then the status line shows what the body says")
		return
	}
	if text != "" && !strings.HasPrefix(text, "---\n") && !strings.HasPrefix(text, "---\r\n") {
		k.Report(model.Pos{File: file, Line: 1, Col: 1}, model.Error, "gsd-frontmatter-first",
			"the file does not begin with a line --- and nothing else", "take away what stands before or behind the three dashes, a byte order mark too; the status line reads no frontmatter else")
		return
	}
	if !ok {
		return
	}
	at := func(key string) model.Pos { return model.Pos{File: file, Line: d.Line(key), Col: d.Col(key)} }
	if d.String("gsd_state_version") == "" {
		k.Report(model.Pos{File: file, Line: 1}, model.Error, "gsd-version", "gsd_state_version is missing", `write gsd_state_version: '1.0'`)
	}
	if status := d.String("status"); status == "" {
		k.Report(model.Pos{File: file, Line: 1}, model.Error, "gsd-status", "status is missing", "write what the project is doing: "+strings.Join(statusValues, ", "))
	} else if !knownStatus(status) {
		k.Report(at("status"), model.Error, "gsd-status", "status is "+protocol.Quote(status)+", which is none of GSD's", "write one of "+strings.Join(statusValues, ", "))
	}
	k.next(d, at)
	k.progress(d, at)
	if v := d.String("last_updated"); v != "" && protocol.ParseTime(v).IsZero() {
		k.Report(at("last_updated"), model.Error, "gsd-time", "last_updated is no ISO 8601 time: "+protocol.Quote(v), "write it like 2026-06-01T12:34:56Z")
	}
	for _, key := range []string{
		"milestone", "milestone_name", "active_phase", "next_action", "current_phase", "current_phase_name", "current_plan", "last_updated", "last_activity", "stopped_at", "paused_at",
	} {
		if shape := d.Shape(key); shape == "a list" || shape == "a block of keys" {
			k.Report(at(key), model.Error, "gsd-type", key+" is "+shape+", it has to be text", "write it as text on one line")
		}
	}
}

// meansFrontmatter reports whether dashes among the first lines of a file are meant to open frontmatter: it begins with them,
// but for blanks and a byte order mark, or a key follows them.
func meansFrontmatter(text string) bool {
	lines := strings.SplitN(text, "\n", 6)
	for i, l := range lines[:min(len(lines), 5)] {
		if !strings.HasPrefix(strings.TrimLeft(l, "\uFEFF \t"), "---") {
			continue
		}
		if i == 0 || i+1 < len(lines) && scan.Word(lines[i+1], 0) > 0 && strings.HasPrefix(lines[i+1][scan.Word(lines[i+1], 0):], ":") {
			return true
		}
	}
	return false
}

// statusValues are the canonical values of status.
var statusValues = []string{"discussing", "planning", "executing", "verifying", "completed", "paused"}

// knownStatus reports whether GSD's normaliser makes something of a status.
func knownStatus(status string) bool {
	lower := strings.ReplaceAll(strings.ToLower(status), "_", " ")
	for _, part := range []string{"discussing", "planning", "ready to plan", "executing", "in progress", "ready to execute", "verif", "complete", "done", "paused", "stopped", "awaiting", "defining", "shipped", "archived", "closed"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return lower == "unknown"
}

var nextActions = []string{"discuss-phase", "plan-phase", "execute-phase", "verify-phase"}

func (k *checker) next(d yamldoc.Doc, at func(string) model.Pos) {
	action := d.String("next_action")
	phases := d.Strings("next_phases")
	if action != "" && !slices.Contains(nextActions, action) {
		k.Report(at("next_action"), model.Error, "gsd-next-action", "next_action is "+protocol.Quote(action)+", which is no command of GSD", "write one of "+strings.Join(nextActions, ", ")+", or null")
	}
	if action != "" && len(phases) == 0 {
		k.Report(at("next_action"), model.Error, "gsd-next-phases", "next_action is set, next_phases is not", "name the phase: next_phases: [\"4\"]; the line shows no next step else")
	}
	if action == "" && len(phases) > 0 {
		k.Report(at("next_phases"), model.Error, "gsd-next-phases", "next_phases is set, next_action is not", "set both or none")
	}
	if d.String("active_phase") != "" && action != "" {
		k.Report(at("next_action"), model.Warning, "gsd-next-active", "next_action is set while active_phase says that a command is at work", "set next_action and next_phases to null")
	}
	if d.Has("next_phases") && len(phases) > 0 && d.Shape("next_phases") != "a list" {
		k.Report(at("next_phases"), model.Error, "gsd-next-phases", "next_phases is "+d.Shape("next_phases")+", not a list", "write next_phases: [\"4\"]")
	}
}

func (k *checker) progress(d yamldoc.Doc, at func(string) model.Pos) {
	if !d.Has("progress") {
		return
	}
	if shape := d.Shape("progress"); shape != "a block of keys" {
		if shape != "null" {
			k.Report(at("progress"), model.Error, "gsd-progress", "progress is "+shape+", it has to be a block of keys", "indent its keys below it")
		}
		return
	}
	p := d.Doc("progress")
	pos := func(key string) model.Pos { return model.Pos{File: k.c.b.File, Line: p.Line(key), Col: p.Col(key)} }
	for key, no := range p.Twice() {
		k.Report(model.Pos{File: k.c.b.File, Line: no, Col: 1}, model.Error, "gsd-key-twice", "the key progress."+key+" is there twice", "keep one")
	}
	value := map[string]int{}
	for _, key := range progressKeys {
		text := p.String(key)
		if shape := p.Shape(key); text == "" && (shape == "a list" || shape == "a block of keys") {
			k.Report(pos(key), model.Error, "gsd-progress-number", "progress."+key+" is "+shape+", it has to be a whole number", "write the number alone")
		}
		if text == "" {
			continue
		}
		n, err := strconv.Atoi(text)
		switch {
		case err != nil || n < 0 || p.Shape(key) != "a number":
			k.Report(pos(key), model.Error, "gsd-progress-number", "progress."+key+" is "+protocol.Quote(text)+", it has to be a whole number without quotes", "write the number alone")
		case key == "percent" && n > 100:
			k.Report(pos(key), model.Error, "gsd-percent", fmt.Sprintf("progress.percent is %d", n), "a percentage is at most 100")
		default:
			value[key] = n
		}
	}
	for _, of := range [][2]string{{"completed_phases", "total_phases"}, {"completed_plans", "total_plans"}} {
		done, hasDone := value[of[0]]
		total, hasTotal := value[of[1]]
		if hasDone && hasTotal && done > total {
			k.Report(pos(of[0]), model.Error, "gsd-progress-order", fmt.Sprintf("progress.%s is %d, more than progress.%s, %d", of[0], done, of[1], total), "count again")
		}
	}
	if k.c.state.line.Percent == "" && p.Has("percent") && value["percent"] > 0 {
		k.Report(pos("percent"), model.Error, "gsd-progress-line", "the status line does not see progress.percent", "let the keys follow progress: directly, one a line, without comments or blank lines between")
	}
}

var verificationWords = []string{"passed", "human_needed", "gaps_found", "pending", "blocked", "partial", "failed", "in_progress"}

var resultWords = []string{"", "pending", "pass", "passed", "issue", "skipped", "blocked", "fail", "failed"}

// phase checks a phase's directory.
func (k *checker) phase(p *phase) {
	known := map[string]bool{}
	plans, done := p.live()
	for _, s := range p.plans {
		known[s.planFile.summary] = true
		file := path.Join(p.dir, s.name)
		k.front(file, model.Warning)
		if !strings.HasSuffix(s.name, "PLAN.md") && !milestone.IsNestedPlan(path.Base(s.name)) && !numberedPlan.MatchString(s.name) {
			k.Report(model.Pos{File: file}, model.Warning, "gsd-plan-name", "the file counts as a plan because its name has “plan” in it", "rename it if it is none; GSD counts it too")
		}
		k.dependencies(p, s, file)
	}
	for _, e := range p.files {
		// Beside plans that are all finished, or gone, another summary means nothing.
		if milestone.IsSummary(e.Name) && !known[e.Name] && p.past == "" && done < len(plans) {
			k.Report(model.Pos{File: path.Join(p.dir, e.Name)}, model.Warning, "gsd-summary-alone", "the summary closes no plan", "give it the name of its plan, with SUMMARY for PLAN")
		}
	}
	switch v := p.verified; {
	case v == nil || p.past != "" || slices.Contains(verificationWords, v.written):
	case v.status == "":
		k.Report(model.Pos{File: path.Join(p.dir, p.verFile.Name), Line: 1}, model.Warning, "gsd-verification-status", "the verification has no status in its frontmatter, so the phase counts as not verified", "write status: passed, human_needed or gaps_found")
	default:
		k.Report(model.Pos{File: path.Join(p.dir, p.verFile.Name), Line: v.statusLine}, model.Error, "gsd-verification-status", "status is "+protocol.Quote(v.written)+", which no verification has", "write passed, human_needed or gaps_found")
	}
	if v := p.verified; v != nil && p.past == "" {
		file := path.Join(p.dir, p.verFile.Name)
		_, front, _ := k.front(file, model.Warning)
		k.time(model.Pos{File: file, Line: max(front.Line("verified"), 1)}, "verified", v.verified, "nobody can tell since when it says so")
	}
	for i := range p.uats {
		if file := path.Join(p.dir, p.uats[i].name); p.past == "" {
			_, front, _ := k.front(file, model.Warning)
			k.time(model.Pos{File: file, Line: max(front.Line("updated"), 1)}, "updated", p.uats[i].uat.updated, "nobody can tell since when it says so")
		}
		for _, t := range p.uats[i].uat.tests {
			if t.count("result") > 1 {
				k.Report(model.Pos{File: path.Join(p.dir, p.uats[i].name), Line: t.resLine}, model.Error, "gsd-uat-result", "the test has two results", "leave one; the last counts")
			}
			if !slices.Contains(resultWords, t.result) {
				k.Report(model.Pos{File: path.Join(p.dir, p.uats[i].name), Line: t.resLine}, model.Error, "gsd-uat-result", "the result is "+protocol.Quote(t.result), "write pending, pass, issue, skipped or blocked")
			}
		}
	}
}

// numberedPlan is a plan in the form "01-PLAN-02-name.md".
var numberedPlan = regexp.MustCompile(`-PLAN-\d`)

// dependencies checks that a plan depends on plans that exist, and not on
// itself, however far around.
func (k *checker) dependencies(p *phase, s *planState, file string) {
	at := model.Pos{File: file, Line: s.plan.dependsAt}
	for _, d := range s.plan.dependsOn {
		if k.c.plans[planKey(p, dependency(d))] == s {
			k.Report(at, model.Error, "gsd-cycle", "plan "+s.id+" depends on itself", "take it out")
			break
		}
	}
	for _, d := range s.plan.dependsOn {
		if d == "" || k.c.plans[planKey(p, dependency(d))] != nil {
			continue
		}
		if k.c.named(d) != nil || k.archived[planKey(p, dependency(d))] || k.finished(p, d) {
			continue // a whole phase, a plan of an earlier milestone, or one of which only the summary is kept
		}
		k.Report(at, model.Error, "gsd-depends-on", "depends_on names "+protocol.Quote(d)+", and there is no such plan", "name a plan by its number, 03-01")
	}
	if k.circles[s] {
		k.Report(at, model.Error, "gsd-cycle", "plan "+s.id+" depends on itself, through "+strings.Join(s.plan.dependsOn, ", "), "take one of the dependencies out")
	}
}

// finished reports whether there is a summary of a plan that a plan of p depends on, though the plan itself is gone.
func (k *checker) finished(p *phase, on string) bool {
	key := planKey(p, dependency(on))
	for _, q := range k.c.phases {
		for _, e := range q.files {
			if id, ok := strings.CutSuffix(e.Name, "-SUMMARY.md"); ok && planKey(q, id) == key {
				return true
			}
		}
	}
	return false
}

// circles returns the plans that depend on themselves, however far around.
func (c *collector) circles() map[*planState]bool {
	in := map[*planState]bool{}
	place := map[*planState]int{} // on the way that is walked now, from 1; -1 when done
	var way []*planState
	var walk func(s *planState)
	walk = func(s *planState) {
		way = append(way, s)
		place[s] = len(way)
		for _, d := range s.dependsOn {
			switch at := place[d]; {
			case at > 0:
				for _, x := range way[at-1:] {
					in[x] = true
				}
			case at == 0:
				walk(d)
			}
		}
		way = way[:len(way)-1]
		place[s] = -1
	}
	for _, p := range c.phases {
		for _, s := range p.plans {
			if place[s] == 0 {
				walk(s)
			}
		}
	}
	return in
}
