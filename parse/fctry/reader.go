// Package fctry reads the .fctry directory of a project into the model, checks it, and computes the edits of a
// decision. README.md describes the files and the protocol.
//
//	Reader.open: files parsed once ─► core.State (run, position) ─┬► Read:   model.Build
//	                                                              ├► Check:  broken rules
//	                                                              ├► Resume: the offer of an executor
//	                                                              └► Target: Change of a decision
//
// Package core evaluates the rules of the protocol, for the prompt too. No other file records the progress of a build,
// so there is nothing to compare state.json with; but it contradicts itself in places.
package fctry

import (
	"slices"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol"
)

// Protocol is the name of the protocol in the model, and Home the directory of its files in a project.
const (
	Protocol = "fctry"
	Home     = ".fctry"
)

const (
	stateFile  = Home + "/state.json"
	inboxFile  = Home + "/inbox.json"
	configFile = Home + "/config.json"
	specFile   = Home + "/spec.md"
)

// Reader reads the build of a project.
type Reader struct{ m *mirror.Mirror }

// Readers returns a reader if a project has a state, a specification or an inbox of fctry. The .fctry of a user's home has none.
func Readers(m *mirror.Mirror) []*Reader {
	for _, file := range [...]string{stateFile, specFile, inboxFile} {
		if _, ok := m.Stat(file); ok {
			return []*Reader{New(m)}
		}
	}
	return nil
}

// New returns a reader of a project that may have no file of fctry yet.
func New(m *mirror.Mirror) *Reader { return &Reader{m} }

// ID returns the ID of the build.
func (r *Reader) ID() string { return Protocol }

// Read returns the build from its current files. It never fails: an unreadable file is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.open(now).b }

// view is a build while it is read.
type view struct {
	m   *mirror.Mirror
	now time.Time
	b   *model.Build

	read    mirror.Result[*document] // of state.json
	state   *document
	config  *document
	inbox   *inbox
	spec    *core.Spec
	clock   core.Clock
	version string // of the project
	*core.State
	isUnreadable bool // there is a state.json that can't be read

	run *core.Run

	nodes []*model.Node // of the chunks
	gates []*model.Node
}

// open reads the files and makes the build.
func (r *Reader) open(now time.Time) *view {
	v := &view{m: r.m, now: now, b: &model.Build{ID: Protocol, Protocol: Protocol, Dir: Home, File: stateFile}}
	v.readFiles()
	v.evaluateState()
	v.addEvents()
	v.addChunks()
	v.addWaits()
	v.addStatus()
	v.addMetrics()
	v.addHistory()
	v.layOut()
	v.b.Resume = v.resumeScreen()
	return v
}

func (v *view) readFiles() {
	v.read = protocol.ReadFile(v.m, v.b, stateFile, parseState)
	v.state, v.config, v.inbox, v.spec = v.read.Value, protocol.ReadFile(v.m, v.b, configFile, parseConfig).Value, nil, nil
	if v.state == nil {
		v.state = &document{Source: protocol.Source{File: stateFile}}
	}
	if v.config == nil {
		v.config = &document{Source: protocol.Source{File: configFile}}
	}
	items := protocol.ReadFile(v.m, v.b, inboxFile, parseInbox)
	if v.inbox = items.Value; v.inbox == nil {
		v.inbox = &inbox{document: &document{Source: protocol.Source{File: inboxFile}}}
	}
	v.inbox.isHeld = items.Held
	changed := v.b.Freshness.Changed
	if v.spec = protocol.ReadFile(v.m, v.b, specFile, parseSpec).Value; v.spec == nil {
		v.spec = new(core.Spec)
	}
	v.b.Freshness.Changed = changed // people write the specification, and its time says nothing about the run
}

func parseSpec(text string) (*core.Spec, error) { return core.ParseSpec(text), nil }

// evaluateState makes the state and the run of the files.
func (v *view) evaluateState() {
	v.isUnreadable = v.read.Exists && v.read.Value == nil
	v.clock.Now = v.now.Unix()
	if !v.read.ModTime.IsZero() {
		v.clock.Changed = v.read.ModTime.Unix()
	}
	v.State = core.New(v.state.Root, v.config.Root)
	v.Facts.Unreadable = v.isUnreadable
	v.SetClock(v.clock)
	v.AddInbox(v.inbox.Root)
	v.AddSpec(v.spec)
	v.Advise(v.hasSpec())
	if v.version = v.Facts.Detail.Version; v.version == "" {
		v.version = strings.TrimPrefix(nearest.TagAtHead(nearest.Place{Dir: v.m.Root()}, v.m.Root()), "v")
	}
	if v.Turns != 0 {
		v.b.Turns = time.Unix(v.Turns, 0)
	}
	if v.b.Freshness.Claimed = timeOf(v.Root.Get("lastUpdated")); v.b.Freshness.Claimed.IsZero() {
		v.b.Freshness.Claimed = timeOf(v.Root.Get("buildRun", "lastCheckpoint"))
	}
	v.run = &v.Run
}

// hasSpec reports whether the project has a specification, also under the name that older projects gave it.
func (v *view) hasSpec() bool {
	if e, ok := v.m.Stat(specFile); ok && !e.Dir {
		return true
	}
	entries, _ := v.m.List(".")
	return slices.ContainsFunc(entries, func(e mirror.Entry) bool { return !e.Dir && core.IsLegacySpec(e.Name) })
}

// hasRun reports whether the state has a run.
func (v *view) hasRun() bool { return v.run.Exists }

func parseState(text string) (*document, error) {
	return protocol.ParseDocument(stateFile, text, doc.Map)
}

func parseConfig(text string) (*document, error) {
	return protocol.ParseDocument(configFile, text, doc.Map)
}

type document = protocol.Document
