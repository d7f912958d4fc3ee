package gsd

import (
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// addGroups adds the groups outside the phases: todos, quick tasks, the backlog.
func (c *build) addGroups() {
	var todos, quick, backlog []*model.Node
	for _, dir := range []string{"todos/pending", "todos/completed", "todos/done"} {
		for _, e := range c.listDir(c.buildFile(dir)) {
			if !e.IsDir && strings.HasSuffix(e.Name, ".md") {
				todos = append(todos, c.todoNode(c.buildFile(dir)+"/"+e.Name, e, dir != "todos/pending"))
			}
		}
	}
	for _, e := range c.listDir(c.buildFile("quick")) {
		if !e.IsDir {
			continue
		}
		n := taskOf("quick/"+e.Name, strings.ReplaceAll(e.Name, "-", " "), model.Pos{File: c.buildFile("quick/" + e.Name)}, c.fileTime(e.Modified))
		if slices.ContainsFunc(c.listDir(n.Source.File), func(f core.Entry) bool { return core.IsSummary(f.Name) }) {
			n.Status = model.Done
		}
		quick = append(quick, n)
	}
	idea := func(id core.PhaseID, name string, source model.Pos, modified int64) {
		n := taskOf("backlog/"+id.Key, name, source, c.fileTime(modified))
		n.Number, n.Why = id.Text, "an idea for later, not part of the milestone"
		if source.Line == 0 {
			n.Updated = timeOf(modified)
		}
		backlog = append(backlog, n)
	}
	known := map[string]bool{}
	for _, p := range c.Backlog {
		known[p.ID.Key] = true
		if p.Dir == "" {
			idea(p.ID, p.Name, c.roadmapPos(p.Road.Line), c.Planned)
		} else {
			idea(p.ID, p.Name, model.Pos{File: p.Dir}, p.Modified)
		}
	}
	for _, r := range c.Roadmap.Backlog {
		if !known[r.ID.Key] {
			idea(r.ID, r.Name, c.roadmapPos(r.Line), c.Planned)
		}
	}
	c.addGroup("todos", "Todos", todos)
	c.addGroup("quick", "Quick tasks", quick)
	c.addGroup("backlog", "Backlog", backlog)
}

// taskOf makes the row of something that is still to do.
func taskOf(id, title string, at model.Pos, since moment) *model.Node {
	return &model.Node{ID: id, Kind: model.KindTask, Title: line.Tidy(title), Status: model.Pending, Source: at, Since: since.at, SinceFile: since.fromFile}
}

func (c *build) listDir(dir string) []core.Entry { return (&source{m: c.m, b: c.b}).List(dir) }

func (c *build) todoNode(file string, e core.Entry, isDone bool) *model.Node {
	t := &core.Todo{}
	if e.Size > 0 { // the name of an empty one says all
		if r := protocol.ReadFile(c.m, c.b, file, core.ParseTodo); r.Value != nil {
			t = r.Value
		}
	}
	n := taskOf("todo/"+path.Base(file), t.Title, model.Pos{File: file}, c.momentStated(t.Created, e.Modified))
	n.Updated = protocol.ParseTime(t.Created)
	if t.Title == "" {
		n.Title = line.Tidy(strings.TrimSuffix(e.Name, ".md"))
	}
	if isDone {
		n.Status = model.Done
		setSince(n, c.fileTime(e.Modified))
	}
	addFacts(n, "area", t.Area, "severity", t.Severity)
	return n
}

func (c *build) addGroup(id, title string, children []*model.Node) {
	if len(children) == 0 {
		return
	}
	g := &model.Node{ID: "group/" + id, Kind: model.KindGroup, Title: title, Children: children}
	if rollUp(g, model.Status.Closed); g.Status == model.Active {
		g.Status = model.Pending // some are done, and no file shows work on another
	}
	setSince(g, rollUpSince(g.Status, children))
	c.b.Nodes = append(c.b.Nodes, g)
}
