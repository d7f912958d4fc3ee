// Where a loop's files are: its state in the project, and the definition that the state was made from.

package loop

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/loop/rules"
)

// Protocol is the name of the protocol in the model.
const Protocol = "loop"

// Ended are the words by which a loop says that it has ended, one of them in a dialect.
var Ended = []string{rules.Complete, rules.Failed, "completed"}

// LooksFor says for people which files make a loop.
var LooksFor = []string{
	"*-state.json          where a loop stands",
	"loop.json             what it consists of; its phases and gates",
}

// The directories of a project, beside its own: of states, of definitions, of an engine's executions.
const (
	Memory      = rules.MemoryDir
	Definitions = "loops"
	Executions  = "data/executions"
)

const (
	// maxExecutions is how many executions of an engine are shown, the newest, and maxRuns among how many they are looked
	// for.
	maxExecutions = 20
	maxRuns       = 500
)

// Library are directories outside of the project that hold definitions: GATEHOUSE_LOOPS.
type Library struct{ dirs []*mirror.Mirror }

// NewLibrary returns the definitions in some directories, absolute, in the order in which they are asked.
func NewLibrary(dirs []string) *Library {
	l := &Library{}
	for _, dir := range dirs {
		l.dirs = append(l.dirs, mirror.New(dir))
	}
	return l
}

// Touch makes the next read look at the directories again.
func (l *Library) Touch() {
	for _, m := range l.dirs {
		m.Touch()
	}
}

// Sweep lets go of the definitions that no state has asked for since the sweep before.
func (l *Library) Sweep() {
	for _, m := range l.dirs {
		m.Sweep()
	}
}

// MayHold reports whether the names in a directory make it worth looking for states in their files.
func MayHold(m *mirror.Mirror) bool {
	entries, _ := m.List(".")
	return slices.ContainsFunc(entries, func(e mirror.Entry) bool { return rules.MayBeState(e.Name) }) || m.IsDir(Memory) || m.IsDir(Executions)
}

// Means reports whether a name in a project's directory is that of a loop's file.
func Means(name string) bool { return rules.NamesState(name) || name == "loop.json" }

// Readers returns a reader for each loop of a project. named is a file of its directory that counts as a state whatever its
// name is, "" for none.
func Readers(m *mirror.Mirror, named string, library *Library) []*Reader {
	var all []*Reader
	take := func(dir string, entries []mirror.Entry, like func(name string) bool) {
		entries = slices.DeleteFunc(slices.Clone(entries), func(e mirror.Entry) bool { return !like(e.Name) })
		slices.SortStableFunc(entries, newestFirst)
		for _, e := range entries[:min(len(entries), rules.MaxCandidates)] {
			if r := (&Reader{m: m, file: path.Join(dir, e.Name), library: library}); r.isState(e) {
				all = append(all, r)
			}
		}
	}
	entries, _ := m.List(".")
	take(".", entries, func(name string) bool { return rules.MayBeState(name) || name == named })
	if m.IsDir(Memory) {
		entries, _ = m.List(Memory)
		take(Memory, entries, rules.NamesState)
	}
	return append(all, executions(m)...)
}

// isState reports whether a file that may be a state by its name is one. A text that can't be read is by its name alone: nothing
// says that it is something else.
func (r *Reader) isState(e mirror.Entry) bool {
	if e.Regular {
		read := mirror.Read(r.m, r.file, parseState)
		if read.Value != nil {
			return true
		}
		reason := mirror.Read(r.m, r.file, likenessOf).Value.reason
		if read.Err != nil && reason != rules.ErrBlank && reason != rules.ErrDamaged && e.Name != "state.json" && strings.HasSuffix(e.Name, ".json") {
			return true
		}
	}
	return r.lost()
}

// likeness says what a text has of the state of a loop that can't be read.
type likeness struct {
	reason    peek.Error
	resembles bool
}

func likenessOf(text string) (likeness, error) {
	_, reason := new(rules.Memory).State(text)
	return likeness{reason, rules.Resembles(text)}, nil
}

// lost reports whether the file is the state of a loop though none can be read from it.
func (r *Reader) lost() bool {
	text := mirror.Read(r.m, r.file, likenessOf)
	reason := text.Err
	if reason == nil && text.Value.reason != "" {
		reason = text.Value.reason
	}
	return text.Exists && rules.Lost(path.Base(r.file), reason, text.Value.resembles, func() bool {
		for n := 0; ; n++ {
			id, more := rules.LostID(path.Base(r.file), n)
			if !more {
				return false
			}
			if d, _, unread := r.define(id); d != nil || unread != nil {
				return true
			}
		}
	})
}

func newestFirst(a, b mirror.Entry) int {
	return cmp.Or(b.ModTime.Compare(a.ModTime), strings.Compare(a.Name, b.Name))
}

// executions returns readers for the newest executions of an engine.
func executions(m *mirror.Mirror) []*Reader {
	if !m.IsDir(Executions) {
		return nil
	}
	runs, _ := m.List(Executions)
	runs = slices.DeleteFunc(slices.Clone(runs), func(e mirror.Entry) bool { return !e.Dir })
	slices.SortStableFunc(runs, newestFirst)
	var states []mirror.Entry
	for _, run := range runs[:min(len(runs), maxRuns)] {
		if e, ok := m.Stat(path.Join(Executions, run.Name, "state.json")); ok && e.Regular {
			e.Name = run.Name
			states = append(states, e)
		}
	}
	slices.SortStableFunc(states, newestFirst)
	var all []*Reader
	for _, e := range states[:min(len(states), maxExecutions)] {
		file := path.Join(Executions, e.Name, "state.json")
		if s := mirror.Read(m, file, parseState).Value; s != nil && s.readOnly != "" {
			all = append(all, &Reader{m: m, file: file})
		}
	}
	return all
}

// found is a definition, and where it was.
type found struct {
	*definition
	file string // for people: relative to the project, or absolute in a directory of loops
	read mirror.Result[*definition]
}

// define finds the definition that a state was made from. Where there is none, other is the name of the loop whose loop.json
// lies beside the state. unread is the first that can't be read, of those that come before the one that counts, with nothing
// but its file and why; nil without one.
func (r *Reader) define(loop string) (f *found, other string, unread *found) {
	dir := path.Dir(r.file)
	var dirs []*mirror.Mirror
	if r.library != nil {
		dirs = r.library.dirs
	}
	at := func(where rules.Where, name string) (m *mirror.Mirror, file, shown string) {
		switch where {
		case rules.BesideState:
			file = path.Join(dir, name)
			return r.m, file, file
		case rules.InProject:
			return r.m, name, name
		}
		m = dirs[where]
		return m, name, filepath.ToSlash(filepath.Join(m.Root(), name))
	}
	s := rules.Search{ID: loop, Memory: dir == Memory, Dirs: len(dirs)}
	for f == nil && s.Next() {
		m, file, shown := at(s.At, s.Name)
		res := mirror.Read(m, file, parseDefinition)
		reason := res.Err
		if res.Value != nil && (reason == nil || res.Held) {
			reason = res.Value.Of(loop)
		}
		switch {
		case res.Value == nil && res.Err == nil: // there is none
		case s.Judge(reason):
			f = &found{definition: res.Value, file: shown, read: res}
		case reason == rules.ErrOtherLoop && s.Name == "loop.json" && other == "":
			other = res.Value.ID
		}
	}
	if s.Unread.Reason != nil {
		_, _, shown := at(s.Unread.At, s.Unread.Name)
		unread = &found{file: shown, read: mirror.Result[*definition]{Err: s.Unread.Reason}}
	}
	if f != nil {
		other = ""
	}
	return f, other, unread
}
