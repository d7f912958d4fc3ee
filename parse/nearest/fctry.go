// What a line says about a fctry project: product.md §2, protocols/fctry-state.md, notes/fctry.md §2, §3 and §8.

package nearest

import (
	"gatehouse/model/flow"
	"gatehouse/model/line"
	"gatehouse/parse/text/scan"
)

// FctryFiles are the texts that a line of a fctry project is made from, "" for a file that is not there.
type FctryFiles struct {
	State, Config, Inbox string
	Spec                 string // of spec.md, at least the table of contents
	// HasSpec says that there is a spec, here or under an older name, whatever the state says.
	HasSpec bool
	// Unreadable says that state.json is there and cannot be read; a State that is no JSON is noticed without it.
	Unreadable bool
	// Fresh says that state.json was written within the last hour.
	Fresh bool
}

// FctryLine returns what the line says about a fctry project: the one way from its files to its line, for the prompt and for
// the head of the dashboard. The values are parts of the texts.
func FctryLine(files *FctryFiles) *line.Fctry {
	d := readFctry(files.State, files.Config)
	d.facts.Unreadable = d.facts.Unreadable || files.Unreadable
	d.facts.Fresh = files.Fresh
	d.findings(files.Inbox)
	d.titles(files.Spec)
	d.advise(files.HasSpec)
	return &d.facts
}

// FctryFresh is how many seconds after its last change state.json is believed to tell what runs.
const FctryFresh = 3600

// fctryDoc is a state.json as shallowly as a line needs it.
type fctryDoc struct {
	facts     line.Fctry
	section   string         // activeSection, without "#"
	readiness string         // sectionReadiness
	summary   FctryReadiness // by readinessSummary alone, which is what fctry derives the next step from
	first     string         // title of the first section to be built, "" when it is not known
}

// The values of state.json that are looked for, in the order of fctryPaths.
const (
	fctrySpecVersion = iota
	fctryCommandAt
	fctryStepAt
	fctryNextStep
	fctrySection
	fctrySectionNumber
	fctrySatisfied
	fctryScenarios
	fctryChunkProgress
	fctrySummary
	fctryReadiness
	fctryUntracked
	fctryToScan
	fctryScanned
	fctryUpgraded
	fctryRun
	fctryQuestion
	fctryCount
)

var fctryPaths = [fctryCount][]string{
	fctrySpecVersion: {"specVersion"}, fctryCommandAt: {"currentCommand"}, fctryStepAt: {"workflowStep"}, fctryNextStep: {"nextStep"},
	fctrySection: {"activeSection"}, fctrySectionNumber: {"activeSectionNumber"},
	fctrySatisfied: {"scenarioScore", "satisfied"}, fctryScenarios: {"scenarioScore", "total"},
	fctryChunkProgress: {"chunkProgress"}, fctrySummary: {"readinessSummary"}, fctryReadiness: {"sectionReadiness"},
	fctryUntracked: {"untrackedChanges"}, fctryToScan: {"scanProgress", "total"}, fctryScanned: {"scanProgress", "scanned"},
	fctryUpgraded: {"upgradeApplied"}, fctryRun: {"buildRun"}, fctryQuestion: {"experienceQuestion"},
}

// readFctry reads state.json and config.json; what cannot be read says nothing.
func readFctry(state, config string) *fctryDoc {
	d := new(fctryDoc)
	var fields [fctryCount]scan.JSONField
	for i := range fctryPaths {
		fields[i].Path = fctryPaths[i]
	}
	d.facts.Unreadable = state != "" && !scan.JSONFields(withoutBOM(state), fields[:])
	text := func(i int) string { return scan.JSONScalar(fields[i].Value) }
	count := func(i int) int { n, _ := scan.JSONCount(fields[i].Value); return n }
	f := &d.facts
	f.Spec = text(fctrySpecVersion)
	f.Command, f.Step, f.NextStep = text(fctryCommandAt), text(fctryStepAt), text(fctryNextStep)
	d.section = withoutHash(text(fctrySection))
	f.Detail.Section, f.Detail.SectionNumber = d.section, text(fctrySectionNumber)
	f.Satisfied, f.Scenarios = count(fctrySatisfied), count(fctryScenarios)
	if f.Satisfied > f.Scenarios {
		f.Satisfied = f.Scenarios
	}
	f.Detail.ToScan, f.Detail.Scanned = count(fctryToScan), count(fctryScanned)
	f.Detail.Upgraded = truthy(fields[fctryUpgraded].Value)
	for a := (scan.JSONArray{Rest: fields[fctryUntracked].Value}); ; f.Detail.Untracked++ {
		if _, ok := a.Next(); !ok {
			break
		}
	}
	d.readiness = fields[fctryReadiness].Value
	d.sections(fields[fctrySummary].Value)
	d.runOf(fields[fctryRun].Value, fields[fctryChunkProgress].Value, text(fctryQuestion))
	d.versions(config)
	return d
}

// versions reads the versions of the project and of the spec from config.json, which is the source of truth for both.
func (d *fctryDoc) versions(config string) {
	fields := [2]scan.JSONField{{Path: []string{"versions", "spec", "current"}}, {Path: []string{"versions", "external", "current"}}}
	scan.JSONFields(withoutBOM(config), fields[:])
	if spec := scan.JSONScalar(fields[0].Value); spec != "" {
		d.facts.Spec = spec
	}
	d.facts.Detail.Version = scan.JSONScalar(fields[1].Value)
}

// FctryReadiness is how many sections stand how, in the words of fctry's own display.
type FctryReadiness struct{ Built, Evolved, Specced, Unspecced int }

// add counts n sections with a label; ok is false for a label that is not counted. strict takes only the labels that the
// summary has a place for.
func (r *FctryReadiness) add(label string, n int, strict bool) (ok bool) {
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

// ReadFctryReadiness counts sections: by the summary, where it has a label that is counted, else by the labels of the
// sections one by one. Both are values of state.json as scan.JSONFields returns them.
func ReadFctryReadiness(summary, sections string) (r FctryReadiness) {
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
func summedReadiness(summary string) (r FctryReadiness, known bool) {
	if known = r.summed(summary); !known {
		buckets, _ := scan.JSONValue(summary, "buckets")
		known = r.summed(buckets)
	}
	return r, known
}

// summed adds the counts of a summary and reports whether there are any.
func (r *FctryReadiness) summed(summary string) (known bool) {
	for m := (scan.JSONMembers{Rest: summary}); ; {
		key, value, ok := m.Next()
		if !ok {
			return known
		}
		label, _ := scan.JSONText(key)
		if n, ok := scan.JSONCount(value); ok && r.add(label, n, true) {
			known = true
		}
	}
}

// sectionLabel returns the label of a section: the value itself, or its member "readiness".
func sectionLabel(value string) string {
	if value != "" && value[0] == '{' {
		value, _ = scan.JSONValue(value, "readiness")
	}
	return scan.JSONScalar(value)
}

func (d *fctryDoc) sections(summary string) {
	d.summary, _ = summedReadiness(summary)
	r := ReadFctryReadiness(summary, d.readiness)
	f := &d.facts
	f.Aligned = r.Built
	f.Detail.Built, f.Detail.Evolved, f.Detail.Specced, f.Detail.Unspecced = r.Built, r.Evolved, r.Specced, r.Unspecced
}

// findings counts what was found overnight and waits to be looked at.
func (d *fctryDoc) findings(inbox string) {
	for a := (scan.JSONArray{Rest: withoutBOM(inbox)}); ; {
		item, ok := a.Next()
		if !ok {
			return
		}
		fields := [2]scan.JSONField{{Path: []string{"source"}}, {Path: []string{"status"}}}
		scan.JSONFields(item, fields[:])
		if scan.JSONStringIs(fields[0].Value, "foreman") && scan.JSONStringIs(fields[1].Value, "processed") {
			d.facts.Detail.Findings++
		}
	}
}

// advises reports whether the next step has to be derived: the file names none, and no command is said to run.
func (d *fctryDoc) advises() bool { return d.facts.NextStep == "" && d.facts.Command == "" }

// advise derives the next step where the file names none.
func (d *fctryDoc) advise(spec bool) {
	if !d.advises() {
		return
	}
	f := &d.facts
	advice := flow.Advice{
		Spec: spec || f.Spec != "", Untracked: f.Detail.Untracked, Findings: f.Detail.Findings, Satisfied: f.Satisfied, Scenarios: f.Scenarios,
		Evolved: d.summary.Evolved, Specced: d.summary.Specced, Unspecced: d.summary.Unspecced, Section: d.first,
	}
	f.NextStep, f.Usual = advice.NextStep()
}

// truthy reports whether JavaScript takes a value for something: objects and arrays are.
func truthy(value string) bool {
	return value != "" && (value[0] == '{' || value[0] == '[' || scan.JSONScalar(value) != "")
}

func withoutBOM(text string) string {
	const bom = "\uFEFF"
	if hasPrefixAt(text, bom, 0) {
		return text[len(bom):]
	}
	return text
}

// withoutHash returns the alias of a section, which some write with "#" and some without.
func withoutHash(alias string) string {
	if alias != "" && alias[0] == '#' {
		return alias[1:]
	}
	return alias
}

// withoutV returns a version without one leading "v".
func withoutV(version string) string {
	if version != "" && version[0] == 'v' {
		return version[1:]
	}
	return version
}
