package pane

// Sessions of live agents: what their rows, their entries in lists and their details say.

import (
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// sessionHints returns what may stand behind the title of a session, the fullest form first.
func sessionHints(l *draw.Look, x *model.Session) []string {
	why, tool := "", x.Tool
	if !x.State.IsRunning() || x.State == model.SessionRetrying {
		why, tool = draw.OrElse(x.Why, x.Waits), ""
	}
	if x.State == model.SessionTurn || x.State == model.SessionIdle {
		why = x.Limited
	}
	changes := changedLines(x)
	return []string{
		draw.Join(draw.PartJoint, why, x.Branch, changes, tool),
		draw.Join(draw.PartJoint, l.Clipped(why, 24), x.Branch, changes, l.Clipped(tool, 24)),
		draw.Join(draw.PartJoint, l.Clipped(draw.OrElse(why, tool), 24), changes),
		draw.Join(draw.PartJoint, x.Branch, changes),
		changes,
	}
}

// countsOf counts the sessions of a build by their states: "1 waiting · 2 your turn · 1 running".
func countsOf(b *model.Build) string {
	count := map[model.SessionState]int{}
	for _, n := range b.Nodes {
		if n.Session != nil {
			count[n.Session.State]++
		}
	}
	var parts []string
	for _, state := range []model.SessionState{model.SessionWaiting, model.SessionTurn, model.SessionRunning, model.SessionRetrying, model.SessionFailed,
		model.SessionCrashed, model.SessionInterrupted, model.SessionIdle} {
		if count[state] > 0 {
			parts = append(parts, strconv.Itoa(count[state])+" "+string(state))
		}
	}
	return draw.Join(draw.PartJoint, parts...)
}

// changedLines returns how many lines a session has changed, "+120 −14", "" for none.
func changedLines(x *model.Session) string {
	if x.Added == 0 && x.Removed == 0 {
		return ""
	}
	return "+" + strconv.Itoa(x.Added) + " −" + strconv.Itoa(x.Removed)
}

// sessionPage lays out the details of a session.
func sessionPage(l *draw.Look, s *index.Site, n *model.Node, width int, offers []draw.Hint) page {
	p := newPage(l, width)
	x, th := n.Session, l.Theme
	p.Text(th.Strong, n.Name())
	p.outOfReach(s)
	p.nodeStatus(s, n)
	p.Text(th.Dim, draw.OrElse(x.Why, n.Why))
	if x.Limited != "" {
		p.Item(th.Wait, l.Glyphs.Problem, th.Wait, x.Limited)
	}
	p.offers(offers)
	p.Gap()
	p.Facts(append([]draw.Fact{
		{Label: "waits for", Value: x.Waits, Style: th.Wait},
		{Label: "last call", Value: x.Tool},
		{Label: "turn", Value: turnTime(l, x)},
		{Label: "branch", Value: draw.Join(draw.PartJoint, x.Branch, changedLines(x))},
		{Label: "model", Value: x.Model},
		{Label: "context", Value: contextUsed(x)},
		{Label: "cost", Value: cost(x)},
		{Label: "window", Value: draw.OrElse(x.Pane, draw.Join(", ", "no window", x.Kind))},
		{Label: "replies", Value: doorOf(x.Door)},
		{Label: "directory", Value: x.Dir, Style: th.Dim},
		{Label: "session", Value: x.ID, Style: th.Dim},
		{Label: "began", Value: p.dated(x.Began), Style: th.Dim},
	}, factsOf(n)...)...)
	for i, a := range x.Agents {
		if i == 0 {
			p.Heading("Subagents")
		}
		age := ""
		if !a.Began.IsZero() {
			age = l.Age(a.Began)
		}
		p.Item(th.Run, l.Glyphs.Of(model.Active), "", draw.Join(draw.PartJoint, draw.Join(": ", a.Type, a.Task), age))
	}
	if x.Words != "" {
		p.Heading("Last words")
		p.Quote("", x.Words)
	}
	for i := len(x.Steps) - 1; i >= 0; i-- {
		if i == len(x.Steps)-1 {
			p.Heading("Last steps")
		}
		p.step(x.Steps[i])
	}
	p.activitiesAbout(s, n.ID)
	return p
}

// factsOf returns the facts of a node that the session itself does not give.
func factsOf(n *model.Node) (facts []draw.Fact) {
	for _, f := range n.Facts {
		switch f.Label {
		case "in", "pane", "session":
		default:
			facts = append(facts, draw.Fact{Label: f.Label, Value: f.Value})
		}
	}
	return facts
}

// step adds one step of a session with its time.
func (p page) step(step model.Step) {
	at, st := "     ", draw.Style("")
	if !step.At.IsZero() {
		at = step.At.In(p.Look.Now.Location()).Format("15:04")
	}
	switch step.Kind {
	case "error":
		st = p.Look.Theme.Block
	case "prompt":
		st = p.Look.Theme.Strong
	case "words":
		st = p.Look.Theme.Dim
	}
	p.Hanging(p.Look.Theme.Dim, at, len(at)+1, st, step.Text)
}

// turnTime says how long the present turn has taken, or how long the last one took.
func turnTime(l *draw.Look, x *model.Session) string {
	switch {
	case x.Turn.IsZero():
		return ""
	case x.State.IsRunning() || x.State == model.SessionWaiting:
		return l.Age(x.Turn) + " so far"
	case x.Since.After(x.Turn):
		return "took " + model.Age(x.Since.Sub(x.Turn))
	}
	return ""
}

func contextUsed(x *model.Session) string {
	percent, tokens := "", ""
	if x.Context > 0 {
		percent = strconv.Itoa(x.Context) + "% used"
	}
	if x.Tokens > 0 {
		tokens = strconv.Itoa((x.Tokens+500)/1000) + "k tokens"
	}
	return draw.Join(draw.PartJoint, percent, tokens)
}

func cost(x *model.Session) string {
	if x.Cost == 0 {
		return ""
	}
	return "$" + strconv.FormatFloat(x.Cost, 'f', 2, 64)
}

// doorOf says how the words of a human reach a session, or why they cannot.
func doorOf(d *model.Door) string {
	switch {
	case d == nil:
		return ""
	case d.Hears != "":
		return "heard " + d.Hears
	}
	return d.Shut
}

// sessions adds the sessions of a build of live agents.
func (p page) sessions(s *index.Site) {
	for i, n := range s.Build.Nodes {
		if i == draw.ListLimit {
			p.More(len(s.Build.Nodes) - i)
			return
		}
		if n.Session == nil {
			continue
		}
		x := n.Session
		st, sign, word := s.StatusOf(p.Look, n)
		p.Gap()
		p.Item(st, sign, "", draw.Join(draw.PartJoint, x.Agent, x.Title))
		p.Below(st, draw.Join(draw.PartJoint, word+" "+p.Look.Age(x.Since), x.Why))
		p.Below(p.Look.Theme.Dim, draw.Join(draw.PartJoint, x.Branch, changedLines(x), x.Model, contextUsed(x), cost(x), x.Pane))
		p.Below("", draw.OrElse(x.Waits, x.Tool))
		if !x.State.IsRunning() && x.Words != "" {
			p.Quote("", x.Words)
		}
	}
}

// running adds the sessions that work now, wherever they are.
func (p page) running(ix *index.Index) {
	all := ix.Running
	for i, x := range all {
		if i == 0 {
			p.Heading("Running now (" + strconv.Itoa(len(all)) + ")")
		}
		if i == draw.ListLimit {
			p.More(len(all) - i)
			return
		}
		status := x.State.Status()
		p.beginAbout(x.At, model.Pos{}, x.Title)
		p.Item(p.Look.Theme.Status(status), p.Look.Glyphs.Of(status), "",
			draw.Join(draw.PartJoint, x.Project, x.Branch, x.Agent, x.Title, draw.OrElse(x.Why, x.Tool), p.Look.Age(x.Since)))
		p.End()
	}
}
