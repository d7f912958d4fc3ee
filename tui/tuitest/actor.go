package tuitest

// A loop with gates, and an actor that decides in memory.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// loopStates are the statuses of the gates of a loop, by name, and of the loop itself under "".
type loopStates map[string]string

var loopGates = [...]struct {
	id, after, opens string
	approval         model.Approval
	required         bool
	files            []model.Artifact
}{
	{"brief-gate", "FRAME", "SHAPE", model.ApprovalAuto, true, nil},
	{"frame-gate", "SHAPE", "BUILD", model.ApprovalHuman, true, []model.Artifact{
		{Name: "FRAME.md", File: "FRAME.md", Exists: true, Size: 3421, Changed: Ago(14 * time.Minute)},
		{Name: "docs/decisions/scope-and-limits.md", File: "docs/decisions/scope-and-limits.md", Exists: true, Size: 18_230, Changed: Ago(2 * time.Hour)},
	}},
	{"cost-gate", "BUILD", "VERIFY", model.ApprovalConditional, false, nil},
	{"launch-gate", "VERIFY", "SHIP", model.ApprovalHuman, false, nil},
}

// loopBuild returns a loop whose gates have the given statuses: passed, pending, skipped or failed.
func loopBuild(states loopStates) *model.Build {
	loop := states[""]
	b := &model.Build{ID: "loop:sample-state.json", Protocol: "loop", Title: "sample-loop", File: "sample-state.json", Dir: ".", Raw: loop,
		Status: model.Active, Why: "the state file says active",
		Progress:  model.Progress{Known: true, Percent: 40, Phases: model.Count{Done: 2, Total: 5}},
		Metrics:   []model.Fact{{Label: "testsPassed", Value: "212"}, {Label: "coverage", Value: "87.4"}, {Label: "openQuestions", Value: "2"}},
		Freshness: model.Freshness{Changed: Ago(6 * time.Minute)},
		Claimed:   FixedLine{Full: "sample-loop [████░░░░░░] 40% · next approve frame-gate", Compact: "sample-loop · next approve frame-gate"},
		Can:       []model.Verb{model.VerbPause, model.VerbAbort},
	}
	b.Header = b.Claimed
	switch loop {
	case "paused":
		b.Can, b.Pause = []model.Verb{model.VerbResume, model.VerbAbort}, &model.Pause{Reason: "laid down by a human", Since: Ago(time.Minute)}
	case "failed":
		b.Status, b.Can = model.Failed, []model.Verb{model.VerbRetryFailed}
	}
	for i, name := range []string{"FRAME", "SHAPE", "BUILD", "VERIFY", "SHIP"} {
		status := model.Done
		if i > 1 {
			status = model.Pending
		}
		n := &model.Node{ID: "phase/" + name, Kind: model.KindPhase, Title: name, Status: status, Source: model.Pos{File: b.File, Line: 10 + 4*i}, Updated: Ago(time.Duration(5-i) * time.Hour)}
		for j, skill := range []string{"interview", "write-up"} {
			s := &model.Node{ID: fmt.Sprintf("%s/skill/%d", n.ID, j), Kind: model.KindSkill, Title: skill, Status: status}
			if i == 2 {
				s.Status = model.Unknown
			}
			n.Children = append(n.Children, s)
		}
		b.Nodes = append(b.Nodes, n)
		for _, g := range loopGates {
			if g.after == name && states[g.id] != "" {
				addGate(b, g.id, g.approval, g.required, g.opens, states[g.id], slices.Clone(g.files))
			}
		}
	}
	return b
}

func addGate(b *model.Build, id string, approval model.Approval, required bool, opens, status string, files []model.Artifact) {
	n := &model.Node{ID: "gate/" + id, Kind: model.KindGate, Title: id, Raw: status, Artifacts: files, Updated: Ago(14 * time.Minute),
		Source: model.Pos{File: b.File, Line: 40 + len(b.Nodes), Col: 7},
		Gate:   &model.Gate{Approval: approval, Required: required, Asks: "Does " + strings.ToUpper(id[:1]) + id[1:] + " hold what the work needs?", Opens: []string{"phase/" + opens}}}
	n.Count = model.Count{Done: len(files), Total: len(files)}
	for i, f := range files {
		n.Children = append(n.Children, &model.Node{ID: fmt.Sprintf("%s/deliverable/%d", n.ID, i), Kind: model.KindDeliverable, Title: f.Name, Status: model.Done,
			Artifacts: []model.Artifact{f}, Facts: []model.Fact{{Label: "sections", Value: strconv.Itoa(4 + i)}}, Updated: f.Changed})
	}
	reached := id == "brief-gate" || id == "frame-gate"
	switch status {
	case "passed":
		n.Status = model.Done
	case "skipped":
		n.Status, n.Gate.Reason = model.Skipped, "not needed this time"
	case "failed":
		n.Status, n.Gate.Can = model.Failed, []model.Verb{model.VerbRetry, model.VerbSkip}
	default:
		n.Status, n.Gate.Upcoming = model.Waiting, !reached
		n.Gate.Can = []model.Verb{model.VerbApprove, model.VerbSkip, model.VerbChanges}
	}
	if b.Raw != "active" {
		n.Gate.Can = nil
	}
	if !n.Status.Closed() {
		b.Waits = append(b.Waits, model.Wait{Node: n.ID, Text: "approve " + id, Place: "Phase " + opens, Evidence: model.Reached, Since: Ago(14 * time.Minute), Standing: model.UpcomingIf(!reached), Source: n.Source})
		if reached {
			b.Status = model.Waiting
		}
	}
	b.Nodes = append(b.Nodes, n)
}

// Actor decides in memory. Configured results take precedence over its own.
type Actor struct {
	States   loopStates
	Requests map[string]string
	File     int // grows with every write to the file, whoever writes
	Missing  []string

	Refusal     error                                              // for the next proposals
	Change      func(*model.Proposal)                              // applied to every proposal
	Answers     []func(model.Action) (*model.Outcome, error, bool) // for the next actions; false: carry out the action
	SettleError error

	Journal        []model.Decision
	Proposed, Done []model.Action
}

func NewActor() *Actor {
	return &Actor{States: loopStates{"": "active", "brief-gate": "passed", "frame-gate": "pending", "cost-gate": "pending", "launch-gate": "pending"}, Requests: map[string]string{}, Journal: Journal()}
}

// Snapshot returns the loop in its current state.
func (a *Actor) Snapshot(version uint64) *model.Snapshot {
	b := loopBuild(a.States)
	for id, text := range a.Requests {
		for _, n := range b.Nodes {
			if n.ID == "gate/"+id {
				n.Gate.Request = &model.Decision{Who: "ada", At: Ago(time.Minute), Text: text, Verb: model.VerbChanges}
			}
		}
		for i := range b.Waits {
			if b.Waits[i].Node == "gate/"+id && !b.Waits[i].IsUpcoming() {
				b.Waits[i].Standing = model.Standing{Status: model.WithAgent}
			}
		}
	}
	model.SortWaits(b.Waits)
	for i := range a.Journal {
		for _, n := range b.Nodes {
			if d := a.Journal[i]; d.Overwritten && n.ID == d.Node {
				n.Gate.Overwritten = &d
			}
		}
	}
	return &model.Snapshot{Version: version, At: Noon, Projects: []*model.Project{{Root: "/src/essay", Name: "essay", Builds: []*model.Build{b}, Decisions: a.Journal}}}
}

// Journal returns the earlier decisions.
func Journal() []model.Decision {
	const build, file = "loop:sample-state.json", "sample-state.json"
	return []model.Decision{
		{ID: "3", At: Ago(time.Hour), Who: "ada", By: "dashboard", Project: "/src/essay", Build: build, File: file, Node: "gate/brief-gate", Name: "brief-gate", Verb: model.VerbApprove, Was: "pending", Is: "passed"},
		{ID: "2", At: Ago(2 * time.Hour), Who: "grace", By: "command", Project: "/src/essay", Build: build, File: file, Node: "gate/frame-gate", Name: "frame-gate", Verb: model.VerbChanges, Was: "pending", Is: "pending", Text: "Name the limits, and who pays", Reported: true},
		{ID: "1", At: Ago(Day), Who: "ada", By: "dashboard", Project: "/src/essay", Build: build, File: file, Node: "gate/cost-gate", Name: "cost-gate", Verb: model.VerbSkip, Was: "pending", Is: "skipped", Text: "no money is spent in this loop", Undone: true},
	}
}

var verbTo = map[model.Verb]string{model.VerbApprove: "passed", model.VerbSkip: "skipped", model.VerbRetry: "pending", model.VerbUndo: "pending",
	model.VerbPause: "paused", model.VerbResume: "active", model.VerbAbort: "failed", model.VerbRetryFailed: "active"}

func (a *Actor) Propose(_ context.Context, x model.Action) (*model.Proposal, error) {
	a.Proposed = append(a.Proposed, x)
	if a.Refusal != nil {
		return nil, a.Refusal
	}
	return a.ProposalFor(x), nil
}

func (a *Actor) ProposalFor(x model.Action) *model.Proposal {
	id := strings.TrimPrefix(x.Node, "gate/")
	was, is := a.States[id], verbTo[x.Verb]
	p := &model.Proposal{Action: x, Name: draw.OrElse(id, "sample-loop"), File: "sample-state.json", Since: Ago(14 * time.Minute)}
	edit := func(line int, label, old, new string) {
		p.Edits = append(p.Edits, model.Edit{Label: label, Pos: model.Pos{File: p.File, Line: line, Col: 17}, Old: old, New: new})
	}
	label := "gates." + id + ".status"
	if x.Node == "" {
		label = "status"
	} else {
		p.Asks = "Does " + id + " hold what the work needs?"
	}
	for _, g := range loopGates {
		if g.id == id {
			p.Evidence, p.Releases = slices.Clone(g.files), []string{"Phase " + g.opens}
			if p.Terms = string(g.approval) + ", optional"; g.required {
				p.Terms = string(g.approval) + ", required"
			}
		}
	}
	switch x.Verb {
	case model.VerbApprove:
		if p.Missing = a.Missing; len(p.Missing) > 0 {
			is = "failed"
			for _, name := range p.Missing {
				p.Evidence = append(p.Evidence[:len(p.Evidence):len(p.Evidence)], model.Artifact{Name: name, File: name})
			}
		}
		p.Checks = []string{"every limit has a number", "somebody owns each open question"}
	case model.VerbSkip:
		p.Wants, p.Warnings = "reason", []string{"frame-gate is required: the loop counts on it"}
	case model.VerbChanges:
		p.Wants, is = "changes", was
	case model.VerbAbort:
		p.Confirm = "abort"
	case model.VerbRetryFailed:
		p.Confirm = "retry"
	}
	p.Effect = was + " → " + is
	if x.Verb != model.VerbChanges {
		edit(41, label, `"`+was+`"`, `"`+is+`"`)
	}
	if x.Verb == model.VerbApprove && is == "passed" {
		edit(41, "gates."+id+".passedAt", "", `"2026-03-14T12:00:00Z"`)
	}
	if x.Verb == model.VerbSkip && x.Text != "" {
		edit(41, "gates."+id+".skippedReason", "", `"`+x.Text+`"`)
	}
	edit(5, "last_updated", `"2026-03-14T11:46:00Z"`, `"2026-03-14T12:00:00Z"`)
	if a.Change != nil {
		a.Change(p)
	}
	if p.Action.Looked = nil; x.Looked != nil {
		p.Differences = model.Differences(x.Looked, p)
	}
	p.Action.Seen = fmt.Sprint("file ", a.File)
	p.Action.Shown = fmt.Sprint(p.Asks, p.Terms, p.Effect, p.Edits[:len(p.Edits)-1], p.Missing, p.Evidence, p.Checks, p.Warnings, p.Releases, p.Kinds)
	return p
}

func (a *Actor) Do(_ context.Context, x model.Action) (*model.Outcome, error) {
	a.Done = append(a.Done, x)
	if len(a.Answers) > 0 {
		next := a.Answers[0]
		a.Answers = a.Answers[1:]
		if out, err, handled := next(x); handled {
			return out, err
		}
	}
	now := a.ProposalFor(x)
	if x.Seen != "" && x.Seen != now.Action.Seen || x.Shown != now.Action.Shown {
		return nil, &model.Changed{Now: now}
	}
	id := strings.TrimPrefix(x.Node, "gate/")
	was, is := a.States[id], verbTo[x.Verb]
	switch {
	case x.RecordFailed:
		is = "failed"
	case x.Verb == model.VerbChanges:
		is = was
		a.Requests[id] = x.Text
	}
	a.States[id] = is
	a.File++
	decision := model.Decision{ID: strconv.Itoa(a.File), At: Noon, Who: "ada", By: "dashboard", Project: x.Project, Build: x.Build, File: now.File, Node: x.Node, Name: now.Name,
		Verb: x.Verb, Was: was, Is: is, Text: x.Text}
	if x.Verb == model.VerbUndo {
		a.Journal = slices.Clone(a.Journal)
		i := slices.IndexFunc(a.Journal, func(e model.Decision) bool { return e.Node == x.Node && !e.Undone })
		a.Journal[i].Undone = true
	}
	a.Journal = append([]model.Decision{decision}, a.Journal...)
	return &model.Outcome{Proposal: now, Decision: decision}, nil
}

func (a *Actor) Settle(context.Context, *model.Outcome) error { return a.SettleError }
