// Package fctry reads the .fctry directory of a project into the model. README.md says what the files are and how they are
// read.
//
// Nothing on disk but state.json tells how far a build is, so there is no second truth to hold it against; but the file
// contradicts itself in places, and is emptied by every new session. Where it counts chunks and lists them, the list counts.
// What was read before it was emptied stays readable as long as the project is open.
//
// The way through the package: [Reader.Read] collects what the files say (document.go, run.go, inbox.go, spec.go, events.go),
// lays the chunks out with what they wait for (chunks.go), finds what waits for a human (waits.go), and says how the build
// stands (build.go) and what else is known (facts.go, groups.go). What a line needs comes from package rules, which the prompt
// uses too.
package fctry

import (
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/fctry/rules"
	"gatehouse/parse/nearest"
	"gatehouse/parse/protocol"
)

// Protocol is the name of the protocol in the model.
const Protocol = "fctry"

// Home is the directory of fctry's files in a project.
const Home = ".fctry"

// LooksFor says for people which files make a fctry build.
var LooksFor = []string{
	".fctry/state.json     where a fctry build stands",
	".fctry/spec.md        what it is built from",
	".fctry/inbox.json     ideas that wait for their turn",
}

// The files that are read.
const (
	stateFile  = Home + "/state.json"
	inboxFile  = Home + "/inbox.json"
	configFile = Home + "/config.json"
	specFile   = Home + "/spec.md"
)

// Reader reads the build of a project.
type Reader struct{ m *mirror.Mirror }

// Readers returns a reader where a project has a state, a spec or an inbox of fctry, and none elsewhere. A user's home has a
// .fctry too, which holds none of them.
func Readers(m *mirror.Mirror) []*Reader {
	for _, file := range [...]string{stateFile, specFile, inboxFile} {
		if _, ok := m.Stat(file); ok {
			return []*Reader{{m: m}}
		}
	}
	return nil
}

// ID returns the ID of the build.
func (r *Reader) ID() string { return Protocol }

// Read returns the build as the files say it now. It never fails: what can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.read(now).b }

func (r *Reader) read(now time.Time) *collector {
	c := &collector{m: r.m, now: now, kept: mirror.Kept[memory](r.m, Protocol), b: &model.Build{
		ID: Protocol, Protocol: Protocol, Dir: Home, File: stateFile,
	}}
	c.collect()
	c.events()
	c.chunks()
	c.waits()
	c.stand()
	c.facts()
	c.history()
	c.layOut()
	c.b.Resume = c.screen()
	return c
}

// collector gathers one build.
type collector struct {
	m    *mirror.Mirror
	now  time.Time
	b    *model.Build
	kept *memory

	stateIs mirror.Result[*document]
	state   *document // never nil
	inbox   *inbox    // never nil
	// inboxHeld says that the inbox can't be read now, and that its last good state is shown.
	inboxHeld bool
	config    *document // never nil
	spec      *spec     // never nil
	files     rules.Files
	line      *rules.State // what the prompt says of them
	git       nearest.Git
	version   string // of the project

	run   run
	last  bool // run is one from before the state was emptied
	stood rules.Standing
	// places are those of the chunks by their IDs.
	places map[string]int
	// nextStep is the command recommended next, by the state or derived from it.
	nextStep string

	nodes []*model.Node
	graph *model.Graph
	// circled are the circles of chunks that need each other.
	circled []model.Blocker
	gates   []*model.Node
}

// memory is what outlives a state.json that is emptied, as every new session does.
type memory struct {
	run    run // the last build that was read
	at     time.Time
	events model.Timeline
}

// collect reads the files.
func (c *collector) collect() {
	c.stateIs = protocol.ReadFile(c.m, c.b, stateFile, parseObject)
	if c.state = c.stateIs.Value; c.state == nil {
		c.state = &document{}
	}
	if c.config = protocol.ReadFile(c.m, c.b, configFile, parseObject).Value; c.config == nil {
		c.config = &document{}
	}
	box := protocol.ReadFile(c.m, c.b, inboxFile, parseInbox)
	if c.inbox, c.inboxHeld = box.Value, box.Held; c.inbox == nil {
		c.inbox = &inbox{document: &document{}}
	}
	changed := c.b.Freshness.Changed
	if c.spec = protocol.ReadFile(c.m, c.b, specFile, parseSpec).Value; c.spec == nil {
		c.spec = &spec{}
	}
	c.b.Freshness.Changed = changed // people write the spec, and it says nothing about the run
	c.files.State, c.files.Config, c.files.Inbox, c.files.Spec = c.state.text, c.config.text, c.inbox.text, c.spec.text
	c.files.HasSpec = c.hasSpec()
	c.files.Unreadable = c.stateIs.Exists && c.stateIs.Value == nil
	c.files.Clock.Now = c.now.Unix()
	if !c.stateIs.ModTime.IsZero() {
		c.files.Clock.Changed = c.stateIs.ModTime.Unix()
	}
	place := nearest.Place{Dir: c.m.Root()}
	c.git, _ = nearest.FindGit(place)
	if c.version = c.config.version("external"); c.version == "" {
		c.version = strings.TrimPrefix(nearest.NearestTag(place, c.m.Root()), "v")
	}
	if c.line = rules.Line(&c.files); c.line.Turns != 0 {
		c.b.Turns = time.Unix(c.line.Turns, 0)
	}
	c.b.Freshness.Claimed = c.state.top.get("lastUpdated").time()
	c.remember()
}

// hasSpec reports whether the project has a spec, under its name or the one that older projects gave it.
func (c *collector) hasSpec() bool {
	if e, ok := c.m.Stat(specFile); ok && !e.Dir {
		return true
	}
	entries, _ := c.m.List(".")
	for _, e := range entries {
		if !e.Dir && rules.LegacySpec(e.Name) {
			return true
		}
	}
	return false
}

// remember takes the run from the state, or from before it was emptied.
func (c *collector) remember() {
	c.run = readRun(c.state)
	switch {
	case c.run.there:
		c.kept.run, c.kept.at = c.run, c.stateIs.ModTime
	case len(c.state.top.members()) == 0 && c.kept.run.there:
		c.run, c.last = c.kept.run, true
	default:
		c.kept.run = run{} // another command has begun, or the run was cleared on purpose
	}
	c.stood, c.places = c.run.Standing(), c.run.Places()
}
