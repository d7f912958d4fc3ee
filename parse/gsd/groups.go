package gsd

import (
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/gsd/core"
)

// addGroups adds the groups outside the phases: todos and the backlog.
func (c *build) addGroups() {
	var todos, backlog []*model.Node
	for _, dir := range []string{"todos/pending", "todos/completed", "todos/done"} {
		for _, e := range c.listDir(c.buildFile(dir)) {
			if name, ok := strings.CutSuffix(e.Name, ".md"); ok && !e.IsDir {
				n := taskOf("todo/"+e.Name, name, model.Pos{File: c.buildFile(dir) + "/" + e.Name}, c.fileTime(e.Modified))
				if dir != "todos/pending" {
					n.Status = model.Done
				}
				todos = append(todos, n)
			}
		}
	}
	idea := func(id core.PhaseID, name string, source model.Pos, modified int64) {
		n := taskOf("backlog/"+id.Key, name, source, c.fileTime(modified))
		n.Number, n.Why = id.Text, "an idea for later, not part of the milestone"
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
	c.addGroup("backlog", "Backlog", backlog)
}

// taskOf makes the row of something that is still to do.
func taskOf(id, title string, at model.Pos, since moment) *model.Node {
	return &model.Node{ID: id, Kind: model.KindTask, Title: line.Tidy(title), Status: model.Pending, Source: at, Since: since.at, SinceFile: since.fromFile}
}

func (c *build) listDir(dir string) []core.Entry { return (&source{m: c.m, b: c.b}).List(dir) }

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
