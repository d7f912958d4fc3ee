package pane

// Sessions of live agents: their rows, their entries in lists and their details.

import (
	"path/filepath"
	"strconv"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
)

// sessionHints returns the remarks after the title of a session, the longest form first.
func sessionHints(l *draw.Look, x *model.Session) []string {
	why, tool := "", x.Tool
	if !x.State.IsRunning() || x.State == model.SessionRetrying {
		why, tool = draw.OrElse(x.Why, x.Waits), ""
	}
	if x.State == model.SessionTurn || x.State == model.SessionIdle {
		why = ""
	}
	changes := changedLines(x)
	return []string{draw.Join(draw.PartJoint, why, x.Branch, changes, tool), draw.Join(draw.PartJoint, changes, l.Clipped(draw.OrElse(why, tool), 24)), changes}
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
	p.addOutOfReach(s)
	p.addNodeStatus(s, n)
	p.Text(th.Dim, draw.OrElse(x.Why, n.Why))
	p.addOffers(offers)
	p.Gap()
	p.Facts([]draw.Fact{
		{Label: "waits for", Value: x.Waits, Style: th.Wait},
		{Label: "last call", Value: x.Tool},
		{Label: "turn", Value: turnTime(l, x)},
		{Label: "branch", Value: draw.Join(draw.PartJoint, x.Branch, changedLines(x))},
		{Label: "model", Value: x.Model},
		{Label: "used", Value: usageWords(x)},
		{Label: "window", Value: draw.OrElse(x.Pane, draw.Join(", ", "no window", x.Kind))},
		{Label: "a reply", Value: x.Door.String()},
		{Label: "directory", Value: x.Dir, Style: th.Dim},
		{Label: "session", Value: x.ID, Style: th.Dim},
		{Label: "began", Value: p.dateWords(x.Began), Style: th.Dim},
	}...)
	for i, a := range x.Agents {
		if i == 0 {
			p.Heading("Subagents")
		}
		p.Item(th.Run, l.Glyphs.Of(model.Active), "", draw.Join(draw.PartJoint, draw.Join(": ", a.Type, a.Task), l.AgeSince(a.Began, false)))
	}
	if x.Words != "" {
		p.Heading("Last words")
		p.Quote("", x.Words)
	}
	styles := map[string]draw.Style{"error": th.Block, "prompt": th.Strong, "words": th.Dim}
	for i := len(x.Steps) - 1; i >= 0; i-- {
		if i == len(x.Steps)-1 {
			p.Heading("Last steps")
		}
		step, at := x.Steps[i], "     "
		if !step.At.IsZero() {
			at = step.At.In(l.Now.Location()).Format("15:04")
		}
		p.Hanging(th.Dim, at, len(at)+1, styles[step.Kind], step.Text)
	}
	p.addLogged(s, n.ID)
	return p
}

// turnTime returns the duration of the current turn, or of the last one.
func turnTime(l *draw.Look, x *model.Session) string {
	switch {
	case x.Turn.IsZero():
		return ""
	case x.State.IsRunning() || x.State == model.SessionWaiting:
		return l.Age(x.Turn) + " so far"
	}
	return "took " + model.Age(x.Since.Sub(x.Turn))
}

// usageWords says how much of the context is used, and the cost of the session.
func usageWords(x *model.Session) string {
	var parts []string
	if x.Context > 0 {
		parts = append(parts, "context "+strconv.Itoa(x.Context)+"%")
	}
	if x.Tokens > 0 {
		parts = append(parts, strconv.Itoa((x.Tokens+500)/1000)+"k tokens")
	}
	if x.Cost > 0 {
		parts = append(parts, "$"+strconv.FormatFloat(x.Cost, 'f', 2, 64))
	}
	return draw.Join(draw.PartJoint, parts...)
}

// addSessions adds the sessions of a build of live agents.
func (p page) addSessions(s *index.Site) {
	for _, n := range draw.Limited(p.Page, s.Build.Nodes) {
		if n.Session == nil {
			continue
		}
		x := n.Session
		st, sign, word := s.StatusOf(p.Look, n)
		p.Gap()
		p.Item(st, sign, "", draw.Join(draw.PartJoint, x.Agent, x.Title))
		p.Below(st, draw.Join(draw.PartJoint, word+" "+p.Look.Age(x.Since), x.Why))
		p.Below(p.Look.Theme.Dim, draw.Join(draw.PartJoint, x.Branch, changedLines(x), x.Model, usageWords(x), x.Pane))
		p.Below("", draw.OrElse(x.Waits, x.Tool))
		if !x.State.IsRunning() && x.Words != "" {
			p.Quote("", x.Words)
		}
	}
}

// addRunning adds the sessions that are working, wherever they are.
func (p page) addRunning(ix *index.Index) {
	all := ix.Running()
	if len(all) > 0 {
		p.Heading(nameWithCount("Running now", len(all)))
	}
	for _, x := range draw.Limited(p.Page, all) {
		status, at, project := x.State.Status(), ix.AgentAt(x.Node), filepath.Base(x.Project)
		if s := ix.Site(at); s != nil {
			project = s.Project.Called()
		}
		p.beginAbout(at, model.Pos{}, x.Title)
		p.Item(p.Look.Theme.Status(status), p.Look.Glyphs.Of(status), "",
			draw.Join(draw.PartJoint, project, x.Branch, x.Agent, x.Title, draw.OrElse(x.Why, x.Tool), p.Look.Age(x.Since)))
		p.End()
	}
}
