// Package parse connects files and builds: it finds the protocols of a directory, reads them into the model, and
// follows them as they change.
//
// [Open] looks at a directory once; [FollowAgents] makes a [model.Feed] of several. The protocols are the table below, one
// folder each; no package above this one knows their names.
package parse

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/agents"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/fctry"
	"gatehouse/parse/formats"
	"gatehouse/parse/gsd"
	"gatehouse/parse/loop"
	"gatehouse/parse/protocol"
	"gatehouse/parse/ultraplan"
)

// reader reads one build of a project, as its files are now.
type reader interface {
	ID() string
	Read(now time.Time) *model.Build
	Check(now time.Time) []model.Problem
}

// editor is a reader of a build that a human may change.
type editor interface {
	reader
	// Target finds the target of an action in the current files. It returns a [*model.Refusal] if there is no such gate
	// or it can't be decided.
	Target(a model.Action, now time.Time) (protocol.Target, error)
}

// runner is an editor whose decisions are made by commands of the format.
type runner interface {
	editor
	RunsCommands()
}

// starter is an editor whose file need not be there before something is put into it.
type starter interface {
	editor
	// Begins returns the initial content of an action's file if it may be missing, "" if it must exist.
	Begins(a model.Action) string
}

// resumer is a reader of a build whose protocol says how work on it is taken up again.
type resumer interface {
	reader
	Resume(now time.Time) model.Resume
}

// registration is an entry of the registry.
type registration struct {
	name string
	// homes are the places, relative to a project, whose being there makes a
	// directory a project of this protocol.
	homes []string
	// personal reports whether a user's home has such a place for the tool itself, without a build in it.
	personal bool
	// mayHold reports whether a directory without a home may still have a build, by the names of its files; nil if the
	// protocol has no such builds.
	mayHold func(m *mirror.Mirror) bool
	// means reports whether a name in a project's own directory is a file name of this protocol; nil if it has none
	// there.
	means func(name string) bool
	// readers returns a reader for each build there is, none for other
	// directories.
	readers func(p *Project) []reader
	// ended are the status words of its finished builds, even if the tree contradicts them.
	ended []string
	// triedAgain reports whether a failed gate is still undecided, so that a retry decides it.
	triedAgain bool
	// changes is the status word of a gate with changes requested in the file itself, "" if files have none.
	changes string
	// ordered reports whether the builds of a project stay together, in the order of its files.
	ordered bool
	// dirs are the directories of a project with state, in addition to its own.
	dirs []string
}

// protocols is the registry, in display order among equals.
var protocols = append(ownProtocols, otherFormats()...)

// otherFormats returns the rows of the formats that are read only.
func otherFormats() (rows []registration) {
	for _, format := range formats.Formats {
		dirs := format.Marks
		rows = append(rows, registration{
			name: format.Name, ordered: true, homes: formats.Homes[format.Name], dirs: dirs, personal: true,
			mayHold: func(m *mirror.Mirror) bool { return slices.ContainsFunc(dirs, m.IsDir) },
			readers: func(p *Project) []reader { return toReaders(formats.Readers(p.mirror, format)) },
		})
	}
	return append(rows, registration{
		name: definedFormats, dirs: []string{".gatehouse"},
		mayHold: func(m *mirror.Mirror) bool { return m.IsDir(".gatehouse") },
		readers: func(p *Project) []reader { return toReaders(p.definedReaders()) },
	})
}

// ownProtocols are the protocols whose files Gatehouse edits.
var ownProtocols = []registration{
	{
		name: gsd.Protocol, changes: gsd.Issue, homes: []string{gsd.Planning}, dirs: []string{gsd.Planning, ".gsd"},
		readers: func(p *Project) []reader {
			if ultraplan.IsOwner(p.mirror) { // a folder is shown once
				return toReaders(gsd.Workstreams(p.mirror))
			}
			return toReaders(gsd.Readers(p.mirror))
		},
	},
	{
		name: ultraplan.Protocol, triedAgain: true, homes: []string{ultraplan.Home}, dirs: []string{ultraplan.Home},
		readers: func(p *Project) []reader { return toReaders(ultraplan.Readers(p.mirror)) },
	},
	{
		name: loop.Protocol, ended: loop.EndWords, mayHold: loop.MayHold, means: loop.IsLoopFile, dirs: []string{loop.Memory, loop.Definitions},
		readers: func(p *Project) []reader { return toReaders(loop.Readers(p.mirror, p.named, p.loops)) },
	},
	{
		name: fctry.Protocol, homes: []string{fctry.Home}, dirs: []string{fctry.Home}, personal: true,
		readers: func(p *Project) []reader { return toReaders(fctry.Readers(p.mirror)) },
	},
}

// protocolOf returns the row of a build's protocol.
func protocolOf(b *model.Build) registration {
	i := slices.IndexFunc(protocols, func(pr registration) bool { return pr.name == b.Protocol })
	if i < 0 {
		return registration{}
	}
	return protocols[i]
}

func toReaders[R reader](rs []R) []reader {
	all := make([]reader, len(rs))
	for i, r := range rs {
		all[i] = r
	}
	return all
}

// User is the environment of the reading and deciding user.
type User struct {
	Name string // login name, for the journal
	Home string // home directory, at which a walk up ends; "" for none
	// Journal is the directory of the journals of decisions, absolute; "" for
	// none, and then nothing can be decided.
	Journal string
	// Loops are directories with the definitions of loops, as GATEHOUSE_LOOPS
	// names them.
	Loops []string
	// Formats is the directory with the formats that the user defines, absolute; "" for none.
	Formats string
	// OldAfter is how long something waits untouched until it is old; 0 is [model.OldAfter].
	OldAfter time.Duration
	// Asks is the store of live agents' asks; nil if there is no location for one.
	Asks *ask.Store
	// Agents returns a new reader of live agents; nil for one that reads the store alone. AgentsChanged signals changes
	// to the reader's input outside watched directories; nil without such signals.
	Agents        func() *agents.Reader
	AgentsChanged <-chan struct{}
	// System is the system for writes; nil is the system of the process.
	System *statefile.System
}

// Project is a directory that is read again and again.
type Project struct {
	root   string
	user   User
	named  string // the file of it that the user named, "" for none
	mirror *mirror.Mirror
	loops  []*mirror.Mirror        // directories with definitions of loops
	format []*mirror.Mirror        // and with formats that the user defines
	ledger ledger                  // decisions
	last   map[string]*model.Build // the last shown builds, by ID
}

// newMirror returns an empty mirror of the project in a directory.
func newMirror(dir string) *mirror.Mirror {
	var trusted []string
	for _, pr := range protocols {
		trusted = append(trusted, pr.homes...)
	}
	return mirror.New(dir, trusted...)
}

// Root returns the project's directory, absolute.
func (p *Project) Root() string { return p.root }

// Touch makes the next [Project.Read] look again at these absolute paths, or at everything if there are none, and
// reports whether it has read any of it.
func (p *Project) Touch(paths ...string) bool {
	for _, m := range slices.Concat(p.loops, p.format) {
		m.Touch()
	}
	return p.mirror.Touch(paths...)
}

// Reads returns how many files were read from disk so far.
func (p *Project) Reads() int { return p.mirror.Reads() }

// Read returns the project from its current files. It never fails: an unreadable file is a problem of the project or of
// a build, and a panic leaves its build unchanged.
func (p *Project) Read(now time.Time) *model.Project {
	mp := &model.Project{Root: p.root, Name: line.Tidy(filepath.Base(p.root))}
	decided, unread := p.readDecisions() // before the files: a decision counts as done once its file is written
	for _, dir := range p.stateDirs() {
		if _, err := p.mirror.List(dir); err != nil {
			mp.Problems = append(mp.Problems, model.Problem{Pos: model.Pos{File: dir}, Severity: model.Error, Text: err.Error(), Fix: "what is built in it may be missing here"})
		}
	}
	last, whole := map[string]*model.Build{}, true
	show := func(b *model.Build) {
		if b != nil {
			last[b.ID] = b
			mp.Builds = append(mp.Builds, b)
		}
	}
	for _, pr := range protocols {
		readers, fault := runSafely(pr.name, func() []reader { return pr.readers(p) })
		if fault != nil {
			whole = false
			mp.Problems = append(mp.Problems, *fault)
			for _, id := range slices.Sorted(maps.Keys(p.last)) {
				if p.last[id].Protocol == pr.name {
					show(p.last[id])
				}
			}
		}
		for _, r := range readers {
			b, fault := runSafely(r.ID(), func() *model.Build { return r.Read(now) })
			if fault != nil {
				whole = false // the unread part is still needed
				mp.Problems = append(mp.Problems, *fault)
				b = p.last[r.ID()]
			} else if b != nil {
				b.Remember(p.last[b.ID], now)
				b.OldAfter = p.user.OldAfter
				b.MarkOld(now)
				b.MarkStale(now)
			}
			show(b)
		}
	}
	p.last = last
	mp.Problems = append(mp.Problems, p.linkedOut(mp.Builds)...)
	sortBuilds(mp.Builds)
	p.addDecisions(mp, decided, unread, now)
	for _, b := range mp.Builds {
		b.Reckon(now)
	}
	if whole {
		p.mirror.Sweep()
		for _, m := range slices.Concat(p.loops, p.format) {
			m.Sweep()
		}
	}
	return mp
}

// stateDirs returns the directories that define a project: itself and the protocols' homes.
func (p *Project) stateDirs() []string {
	dirs := []string{"."}
	for _, pr := range protocols {
		dirs = append(dirs, pr.homes...)
	}
	return dirs
}

// runSafely returns the result of f. A panic in f is a bug of ours and becomes a problem: the dashboard and other readings
// continue.
func runSafely[T any](what string, f func() T) (value T, fault *model.Problem) {
	defer func() {
		if r := recover(); r != nil {
			fault = &model.Problem{Severity: model.Error, Text: fmt.Sprintf("reading %s failed inside gatehouse: %v", what, r), Fix: "please report it with the files that cause it"}
		}
	}()
	return f(), nil
}

// trySafely is [runSafely] for functions that may fail.
func trySafely[T any](what string, f func() (T, error)) (value T, err error) {
	value, fault := runSafely(what, func() (v T) {
		v, err = f()
		return v
	})
	if fault != nil {
		err = errors.New(fault.String())
	}
	return value, err
}

// urgencyOf orders builds by urgency: those that wait for a human first, then blocked or failed ones; finished ones last.
func urgencyOf(b *model.Build) int {
	switch {
	case len(b.Certain()) > 0:
		return 0
	case b.Status == model.Blocked || b.Status == model.Failed:
		return 1
	case b.Status == model.Done:
		return 3
	}
	return 2
}

// Check returns every rule that the files of the project break, each protocol's
// in turn.
func (p *Project) Check(now time.Time) []model.Problem {
	readers, problems := p.allReaders()
	for _, r := range readers {
		broken, fault := runSafely(r.ID(), func() []model.Problem { return r.Check(now) })
		problems = append(problems, broken...)
		if fault != nil {
			problems = append(problems, *fault)
		}
	}
	return problems
}

// allReaders returns the readers of all protocols, and the faults of protocols that failed.
func (p *Project) allReaders() (all []reader, faults []model.Problem) {
	for _, pr := range protocols {
		readers, fault := runSafely(pr.name, func() []reader { return pr.readers(p) })
		all = append(all, readers...)
		if fault != nil {
			faults = append(faults, *fault)
		}
	}
	return all, faults
}

// Resumes returns the effect of resuming the builds of the project, for protocols that define it.
func (p *Project) Resumes(now time.Time) (all []model.Resume) {
	readers, _ := p.allReaders() // Read reports the faults
	for _, r := range readers {
		if r, ok := r.(resumer); ok {
			if resume, fault := runSafely(r.ID(), func() model.Resume { return r.Resume(now) }); fault == nil {
				all = append(all, resume)
			}
		}
	}
	return all
}

// sortBuilds orders by rank, and equals by latest change first. Builds of an ordered protocol stay together, at the
// place of the first of them.
func sortBuilds(builds []*model.Build) {
	type place struct {
		rank    int
		changed time.Time
	}
	places := map[*model.Build]place{}
	best := map[string]place{}
	compare := func(a, b place) int { return cmp.Or(a.rank-b.rank, b.changed.Compare(a.changed)) }
	for _, b := range builds {
		places[b] = place{urgencyOf(b), b.Freshness.Changed}
		if known, ok := best[b.Protocol]; !ok || compare(places[b], known) < 0 {
			best[b.Protocol] = places[b]
		}
	}
	for _, b := range builds {
		if protocolOf(b).ordered {
			places[b] = best[b.Protocol]
		}
	}
	slices.SortStableFunc(builds, func(a, b *model.Build) int { return compare(places[a], places[b]) })
}
