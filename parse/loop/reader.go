// Package loop reads the state of a loop into the model, checks it, and computes the change of a decision. README.md describes the
// files and the protocol.
//
// A loop has two files: the state (sample-state.json), which is written, and the definition (loop.json), from which it was generated.
//
//	Readers ─► Reader.open: state and definition parsed once ─► core.Loop (position) ─┬► Read:   model.Build
//	                                                                                  ├► Check:  broken rules
//	                                                                                  ├► Resume: where work goes on
//	                                                                                  └► Target: Change of a decision
//
// Package core evaluates the rules of the protocol, for the prompt too.
package loop

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

// Protocol is the name of the protocol in the model.
const Protocol = "loop"

// Memory and Definitions are directories of a project that hold states and definitions.
const (
	Memory      = core.MemoryDir
	Definitions = "loops"
)

// EndWords are the statuses of a loop that has ended.
var EndWords = []string{core.Complete, core.Failed, "completed"}

// MayHold reports whether the file names in a directory make it worth searching for states.
func MayHold(m *mirror.Mirror) bool {
	entries, _ := m.List(".")
	return slices.ContainsFunc(entries, func(e mirror.Entry) bool { return core.IsCandidate(e.Name) }) || m.IsDir(Memory)
}

// IsLoopFile reports, by its name, whether a file in the directory of a project belongs to a loop.
func IsLoopFile(name string) bool { return core.IsStateName(name) || name == "loop.json" }

// Reader reads one loop of a project.
type Reader struct {
	m       *mirror.Mirror
	file    string           // of the state, relative to the project
	library []*mirror.Mirror // definitions outside the project, in order of precedence: GATEHOUSE_LOOPS
}

// ID returns the ID of the build.
func (r *Reader) ID() string { return Protocol + ":" + r.file }

// Readers returns a reader for each loop of a project, the one with the newest state first. named is a file of its directory that is a
// candidate whatever its name, "" for none.
func Readers(m *mirror.Mirror, named string, library []*mirror.Mirror) []*Reader {
	var all []*Reader
	add := func(dir string, isCandidate func(name string) bool) {
		entries, _ := m.List(dir)
		entries = slices.DeleteFunc(slices.Clone(entries), func(e mirror.Entry) bool { return !isCandidate(e.Name) })
		slices.SortStableFunc(entries, func(a, b mirror.Entry) int {
			return cmp.Or(b.ModTime.Compare(a.ModTime), strings.Compare(a.Name, b.Name))
		})
		for _, e := range entries[:min(len(entries), core.MaxCandidates)] {
			if r := (&Reader{m: m, file: path.Join(dir, e.Name), library: library}); r.isState(e) {
				all = append(all, r)
			}
		}
	}
	add(".", func(name string) bool { return core.IsCandidate(name) || name == named })
	if m.IsDir(Memory) {
		add(Memory, core.IsStateName)
	}
	return all
}

// stateFile is a parsed candidate.
type stateFile struct {
	*core.State // nil if it is no state
	lines       doc.LineIndex
	reason      error // why it is no state
	resembles   bool  // it looks like one anyway
}

func parseState(text string) (*stateFile, error) {
	s, err := core.ParseState(text)
	f := &stateFile{State: s, reason: err, lines: doc.IndexLines(text)}
	f.resembles = s == nil && core.ResemblesState(text)
	return f, faultOf(text, err)
}

// faultOf returns why a text can't be read, nil if it can be read or is not about a loop.
func faultOf(text string, err error) error {
	if syntax, isSyntax := err.(*doc.SyntaxError); isSyntax {
		return protocol.SyntaxFault(text, syntax)
	}
	if err == nil || err == core.ErrNotLoop {
		return nil
	}
	return &mirror.Fault{Line: 1, Text: "it " + err.Error()}
}

// isState reports whether a candidate is a state. A file that can't be parsed is judged only by its name.
func (r *Reader) isState(e mirror.Entry) bool {
	read := mirror.Read(r.m, r.file, parseState)
	f := read.Value
	if f == nil {
		f = &stateFile{}
	}
	isNothing := f.reason == core.ErrBlank || f.reason == core.ErrDamaged
	isNamed := e.Name != "state.json" && strings.HasSuffix(e.Name, ".json")
	return e.Regular && (f.State != nil || read.Err != nil && !isNothing && isNamed) || r.isLost(read)
}

// isLost reports whether the file is the state of a loop that can't be read, see [core.IsLostState].
func (r *Reader) isLost(read mirror.Result[*stateFile]) bool {
	reason, resembles := read.Err, false
	if f := read.Value; f != nil && !read.Held {
		if f.State != nil {
			return false
		}
		reason, resembles = f.reason, f.resembles
	}
	return read.Exists && core.IsLostState(path.Base(r.file), resembles, reason, func(id string) bool {
		d := r.findDefinition(id)
		return d.Definition != nil || d.unread != ""
	})
}

// definition is the result of a search for the definition of a loop.
type definition struct {
	*core.Definition                 // nil without one
	source           protocol.Source // of a definition that can be read
	read             mirror.Result[*definitionFile]

	unread    string // the first unusable file before the one that counts; "" without one
	unreadErr error
	other     string // the id in the loop.json next to the state, if that is of another loop
}

type definitionFile struct {
	*core.Definition
	lines doc.LineIndex
}

func parseDefinition(text string) (*definitionFile, error) {
	d, err := core.ParseDefinition(text)
	return &definitionFile{Definition: d, lines: doc.IndexLines(text)}, faultOf(text, err)
}

// findDefinition finds the definition of the loop with an id.
func (r *Reader) findDefinition(id string) (found definition) {
	dir := path.Dir(r.file)
	locate := func(place core.Place) (m *mirror.Mirror, file, shown string) {
		switch place.Dir {
		case core.BesideState:
			file = path.Join(dir, place.Name)
			return r.m, file, file
		case core.InProject:
			return r.m, place.Name, place.Name
		}
		m = r.library[place.Dir]
		return m, place.Name, filepath.ToSlash(filepath.Join(m.Root(), place.Name))
	}
	read := func(place core.Place) (*core.Definition, error) {
		m, file, shown := locate(place)
		res := mirror.Read(m, file, parseDefinition)
		switch {
		case !res.Exists:
			if _, err := m.List(path.Dir(file)); err == peek.ErrPermission {
				return nil, err
			}
			return nil, nil
		case res.Value == nil || res.Value.Definition == nil:
			return nil, res.Err
		}
		d := *res.Value.Definition
		d.File = shown
		found.source, found.read = protocol.Source{File: shown, Lines: res.Value.lines}, res
		if place.Name == "loop.json" && found.other == "" && d.MatchID(id) == core.ErrOtherLoop {
			found.other = d.ID
		}
		return &d, nil
	}
	search := core.Search{ID: id, InMemory: dir == Memory, Dirs: len(r.library)}
	d, unread, err := search.Find(read)
	found.Definition = d
	if err != nil {
		_, _, found.unread = locate(unread)
		found.unreadErr = err
	}
	if found.isReadable() {
		found.other = ""
	}
	return found
}

// isReadable reports whether there is a definition that can be read.
func (d *definition) isReadable() bool { return d.Definition != nil && !d.Unreadable }

// view is a loop while it is read.
type view struct {
	protocol.Source // of the state
	r               *Reader
	now             time.Time
	read            mirror.Result[*stateFile]
	*core.Loop      // nil if the state can't be read
	definition      definition
	resume          core.Resume
	waits           core.Waits

	b        *model.Build
	rows     protocol.Rows
	phaseIDs []string // of the rows of Phases
	gateIDs  []string // of the rows of Gates
}

// open returns the loop by its files as they are now.
func (r *Reader) open(now time.Time) *view {
	return r.newView(mirror.Read(r.m, r.file, parseState), now)
}

func (r *Reader) newView(read mirror.Result[*stateFile], now time.Time) *view {
	v := &view{r: r, now: now, read: read, rows: protocol.Rows{}, Source: protocol.Source{File: r.file}}
	f := read.Value
	if f == nil || f.State == nil {
		return v
	}
	v.Lines = f.lines
	v.mergeDefinition(f.State, r.findDefinition(f.ID))
	return v
}

// mergeDefinition merges a state with its definition, and evaluates the position.
func (v *view) mergeDefinition(s *core.State, d definition) {
	v.definition = d
	v.Loop = core.New(s, d.Definition)
	v.resume, v.waits = v.Loop.FindResume(), v.Loop.FindWaits()
	for i := range v.Phases {
		v.phaseIDs = append(v.phaseIDs, v.rows.ID(phaseID(v.Phases[i].Name)))
	}
	for i := range v.Gates {
		v.gateIDs = append(v.gateIDs, v.rows.ID("gate/"+v.Gates[i].ID))
	}
}

func phaseID(name string) string { return "phase/" + name }

// loopName returns the name of the loop for users.
func (v *view) loopName() string {
	if id := v.ID(); id != "" {
		return id
	}
	return protocol.BaseName(v.File)
}

// root returns the state's top-level object.
func (v *view) root() doc.Value { return v.State.Root() }

// textAt returns a string of the state at a key.
func (v *view) textAt(key string) string { return v.root().Get(key).Text() }

// timeAt returns a time of the state at a key.
func (v *view) timeAt(key string) time.Time { return protocol.ParseTime(v.textAt(key)) }

// gateValue returns the value of a gate in the state; it is absent if the state lacks the gate.
func (v *view) gateValue(i int) doc.Value {
	if item := v.Gates[i].Item; item != nil {
		return item.Value
	}
	return doc.Value{}
}

// gatePos returns the place of a gate's status.
func (v *view) gatePos(i int) model.Pos {
	value := v.gateValue(i)
	if !value.Exists() {
		return v.PosOf(v.root().Get("gates"), 0)
	}
	return v.PosOf(value.Get("status"), value.KeyOffset())
}

// isWritable reports whether the state can be changed, which requires that it could be read just now.
func (v *view) isWritable() bool { return v.Loop != nil && !v.read.Held }

// titleText returns the title of the build.
func (v *view) titleText() string {
	if d := v.definition.Definition; v.definition.isReadable() {
		root := d.Tree.Root()
		if title := doc.FirstText(root.Get("ui", "branding", "title"), root.Get("name"), root.Get("id")); title != "" {
			return title
		}
	}
	return v.loopName()
}

// Read returns the build by its files as they are now. It never fails: a file that can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build {
	v := r.open(now)
	v.build()
	return v.b
}

// build makes the build.
func (v *view) build() {
	v.b = &model.Build{ID: v.r.ID(), Protocol: Protocol, Dir: path.Dir(v.File), File: v.File, Title: protocol.BaseName(v.File)}
	v.b.Freshness.Changed = v.read.ModTime
	if v.read.Held {
		v.b.Freshness.Held++
	}
	protocol.ReportUnreadable(v.b, v.File, v.read.Err, v.read.Held)
	if v.Loop == nil {
		v.buildUnreadable()
		return
	}
	v.b.Title, v.b.Raw, v.b.Began, v.b.Freshness.Claimed = line.Tidy(v.titleText()), line.Tidy(v.Status), v.timeAt(startKey), v.timeAt(updateKey)
	if d := &v.definition; d.isReadable() {
		v.b.Freshness.Changed = laterOf(v.b.Freshness.Changed, d.read.ModTime)
		if d.read.Held {
			v.b.Freshness.Held++
		}
	}
	v.reportProblems()
	v.addRows()
	v.addWaits()
	v.setStatus()
	v.setProgress()
	v.setNext()
	v.addClaims()
	v.addHistory()
	protocol.AddMetrics(v.b, "", metricsOf(v.root()))
	v.b.Claimed = v.Facts()
	v.b.Header = v.b.Claimed
	v.b.Can = v.allowedForLoop()
	v.b.Unread = line.Tidy(v.unreadText())
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// buildUnreadable fills in the build of a state that can't be read.
func (v *view) buildUnreadable() {
	v.b.Why = "its file can't be read"
	v.b.Claimed = &line.Loop{Unreadable: path.Base(v.File)}
	v.b.Header = v.b.Claimed
	if v.r.isLost(v.read) {
		v.b.Unread = line.Tidy(v.File + " can't be read")
		v.addBuildWait(path.Base(v.File)+" can't be read, so its gates are unknown", model.Pos{File: v.File}, false)
	}
}
