// Package ultraplan makes a build of an ultraplan project: .planning with its plans, .ultraplan with its state and logs
// (README.md).
//
// What counts is the tree: a plan with a summary is done, whatever STATE.md says, and a percentage is counted and never
// read off a bar. Where they differ the build carries a divergence.
//
// The way through the package: [Reader.Read] takes the facts from [gatehouse/parse/ultraplan/facts], makes the rows of gates
// and what waits (gates.go), the timeline and the numbers (activity.go), holds the claims against the tree (truth.go) and
// lays the rows out (tree.go). Back down, edit.go and sync.go answer what a human decides; the lines that change are those
// of [gatehouse/parse/ultraplan/statemd]. What executors return is recorded next door, in gatehouse/parse/ultraplan/record.
package ultraplan

import (
	"path"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/ultraplan/facts"
	"gatehouse/parse/ultraplan/rules"
	"gatehouse/parse/ultraplan/statemd"
)

// Protocol is the name of the protocol in the model.
const Protocol = "ultraplan"

// Home is the directory of ultraplan's own files.
const Home = rules.Home

// LooksFor says for people which files make an ultraplan build.
var LooksFor = []string{
	".ultraplan/           an ultraplan build's state and logs; its plans are in .planning/",
}

// Reader reads the ultraplan build of a project.
type Reader struct{ m *mirror.Mirror }

// Readers returns a reader of the ultraplan build of a project, none where there is none: .ultraplan with a configuration
// alone, as a user may have it for all projects, makes none.
func Readers(m *mirror.Mirror) []*Reader {
	if !facts.Owns(m) {
		return nil
	}
	for _, name := range []string{facts.Planning + "/STATE.md", facts.RoadmapFile, facts.PhasesDir, "STATE.md", Home + "/state", Home + "/logs"} {
		if _, ok := m.Stat(name); ok {
			return []*Reader{{m: m}}
		}
	}
	return nil
}

// ID returns the ID of the build.
func (r *Reader) ID() string { return Protocol }

// Read returns the build as the files say it now. It never fails: what can't be read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.read(now).Build }

// builder makes the build of a project of its facts.
type builder struct {
	*facts.Project
	now         time.Time
	differences []statemd.Difference // what STATE.md says otherwise than the tree and the logs
}

func (r *Reader) read(now time.Time) *builder {
	c := &builder{now: now, Project: &facts.Project{Mirror: r.m, Build: &model.Build{ID: Protocol, Protocol: Protocol, Dir: facts.Planning, File: path.Join(facts.Planning, "STATE.md")}}}
	c.Read()
	c.layOut()
	c.blockers()
	c.timeline()
	c.history()
	c.pause()
	c.conclude()
	c.compare()
	c.Build.Can = c.verbs()
	return c
}
