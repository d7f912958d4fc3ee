package formats

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/formats/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/transition"
)

// Options that mean yes and no, in lower case.
var (
	approving = []string{"approve", "approved", "accept", "yes", "continue", "ok", "pass", "proceed"}
	rejecting = []string{"reject", "rejected", "no", "changes", "request changes", "request-changes", "revise", "deny"}
)

// optionFor returns the option of a gate that a verb chooses, "" without one.
func optionFor(g *core.Gate, verb model.Verb) string {
	words := map[model.Verb][]string{model.VerbApprove: approving, model.VerbChanges: rejecting}[verb]
	for _, option := range g.Options {
		if slices.Contains(words, strings.ToLower(option)) {
			return option
		}
	}
	return ""
}

// verbsFor returns the verbs that answer a gate by its command.
func verbsFor(g *core.Gate) (can []model.Verb) {
	for _, verb := range []model.Verb{model.VerbApprove, model.VerbChanges} {
		if g.Input != "" && optionFor(g, verb) != "" {
			can = append(can, verb)
		}
	}
	return can
}

// RunsCommands says that decisions are made by commands of the format; its files are never written.
func (r *Reader) RunsCommands() {}

// Target returns the command that answers a gate. Nothing else of a format can be decided here.
func (r *Reader) Target(a model.Action, now time.Time) (protocol.Target, error) {
	v := r.openBuild(now)
	if v == nil {
		return protocol.Target{}, protocol.Refuse(transition.NoGate, "there is no build "+a.Build+" any more", "look at what is there: gatehouse status")
	}
	v.buildModel()
	for it, n := range v.nodes {
		if n.ID != a.Node || it.Gate == nil {
			continue
		}
		return protocol.Target{File: v.File, Judge: func(content string) (protocol.Answer, error) {
			if text, err := v.files.Text(v.File); err != nil || text != content {
				return nil, protocol.ErrUnreadable
			}
			return func(q protocol.Request) (*protocol.Change, error) { return v.answerGate(q, n, it.Gate) }, nil
		}}, nil
	}
	return protocol.Target{}, protocol.Refuse(transition.NoGate, "nothing of it can be decided here", "answer with the commands of "+r.format.Name)
}

// answerGate returns the command of a decision about a gate.
func (v *view) answerGate(q protocol.Request, n *model.Node, g *core.Gate) (*protocol.Change, error) {
	if q.Verb == model.VerbUndo {
		return nil, protocol.Refuse(transition.Forbidden, "a command that was run can't be taken back", "look at what it did: gatehouse status")
	}
	option := optionFor(g, q.Verb)
	switch {
	case g.Input == "":
		return nil, protocol.Refuse(transition.Forbidden, "no command answers "+n.Title, g.Hint)
	case option == "":
		return nil, protocol.Refuse(transition.Forbidden, n.Title+" has no option to "+string(q.Verb)+": it offers "+strings.Join(g.Options, ", "),
			strings.Join(g.Answer("OPTION"), " "))
	}
	command := g.Answer(option)
	p := model.Proposal{Name: n.Title, Asks: line.Tidy(g.Message), Terms: "human, required", Evidence: n.Artifacts,
		Effect:   line.Tidy("runs " + strings.Join(command, " ")),
		Warnings: []string{"the command goes on with the run: it does the steps behind the gate"}}
	if q.Verb == model.VerbChanges {
		p.Warnings = []string{"the run gets the answer " + line.Tidy(option) + " alone; your words are kept in the journal"}
		p.Wants = "changes"
		if strings.TrimSpace(q.Text) == "" && !q.Asking {
			return nil, protocol.Refuse(transition.FeedbackRequired, "say what has to change", "give it as text")
		}
	}
	return &protocol.Change{Proposal: p, Was: v.Raw, Is: option, Command: command}, nil
}
