package gsd

import (
	"path"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// addGroups adds what lies beside the phases: todos, quick tasks, the backlog.
func (c *build) addGroups() {
	var todos, quick, backlog []*model.Node
	for _, dir := range []string{"todos/pending", "todos/completed", "todos/done"} {
		for _, e := range c.list(c.file(dir)) {
			if !e.IsDir && strings.HasSuffix(e.Name, ".md") {
				todos = append(todos, c.todoNode(c.file(dir)+"/"+e.Name, e, dir != "todos/pending"))
			}
		}
	}
	for _, e := range c.list(c.file("quick")) {
		if !e.IsDir {
			continue
		}
		n := &model.Node{ID: "quick/" + e.Name, Kind: model.KindTask, Title: line.Tidy(strings.ReplaceAll(e.Name, "-", " ")), Status: model.Pending, Source: model.Pos{File: c.file("quick/" + e.Name)}}
		setSince(n, fileTime(e.Modified))
		for _, f := range c.list(n.Source.File) {
			if core.IsSummary(f.Name) {
				n.Status = model.Done
			}
		}
		quick = append(quick, n)
	}
	idea := func(id core.PhaseID, name string, source model.Pos, modified int64) {
		n := &model.Node{
			ID: "backlog/" + id.Key, Kind: model.KindTask, Number: id.Text, Title: line.Tidy(name), Status: model.Pending,
			Why: "an idea for later, not part of the milestone", Source: source, Updated: timeOf(modified),
		}
		setSince(n, fileTime(modified))
		if source.Line > 0 {
			n.Updated = timeOf(0)
		}
		backlog = append(backlog, n)
	}
	known := map[string]bool{}
	for _, p := range c.Backlog {
		known[p.ID.Key] = true
		if p.Dir == "" {
			idea(p.ID, p.Name, model.Pos{File: c.file("ROADMAP.md"), Line: p.Road.Line}, c.Planned)
		} else {
			idea(p.ID, p.Name, model.Pos{File: p.Dir}, p.Modified)
		}
	}
	for _, r := range c.Roadmap.Backlog {
		if !known[r.ID.Key] {
			idea(r.ID, r.Name, model.Pos{File: c.file("ROADMAP.md"), Line: r.Line}, c.Planned)
		}
	}
	c.addGroup("todos", "Todos", todos)
	c.addGroup("quick", "Quick tasks", quick)
	c.addGroup("backlog", "Backlog", backlog)
}

func (c *build) list(dir string) []core.Entry { return (&source{m: c.m, b: c.b}).List(dir) }

func (c *build) todoNode(file string, e core.Entry, isDone bool) *model.Node {
	t := &core.Todo{}
	if e.Size > 0 { // the name of an empty one says all
		if r := protocol.ReadFile(c.m, c.b, file, core.ParseTodo); r.Value != nil {
			t = r.Value
		}
	}
	n := &model.Node{
		ID: "todo/" + path.Base(file), Kind: model.KindTask, Title: line.Tidy(t.Title), Status: model.Pending, Source: model.Pos{File: file}, Updated: protocol.ParseTime(t.Created),
	}
	if t.Title == "" {
		n.Title = line.Tidy(strings.TrimSuffix(e.Name, ".md"))
	}
	setSince(n, said(t.Created, e.Modified))
	if isDone {
		n.Status = model.Done
		setSince(n, fileTime(e.Modified))
	}
	addFact(n, "area", t.Area)
	addFact(n, "severity", t.Severity)
	return n
}

func (c *build) addGroup(id, title string, children []*model.Node) {
	if len(children) == 0 {
		return
	}
	g := &model.Node{ID: "group/" + id, Kind: model.KindGroup, Title: title, Children: children}
	var statuses []model.Status
	for _, n := range children {
		g.Count.Total++
		if n.Status.Closed() {
			g.Count.Done++
		}
		statuses = append(statuses, n.Status)
	}
	if g.Status = model.RollUp(statuses); g.Status == model.Active {
		g.Status = model.Pending // some are done, and no file says that anybody works on another
	}
	setSince(g, rollUpSince(g.Status, children))
	c.b.Nodes = append(c.b.Nodes, g)
}
