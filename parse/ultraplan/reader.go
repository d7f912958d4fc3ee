// Package ultraplan reads an ultraplan project: .planning with its plans, .ultraplan with its state and logs (README.md). It
// also records the results that executors return.
//
// What counts is the tree: a plan with a summary is done, whatever STATE.md says, and a percentage is counted and never
// read off a bar. Where they differ the build carries a divergence.
//
// The way through the package: [Reader.Read] collects what the files say (collect.go, one parser a kind of file), derives
// the status of tasks, plans and phases (status.go), makes the rows of gates and what waits (gates.go), the timeline and
// the numbers (activity.go), holds the claims against the tree (truth.go) and lays the rows out (tree.go). Back down, edit.go and sync.go
// answer what a human decides, and capture.go records what executors return: a [Recorder] does all of a result's steps, made
// of functions from bytes to bytes (criteria.go, result.go, statemd.go, phaserow.go, daily.go, logtext.go, session.go).
package ultraplan

import (
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/rules"
)

// Protocol is the name of the protocol in the model.
const Protocol = "ultraplan"

// Home is the directory of ultraplan's own files, Planning that of the plans, which it shares with GSD.
const (
	Home     = rules.Home
	Planning = ".planning"
)

// LooksFor says for people which files make an ultraplan build.
var LooksFor = []string{
	".ultraplan/           an ultraplan build's state and logs; its plans are in .planning/",
}

// Reader reads the ultraplan build of a project.
type Reader struct{ m *mirror.Mirror }

// Owns reports whether the .planning of a project is ultraplan's and not GSD's.
func Owns(m *mirror.Mirror) bool {
	// What the text says: kept by the mirror while the text stays, whatever comes beside it.
	type owner struct{ ultraplan, open bool }
	parse := func(text string) (said owner, err error) {
		said.ultraplan = rules.Owns(text, func() bool {
			said.open = true
			return false
		})
		return said, nil
	}
	if r := mirror.Read(m, path.Join(Planning, "STATE.md"), parse); r.Exists && (r.Err == nil || r.Held) && !r.Value.open {
		return r.Value.ultraplan
	}
	return m.IsDir(Home)
}

// Readers returns a reader of the ultraplan build of a project, none where there is none: .ultraplan with a configuration
// alone, as a user may have it for all projects, makes none.
func Readers(m *mirror.Mirror) []*Reader {
	if !Owns(m) {
		return nil
	}
	for _, name := range []string{Planning + "/STATE.md", roadmapFile, phasesDir, "STATE.md", Home + "/state", Home + "/logs"} {
		if _, ok := m.Stat(name); ok {
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
	c := &collector{m: r.m, now: now, b: &model.Build{ID: Protocol, Protocol: Protocol, Dir: Planning, File: path.Join(Planning, "STATE.md")}}
	c.collect()
	c.locate()
	c.deriveTasks()
	c.derivePhases()
	c.layOut()
	c.blockers()
	c.record()
	c.conclude()
	c.compare()
	c.b.Can = c.verbs()
	return c
}
