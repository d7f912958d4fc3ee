// Package formats reads spec-driven formats that have no protocol of Gatehouse's own into the model: Spec Kit, Kiro, OpenSpec, BMAD,
// task-master, and formats that users define. README.md describes what is read of each.
//
//	Readers ─► Reader: core.Build of the files ─┬► Read:   model.Build
//	                                            ├► Check:  what can't be read
//	                                            └► Target: the command that answers a gate
//
// Package core reads the files, for the prompt too. Nothing is ever written here: a gate is answered by the format's own command.
package formats

import (
	"path"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/formats/core"
	"gatehouse/parse/protocol"
)

// Format is a format that projects are read by.
type Format = core.Format

// Formats are the built-in ones.
var Formats = core.Formats

// files is a project's files as core reads them.
type files struct {
	m       *mirror.Mirror
	changed time.Time // the newest modification of a file read
	held    int
	faults  []func(b *model.Build) // add the problems of files whose last good state is shown
}

func (f *files) List(dir string) (names []string) {
	entries, _ := f.m.List(dir)
	for _, e := range entries {
		switch {
		case e.Dir:
			names = append(names, e.Name+"/")
		default:
			names = append(names, e.Name)
		}
	}
	return names
}

func (f *files) Text(file string) (string, error) {
	r := mirror.Read(f.m, file, func(text string) (string, error) { return text, nil })
	return r.Value, noteRead(f, file, r)
}

func (f *files) JSON(file string) (*doc.Tree, error) {
	r := mirror.Read(f.m, file, func(text string) (*doc.Tree, error) {
		tree, syntax := doc.ParseJSON(text)
		if syntax != nil {
			return nil, protocol.SyntaxFault(text, syntax)
		}
		return tree, nil
	})
	return r.Value, noteRead(f, file, r)
}

func (f *files) HasMark(name string) bool {
	_, exists := f.m.Stat(name)
	return exists
}

func (f *files) Shallow() bool    { return false }
func (f *files) WantsWaits() bool { return true }

// noteRead records the modification time of a file, and returns why it can't be read; nil if its last good state is known.
func noteRead[T any](f *files, file string, r mirror.Result[T]) error {
	if r.ModTime.After(f.changed) {
		f.changed = r.ModTime
	}
	switch {
	case !r.Exists:
		return peek.ErrNotExist
	case r.Held:
		f.held++
		f.faults = append(f.faults, func(b *model.Build) { protocol.ReportUnreadable(b, file, r.Err, true) })
		return nil
	}
	return r.Err
}

// Reader reads one build of a format.
type Reader struct {
	m      *mirror.Mirror
	format core.Format
	id     string // of the build in its format
}

// Readers returns a reader for each build of a format in a project.
func Readers(m *mirror.Mirror, format core.Format) (all []*Reader) {
	for _, b := range format.Read(&files{m: m}) {
		all = append(all, &Reader{m, format, b.ID})
	}
	return all
}

// ReadDefinition reads the definition of a format, nil if there is no such file.
func ReadDefinition(m *mirror.Mirror, file, shown string) *core.Definition {
	r := mirror.Read(m, file, func(text string) (*core.Definition, error) { return core.ParseDefinition(shown, text), nil })
	if r.Exists && r.Value == nil {
		return &core.Definition{File: shown, Problems: []core.Problem{{File: shown, Text: r.Err.Error(), Fix: "fix the file", IsError: true}}}
	}
	return r.Value
}

// ID returns the ID of the build.
func (r *Reader) ID() string {
	if r.id == "" {
		return r.format.Name
	}
	return r.format.Name + ":" + r.id
}

// Read returns the build as its files are now. It never fails: what can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build {
	v := r.openBuild(now)
	if v == nil {
		return nil
	}
	v.buildModel()
	return v.b
}

// Check returns the problems of the files.
func (r *Reader) Check(now time.Time) []model.Problem {
	v := r.openBuild(now)
	if v == nil {
		return nil
	}
	v.buildModel()
	for i := range v.b.Problems {
		v.b.Problems[i].Rule = r.format.Name
	}
	for _, d := range v.b.Divergences {
		v.b.Problems = append(v.b.Problems, model.Problem{Pos: d.Source, Severity: model.Warning, Rule: r.format.Name, Text: d.Claim + ", but " + d.Truth, Fix: "correct what is wrong"})
	}
	return v.b.Problems
}

// view is a build while it is read.
type view struct {
	*core.Build
	r     *Reader
	now   time.Time
	files *files
	lines map[string]protocol.Source
	rows  protocol.Rows
	nodes map[*core.Item]*model.Node
	b     *model.Build
}

// openBuild returns the build as its files are now, nil if it is gone.
func (r *Reader) openBuild(now time.Time) *view {
	v := &view{r: r, now: now, files: &files{m: r.m}, lines: map[string]protocol.Source{}, rows: protocol.Rows{}, nodes: map[*core.Item]*model.Node{}}
	for _, b := range r.format.Read(v.files) {
		if b.ID == r.id {
			v.Build = b
			return v
		}
	}
	return nil
}

// posOf returns a place in a file.
func (v *view) posOf(file string, at int) model.Pos {
	s, known := v.lines[file]
	if !known {
		text, _ := v.files.Text(file)
		s = protocol.Source{File: file, Lines: doc.IndexLines(text)}
		v.lines[file] = s
	}
	if at == 0 {
		return model.Pos{File: file}
	}
	return s.Pos(at)
}

var statuses = map[core.Status]model.Status{core.Unknown: model.Unknown, core.Pending: model.Pending, core.Active: model.Active, core.Waiting: model.Waiting,
	core.Blocked: model.Blocked, core.Failed: model.Failed, core.Done: model.Done, core.Skipped: model.Skipped}

func (v *view) buildModel() {
	name := path.Base(strings.ReplaceAll(v.r.m.Root(), `\`, "/"))
	v.b = &model.Build{ID: v.r.ID(), Protocol: v.r.format.Name, Title: line.Tidy(v.Title), Dir: v.Dir, File: v.File, Raw: line.Tidy(v.Raw), Why: line.Tidy(v.Why),
		Status: statuses[v.Status], Selected: v.Selected, Unread: line.Tidy(v.Unread)}
	b := v.b
	if v.Title == "" {
		b.Title = line.Tidy(name)
	}
	for _, p := range v.Phases {
		b.Nodes = append(b.Nodes, v.makeNode(p, "", model.KindPhase))
		b.Progress.Phases.Total++
		if p.Status.IsClosed() {
			b.Progress.Phases.Done++
		}
	}
	v.linkDependencies()
	b.Progress.Closed = b.Progress.Phases
	b.Progress.Tasks = model.Count(v.Count)
	b.Progress.Known = v.Count.Total > 0
	b.Progress.Percent = b.Progress.Tasks.Floor()
	b.Now = v.rowID(v.Now)
	if v.Next != "" {
		b.Next = &model.Next{Command: line.Tidy(v.Next), Why: line.Tidy(v.NextWhy), Node: v.rowID(v.NextItem), Derived: true}
	}
	for _, p := range v.Problems {
		severity := model.Warning
		if p.IsError {
			severity = model.Error
		}
		protocol.Report(b, v.posOf(p.File, p.At), severity, "", p.Text, p.Fix)
	}
	for _, c := range v.Claims {
		protocol.Claim(b, v.posOf(c.File, c.At), c.Text, c.Truth)
	}
	for _, add := range v.files.faults {
		add(b)
	}
	v.addWaits()
	b.Freshness.Changed, b.Freshness.Held = v.files.changed, v.files.held
	b.Claimed = v.Facts(name)
	b.Header = b.Claimed
}

func (v *view) addWaits() {
	for _, w := range v.Waits {
		evidence := model.Outstanding
		switch {
		case w.IsGate:
			evidence = model.Reached
		case w.IsReview:
			evidence = model.Verified
		}
		at, _ := v.files.m.Stat(w.File)
		v.b.Waits = append(v.b.Waits, model.Wait{Node: v.rowID(w.Item), Text: line.Tidy(w.Text), Place: line.Tidy(w.Place), Evidence: evidence,
			Since: at.ModTime, SinceFile: true, Standing: model.UpcomingIf(w.IsWeak), Source: v.posOf(w.File, w.At)})
	}
	model.SortWaits(v.b.Waits)
}

// makeNode returns the row of an item with those of its tasks.
func (v *view) makeNode(it *core.Item, above string, kind model.Kind) *model.Node {
	name := it.ID
	if name == "" {
		name = it.Title
	}
	n := &model.Node{Kind: kind, Number: line.Tidy(it.ID), Title: line.Tidy(it.PlainTitle()), Status: statuses[it.Status], Raw: line.Tidy(it.Raw), Why: line.Tidy(it.Why),
		Count: model.Count(it.Count), Source: v.posOf(it.File, it.At)}
	if n.ID = v.rows.ID(above + string(kind) + "/" + name); it.ID == it.Title {
		n.Number = ""
	}
	if n.Title == "" {
		n.Title, n.Number = n.Number, ""
	}
	v.nodes[it] = n
	if kind == model.KindPhase {
		n.Progress.Tasks = n.Count
	}
	protocol.AddFact(n, "labels", it.Labels)
	if it.Optional {
		protocol.AddFact(n, "optional", "yes")
	}
	if it.Gate != nil {
		v.addGate(n, it.Gate)
	}
	for _, child := range it.Items {
		childKind := model.KindTask
		if child.Gate != nil {
			childKind = model.KindGate
		}
		n.Children = append(n.Children, v.makeNode(child, name+"/", childKind))
	}
	return n
}

// linkDependencies names the rows that others depend on.
func (v *view) linkDependencies() {
	byID := map[string]string{}
	for it, n := range v.nodes {
		byID[it.ID] = n.ID
	}
	for it, n := range v.nodes {
		for _, need := range it.DependsOn {
			if to := byID[need]; to != "" {
				n.DependsOn = append(n.DependsOn, to)
			}
		}
	}
}

// rowID returns the ID of an item's row, "" without one.
func (v *view) rowID(it *core.Item) string {
	if n := v.nodes[it]; n != nil {
		return n.ID
	}
	return ""
}

func (v *view) addGate(n *model.Node, g *core.Gate) {
	n.Gate = &model.Gate{Approval: model.ApprovalHuman, Required: true, Asks: line.Tidy(g.Message)}
	for _, option := range g.Options {
		n.Gate.Options = append(n.Gate.Options, line.Tidy(option))
	}
	n.Gate.Expects, n.Gate.Can = line.Tidy(g.Hint), verbsFor(g)
	if g.Input != "" {
		n.Gate.Expects = line.Tidy(strings.Join(g.Command, " ") + " --input " + g.Input + "=" + strings.Join(g.Options, "|"))
	}
	if e, ok := v.files.m.Stat(g.File); ok && g.File != "" {
		n.Artifacts = append(n.Artifacts, model.Artifact{Name: "shown by the gate", File: g.File, Exists: true, Size: e.Size, Changed: e.ModTime})
	}
}

// Homes are the directories that make a directory a project of a format.
var Homes = map[string][]string{core.SpecKit: {".specify"}, core.OpenSpec: {"openspec"}, core.Kiro: {".kiro"}, core.TaskMaster: {".taskmaster"}}

// FilesOf returns the files below a directory as a format reads them.
func FilesOf(m *mirror.Mirror) core.Files { return &files{m: m} }
