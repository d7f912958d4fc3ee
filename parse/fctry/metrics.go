package fctry

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol"
)

// addMetrics adds the facts other than chunks: versions, scores, readiness, changes, the agents' findings.
func (v *view) addMetrics() {
	var f protocol.Facts
	root := v.Root
	git, _ := nearest.FindGit(nearest.Place{Dir: v.m.Root()})
	f.Add("version", line.Tidy(v.version))
	f.Add("branch", line.Tidy(git.Branch+git.Commit))
	f.Add("spec", line.Tidy(v.Facts.Spec))
	f.Add("spec status", line.Tidy(v.spec.Status))
	f.Add("command", line.Tidy(v.Facts.Command))
	f.Add("step", line.Tidy(v.Facts.Step))
	f.Add("section", v.activeSection())
	v.addScores(&f)
	if progress := root.Get("chunkProgress"); !slices.ContainsFunc(slices.Collect(elementsOf(progress.Get("chunks"))), func(v doc.Value) bool { return v.Is(doc.Map) }) {
		if p, ok := core.ParseProgress(progress); ok {
			text := line.Tidy(p.CurrentText)
			if text == "" {
				text = strconv.Itoa(max(p.Done, p.Current))
			}
			f.Add("chunk progress", text+"/"+line.Tidy(p.TotalName()))
		}
	}
	if v.run.Exists {
		v.addRunFacts(&f)
	}
	v.addContextFacts(&f)
	v.addChanges(&f)
	f.Add("inbox", v.inbox.countText())
	f.Add("upgraded", upgradeText(root.Get("upgradeApplied")))
	if d := &v.Facts.Detail; d.ToScan > 0 {
		f.Add("scanned", d.Scanned.Text()+"/"+d.ToScan.Text()+" sections")
	}
	for member := range root.Get("agentOutputs").Members() {
		summary := firstText(member, "summary", "briefingDigest")
		if summary == "" {
			summary = flattenValue(member)
		}
		f.Add("report of "+line.Tidy(member.Key()), summary)
	}
	if e := root.Get("escalation"); e.Is(doc.Map) {
		f.Add("escalation", flattenValue(e))
	}
	f.Add("verification", flattenValue(root.Get("verificationSummary")))
	if !v.isUnreadable {
		f.Add("next step", line.Tidy(v.Facts.NextStep))
	}
	v.b.Metrics = append(v.b.Metrics, f...)
}

// upgradeText returns the fctry versions before and after a project's upgrade; "" without an upgrade.
func upgradeText(v doc.Value) string {
	from, to := textOf(v.Get("from")), textOf(v.Get("to"))
	switch {
	case from != "" && to != "":
		return from + " → " + to
	case to != "":
		return "to " + to
	case core.IsTruthy(v):
		return "yes"
	}
	return ""
}

// activeSection returns the section that is worked on.
func (v *view) activeSection() string {
	alias, number := textOf(v.Root.Get("activeSection")), textOf(v.Root.Get("activeSectionNumber"))
	if alias == "" {
		return v.sectionName(number)
	}
	name := v.sectionName(alias)
	if number != "" && name == alias {
		name += " (" + number + ")"
	}
	return name
}

// addScores adds the scenarios and the sections.
func (v *view) addScores(f *protocol.Facts) {
	if v.Facts.Scenarios > 0 {
		f.Add("scenarios", v.Facts.Satisfied.Text()+"/"+v.Facts.Scenarios.Text())
	}
	addRest(f, "scenarios ", v.Root.Get("scenarioScore"), "satisfied", "total")
	if r := &v.Readiness; r.Total() > 0 {
		text := (r.Built + r.Evolved).Text() + "/" + r.Total().Text() + " built"
		if r.Evolved > 0 {
			text = r.Built.Text() + " built " + r.Evolved.Text() + " evolved"
			if r.Specced > 0 {
				text += " " + r.Specced.Text() + " specced"
			}
			text += " of " + r.Total().Text()
		}
		f.Add("sections", text)
	}
	byLabel, labels := map[string][]string{}, []string{}
	for member := range v.Root.Get("sectionReadiness").Members() {
		if label := line.Tidy(core.SectionLabel(member)); label != "" {
			if byLabel[label] == nil {
				labels = append(labels, label)
			}
			byLabel[label] = append(byLabel[label], v.sectionName(line.Tidy(member.Key())))
		}
	}
	slices.Sort(labels)
	for _, label := range labels[:min(len(labels), maxFacts)] {
		f.Add(label+" sections", strconv.Itoa(len(byLabel[label]))+": "+strings.Join(byLabel[label], ", "))
	}
	addRest(f, "sections ", v.Root.Get("readinessSummary"), "aligned", "ready-to-execute", "satisfied", "spec-ahead", "ready-to-build", "draft")
}

// addRunFacts adds the run's own facts, and the resumable work.
func (v *view) addRunFacts(f *protocol.Facts) {
	run := v.run.Value
	f.Add("run", firstText(run, "runId", "id"))
	f.Add("run status", line.Tidy(v.run.Status))
	f.AddTime("started", timeOf(run.Get("startedAt")))
	f.Add("plan priorities", strings.Join(textsOf(run.Get("plan", "priorities")), ", "))
	addRest(f, "plan ", run.Get("plan"), "priorities", "chunks", "totalChunks")
	addRest(f, "", run, "runId", "id", "status", "startedAt", "plan", "chunks", "pendingQuestion", "lastCheckpoint", "chunkProgress")
	if v.isLast {
		return
	}
	v.addResumeFacts(f)
}

// addChanges adds the files that were changed outside of any command.
func (v *view) addChanges(f *protocol.Facts) {
	changes := v.Root.Get("untrackedChanges")
	if !changes.Is(doc.List) || changes.Len() == 0 {
		return
	}
	f.Add("untracked changes", strconv.Itoa(changes.Len()))
	end := len(*f) + maxFacts
	for change := range changes.Children() {
		if len(*f) == end {
			break
		}
		text := textOf(change.Get("file"))
		if section := cmp.Or(textOf(change.Get("section")), textOf(change.Get("sectionNumber"))); section != "" {
			text += " — " + v.sectionName(section)
		}
		if at := timeOf(change.Get("timestamp")); !at.IsZero() {
			text += ", " + at.UTC().Format(time.DateTime)
		}
		f.Add("untracked", text)
	}
}
