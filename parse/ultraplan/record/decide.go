// Recording a decision about the project: the event "Decision made" of the protocol.

package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"

	"gatehouse/model"
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
	phase := core.TrimZeros(cmp.Or(d.Phase, c.State.Phase))
	switch total := c.State.PhaseTotal; {
	case text == "":
		return nil, errors.New("a decision needs a text")
	case !c.HasState:
		return nil, errors.New("there is no STATE.md, which a decision would be written into; have the agents make one")
	case d.Phase != "" && len(c.PhasesNumbered(phase)) == 0 && (total == "" || core.CompareNumbers(phase, total) > 0):
		return nil, &NoPlan{Text: fmt.Sprintf("%q: there is no such phase; name another, or leave --phase out", d.Phase)}
	}
	item := text
	if phase != "" {
		item = "[Phase " + phase + "]: " + text
	}
	err = c.lockLogs(ctx, func() error {
		err := c.writeFile(ctx, c.StateFile, false, inPlace(func(content string) ([]model.Span, error) {
			if why := core.WhyUnwritable(content); why != "" {
				return nil, errors.New(why + "; fix it first")
			}
			spans, isListed := statemd.AddDecision(content, item)
			if !isListed {
				return nil, errors.New(c.StateFile + " has no section “Decisions”; add it below “Accumulated Context”")
			}
			return spans, nil
		}))
		file := path.Join(core.Planning, "PROJECT.md")
		if _, exists := c.m.Stat(file); err != nil || !exists {
			return err
		}
		return c.writeFile(ctx, file, false, inPlace(func(content string) ([]model.Span, error) {
			spans, isIn := statemd.AddDecisionRow(content, text, statemd.PlainText(d.Why))
			if !isIn {
				c.addNote("%s has no table “Key Decisions”: the decision is in %s alone", file, path.Base(c.StateFile))
			}
			return spans, nil
		}))
	})
	if err != nil {
		return nil, err
	}
	return &Decided{Files: c.Files, Already: len(c.Files) == 0, Notes: c.Notes}, nil
}
