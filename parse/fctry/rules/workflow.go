// The workflow of fctry: which steps an agent needs before it begins, and what to run next.

package rules

import (
	"slices"

	"gatehouse/model/line"
)

// The commands that the table of prerequisites tells apart.
const (
	CommandInit   = "init"
	CommandEvolve = "evolve"
	CommandRef    = "ref"
	CommandReview = "review"
)

// stepScan is the step that nearly every other needs.
const stepScan = "state-owner-scan"

// Step is a step of fctry's workflow and the agent that does it.
type Step struct{ Name, Agent string }

var steps = [...]Step{
	{stepScan, "State Owner"}, {"interviewer", "Interviewer"}, {"researcher", "Researcher"}, {"visual-translator", "Visual Translator"},
	{"scenario-crafter", "Scenario Crafter"}, {"spec-writer", "Spec Writer"}, {"executor-plan", "Executor"}, {"executor-build", "Executor"},
}

// Steps returns the steps of the workflow, in the order in which they usually come.
func Steps() []Step { return steps[:] }

// StepAgent returns the agent that does a step, "" for a step that the document does not know.
func StepAgent(name string) string {
	for _, s := range steps {
		if s.Name == name {
			return s.Agent
		}
	}
	return ""
}

// prerequisites returns what a step needs to have been done before, under a command: all of the first list and, where there
// are some, one of the second. A step that nobody knows needs nothing, and so does the Spec Writer's under a command that
// the table does not have.
func prerequisites(step, command string) (all, oneOf []string) {
	switch step {
	case "interviewer", "executor-plan", "executor-build":
		return []string{stepScan}, nil
	case "researcher", "visual-translator":
		if command == CommandRef {
			return nil, nil // they run beside the State Owner
		}
		return []string{stepScan}, nil
	case "scenario-crafter":
		return []string{"interviewer"}, nil
	case "spec-writer":
		switch command {
		case CommandInit, CommandEvolve:
			return []string{"interviewer", "scenario-crafter"}, nil
		case CommandRef:
			return []string{stepScan}, []string{"researcher", "visual-translator"}
		case CommandReview:
			return []string{stepScan}, nil
		}
	}
	return nil, nil
}

// MissingSteps returns the prerequisites of a step that are not among those completed. Of several of which one is enough, it
// returns them as one entry, joined by " or ". That nothing is missing says little: a human may skip any of them, and nothing
// is written down when one does.
func MissingSteps(step, command string, completed []string) (missing []string) {
	all, oneOf := prerequisites(step, command)
	for _, s := range all {
		if !slices.Contains(completed, s) {
			missing = append(missing, s)
		}
	}
	joined := ""
	for i, s := range oneOf {
		if slices.Contains(completed, s) {
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

// advice is what decides on the next step where the state file names none.
type advice struct {
	Spec      bool        // there is a spec
	Untracked int         // files changed outside of any command
	Findings  int         // what was found overnight and waits to be looked at
	Satisfied line.Amount // scenarios
	Scenarios line.Amount
	Unscored  bool        // nobody says how many of them are satisfied
	Evolved   line.Amount // sections whose code is behind the spec
	Specced   line.Amount // sections that are specified and not built
	Unspecced line.Amount // sections that are built and not specified
	Section   string      // the title of the first section to be built, "" when that is not known
}

// NextStep returns the command to run next, in fctry's own words and order. usual is true for the answer that is always
// given when nothing in particular is to be done.
func (a *advice) NextStep() (text string, usual bool) {
	switch {
	case !a.Spec:
		return "/fctry:init to create a spec", false
	case a.Untracked > 0:
		return "/fctry:evolve to update spec with recent changes", false
	case a.Findings > 0:
		return "/fctry:ref to review " + line.Decimal(a.Findings) + " overnight findings", false
	case a.Satisfied > 0 && a.Satisfied >= a.Scenarios:
		return "All scenarios satisfied! /fctry:review to confirm", false
	case a.Specced > 0 || a.Evolved > 0:
		return "/fctry:execute to build " + a.sections(), false
	case a.Scenarios > 0 && a.Satisfied < a.Scenarios && !a.Unscored:
		return "/fctry:execute to satisfy remaining scenarios", false
	case a.Unspecced > 0:
		return "/fctry:evolve to flesh out " + a.Unspecced.Text() + " unspecced sections", false
	}
	return "/fctry:evolve to refine, or /fctry:execute to build", true
}

func (a *advice) sections() string {
	text := ""
	if a.Evolved > 0 {
		text = a.Evolved.Text() + " evolved"
	}
	if a.Specced > 0 {
		if text != "" {
			text += " + "
		}
		text += a.Specced.Text() + " specced"
	}
	text += " sections"
	if a.Section != "" {
		text += " — " + a.Section + " is next"
	}
	return text
}
