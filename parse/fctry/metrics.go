package fctry

import (
	"cmp"
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
	if p, ok := core.ParseProgress(root.Get("chunkProgress")); ok && !v.run.IsBeside {
		f.Add("chunk progress", strconv.Itoa(max(p.Done, p.Current))+"/"+strconv.Itoa(p.Total))
	}
	if v.run.Exists {
		run := v.run.Value
		f.Add("run", firstText(run, "runId", "id"))
		f.Add("run status", line.Tidy(v.run.Status))
		f.AddTime("started", timeOf(run.Get("startedAt")))
		addRest(&f, "plan ", run.Get("plan"), "chunks", "totalChunks")
		v.addResumeFacts(&f)
	}
	v.addContextFacts(&f)
	v.addChanges(&f)
	f.Add("inbox", v.inbox.countText())
	if v.Facts.Detail.Upgraded {
		f.Add("upgraded", cmp.Or(flattenValue(root.Get("upgradeApplied")), "yes"))
	}
	if d := &v.Facts.Detail; d.ToScan > 0 {
		f.Add("scanned", d.Scanned.Text()+"/"+d.ToScan.Text()+" sections")
	}
	for member := range root.Get("agentOutputs").Members() {
		f.Add("report of "+line.Tidy(member.Key()), cmp.Or(firstText(member, "summary"), flattenValue(member)))
	}
	if !v.isUnreadable {
		f.Add("next step", line.Tidy(v.Facts.NextStep))
	}
	v.b.Metrics = append(v.b.Metrics, f...)
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
	addRest(f, "sections ", v.Root.Get("readinessSummary"), "aligned", "ready-to-execute", "satisfied", "spec-ahead", "ready-to-build", "draft")
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
		f.Add("untracked", strings.TrimSpace(text))
	}
}
