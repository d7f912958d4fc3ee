// The rows that stand beside the phases: todos, quick tasks, the backlog.

package gsd

import (
	"path"

	"gatehouse/model"
	"gatehouse/model/line"
)

// groups adds what stands beside the phases.
func (c *collector) groups() {
	backlog := make([]*model.Node, 0, len(c.backlog))
	for _, p := range c.backlog {
		backlog = append(backlog, &model.Node{
			ID: "backlog/" + p.id.key, Kind: model.KindTask, Number: p.id.text, Title: line.Tidy(p.name), Status: model.Pending,
			Why: "an idea for later, not part of the milestone", Source: model.Pos{File: p.dir}, Updated: p.modTime, Since: p.modTime, SinceFile: true,
		})
	}
	for _, r := range c.roadmap.backlog {
		if !containsKey(c.backlog, r.id.key) {
			n := &model.Node{
				ID: "backlog/" + r.id.key, Kind: model.KindTask, Number: r.id.text, Title: line.Tidy(r.name), Status: model.Pending,
				Why: "an idea for later, not part of the milestone", Source: model.Pos{File: c.file("ROADMAP.md"), Line: r.line},
			}
			c.planned.put(n)
			backlog = append(backlog, n)
		}
	}
	c.group("todos", "Todos", todoNodes("todo", c.todos))
	c.group("quick", "Quick tasks", todoNodes("quick", c.quick))
	c.group("backlog", "Backlog", backlog)
}

func containsKey(phases []*phase, key string) bool {
	for _, p := range phases {
		if p.id.key == key {
			return true
		}
	}
	return false
}

func todoNodes(kind string, files []todoFile) []*model.Node {
	nodes := make([]*model.Node, 0, len(files))
	for _, t := range files {
		n := &model.Node{
			ID: kind + "/" + path.Base(t.file), Kind: model.KindTask, Title: line.Tidy(t.title), Status: model.Pending,
			Source: model.Pos{File: t.file}, Updated: t.created,
		}
		moment{t.modTime, true}.put(n)
		if t.done {
			n.Status = model.Done
		} else {
			saidAt(t.created, t.modTime).put(n)
		}
		for _, f := range []model.Fact{{Label: "area", Value: line.Tidy(t.area)}, {Label: "severity", Value: line.Tidy(t.severity)}} {
			if f.Value != "" {
				n.Facts = append(n.Facts, f)
			}
		}
		nodes = append(nodes, n)
	}
	return nodes
}

func (c *collector) group(id, title string, children []*model.Node) {
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
		g.Status = model.Pending // some are done, and no file says that anybody is at another
	}
	rollSince(g.Status, children).put(g)
	c.b.Nodes = append(c.b.Nodes, g)
}
