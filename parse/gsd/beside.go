// Collecting what lies beside the phases: archived milestones, todos, quick
// tasks.

package gsd

import (
	"path"
	"slices"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/gsd/milestone"
	"gatehouse/parse/gsd/rules"
	"gatehouse/parse/protocol"
)

// collectArchives lists the phases of milestones that are over. Their plans
// are known by name only: nothing in them changes, and reading them would cost
// more than all that does. What is read is whether they were left waiting for a human; what is wrong with such a file is
// nobody's task any more.
func (c *collector) collectArchives() {
	reviews := &collector{m: c.m, b: &model.Build{}}
	root := path.Join(c.dir, "milestones")
	for _, m := range c.list(root) {
		if !m.Dir || !milestone.IsArchive(m.Name) {
			continue
		}
		version := strings.TrimSuffix(m.Name, "-phases")
		for _, e := range c.list(path.Join(root, m.Name)) {
			id, name, ok := splitDir(e.Name)
			if !ok || !e.Dir || id.sentinel() {
				continue
			}
			p := &phase{
				id: id, name: name, version: version, dir: path.Join(root, m.Name, e.Name), modTime: e.ModTime,
				archive: true, past: "it was archived with " + version,
			}
			if r := c.roadmap.byKey[id.key]; r != nil && slug(r.name) == slug(name) {
				p.name, p.road = r.name, r
			}
			p.files = c.list(p.dir)
			var names []string
			for _, f := range p.files {
				if !f.Dir {
					names = append(names, f.Name)
				}
			}
			reviews.collectReviews(p, names)
			for _, f := range pairPlans(id, names, nil) {
				p.plans = append(p.plans, &planState{planFile: f, phase: p, plan: &plan{}})
			}
			c.archived = append(c.archived, p)
		}
	}
}

// answerGone finds out whether a question is about a phase of a milestone that is over, and work went on since: its file was
// left behind. The prompt has the same rule.
func (c *collector) answerGone() {
	w := c.waiting
	if w == nil || w.phase == "" || !rules.Outrun(w.asked, c.state.lastUpdated) {
		return
	}
	var dirs, archived []string
	for _, p := range slices.Concat(c.phases, c.backlog) {
		if p.dir != "" {
			dirs = append(dirs, path.Base(p.dir))
		}
	}
	for _, p := range c.archived {
		archived = append(archived, path.Base(p.dir))
	}
	if milestone.Over(w.phase, c.roadmap.text, dirs, archived) {
		w.over = "phase " + w.phase + ": its milestone is over"
	}
}

func (c *collector) collectTodos() {
	for _, dir := range []string{"todos/pending", "todos/completed", "todos/done"} {
		for _, e := range c.list(path.Join(c.dir, dir)) {
			if e.Dir || !strings.HasSuffix(e.Name, ".md") {
				continue
			}
			file := path.Join(c.dir, dir, e.Name)
			t := todoFile{file: file, modTime: e.ModTime, done: dir != "todos/pending"}
			if e.Size > 0 { // an empty one says all it has to by its name
				if r := protocol.ReadFile(c.m, c.b, file, parseTodo); r.Value != nil {
					t.todo = *r.Value
				}
			}
			if t.title == "" {
				t.title = strings.TrimSuffix(e.Name, ".md")
			}
			c.todos = append(c.todos, t)
		}
	}
	for _, e := range c.list(path.Join(c.dir, "quick")) {
		if !e.Dir {
			continue
		}
		dir := path.Join(c.dir, "quick", e.Name)
		t := todoFile{file: dir, modTime: e.ModTime}
		t.title = strings.ReplaceAll(e.Name, "-", " ")
		for _, f := range c.list(dir) {
			if milestone.IsSummary(f.Name) {
				t.done = true
			}
		}
		c.quick = append(c.quick, t)
	}
}
