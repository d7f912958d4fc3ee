package core

import (
	"slices"

	"gatehouse/model/line"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// OpenSpec is the name of OpenSpec: changes in openspec/changes.
const OpenSpec = "openspec"

// openSpecArtifact is a file or glob that a schema has agents write.
type openSpecArtifact struct {
	id, generates string
	requires      []string
}

// openSpecSchema is a workflow.
type openSpecSchema struct {
	artifacts []openSpecArtifact
	tracks    string // the glob of the tasks
}

var specDriven = openSpecSchema{[]openSpecArtifact{{"proposal", "proposal.md", nil}, {"specs", "specs/**/*.md", []string{"proposal"}},
	{"design", "design.md", []string{"proposal"}}, {"tasks", "tasks.md", []string{"specs", "design"}}}, "tasks.md"}

// ReadOpenSpec reads the changes of a root as one build; each change is a phase.
func ReadOpenSpec(f Files) []*Build {
	names := f.List("openspec")
	marks := []string{"config.yaml", "config.yml", "project.md", "AGENTS.md", "changes/", "specs/"}
	if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(marks, name) }) {
		return nil
	}
	r := &openSpec{f: f, b: &Build{Format: OpenSpec, Dir: "openspec", File: "openspec/changes"}, hasSchemas: slices.Contains(names, "schemas/"), schemas: map[string]openSpecSchema{}}
	schema := r.schemaIn("openspec/config.yaml", r.readSchema("spec-driven", "", 0))
	for _, id := range dirsIn(f, r.b.File) {
		if id != "archive" && id[0] != '.' {
			r.readChange(id, schema)
		}
	}
	slices.SortStableFunc(r.b.Waits, func(a, b Wait) int {
		if a.IsReview == b.IsReview {
			return 0
		} else if a.IsReview {
			return -1
		}
		return 1
	})
	if r.b.settleStatus(); len(r.b.Phases) == 0 && r.b.Unread == "" {
		r.b.Why = "no change is active"
	}
	r.setNext()
	return []*Build{r.b}
}

type openSpec struct {
	f          Files
	b          *Build
	hasSchemas bool // the project has schemas of its own
	schemas    map[string]openSpecSchema
	drafts     []draft
}

// draft is a change without tasks.
type draft struct {
	phase  *Item
	schema openSpecSchema
}

// schemaIn returns the schema that a file names, else the inherited one. Without schemas of the project, tasks.md counts whatever the
// file says: then the prompt does not read it, and if it can't be read, it hides no work.
func (r *openSpec) schemaIn(file string, inherited openSpecSchema) openSpecSchema {
	if !r.hasSchemas && r.f.Shallow() {
		return inherited
	}
	unread := r.b.Unread
	root, _ := r.b.readYAML(r.f, file)
	if !r.hasSchemas {
		r.b.Unread = unread
	}
	if name := root.Get("schema"); name.Text() != "" {
		return r.readSchema(name.Text(), file, name.Offset())
	}
	return inherited
}

// readSchema returns the schema with a name. One that can't be found is reported: then tasks.md counts.
func (r *openSpec) readSchema(name, file string, at int) openSpecSchema {
	s, known := r.schemas[name]
	if known {
		return s
	}
	if s = specDriven; !r.hasSchemas && name == "spec-driven" {
		return s
	}
	path := "openspec/schemas/" + name + "/schema.yaml"
	_, err := r.f.Text(path)
	switch {
	case doc.Contains(name, "/") || peek.Missing(err) && name != "spec-driven":
		r.b.reportProblem(file, at, "the project has no schema "+name, "add openspec/schemas/NAME/schema.yaml, or ignore this if the schema is your own; tasks are read from tasks.md")
	case err == nil:
		root, _ := r.b.readYAML(r.f, path)
		s = openSpecSchema{tracks: root.Get("apply", "tracks").Text()}
		isTracked := false
		for a := range root.Get("artifacts").Elements() {
			artifact := openSpecArtifact{id: a.Get("id").Text(), generates: a.Get("generates").Text()}
			for need := range a.Get("requires").Elements() {
				artifact.requires = append(artifact.requires, need.Text())
			}
			s.artifacts = append(s.artifacts, artifact)
			isTracked = isTracked || artifact.generates == s.tracks
		}
		if !isTracked || s.tracks == "" {
			s.tracks = "tasks.md"
		}
	}
	r.schemas[name] = s
	return s
}

func (r *openSpec) readChange(id string, schema openSpecSchema) {
	dir := r.b.File + "/" + id
	schema = r.schemaIn(dir+"/.openspec.yaml", schema)
	files := []string{dir + "/tasks.md"}
	if schema.tracks != "tasks.md" { // else the directory need not be listed
		if found := findFiles(r.f, dir, schema.tracks); len(found) > 0 {
			files = found
		}
	}
	p := &Item{ID: id, Title: id, File: files[0]}
	for _, file := range files {
		r.readTasks(p, file)
	}
	p.deriveStatus(false)
	r.b.Phases = append(r.b.Phases, p)
	switch {
	case p.Count.Total == 0:
		r.addDraft(p, schema)
	case p.Status == Done:
		p.Why = "all of its tasks are ticked; nobody has archived it"
		r.b.Waits = append(r.b.Waits, Wait{Text: "verify and archive " + id + ": all of its " + line.Decimal(p.Count.Total) + " tasks are ticked", Place: id, Item: p, File: p.File, IsReview: true})
	case p.Status == Pending:
		p.Why = "none of its tasks is ticked"
		r.b.Waits = append(r.b.Waits, Wait{Text: "approve " + id + ", then apply it: none of its " + line.Decimal(p.Count.Total) + " tasks is begun", Place: id, Item: p, File: p.File})
	}
}

// readTasks adds the boxes of a file. As in OpenSpec, those in code and comments count: open work is never lost. The prompt needs their
// number and the first open one.
func (r *openSpec) readTasks(p *Item, file string) {
	text, ok := r.b.read(r.f, file)
	if !ok {
		return
	}
	for at := 0; at < len(text); {
		l, _, _ := doc.Cut(text[at:], "\n")
		if x, ok := parseBox(l); ok {
			status := x.status()
			if p.Count.Add(status); !r.f.Shallow() || status == Pending && len(p.Items) == 0 {
				p.addItem(&Item{Title: x.text, Status: status, Raw: "[" + x.mark + "]", File: file, At: at})
			}
		}
		at += len(l) + 1
	}
}

// addDraft notes a change without tasks, and why it has none.
func (r *openSpec) addDraft(p *Item, schema openSpecSchema) {
	r.drafts = append(r.drafts, draft{p, schema})
	if p.Status, p.Why = Pending, "it has no tasks"; r.b.Unread != "" {
		p.Status = Unknown
	}
	if r.f.Shallow() {
		return
	}
	dir := r.b.File + "/" + p.ID
	for _, name := range dirsIn(r.f, dir) {
		if name != "specs" && slices.Contains(r.f.List(dir+"/"+name), "proposal.md") {
			p.Why = "it has no tasks; OpenSpec does not look into directories of changes such as " + p.ID + "/" + name + "/"
		}
	}
}

// nextArtifact returns the next file to write for a draft: the first artifact that is missing and whose requirements exist.
func (r *openSpec) nextArtifact(d draft) string {
	exists := map[string]bool{}
	for _, a := range d.schema.artifacts {
		exists[a.id] = len(findFiles(r.f, r.b.File+"/"+d.phase.ID, a.generates)) > 0
	}
	for _, a := range d.schema.artifacts {
		isReady := !exists[a.id]
		for _, need := range a.requires {
			isReady = isReady && exists[need]
		}
		if isReady {
			return "write " + a.id + " of " + d.phase.ID
		}
	}
	return "add tasks to " + d.phase.ID
}

// setNext finds the next step: the only change at work goes on, else one is archived, approved or drafted.
func (r *openSpec) setNext() {
	b := r.b
	var active []*Item
	var done, planned *Item
	for _, p := range b.Phases {
		switch {
		case p.Status == Active:
			active = append(active, p)
		case p.Status == Done && done == nil:
			done = p
		case p.Count.Total > 0 && planned == nil:
			planned = p
		}
	}
	switch {
	case len(active) == 1:
		for _, task := range active[0].Items {
			if task.Status != Done {
				b.Now, b.NextItem, b.Next, b.NextWhy = active[0], task, task.Title, "the first open task of "+active[0].ID
				return
			}
		}
	case len(active) > 1:
		b.Next, b.NextWhy = "openspec list", line.Decimal(len(active))+" changes are at work, and no file says which is the current one"
	case done != nil:
		b.Next, b.NextWhy, b.NextItem = "openspec archive "+done.ID, "all of its tasks are ticked", done
	case planned != nil:
		b.Next, b.NextWhy, b.NextItem = "/opsx:apply "+planned.ID, "its tasks are written, and none is begun", planned
	case len(r.drafts) > 0:
		b.Next, b.NextWhy, b.NextItem = r.nextArtifact(r.drafts[0]), r.drafts[0].phase.Why, r.drafts[0].phase
	}
}

// The bounds of a glob.
const (
	globDepth = 8
	globFiles = 200
)

// findFiles returns the files below a directory that a pattern matches: "*" and "?" stay in one name, "**" stands for any directories.
func findFiles(f Files, dir, pattern string) (files []string) {
	if pattern == "" || pattern[0] == '/' || hasAny(pattern, "..", `\`) {
		return nil
	}
	var walk func(dir, pattern string, depth int)
	walk = func(dir, pattern string, depth int) {
		head, rest, isDir := doc.Cut(pattern, "/")
		if depth == globDepth {
			return
		}
		if head == "**" && isDir {
			walk(dir, rest, depth+1)
		}
		path := dir + "/"
		if dir == "" {
			path = ""
		}
		for _, name := range f.List(dir) {
			bare := BareName(name)
			isDirectory := bare != name
			switch {
			case len(files) >= globFiles || bare == "":
			case head == "**" && isDirectory && bare[0] != '.' && bare != "node_modules":
				walk(path+bare, pattern, depth+1)
			case !matchName(head, bare):
			case isDir && isDirectory:
				walk(path+bare, rest, depth+1)
			case !isDir && !isDirectory && !slices.Contains(files, path+bare):
				files = append(files, path+bare)
			}
		}
	}
	walk(dir, pattern, 0)
	return files
}

// matchName reports whether a pattern with "*" and "?" matches a name. It backtracks to the last star alone, so its time is bounded.
func matchName(pattern, name string) bool {
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p, n = p+1, n+1
		case star >= 0:
			from++
			p, n = star+1, from
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}
