// Recording a decision about the project: the event "Decision made" of the protocol.

package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan/core"
	"gatehouse/parse/ultraplan/statemd"
)

// Decision is a decision that humans have made about the project.
type Decision struct {
	Text   string
	Why    string // "" leaves the reason open
	Phase  string // the phase that it is about, "3"; "" for the current phase of STATE.md
	DryRun bool
}

// Decided is the result of recording a decision.
type Decided struct {
	Files   []FileChange
	Already bool // it was recorded before
	Notes   []string
}

// Decide adds a decision to the list of STATE.md and, if PROJECT.md has a table of key decisions, to that table.
func (r *Recorder) Decide(ctx context.Context, d Decision) (*Decided, error) {
	c, err := r.openProject(Report{DryRun: d.DryRun})
	if err != nil {
		return nil, err
	}
	text := statemd.PlainText(d.Text)
	if text == "" {
		return nil, errors.New("a decision needs a text")
	}
	phase := d.Phase
	if phase == "" {
		phase = c.State.Phase
	}
	if err := c.knownPhase(d.Phase); err != nil {
		return nil, err
	}
	item := text
	if phase != "" {
		item = "[Phase " + core.TrimZeros(phase) + "]: " + text
	}
	listed, unwritable := false, ""
	err = c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) (spans []model.Span) {
		if unwritable = core.WhyUnwritable(content); unwritable != "" {
			return nil
		}
		spans, listed = statemd.AddDecision(content, item)
		return spans
	}))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no STATE.md, which a decision would be written into; have the agents make one")
	case err != nil:
		return nil, err
	case unwritable != "":
		return nil, errors.New(unwritable + "; fix it first")
	case !listed:
		return nil, errors.New(c.StateFile + " has no section “Decisions”; add it below “Accumulated Context”")
	}
	for _, file := range []string{path.Join(core.Planning, "PROJECT.md"), "PROJECT.md"} {
		if _, there := c.m.Stat(file); !there {
			continue
		}
		tabled := false
		if err := c.writeFile(ctx, file, false, inPlace(func(content string) (spans []model.Span) {
			spans, tabled = statemd.AddDecisionRow(content, text, statemd.PlainText(d.Why))
			return spans
		})); err != nil {
			return nil, err
		}
		if !tabled {
			c.addNote("%s has no table “Key Decisions”: the decision stands in %s alone", file, path.Base(c.StateFile))
		}
		break
	}
	if len(c.conflicts) > 0 {
		for i := range c.conflicts {
			c.conflicts[i].At = protocol.FormatTime(c.now)
		}
		if err := errors.Join(r.store.MakeDir(r.targetOf(core.LogsDir)), r.noteConflicts(ctx, c.conflicts)); err != nil {
			return nil, err
		}
	}
	return &Decided{Files: c.Files, Already: len(c.Files) == 0, Notes: c.Notes}, nil
}

// knownPhase refuses a named phase that has no directory, is not in the roadmap, and is not counted by STATE.md.
func (c *capture) knownPhase(number string) error {
	if number == "" {
		return nil
	}
	if total := c.State.PhaseTotal; strings.Trim(number, "0123456789") == "" && total != "" && core.CompareNumbers(number, "0") > 0 && core.CompareNumbers(number, total) <= 0 {
		return nil // a phase that is still to be planned
	}
	var there []string
	for _, p := range c.Phases {
		if core.CompareNumbers(p.Number, number) == 0 {
			return nil
		}
		if n := core.TrimZeros(p.Number); !slices.Contains(there, n) {
			there = append(there, n)
		}
	}
	if len(there) == 0 {
		return &NoPlan{Text: fmt.Sprintf("%q: there is no phase yet; leave --phase out", number)}
	}
	return &NoPlan{Text: fmt.Sprintf("%q: there is no such phase; there is %s", number, strings.Join(there, ", "))}
}
