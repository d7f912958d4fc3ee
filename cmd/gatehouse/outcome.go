package main

// The outcome of a decision, for people and as JSON.

import (
	"strings"

	"gatehouse/cmd/gatehouse/remote"
	"gatehouse/model"
	"gatehouse/model/line"
)

// The results of a deciding command.
const (
	resultDone        = remote.ResultDone
	resultAlready     = remote.ResultAlready
	resultDryRun      = remote.ResultDryRun
	resultOverwritten = remote.ResultOverwritten
)

// printOutcome prints the outcome.
func (d *decideFlags) printOutcome(s *env, result string, o *model.Outcome) error {
	p := o.Proposal
	if p == nil {
		p = &model.Proposal{}
	}
	if s.asJSON {
		printed := remote.NewOutcome(result, o)
		if o.Decision.ID != "" {
			printed.Decision = cleanDecision(&o.Decision)
		}
		return s.out.printJSON(printed)
	}
	words := p.Action.Verb.Words()
	if p.Action.Verb == model.VerbApprove && len(p.Missing) > 0 { // approving such a gate records the failed check
		words.Would, words.Did = "record the failed check of", "recorded the failed check of"
	}
	switch result {
	case resultAlready:
		s.out.printf("%s; nothing was written\n", o.Note)
		return nil
	case resultOverwritten: // the reason is printed as an error
		s.out.printf("not %s %s: %s was written, and written over\n", p.Action.Verb.Words().Did, line.Name(p.Name), formatChange(p.Effect))
		return nil
	case resultDryRun:
		s.out.printf("would %s %s: %s (%s)\n", words.Would, line.Name(p.Name), formatChange(p.Effect), p.File)
		for _, e := range p.Edits {
			s.out.printf("  %s  %s: %s → %s\n", e.Pos, e.Label, shortenValue(e.Old), shortenValue(e.New))
		}
	default:
		s.out.printf("%s %s: %s (%s)\n", words.Did, line.Name(p.Name), formatChange(p.Effect), p.File)
	}
	for _, w := range p.Warnings {
		s.out.printf("  mind: %s\n", w)
	}
	if len(p.Missing) > 0 {
		s.out.printf("  %s\n", p.Lacks)
	} else if len(p.Releases) > 0 {
		s.out.printf("  may begin: %s\n", strings.Join(p.Releases, ", "))
	}
	return nil
}

// maxValue bounds a printed value for people, in characters; --json prints it completely.
const maxValue = 300

// shortenValue shortens a value for people.
func shortenValue(value string) string {
	if value == "" {
		return "nothing"
	}
	value = strings.Join(strings.Fields(value), " ") // values of several lines are meant for a file
	if runes := []rune(value); len(runes) > maxValue {
		return string(runes[:maxValue]) + "…"
	}
	return value
}
