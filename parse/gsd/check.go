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

// Check returns every rule that the build's files break, in the order of files and lines, with the problems from
// [Reader.Read].
func (r *Reader) Check(now time.Time) []model.Problem {
	c := r.read(now)
	k := &checker{Check: protocol.NewCheck(c.b), build: c}
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
}

// rule is a rule that a file may break.
type rule struct {
	isBroken      bool
	at            model.Pos
	severity      model.Severity
	id, text, fix string
}

// reportRules reports the rules that are broken.
func (k *checker) reportRules(rules ...rule) {
	for _, r := range rules {
		if r.isBroken {
			k.Report(r.at, r.severity, r.id, r.text, r.fix)
		}
	}
}

const isoForm = "write it like 2026-06-01T12:34:56Z"

// timeRule is the rule that a time must be readable; unknown names the consequence of an unreadable time.
func timeRule(at model.Pos, s model.Severity, key, text, unknown string) rule {
	isBroken := text != "" && protocol.ParseTime(text).IsZero()
	return rule{isBroken, at, s, "gsd-time", key + " is not an ISO 8601 time: " + protocol.Quote(text) + unknown, isoForm}
}

func (k *checker) checkSignals() {
	if h := k.HandOff; h != nil && !h.IsOver() {
		k.reportRules(timeRule(model.Pos{File: h.File, Line: 1}, model.Warning, "timestamp", h.Since, ageUnknown))
	}
	if s := k.Signal; s != nil {
		at := model.Pos{File: s.File, Line: 1}
		k.reportRules(timeRule(at, model.Warning, "since", s.Since, ageUnknown), rule{
			s.Status != "" && core.Normalize(s.Status) != "waiting", at, model.Warning, "gsd-waiting-status",
			"status is " + protocol.Quote(s.Status) + ", so it asks no one", "write waiting while an agent waits, and delete the file once it is answered",
		})
	}
}

// readFrontmatter reports the problems of a file's frontmatter, and returns it; ok is false if there is nothing to check
// further.
func (k *checker) readFrontmatter(file string, s model.Severity) (d core.Document, ok bool) {
	text, err := k.m.Text(file)
	if err != nil {
		return d, false // reported by reading
	}
	if d, err = core.ParseDocument(text); err != nil || d.Front == nil {
		return d, err == nil
	}
	ok = true
	source := protocol.Source{File: file, Lines: doc.IndexLines(text)}
	for _, p := range d.Front.Problems {
		if strings.HasSuffix(p.Text, "appears twice") {
			k.Report(source.Pos(p.At), s, "gsd-key-twice", p.Text, p.Fix)
		} else if ok {
			k.Report(source.Pos(p.At), s, "gsd-yaml", "the frontmatter is not YAML: "+p.Text, p.Fix)
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
	d, ok := k.readFrontmatter(file, model.Error)
	first := model.Pos{File: file, Line: 1}
	switch {
	case d.Text != "" && !strings.HasPrefix(d.Text, "---\n") && !strings.HasPrefix(d.Text, "---\r\n"):
		severity := model.Warning
		if strings.HasPrefix(strings.TrimLeft(d.Text, "\uFEFF \t\r\n"), "---") {
			severity = model.Error
		}
		k.Report(first, severity, "gsd-frontmatter-first", "the file does not begin with a line --- and nothing else",
			"begin with the frontmatter, without a byte order mark; otherwise the status line reads none")
		return
	case !ok || d.Front == nil:
		return
	}
	source := protocol.Source{File: file, Lines: doc.IndexLines(d.Text)}
	at := func(keys ...string) model.Pos { return source.PosOf(d.Value(keys...), 0) }
	const known = "discussing, planning, executing, verifying, completed, paused"
	status, action, phases := d.Field("status"), d.Field("next_action"), d.Value("next_phases")
	isNothing := phases.IsEmpty() || phases.Is(doc.List) && phases.Len() == 0
	k.reportRules([]rule{
		{d.Field("gsd_state_version") == "", first, model.Error, "gsd-version", "gsd_state_version is missing", "write gsd_state_version: '1.0'"},
		{status == "", first, model.Error, "gsd-status", "status is missing", "write what the project is doing: " + known},
		{status != "" && !isKnownStatus(status), at("status"), model.Error, "gsd-status", "unknown status " + protocol.Quote(status), "use " + known},
		{action != "" && !slices.Contains(nextActions, action), at("next_action"), model.Error, "gsd-next-action",
			"next_action is " + protocol.Quote(action) + ", which is no command of GSD", "use " + strings.Join(nextActions, ", ") + ", or null"},
		{action != "" && isNothing, at("next_action"), model.Error, "gsd-next-phases", "next_action is set, next_phases is not",
			"name the phase: next_phases: [\"4\"]; otherwise the line shows no next step"},
		{action == "" && !isNothing, at("next_phases"), model.Error, "gsd-next-phases", "next_phases is set, next_action is not", "set both or none"},
		{!phases.IsEmpty() && !phases.Is(doc.List), at("next_phases"), model.Error, "gsd-next-phases",
			"next_phases is " + phases.Kind().String() + ", not a list", "write next_phases: [\"4\"]"},
		timeRule(at("last_updated"), model.Error, "last_updated", d.Field("last_updated"), ""),
	}...)
	l := &k.State.Line
	for _, shown := range [][2]string{{"status", l.Status}, {"milestone", l.Milestone}, {"milestone_name", l.MilestoneName}, {"active_phase", l.ActivePhase},
		{"next_action", l.NextAction}, {"next_phases", strings.Join(l.NextPhases, ", ")}} {
		key, says := shown[0], d.Field(shown[0])
		if key == "next_phases" {
			says = strings.Join(d.Texts(key), ", ")
		}
		k.reportRules(rule{says != shown[1] && (says != "" || key != "status"), at(key), model.Error, "gsd-spelling",
			"GSD's status line reads " + key + " as " + protocol.Quote(shown[1]) + ", not " + protocol.Quote(says), "write it on one line, without a comment"})
	}
	k.checkProgress(&d, at)
	for _, key := range []string{"milestone", "milestone_name", "active_phase", "next_action", "current_phase", "current_phase_name", "current_plan", "last_updated", "last_activity", "stopped_at", "paused_at"} {
		v := d.Value(key)
		k.reportRules(rule{v.Is(doc.List) || v.Is(doc.Map), at(key), model.Error, "gsd-type", key + " is " + v.Kind().String() + "; it must be text", "write it as text on one line"})
	}
}

// isKnownStatus reports whether GSD, or a person, would understand a status.
func isKnownStatus(status string) bool {
	lower := strings.ReplaceAll(strings.ToLower(status), "_", " ")
	return lower == "unknown" || slices.ContainsFunc([]string{
		"discussing", "planning", "ready to plan", "executing", "in progress", "ready to execute", "verif", "complete", "done", "paused", "stopped", "awaiting", "defining",
		"shipped", "archived", "closed", "between milestones", "blocked",
	}, func(part string) bool { return strings.Contains(lower, part) })
}

var nextActions = []string{"discuss-phase", "plan-phase", "execute-phase", "verify-phase"}

func (k *checker) checkProgress(d *core.Document, at func(keys ...string) model.Pos) {
	p := d.Value("progress")
	if !p.Is(doc.Map) {
		k.reportRules(rule{!p.IsEmpty(), at("progress"), model.Error, "gsd-progress", "progress is " + p.Kind().String() + "; it must be an object", "indent its keys below it"})
		return
	}
	value, l := map[string]int{}, &k.State.Line
	for _, key := range []string{"total_phases", "completed_phases", "total_plans", "completed_plans", "percent"} {
		v := p.Get(key)
		n, err := strconv.Atoi(v.Scalar())
		switch at := at("progress", key); {
		case v.IsEmpty():
		case err != nil || n < 0 || !v.Is(doc.Number):
			k.Report(at, model.Error, "gsd-progress-number", "progress."+key+" is "+protocol.Quote(v.Raw())+"; it must be a whole number without quotes", "write only the number")
		case key == "percent" && n > 100:
			k.Report(at, model.Error, "gsd-percent", fmt.Sprintf("progress.percent is %d", n), "a percentage is at most 100")
		default:
			value[key] = n
		}
	}
	for key, seen := range map[string]string{"percent": l.Percent, "completed_phases": l.CompletedPhases, "total_phases": l.TotalPhases} {
		k.reportRules(rule{seen == "" && value[key] > 0, at("progress", key), model.Error, "gsd-progress-line", "the status line does not see progress." + key,
			"let the keys follow progress: directly, one a line, without quotation marks, comments or blank lines between"})
	}
}

var verificationStatuses = []string{"passed", "human_needed", "gaps_found", "pending", "blocked", "partial", "failed", "in_progress"}

var resultWords = []string{"", core.ResultPending, core.ResultPass, core.ResultIssue, core.ResultSkipped, core.ResultBlocked}

// checkPhase checks the directory of a phase.
func (k *checker) checkPhase(p *core.Phase) {
	for _, s := range p.Plans {
		k.readFrontmatter(s.Path, model.Warning)
		for _, d := range s.Plan.DependsOn {
			other := k.Plans[core.PlanKey(p.ID, d)]
			k.reportRules(rule{other == s || other == nil && k.FindPhase(d) == nil && len(k.Archived) == 0, model.Pos{File: s.Path, Line: s.Plan.DependsLine},
				model.Error, "gsd-depends-on", "depends_on names " + protocol.Quote(d) + ", and there is no such other plan", "name a plan by its number, 03-01"})
		}
	}
	for _, u := range p.UATs {
		k.checkTests(path.Join(p.Dir, u.File), u)
	}
	if p.Past != "" {
		return
	}
	if v := p.Main; v != nil {
		file := path.Join(p.Dir, v.File)
		at := model.Pos{File: file, Line: max(v.StatusLine, 1)}
		k.readFrontmatter(file, model.Warning)
		k.reportRules(rule{v.Status == "", at, model.Warning, "gsd-verification-status",
			"the verification has no status in its frontmatter, so the phase counts as not verified", "write status: passed, human_needed or gaps_found"},
			rule{v.Status != "" && !slices.Contains(verificationStatuses, v.Written), at, model.Error, "gsd-verification-status",
				"unknown status " + protocol.Quote(v.Written), "use passed, human_needed or gaps_found"},
			timeRule(model.Pos{File: file, Line: max(v.VerifiedAt, 1)}, model.Warning, "verified", v.Verified, ageUnknown))
	}
	for _, u := range p.UATs {
		file := path.Join(p.Dir, u.File)
		k.readFrontmatter(file, model.Warning)
		k.reportRules(timeRule(model.Pos{File: file, Line: max(u.UpdatedLine, 1)}, model.Warning, "updated", u.Updated, ageUnknown),
			rule{u.Unread > 0, model.Pos{File: file, Line: u.Unread}, model.Warning, "gsd-uat-test", u.UnreadableText(),
				"write each test as a heading ### 1. Name with the lines expected: and result: below it"})
	}
}

const ageUnknown = ", so its age is unknown"

func (k *checker) checkTests(file string, u *core.UATFile) {
	for i := range u.Tests {
		t := &u.Tests[i]
		at := model.Pos{File: file, Line: t.ResultLine()}
		k.reportRules(rule{len(t.Fields.WithKey("result")) > 1, at, model.Error, "gsd-uat-result", "the test has two results", "keep one"},
			rule{!slices.Contains(resultWords, t.Result), at, model.Error, "gsd-uat-result",
				"unknown result " + protocol.Quote(t.Result), "use pending, pass, issue, skipped or blocked"})
	}
}
