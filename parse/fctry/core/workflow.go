package core

import (
	"slices"

	"gatehouse/model/line"
)

// Commands are the commands of fctry.
var Commands = []string{"init", "evolve", "ref", "review", "execute"}

// Step is a step of the workflow and the agent that does it.
type Step struct{ Name, Agent string }

// Steps are the steps of the workflow, in their usual order.
var Steps = []Step{
	{"state-owner-scan", "State Owner"}, {"interviewer", "Interviewer"}, {"researcher", "Researcher"}, {"visual-translator", "Visual Translator"},
	{"scenario-crafter", "Scenario Crafter"}, {"spec-writer", "Spec Writer"}, {"executor-plan", "Executor"}, {"executor-build", "Executor"},
}

// prerequisite is the requirement of a step under a command, under any command for "". All of allOf are needed, and one
// of oneOf.
type prerequisite struct {
	step, command string
	allOf, oneOf  []string
}

var scan = []string{"state-owner-scan"}

// prerequisites are the table of the specification. Of the rows of a step, the first that fits counts.
var prerequisites = []prerequisite{
	{"interviewer", "", scan, nil},
	{"researcher", "ref", nil, nil}, {"researcher", "", scan, nil}, // under ref, it runs next to the State Owner
	{"visual-translator", "ref", nil, nil}, {"visual-translator", "", scan, nil},
	{"scenario-crafter", "", []string{"interviewer"}, nil},
	{"spec-writer", "init", []string{"interviewer", "scenario-crafter"}, nil}, {"spec-writer", "evolve", []string{"interviewer", "scenario-crafter"}, nil},
	{"spec-writer", "ref", scan, []string{"researcher", "visual-translator"}}, {"spec-writer", "review", scan, nil},
	{"executor-plan", "", scan, nil}, {"executor-build", "", scan, nil},
}

// MissingSteps returns the prerequisites of a step that are not completed. Alternatives are one entry: "a or b". Humans may skip
// any of them, and no file records that.
func MissingSteps(step, command string, completed []string) (missing []string) {
	i := slices.IndexFunc(prerequisites, func(p prerequisite) bool {
		return p.step == step && (p.command == "" || p.command == command)
	})
	if i < 0 {
		return nil
	}
	isOpen := func(step string) bool { return !slices.Contains(completed, step) }
	for _, s := range prerequisites[i].allOf {
		if isOpen(s) {
			missing = append(missing, s)
		}
	}
	joined := ""
	for i, s := range prerequisites[i].oneOf {
		if !isOpen(s) {
			return missing
		}
		if i > 0 {
			joined += " or "
		}
		joined += s
	}
	if joined != "" {
		missing = append(missing, joined)
	}
	return missing
}

// nextAdvice returns the command to run next, in fctry's own words and order. isUsual reports whether it is the default advice.
func (s *State) nextAdvice(hasSpec bool) (text string, isUsual bool) {
	f, summed := &s.Facts, &s.summed
	switch {
	case !hasSpec && f.Spec == "":
		return "/fctry:init to create a spec", false
	case f.Detail.Untracked > 0:
		return "/fctry:evolve to update spec with recent changes", false
	case f.Detail.Findings > 0:
		return "/fctry:ref to review " + line.Decimal(f.Detail.Findings) + " overnight findings", false
	case f.Satisfied > 0 && f.Satisfied >= f.Scenarios:
		return "All scenarios satisfied! /fctry:review to confirm", false
	case summed.Specced > 0 || summed.Evolved > 0:
		return "/fctry:execute to build " + s.sectionsToBuild(), false
	case f.Scenarios > 0 && f.Satisfied < f.Scenarios && s.isScored:
		return "/fctry:execute to satisfy remaining scenarios", false
	case summed.Unspecced > 0:
		return "/fctry:evolve to flesh out " + summed.Unspecced.Text() + " unspecced sections", false
	}
	return "/fctry:evolve to refine, or /fctry:execute to build", true
}

func (s *State) sectionsToBuild() (text string) {
	if s.summed.Evolved > 0 {
		text = s.summed.Evolved.Text() + " evolved"
	}
	if s.summed.Specced > 0 {
		if text != "" {
			text += " + "
		}
		text += s.summed.Specced.Text() + " specced"
	}
	if text += " sections"; s.nextSection != "" {
		text += " — " + s.nextSection + " is next"
	}
	return text
}
