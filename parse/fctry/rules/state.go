// Package rules holds what fctry's files say and what it means: which chunks are done, what comes next, what waits. Prompt,
// dashboard, writer and demo share it, so none of them can read a file in another way. It opens no file, and imports only
// what the prompt can afford.
// ../README.md says what the files are and how they are read.
package rules

import (
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// Files are the texts that a line of a fctry project is made from, "" for a file that is not there.
type Files struct {
	State, Config, Inbox string
	Spec                 string // of spec.md, at least the table of contents
	// HasSpec says that there is a spec, here or under an older name, whatever the state says.
	HasSpec bool
	// Unreadable says that state.json is there and cannot be read; a State that is no JSON is noticed without it.
	Unreadable bool
	Clock      Clock
}

// Line returns what the line says about a fctry project, in Facts: the one way from its files to its line, for the prompt
// and for the head of the dashboard. The values are parts of the texts.
func Line(files *Files) *State {
	d := ReadState(files.State, files.Config)
	d.Facts.Unreadable = d.Facts.Unreadable || files.Unreadable
	d.At(files.Clock)
	d.Findings(files.Inbox)
	d.Titles(files.Spec)
	d.Advise(files.HasSpec)
	return d
}

// State is a state.json as shallowly as a line needs it.
type State struct {
	Facts line.Fctry
	// Turns is the moment, in seconds since 1970, from which on the facts are others although nothing is written; 0 where
	// there is none, or where nobody knows what time it is. At sets it.
	Turns int64

	section   string    // activeSection, without "#"
	readiness string    // sectionReadiness
	summary   Readiness // by readinessSummary alone, which is what fctry derives the next step from
	unscored  bool      // nobody says how many scenarios are satisfied
	first     string    // title of the first section to be built, "" when it is not known
	// Where times stand: lastUpdated, the run, its chunks, and the events.
	updated, run, chunks, events string
}

// The values of state.json that are looked for, in the order of valuePaths.
const (
	specVersion = iota
	commandAt
	stepAt
	nextStep
	section
	sectionNo
	satisfied
	scenarios
	chunkProgress
	summary
	readiness
	untracked
	toScan
	scanned
	upgraded
	buildRun
	pending
	question
	updated
	events
	valueCount
)

var valuePaths = [valueCount][]string{
	specVersion: {"specVersion"}, commandAt: {"currentCommand"}, stepAt: {"workflowStep"}, nextStep: {"nextStep"},
	section: {"activeSection"}, sectionNo: {"activeSectionNumber"},
	satisfied: {"scenarioScore", "satisfied"}, scenarios: {"scenarioScore", "total"},
	chunkProgress: {"chunkProgress"}, summary: {"readinessSummary"}, readiness: {"sectionReadiness"},
	untracked: {"untrackedChanges"}, toScan: {"scanProgress", "total"}, scanned: {"scanProgress", "scanned"},
	upgraded: {"upgradeApplied"}, buildRun: {"buildRun"}, pending: {"pendingQuestion"}, question: {"experienceQuestion"},
	updated: {"lastUpdated"}, events: {"buildEvents"},
}

// ReadState reads state.json and config.json; what cannot be read says nothing.
func ReadState(state, config string) *State {
	d := new(State)
	var fields [valueCount]scan.JSONField
	for i := range valuePaths {
		fields[i].Path = valuePaths[i]
	}
	if state = scan.WithoutMark(state); state != "" {
		valid := scan.JSONFields(state, fields[:])
		d.Facts.Unreadable = !valid || state[scan.SkipSpace(state, 0)] != '{'
	}
	text := func(i int) string { return Scalar(fields[i].Value) }
	count := func(i int) line.Amount { n, _ := scan.JSONAmount(fields[i].Value); return line.Amount(n) }
	f := &d.Facts
	f.Spec = text(specVersion)
	f.Command, f.Step, f.NextStep = text(commandAt), text(stepAt), text(nextStep)
	d.section = withoutHash(text(section))
	f.Detail.Section, f.Detail.SectionNumber = d.section, text(sectionNo)
	f.Satisfied, f.Scenarios = count(satisfied), count(scenarios)
	d.unscored = !comparable(fields[satisfied].Value)
	if f.Satisfied > f.Scenarios {
		f.Satisfied = f.Scenarios
	}
	f.Detail.ToScan, f.Detail.Scanned = count(toScan), count(scanned)
	f.Detail.Upgraded = Truthy(fields[upgraded].Value)
	for a := (scan.JSONArray{Rest: fields[untracked].Value}); ; f.Detail.Untracked++ {
		if _, ok := a.Next(); !ok {
			break
		}
	}
	d.readiness = fields[readiness].Value
	d.updated, d.run, d.events = fields[updated].Value, fields[buildRun].Value, fields[events].Value
	d.sections(fields[summary].Value)
	d.runOf(fields[buildRun].Value, fields[chunkProgress].Value, Questions{fields[pending].Value, fields[question].Value})
	d.versions(config)
	return d
}

// versions reads the versions of the project and of the spec from config.json, which is the source of truth for both.
func (d *State) versions(config string) {
	fields := [2]scan.JSONField{{Path: []string{"versions", "spec", "current"}}, {Path: []string{"versions", "external", "current"}}}
	scan.JSONFields(scan.WithoutMark(config), fields[:])
	if spec := Scalar(fields[0].Value); spec != "" {
		d.Facts.Spec = spec
	}
	d.Facts.Detail.Version = Scalar(fields[1].Value)
}

// Readiness is how many sections stand how, in the words of fctry's own display.
type Readiness struct{ Built, Evolved, Specced, Unspecced line.Amount }

// add counts n sections with a label; ok is false for a label that is not counted. strict takes only the labels that the
// summary has a place for.
func (r *Readiness) add(label string, n line.Amount, strict bool) (ok bool) {
	switch label {
	case "aligned", "ready-to-execute", "satisfied":
		r.Built += n
	case "spec-ahead":
		r.Evolved += n
	case "ready-to-build", "draft":
		r.Specced += n
	case "undocumented":
		r.Unspecced += n
	case "built":
		if strict {
			return false
		}
		r.Built += n
	case "missing":
		if strict {
			return false
		}
		r.Specced += n
	default:
		return false
	}
	return true
}

// ReadReadiness counts sections: by the summary, where it has a label that is counted, else by the labels of the
// sections one by one. Both are values of state.json as scan.JSONFields returns them.
func ReadReadiness(summary, sections string) (r Readiness) {
	r, known := summedReadiness(summary)
	if known {
		return r
	}
	for m := (scan.JSONMembers{Rest: sections}); ; {
		_, value, ok := m.Next()
		if !ok {
			return r
		}
		r.add(sectionLabel(value), 1, false)
	}
}

// summedReadiness counts sections by a summary alone.
func summedReadiness(summary string) (r Readiness, known bool) {
	if known = r.summed(summary); !known {
		buckets, _ := scan.JSONValue(summary, "buckets")
		known = r.summed(buckets)
	}
	return r, known
}

// summed adds the counts of a summary and reports whether there are any.
func (r *Readiness) summed(summary string) (known bool) {
	for m := (scan.JSONMembers{Rest: summary}); ; {
		key, value, ok := m.Next()
		if !ok {
			return known
		}
		label, _ := scan.JSONText(key)
		if n, ok := scan.JSONAmount(value); ok && r.add(label, line.Amount(n), true) {
			known = true
		}
	}
}

// sectionLabel returns the label of a section: the value itself, or its member "readiness".
func sectionLabel(value string) string {
	if value != "" && value[0] == '{' {
		value, _ = scan.JSONValue(value, "readiness")
	}
	return Scalar(value)
}

func (d *State) sections(summary string) {
	d.summary, _ = summedReadiness(summary)
	r := ReadReadiness(summary, d.readiness)
	f := &d.Facts
	f.Aligned = r.Built
	f.Detail.Built, f.Detail.Evolved, f.Detail.Specced, f.Detail.Unspecced = r.Built, r.Evolved, r.Specced, r.Unspecced
}

// Findings counts what was found overnight and waits to be looked at.
func (d *State) Findings(inbox string) {
	for a := (scan.JSONArray{Rest: scan.WithoutMark(inbox)}); ; {
		item, ok := a.Next()
		if !ok {
			return
		}
		fields := [2]scan.JSONField{{Path: []string{"source"}}, {Path: []string{"status"}}}
		scan.JSONFields(item, fields[:])
		if scan.JSONStringIs(fields[0].Value, "foreman") && scan.JSONStringIs(fields[1].Value, "processed") {
			d.Facts.Detail.Findings++
		}
	}
}

// Advises reports whether the next step has to be derived: the file names none, and no command is said to run.
func (d *State) Advises() bool { return d.Facts.NextStep == "" && d.Facts.Command == "" }

// Advise derives the next step where the file names none.
func (d *State) Advise(spec bool) {
	if !d.Advises() {
		return
	}
	f := &d.Facts
	advice := advice{
		Spec: spec || f.Spec != "", Untracked: f.Detail.Untracked, Findings: f.Detail.Findings, Satisfied: f.Satisfied, Scenarios: f.Scenarios, Unscored: d.unscored,
		Evolved: d.summary.Evolved, Specced: d.summary.Specced, Unspecced: d.summary.Unspecced, Section: d.first,
	}
	f.NextStep, f.Usual = advice.NextStep()
}

// Truthy reports whether JavaScript takes a value for something: objects and arrays are.
func Truthy(value string) bool {
	return value != "" && (value[0] == '{' || value[0] == '[' || scan.JSONScalar(value) != "")
}

// comparable reports whether JavaScript takes a value for a number that is less or more than another: null and the empty text are 0.
func comparable(value string) bool {
	if text, isText := scan.JSONText(value); value == "null" || isText && scan.TrimSpace(text) == "" {
		return true
	}
	_, ok := scan.JSONCount(value)
	return ok
}

// withoutHash returns the alias of a section, which some write with "#" and some without.
func withoutHash(alias string) string {
	if alias != "" && alias[0] == '#' {
		return alias[1:]
	}
	return alias
}
