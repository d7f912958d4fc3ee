package agents

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents/ask"
)

// The prefixes of the IDs of nodes.
const (
	askPrefix     = "ask/"
	sessionPrefix = "session/"
)

// A client prints an answer within deliverWithin. If it did not, that is reported for reportFor.
const (
	deliverWithin = 2 * time.Second
	reportFor     = time.Hour
)

// buildFor returns the agents of a project as a build, nil if there are none.
func (s *Snapshot) buildFor(root string, now time.Time) *model.Build {
	b := &model.Build{
		ID: model.AgentsBuild, Protocol: model.AgentsBuild, Title: "Live agents", Waits: []model.Wait{}, Blockers: []model.Blocker{},
		Divergences: []model.Divergence{}, Problems: []model.Problem{},
	}
	var running []*ask.Session
	nodes := map[string]*model.Node{}
	for i := range s.Sessions {
		if x := &s.Sessions[i]; x.Project == root && x.State != model.SessionEnded {
			running = append(running, x)
			nodes[x.Node] = sessionNode(x)
		}
	}
	slices.SortFunc(running, func(a, b *ask.Session) int { return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.ID, b.ID)) })
	for i := range s.Asks {
		item := &s.Asks[i]
		switch {
		case item.Project != root:
		case item.State == ask.Waiting:
			n, w := askNode(s.Ask(item)), askWait(item)
			if above := nodes[sessionPrefix+ask.SessionKey(item.Agent, item.Session)]; above != nil {
				above.Children = append(above.Children, n)
				window := ""
				if above.Session.Pane == "" && item.Window.String() == "" && above.Session.Kind == "" {
					window = "no window"
					n.Why += "; no window shows it"
				}
				subagent := above.Session.SubagentTask(item.Subagent)
				n.Facts = append(n.Facts, knownFacts(model.Fact{Label: "subagent", Value: subagent})...)
				place := []string{item.Agent, above.Title, subagent, above.Session.Branch, window}
				w.Place = line.Tidy(strings.Join(slices.DeleteFunc(place, func(part string) bool { return part == "" }), " · "))
			} else {
				b.Nodes = append(b.Nodes, n)
			}
			b.Waits = append(b.Waits, w)
		case item.State == ask.Answered && !item.Delivered && !item.Kept && (item.Kind != ask.Turn || item.Held):
			reportLost(b, item, now)
		}
	}
	for _, x := range running {
		n := nodes[x.Node]
		if isAtOwnPrompt(x) {
			b.Waits = append(b.Waits, model.Wait{Node: n.ID, Text: ownPrompt(x), Place: x.Pane, Evidence: model.Asked, Since: x.Since})
		}
		for _, a := range x.Agents {
			n.Children = append(n.Children, subagentNode(x, a))
		}
		b.Nodes = append(b.Nodes, n)
	}
	if len(b.Nodes)+len(b.Problems) == 0 && b.Turns.IsZero() {
		return nil
	}
	for _, n := range b.Nodes {
		b.Freshness.Changed = laterOf(b.Freshness.Changed, n.Updated)
	}
	setStatus(b)
	b.MarkOld(now)
	return b
}

// setStatus sets the status of the build: the one of its sessions that needs attention most.
func setStatus(b *model.Build) {
	count := map[model.Status]int{}
	for _, n := range b.Nodes {
		count[n.Status]++
		b.Since = laterOf(b.Since, n.Since)
	}
	switch {
	case slices.ContainsFunc(b.Waits, func(w model.Wait) bool { return w.Evidence != model.Turn }):
		b.Status, b.Why = model.Waiting, "an agent waits for an answer"
	case count[model.Active]+count[model.Retrying] > 0:
		b.Status, b.Why = model.Active, "agents are at work"
	case len(b.Waits) > 0:
		b.Status, b.Raw, b.Why = model.Waiting, string(model.SessionTurn), "agents have finished their turns"
	case count[model.Failed] > 0:
		b.Status, b.Why = model.Failed, "a session has failed"
	default:
		b.Status, b.Raw, b.Why = model.Pending, string(model.SessionIdle), "the agents wait for a prompt"
	}
}

// reportLost adds a problem about an answer that its agent did not print in time.
func reportLost(b *model.Build, item *ask.Item, now time.Time) {
	at := item.End.At
	switch since := now.Sub(at); {
	case since < deliverWithin:
		b.Turns = at.Add(deliverWithin)
	case since < reportFor:
		b.Problems = append(b.Problems, model.Problem{
			Severity: model.Warning,
			Text:     fmt.Sprintf("%s did not get the answer to %q (%s): it ended before", item.Agent, item.Text, item.ID),
			Fix:      "tell it in its own prompt; gatehouse asks " + item.ID + " has the answer",
		})
	}
}

// knownFacts returns the facts that have a value.
func knownFacts(all ...model.Fact) (some []model.Fact) {
	for _, f := range all {
		if f.Value = line.Tidy(f.Value); f.Value != "" {
			some = append(some, f)
		}
	}
	return some
}

// sessionNode returns a session without its asks.
func sessionNode(s *ask.Session) *model.Node {
	shown, why := s.Session, cmp.Or(s.Why, stateSentences[s.State])
	if s.State == model.SessionWaiting && s.Waits != "" {
		why = cmp.Or(s.Why, "its own prompt is open and can only be answered there")
	}
	n := &model.Node{
		ID: s.Node, Kind: model.KindSession, Number: s.Agent, Title: cmp.Or(s.Title, "session "+s.ID[:min(len(s.ID), 8)]), Session: &shown,
		Status: s.State.Status(), Raw: string(s.State), Why: why, Since: s.Since, Updated: s.Since,
	}
	n.Facts = knownFacts(
		model.Fact{Label: "in", Value: dirIn(s.Project, s.Dir)}, model.Fact{Label: "branch", Value: s.Branch},
		model.Fact{Label: "pane", Value: s.Pane}, model.Fact{Label: "session", Value: s.ID},
	)
	return n
}

// subagentNode returns an agent below a session.
func subagentNode(s *ask.Session, a model.Subagent) *model.Node {
	title := line.Tidy(cmp.Or(a.Task, a.Type, "agent"))
	return &model.Node{
		ID: s.Node + "/" + line.Tidy(a.ID), Kind: model.KindSubagent, Number: line.Tidy(a.Type), Title: title, Status: model.Active,
		Raw: "running", Why: "the session started it", Since: a.Began, Updated: a.Began,
	}
}

// askNode returns an ask as a gate.
func askNode(a *model.Ask) *model.Node {
	n := &model.Node{
		ID: askPrefix + a.ID, Kind: model.KindGate, Title: a.Text, Status: model.Waiting, Raw: string(ask.Waiting), Since: a.Since,
		Updated: a.Since, Why: a.Agent + " waits for the answer",
		Gate: &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: a.Text, Ask: a, Can: []model.Verb{model.VerbAnswer}},
	}
	if a.Kind == ask.Turn {
		n.Raw, n.Why, n.Gate.Required = string(model.SessionTurn), a.Agent+" has finished its turn", false
	}
	if len(a.Questions) > 0 {
		n.Gate.Asks = a.Questions[0].Text
		for _, o := range a.Questions[0].Options {
			n.Gate.Options = append(n.Gate.Options, o.Label)
		}
	}
	if a.Call != nil {
		for _, d := range a.Call.Dangers {
			n.Facts = append(n.Facts, model.Fact{Label: "danger", Value: d.Part + ": " + d.Why})
		}
	}
	n.Facts = append(n.Facts, knownFacts(
		model.Fact{Label: "agent", Value: a.Agent}, model.Fact{Label: "in", Value: dirIn(a.Project, a.Dir)},
		model.Fact{Label: "pane", Value: a.Pane}, model.Fact{Label: "id", Value: a.ID},
	)...)
	return n
}

// askWait returns an ask as a wait.
func askWait(item *ask.Item) model.Wait {
	w := model.Wait{
		Node: askPrefix + item.ID, Text: cmp.Or(line.Tidy(item.Text), "the agent asks something"), Evidence: model.Asked, Since: item.Since,
		Deadline: item.Until, Then: line.Tidy(item.Then),
	}
	w.Place = line.Tidy(item.Agent)
	if p := item.Window.String(); p != "" {
		w.Place += ", " + line.Tidy(p)
	}
	if item.Kind == ask.Turn {
		w.Evidence, w.Standing = model.Turn, model.Standing{Status: model.YourTurn}
	}
	return w
}

// Ask returns an ask, and of a finished turn whether words can reach its session.
func (s *Snapshot) Ask(item *ask.Item) *model.Ask {
	a := Ask(item)
	if x := s.Find(item.Agent, item.Session); item.Kind == ask.Turn && item.State == ask.Waiting && x != nil {
		a.Door = x.Door
	}
	return a
}

// Ask returns an ask as the dashboard shows it.
func Ask(item *ask.Item) *model.Ask {
	a := item.Ask.Ask
	a.Text, a.Agent = cmp.Or(line.Tidy(a.Text), "the agent asks something"), line.Tidy(a.Agent)
	a.Pane, a.Fate = line.Tidy(item.Window.String()), item.Fate()
	return &a
}

// In returns a project with its live agents. root is the real path of its directory. An ask that also appears in a
// state file is one wait. The project is returned unchanged if no agent works in it.
func (s *Snapshot) In(p *model.Project, root string, now time.Time) *model.Project {
	b := s.buildFor(root, now)
	if b == nil && s.Err == nil {
		return p
	}
	shown := *p
	shown.Builds = slices.Clone(p.Builds)
	for i, other := range p.Builds {
		shown.Builds[i] = s.withoutDuplicates(other, root)
	}
	if b != nil {
		shown.Builds = append(shown.Builds, b)
	}
	if s.Err != nil {
		shown.Problems = append(slices.Clip(shown.Problems), model.Problem{
			Severity: model.Error, Text: "cannot read everything that live agents ask: " + s.Err.Error(), Fix: "run gatehouse doctor",
		})
	}
	return &shown
}

// Others returns projects that consist of live agents alone: projects that are not shown yet and that isBelow accepts,
// and any other project with an ask. They are ordered by their roots; projects that only have asks come last.
func (s *Snapshot) Others(isShown, isBelow func(root string) bool, now time.Time) []*model.Project {
	below := map[string]bool{}
	add := func(root string, asks bool) {
		if root != "" && !isShown(root) && (isBelow(root) || asks) {
			below[root] = isBelow(root)
		}
	}
	for i := range s.Sessions {
		x := &s.Sessions[i]
		add(x.Project, x.State == model.SessionWaiting)
	}
	for i := range s.Asks {
		if item := &s.Asks[i]; item.State == ask.Waiting {
			add(item.Project, item.Kind != ask.Turn)
		}
	}
	rank := func(root string) int { return map[bool]int{true: 0, false: 1}[below[root]] }
	var all []*model.Project
	for _, root := range slices.SortedFunc(maps.Keys(below), func(a, b string) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b)) }) {
		if b := s.buildFor(root, now); b != nil {
			all = append(all, &model.Project{Root: root, Name: line.Tidy(filepath.Base(root)), Builds: []*model.Build{b}})
		}
	}
	return all
}

// withoutDuplicates returns a build without the live questions of its files that also wait here as asks.
func (s *Snapshot) withoutDuplicates(b *model.Build, root string) *model.Build {
	isDuplicate := func(w model.Wait) bool { return w.Evidence == model.Signalled && s.hasOpen(w.Text, root) }
	if !slices.ContainsFunc(b.Waits, isDuplicate) {
		return b
	}
	copied := *b
	copied.Waits = slices.DeleteFunc(slices.Clone(b.Waits), isDuplicate)
	return &copied
}

// hasOpen reports whether an open ask of a project has a text.
func (s *Snapshot) hasOpen(text, root string) bool {
	text = normalizeText(text)
	isSame := func(q model.Question) bool { return normalizeText(q.Text) == text }
	return slices.ContainsFunc(s.Asks, func(i ask.Item) bool {
		return i.State == ask.Waiting && i.Project == root && i.Kind != ask.Turn && (normalizeText(i.Text) == text || slices.ContainsFunc(i.Questions, isSame))
	})
}

// normalizeText normalizes a text for comparing questions.
func normalizeText(text string) string {
	return strings.ToLower(strings.Trim(line.Tidy(text), " ?.!:"))
}
