package core

import (
	"fmt"
	"strings"
	"testing"

	"gatehouse/parse/conformance"
)

// readers describe the reading of a text, by the name of an operation.
var readers = map[string]func(text string) string{
	"line":    func(text string) string { return fmt.Sprintf("%+v", ParseLine(text)) },
	"summary": func(text string) string { s, err := ParseSummary(text, nil); return fmt.Sprintf("%+v %+v", *s, err) },
	"result":  ParseResult,
	"awaits":  func(text string) string { return fmt.Sprint(AwaitsHuman(text)) },
	"version": func(text string) string { version, name := parseVersion(text); return version + "|" + name },
	"key":     func(text string) string { id, _, _ := ParsePhaseID("03"); return PlanKey(id, text) },
	"dir": func(text string) string {
		id, name, ok := ParsePhaseDir(text)
		return fmt.Sprintf("%s %s %q %v %v %v", id.Text, id.Key, name, ok, id.IsZero(), id.IsBacklog())
	},
	"title": func(text string) string {
		phase := parsePhaseTitle(text)
		if phase == nil {
			return "none"
		}
		return fmt.Sprintf("%s %q %v", phase.ID.Text, phase.Name, phase.IsRetired)
	},
	"shipped": func(text string) (all string) {
		milestones, err := ParseMilestones(text)
		for _, m := range *milestones {
			all += fmt.Sprintf("%s %s-%s %s\n", m.Version, m.Range.First.Text, m.Range.Last.Text, m.On)
		}
		return all + fmt.Sprint(err)
	},
	"roadmap": func(text string) (all string) {
		r, err := ParseRoadmap(text)
		for _, m := range r.Milestones {
			all += fmt.Sprintf("%s %q %d %s-%s\n", m.Version, m.Name, m.State, m.Range.First.Text, m.Range.Last.Text)
		}
		for _, p := range r.Phases {
			all += fmt.Sprintf("%s %q %q listed %v, checked %v, retired %v\n", p.ID.Text, p.Name, p.Milestone, p.IsListed, p.IsChecked, p.IsRetired)
		}
		for _, number := range []string{"1", "3", "3.7", "4", "6.2", "7"} {
			id, _, _ := ParsePhaseID(number)
			all += number + " " + r.ownerOf(id, "") + "; "
		}
		return all + fmt.Sprint(err)
	},
	"plans": func(text string) (all string) { // file names, those of plans/ behind it
		var names, nested []string
		for _, name := range strings.Fields(text) {
			if inside, ok := strings.CutPrefix(name, "plans/"); ok {
				nested = append(nested, inside)
			} else {
				names = append(names, name)
			}
		}
		id, _, _ := ParsePhaseID("03")
		for _, plan := range PairPlans(id, names, nested) {
			all += fmt.Sprintf("%+v\n", plan)
		}
		return all
	},
	"scope": func(text string) (all string) { // STATE.md, ROADMAP.md, and names of directories
		parts := strings.Split(text, "\n====\n")
		s := NewScope(DeclaredVersion(parts[0]), parts[1])
		for _, dir := range strings.Fields(parts[2]) {
			all += fmt.Sprintln(dir, s.HoldsDir(dir))
		}
		return all
	},
}

// TestCases checks the readings of testdata/cases.jsonl.
func TestCases(t *testing.T) { conformance.Cases(t, "testdata/cases.jsonl", readers) }
