// Package loop reads the state of a loop into the model, and writes what a human decides about it:
// README.md says what the files are, and how they are read.
//
// A loop is two files: the state (sample-state.json), which is all that counts, and the definition that it was made from
// (loop.json), which says in which order its phases are and behind which of them a gate stands. Without a definition the
// state is shown in its own order, and nothing is said about where gates are.
//
// The way through the package: [Readers] finds states by their shape (find.go, state.go, lookalike.go), [Reader.Read]
// holds one beside its definition (definition.go) and package rules, lays out the rows (rows.go, gates.go,
// deliverables.go) and says where the loop stands (build.go). [Reader.Check] is the strict side (check.go), edit.go and
// undo.go say what a decision changes, refusal.go why one is refused, [Reader.Resume] where work goes on, and [Generate]
// makes a new state.
package loop

import (
	"errors"
	"path"
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/reader"
)

// Reader reads one loop of a project.
type Reader struct {
	m       *mirror.Mirror
	file    string // the state's, relative to the project
	library *Library
}

// ID returns the ID of the build: "loop:" and the file of its state.
func (r *Reader) ID() string { return Protocol + ":" + r.file }

// Read returns the build as the files say it now. It never fails: what can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.read(now).b }

// view is a loop while it is read.
type view struct {
	r    *Reader
	b    *model.Build
	now  time.Time
	read mirror.Result[*state]
	s    *state
	d    *found // nil without a definition
	// other is the name of the loop whose definition lies beside the state, where none of its own was found.
	other string
	// undefinable is a definition that can't be read, nil where all can.
	undefinable *found

	loop    *rules.Loop // as the rules have it
	resume  rules.Resume
	waiting rules.Waits
	ids     map[string]int // of the rows, and how often each was asked for
	gateIDs []string       // of the rows of the rules' gates
	// phaseIDs are those of the rows of the rules' phases.
	phaseIDs []string
	looks    map[string][]int // the gates by how their names look, see twin
}

// open returns the loop by the state and the definition alone.
func (r *Reader) open(now time.Time) *view {
	v := &view{r: r, now: now, read: mirror.Read(r.m, r.file, parseState)}
	v.s = v.read.Value
	if v.s == nil {
		v.s = &state{readOnly: "its file can't be read"}
	}
	v.decide()
	return v
}

// decide finds the definition and asks the rules where the loop stands.
func (v *view) decide() {
	if v.s.kind == "" && v.s.doc != nil {
		v.d, v.other, v.undefinable = v.r.define(v.s.ID)
	}
	v.ask()
}

// ask asks the rules where the loop stands.
func (v *view) ask() {
	var d *rules.Definition
	switch {
	case v.d != nil:
		d = v.d.Definition.Named(v.d.file)
	case v.undefinable != nil:
		d = rules.Unreadable(v.undefinable.file)
	}
	v.loop = new(rules.Memory).Loop(&v.s.State, d)
	v.resume, v.waiting = v.loop.Resume(), v.loop.Waits()
	v.nameGates()
}

// gate returns what the state says of a gate of the rules. Of one that it lacks it says nothing.
func (v *view) gate(i int) *stateGate {
	if g := &v.loop.Gates[i]; g.At < 0 {
		at := v.s.doc.Root.Get("gates").Place(0)
		return &stateGate{Item: rules.Item{Name: g.ID}, at: at, statusAt: at}
	}
	return &v.s.gates[v.loop.Gates[i].At]
}

// nameGates gives each gate of the rules the ID of its row.
func (v *view) nameGates() {
	v.ids, v.gateIDs = map[string]int{}, make([]string, len(v.loop.Gates))
	for i := range v.loop.Gates {
		v.gateIDs[i] = v.id("gate/" + v.loop.Gates[i].ID)
	}
}

// id returns an ID for a row that no other row has. Two names that differ only in what can't be shown, or a name with a
// slash in it, must not make one row of two.
func (v *view) id(id string) string {
	id = line.Tidy(id)
	for v.ids[id]++; v.ids[id] > 1; v.ids[id]++ {
		id += "#" + strconv.Itoa(v.ids[id])
	}
	return id
}

func (r *Reader) read(now time.Time) *view {
	v := r.open(now)
	v.build()
	return v
}

// build makes the build.
func (v *view) build() {
	v.b = &model.Build{ID: v.r.ID(), Protocol: Protocol, Dir: path.Dir(v.r.file), File: v.r.file, Raw: line.Tidy(v.s.Status), Title: line.Tidy(v.title()), Began: reader.Time(v.s.started)}
	v.freshness()
	v.report()
	v.layOut()
	v.stand()
}

// title names what is built.
func (v *view) title() string {
	switch {
	case v.s.kind != "" && v.s.ID != "":
		return v.s.ID + " (" + v.s.kind + ")"
	case v.d != nil && v.d.title != "":
		return v.d.title
	case v.s.ID != "":
		return v.s.ID
	}
	return strings.TrimSuffix(path.Base(v.r.file), ".json")
}

// pos returns a place of the state.
func (v *view) pos(at int) model.Pos {
	p := model.Pos{File: v.r.file}
	if v.s.doc != nil {
		p.Line, p.Col = v.s.doc.Place(at)
	}
	return p
}

// defined returns a place of the definition.
func (v *view) defined(at int) model.Pos {
	p := model.Pos{File: v.d.file}
	p.Line, p.Col = v.d.doc.Place(at)
	return p
}

func (v *view) freshness() {
	f := &v.b.Freshness
	f.Changed, f.Claimed = v.read.ModTime, reader.Time(v.s.updated)
	if v.read.Held {
		f.Held++
	}
	if v.d != nil {
		v.newer(v.d.read.ModTime)
		if v.d.read.Held {
			f.Held++
		}
	}
}

// newer takes note of when a file of the build was changed.
func (v *view) newer(t time.Time) {
	if t.After(v.b.Freshness.Changed) {
		v.b.Freshness.Changed = t
	}
}

// report lists what is wrong with the files.
func (v *view) report() {
	v.unreadable(v.r.file, v.read.Err, v.read.Held)
	for _, f := range v.s.faults {
		v.problem(v.pos(f.at), f)
	}
	if v.s.kind != "" || v.s.doc == nil {
		return
	}
	v.undefined()
	switch {
	case v.d != nil:
		v.unreadable(v.d.file, v.d.read.Err, v.d.read.Held)
		for _, f := range v.d.faults {
			v.problem(v.defined(f.at), f)
		}
		if v.s.version != "" && v.d.version != "" && v.s.version != v.d.version {
			v.problem(v.pos(v.s.doc.Root.Get("version").Place(0)), fault{rule: ruleVersion,
				text: "the state was made from version " + reader.Quoted(v.s.version) + " of the loop, and " + v.d.file + " is version " + reader.Quoted(v.d.version),
				fix:  "names and order may differ; keep the loop.json that the state was made from beside it"})
		}
	case v.other != "":
		v.problem(model.Pos{File: path.Join(path.Dir(v.r.file), "loop.json")}, fault{rule: ruleDefinition,
			text: "this is the definition of " + reader.Quoted(v.other) + ", not of " + reader.Quoted(v.s.ID) + "; it is not used",
			fix:  "put that of " + reader.Quoted(v.s.ID) + " beside the state, or name its directory in GATEHOUSE_LOOPS"})
	}
	v.weakened()
	if !rules.KnownLoop(v.s.Status) {
		v.problem(v.pos(v.s.doc.Root.Get("status").Place(0)), fault{rule: "loop-word", severe: true, text: "the loop is " + unknownWord(v.s.Status), fix: "write active, paused, complete or failed; until then nothing of it can be decided"})
	}
	for i := range v.loop.Gates {
		if g := v.gate(i); !rules.KnownGate(g.Status) {
			v.problem(v.pos(g.statusAt), fault{rule: "loop-word", text: reader.Quoted(g.Name) + " is " + unknownWord(g.Status), fix: "write pending, passed, skipped or failed"})
		}
	}
	for i := range v.loop.Phases {
		if p := &v.s.phases[v.loop.Phases[i].At]; !rules.KnownPhase(p.Status) {
			v.problem(v.pos(p.at), fault{rule: "loop-word", text: reader.Quoted(p.Name) + " is " + unknownWord(p.Status), fix: "write pending, active, complete or skipped"})
		}
	}
	for _, i := range v.waiting.Past {
		g := &v.loop.Gates[i]
		if g.After < 0 {
			continue // where it stands is what is wrong, and its wait says so
		}
		v.problem(v.pos(v.gate(i).statusAt), fault{rule: "loop-older-gate",
			text: reader.Quoted(g.ID) + " is " + word(g.Status) + ", and the loop has gone past it", fix: "decide it all the same, or have the agents say why not"})
	}
}

// undefined reports a definition that can't be read: without it nobody knows where gates stand, unless there is another. A link
// that leads out of the project is told with where it leads, for all protocols.
func (v *view) undefined() {
	if v.undefinable == nil || errors.Is(v.undefinable.read.Err, peek.ErrOutside) {
		return
	}
	err := v.undefinable.read.Err
	f := fault{rule: ruleDefinition, severe: true, text: v.undefinable.file + " can't be read: " + err.Error(),
		fix: "mend it; until then nobody knows where the gates stand"}
	if reason, ok := err.(peek.Error); ok {
		f.text = v.undefinable.file + " " + reason.Error()
		if err == rules.ErrNotLoop {
			f.text = v.undefinable.file + " has no phases, so it is no definition of a loop"
		}
	}
	if v.d != nil {
		f.severe, f.fix = false, "mend it, or remove it; "+v.d.file+" is used in its place"
	}
	v.problem(placeOf(v.undefinable.file, err), f)
}

func (v *view) unreadable(file string, err error, held bool) {
	if err == nil || errors.Is(err, peek.ErrOutside) { // of which it is told where it leads
		return
	}
	f := fault{severe: true, text: err.Error(), fix: "nothing of it can be shown; mend it, or wait until it is written"}
	if held {
		f.fix = "what it said before is shown"
	}
	v.problem(placeOf(file, err), f)
}

// placeOf returns where in a file an error is.
func placeOf(file string, err error) model.Pos {
	at := model.Pos{File: file}
	var place *mirror.Fault
	if errors.As(err, &place) {
		at.Line, at.Col = place.Line, place.Col
	}
	return at
}

func (v *view) problem(at model.Pos, f fault) {
	p := model.Problem{Pos: at, Severity: model.Warning, Rule: f.rule, Text: line.Tidy(f.text), Fix: line.Tidy(f.fix)}
	if f.severe {
		p.Severity = model.Error
	}
	v.b.Problems = append(v.b.Problems, p)
}

// word returns a status for people.
func word(status string) string {
	if status == "" {
		return "without a status"
	}
	return status
}
