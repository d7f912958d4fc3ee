// Package core evaluates the files of a fctry project. The prompt, the dashboard, the checker and the editor all use it.
//
//	state.json ── New ──► State with its Run ──► Position: what is done, what can begin, what waits
//	config.json ──┘         ├─ SetClock: is it still running?
//	spec.md ── ParseSpec ───┼─ AddSpec: titles of sections
//	inbox.json ─────────────┼─ AddInbox: findings to review
//	                        └─ Advise: the next step ──► Facts (the line)
//
// Chunks, questions and the run keep the value that they were parsed from, so that readers and editors find everything else there.
// Statuses are the words of the file: an unknown word is shown and never counts as done. ../README.md describes the protocol. The
// package opens no file and has a small import closure, because the prompt links it.
package core

import (
	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// State is a state.json, with facts from the other files. Texts are as the files spell them.
type State struct {
	Root, Config doc.Value
	Run          Run
	Facts        line.Fctry
	// Turns is the time, in seconds since 1970, at which the facts change without a write; 0 for none.
	Turns int64
	// Readiness counts the sections.
	Readiness Readiness

	summed      Readiness // by the summary alone, which fctry derives the next step from
	isScored    bool      // the number of satisfied scenarios is known
	nextSection string    // title of the first section to build, "" if it is unknown
}

// New evaluates a state and a config, each absent if it can't be read.
func New(root, config doc.Value) *State {
	s := &State{Root: root, Config: config, Run: parseRun(root)}
	text := func(key string) string { return Text(root.Get(key)) }
	amount := func(keys ...string) line.Amount { n, _ := Amount(root.Get(keys...)); return n }
	f := &s.Facts
	f.Run = s.Run.Facts()
	f.Command, f.Step, f.NextStep = text("currentCommand"), text("workflowStep"), text("nextStep")
	f.Satisfied, f.Scenarios = amount("scenarioScore", "satisfied"), amount("scenarioScore", "total")
	f.Satisfied = min(f.Satisfied, f.Scenarios)
	s.isScored = isComparable(root.Get("scenarioScore", "satisfied"))
	f.Detail.Section, f.Detail.SectionNumber = text("activeSection"), text("activeSectionNumber")
	if doc.HasPrefix(f.Detail.Section, "#") {
		f.Detail.Section = f.Detail.Section[1:]
	}
	f.Detail.ToScan, f.Detail.Scanned = amount("scanProgress", "total"), amount("scanProgress", "scanned")
	f.Detail.Upgraded = IsTruthy(root.Get("upgradeApplied"))
	if changes := root.Get("untrackedChanges"); changes.Is(doc.List) {
		f.Detail.Untracked = changes.Len()
	}
	f.Spec, f.Detail.Version = Text(config.Get("versions", "spec", "current")), Text(config.Get("versions", "external", "current"))
	if f.Spec == "" {
		f.Spec = text("specVersion")
	}
	s.countSections()
	return s
}

// isComparable reports whether JavaScript takes a value for a number: null and the empty text are 0.
func isComparable(v doc.Value) bool {
	_, ok := Amount(v)
	return ok || v.Is(doc.Null) || v.Is(doc.String) && doc.Trim(v.Text()) == ""
}

// Readiness counts the sections in the words of fctry's own display.
type Readiness struct{ Built, Evolved, Specced, Unspecced line.Amount }

// Total returns how many sections there are.
func (r *Readiness) Total() line.Amount { return r.Built + r.Evolved + r.Specced + r.Unspecced }

// addSections counts n sections with a label; ok is false if the label is not counted.
func (r *Readiness) addSections(label string, n line.Amount) (ok bool) {
	switch label {
	case "aligned", "ready-to-execute", "satisfied":
		r.Built += n
	case "spec-ahead":
		r.Evolved += n
	case "ready-to-build", "draft":
		r.Specced += n
	case "undocumented":
		r.Unspecced += n
	default:
		return false
	}
	return true
}

// isToBuild reports whether a section with a label still has to be built.
func isToBuild(label string) bool {
	return label == "ready-to-build" || label == "draft" || label == "spec-ahead"
}

// SectionLabel returns the label of a section: the value itself, or its member "readiness".
func SectionLabel(v doc.Value) string {
	if v.Is(doc.Map) {
		v = v.Get("readiness")
	}
	return Text(v)
}

// countSections counts the sections: by the summary if it has a counted label, else one by one, with two more labels
// counting.
func (s *State) countSections() {
	isSummed := false
	summary := s.Root.Get("readinessSummary")
	for _, object := range [...]doc.Value{summary, summary.Get("buckets")} {
		for member := range object.Members() {
			if n, ok := Amount(member); ok && !(isSummed && object != summary) {
				isSummed = s.summed.addSections(member.Key(), n) || isSummed
			}
		}
	}
	s.Readiness = s.summed
	for member := range s.Root.Get("sectionReadiness").Members() {
		if isSummed {
			break
		}
		switch label := SectionLabel(member); label {
		case "built":
			s.Readiness.Built++
		case "missing":
			s.Readiness.Specced++
		default:
			s.Readiness.addSections(label, 1)
		}
	}
	d := &s.Facts.Detail
	d.Built, d.Evolved, d.Specced, d.Unspecced = s.Readiness.Built, s.Readiness.Evolved, s.Readiness.Specced, s.Readiness.Unspecced
	s.Facts.Aligned = s.Readiness.Built
}

// AddInbox counts the findings of the night that wait for a review.
func (s *State) AddInbox(inbox doc.Value) {
	for item := range inbox.Elements() {
		if IsFinding(item) {
			s.Facts.Detail.Findings++
		}
	}
}

// IsFinding reports whether an item of the inbox was found overnight and waits for a review.
func IsFinding(item doc.Value) bool {
	return item.Get("source").Text() == "foreman" && item.Get("status").Text() == "processed"
}

// NeedsAdvice reports whether the next step has to be derived: the file names no next step and no running command.
func (s *State) NeedsAdvice() bool { return s.Facts.NextStep == "" && s.Facts.Command == "" }

// NeedsTitles reports whether the title of a section is shown.
func (s *State) NeedsTitles() bool {
	return s.Facts.Detail.Section != "" || s.NeedsAdvice() && s.summed.Specced+s.summed.Evolved > 0
}

// AddSpec adds the facts from the specification: its status, and the titles of the current section and of the next one.
func (s *State) AddSpec(spec *Spec) {
	d := &s.Facts.Detail
	if d.SpecStatus = spec.Status; d.SpecStatus == "active" { // the usual one
		d.SpecStatus = ""
	}
	if found, ok := spec.Find(d.Section); ok {
		d.Section, d.SectionNumber = found.Title, found.Number
	}
	if s.NeedsAdvice() {
		s.nextSection = spec.firstToBuild(s.Root.Get("sectionReadiness"))
	}
}

// Advise derives the next step if the file names none.
func (s *State) Advise(hasSpec bool) {
	if s.NeedsAdvice() {
		s.Facts.NextStep, s.Facts.Usual = s.nextAdvice(hasSpec)
	}
}

// StaleAfter is how many seconds after the last change a run or a command no longer counts as running. A chunk takes
// less.
const StaleAfter = 3600

// Clock is the time, and when state.json was written, in seconds since 1970; 0 is unknown.
type Clock struct{ Now, Changed int64 }

// SetClock sets the facts that depend on the time.
func (s *State) SetClock(c Clock) {
	if c.Now == 0 || c.Changed == 0 {
		return
	}
	f := &s.Facts
	turns := c.Changed + StaleAfter
	if c.Now >= turns { // seldom: the file is usually as new as the times in it
		turns = s.LastSign(c) + StaleAfter
	}
	f.Fresh = c.Now < turns
	f.Run.Stale = !f.Fresh && f.Run.GoesOn()
	if f.Fresh && (f.Step != "" || f.Run.GoesOn()) {
		s.Turns = turns
	}
}

// LastSign returns when something was done last: the newest of the time of the file and of the times in the state, its run, its chunks
// and its events. Times in the future are ignored.
func (s *State) LastSign(c Clock) int64 {
	last := c.Changed
	look := func(v doc.Value) {
		if at, ok := doc.ParseSeconds(v.Text()); ok && at <= c.Now {
			last = max(last, at)
		}
	}
	look(s.Root.Get("lastUpdated"))
	for member := range s.Run.Value.Members() {
		look(member)
	}
	for _, list := range [...]doc.Value{s.Run.List, s.Root.Get("buildEvents")} {
		for element := range list.Elements() {
			for member := range element.Members() {
				look(member)
			}
		}
	}
	return last
}
