package fctry

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/nearest"
)

// addMetrics adds what is known besides the chunks: versions, scores, readiness, changes, what the agents found.
func (v *view) addMetrics() {
	var f facts
	root := v.Root
	git, _ := nearest.FindGit(nearest.Place{Dir: v.m.Root()})
	f.add("version", line.Tidy(v.version))
	f.add("branch", line.Tidy(git.Branch+git.Commit))
	f.add("spec", line.Tidy(v.Facts.Spec))
	f.add("spec status", line.Tidy(v.spec.Status))
	f.add("command", line.Tidy(v.Facts.Command))
	f.add("step", line.Tidy(v.Facts.Step))
	f.add("section", v.activeSection())
	v.addScores(&f)
	if progress := root.Get("chunkProgress"); !v.Run.IsBeside || len(v.Run.Chunks) == 0 {
		if p, ok := core.ParseProgress(progress); ok {
			text := line.Tidy(p.CurrentText)
			if text == "" {
				text = strconv.Itoa(max(p.Done, p.Current))
			}
			f.add("chunk progress", text+"/"+line.Tidy(p.Of()))
		}
	}
	if v.run.Exists {
		v.addRunFacts(&f)
	}
	v.addContextFacts(&f)
	v.addChanges(&f)
	f.add("inbox", v.inbox.countText())
	f.add("upgraded", upgradeText(root.Get("upgradeApplied")))
	if d := &v.Facts.Detail; d.ToScan > 0 {
		f.add("scanned", d.Scanned.Text()+"/"+d.ToScan.Text()+" sections")
	}
	for member := range core.Members(root.Get("agentOutputs")) {
		summary := firstText(member, "summary", "briefingDigest")
		if summary == "" {
			summary = flatten(member)
		}
		f.add("told by "+line.Tidy(member.Key()), summary)
	}
	if e := root.Get("escalation"); e.Is(doc.Map) {
		f.add("escalation", flatten(e))
	}
	f.add("verification", flatten(root.Get("verificationSummary")))
	if !v.isUnreadable {
		f.add("next step", line.Tidy(v.Facts.NextStep))
	}
	v.b.Metrics = append(v.b.Metrics, f...)
}

// upgradeText says from which version of fctry to which a project was upgraded; "" if it was not.
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
func (v *view) addScores(f *facts) {
	if v.Facts.Scenarios > 0 {
		f.add("scenarios", v.Facts.Satisfied.Text()+"/"+v.Facts.Scenarios.Text())
	}
	f.addRest("scenarios ", v.Root.Get("scenarioScore"), "satisfied", "total")
	if r := &v.Readiness; r.Total() > 0 {
		text := (r.Built + r.Evolved).Text() + "/" + r.Total().Text() + " built"
		if r.Evolved > 0 {
			text = r.Built.Text() + " built " + r.Evolved.Text() + " evolved"
			if r.Specced > 0 {
				text += " " + r.Specced.Text() + " specced"
			}
			text += " of " + r.Total().Text()
		}
		f.add("sections", text)
	}
	byLabel, labels := map[string][]string{}, []string{}
	for member := range core.Members(v.Root.Get("sectionReadiness")) {
		if label := line.Tidy(core.SectionLabel(member)); label != "" {
			if byLabel[label] == nil {
				labels = append(labels, label)
			}
			byLabel[label] = append(byLabel[label], v.sectionName(line.Tidy(member.Key())))
		}
	}
	slices.Sort(labels)
	for _, label := range labels[:min(len(labels), maxFacts)] {
		f.add(label+" sections", strconv.Itoa(len(byLabel[label]))+": "+strings.Join(byLabel[label], ", "))
	}
	f.addRest("sections ", v.Root.Get("readinessSummary"), "aligned", "ready-to-execute", "satisfied", "spec-ahead", "ready-to-build", "draft")
}

// addRunFacts adds what the run says about itself, and what can be resumed.
func (v *view) addRunFacts(f *facts) {
	run := v.run.Value
	f.add("run", firstText(run, "runId", "id"))
	f.add("run status", line.Tidy(v.run.Status))
	f.addTime("started", timeOf(run.Get("startedAt")))
	f.add("plan priorities", strings.Join(textsOf(run.Get("plan", "priorities")), ", "))
	f.addRest("plan ", run.Get("plan"), "priorities", "chunks", "totalChunks")
	f.addRest("", run, "runId", "id", "status", "startedAt", "plan", "chunks", "pendingQuestion", "lastCheckpoint", "chunkProgress")
	if v.isLast {
		return
	}
	v.addResumeFacts(f)
	if path := model.NewGraph(v.nodes).CriticalPath(); len(path) > 1 {
		var numbers []string
		for _, i := range path {
			numbers = append(numbers, v.nodes[i].Number)
		}
		f.add("longest way", strconv.Itoa(len(path))+" chunks one after the other: "+listNames(numbers))
	}
}

// addChanges adds the files that were changed outside of any command.
func (v *view) addChanges(f *facts) {
	changes := v.Root.Get("untrackedChanges")
	if !changes.Is(doc.List) || changes.Len() == 0 {
		return
	}
	f.add("untracked changes", strconv.Itoa(changes.Len()))
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
		f.add("untracked", text)
	}
}
