// Package gsd reads a GSD project's .planning directory into the model.
// README.md says what the files are and how they are read.
//
// What counts is the tree: which plans have a summary, which phases a passed
// verification. STATE.md and ROADMAP.md are claims beside it; where they say
// something else, the build carries a divergence and the tree's answer.
//
// The way through the package: [Reader.Read] collects what the files say
// (collect.go, one parser a kind of file), derives the status of plans and
// phases (status.go), counts (progress.go), finds what waits for a human
// (gates.go), holds the claims against the tree (truth.go) and lays the rows
// of the tree out (tree.go).
package gsd

import (
	"path"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/rules"
)

// Protocol is the name of the protocol in the model.
const Protocol = "gsd"

// Issue is the result of a test that a human judged as not working: what is wrong stands beside it.
const Issue = rules.Issue

// Planning is the directory of GSD's files in a project.
const Planning = ".planning"

// LooksFor says for people which files make a GSD build.
var LooksFor = []string{
	".planning/STATE.md    where a GSD build stands",
	".planning/ROADMAP.md  its milestones and phases",
	".planning/phases/     its plans and summaries",
}

// Reader reads one GSD build: that of a project, or of one of its workstreams.
type Reader struct {
	m          *mirror.Mirror
	workstream string // "" for the project's own
	dir        string // of STATE.md, ROADMAP.md and phases/, relative to the project
	// primary is the build that shows what lies in .planning itself and belongs
	// to no workstream: a question, a hand-over, a note to go on.
	primary bool
}

// Readers returns a reader for each GSD build of a project: its own, where
// .planning holds a STATE.md, a ROADMAP.md or phases, and one for each
// workstream.
func Readers(m *mirror.Mirror) []*Reader {
	if own := (&Reader{m: m, dir: Planning}); own.exists() {
		own.primary = true
		return append([]*Reader{own}, workstreams(m)...)
	}
	return Workstreams(m)
}

// Workstreams returns a reader for each workstream of a project alone: .planning itself is another protocol's.
func Workstreams(m *mirror.Mirror) []*Reader {
	all := workstreams(m)
	if len(all) > 0 {
		all[0].primary = true
	}
	return all
}

func workstreams(m *mirror.Mirror) (all []*Reader) {
	streams := path.Join(Planning, "workstreams")
	entries, _ := m.List(streams)
	for _, e := range entries {
		if e.Dir {
			all = append(all, &Reader{m: m, workstream: e.Name, dir: path.Join(streams, e.Name)})
		}
	}
	return all
}

func (r *Reader) exists() bool {
	for _, name := range []string{"STATE.md", "ROADMAP.md", "phases"} {
		if _, ok := r.m.Stat(path.Join(r.dir, name)); ok {
			return true
		}
	}
	return false
}

// ID returns the ID of the build: "gsd", or "gsd:" and the workstream's name.
func (r *Reader) ID() string {
	if r.workstream == "" {
		return Protocol
	}
	return Protocol + ":" + r.workstream
}

// Read returns the build as the files say it now. It never fails: what can't be
// read is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.read(now).b }

func (r *Reader) read(now time.Time) *collector {
	c := &collector{m: r.m, dir: r.dir, primary: r.primary, now: now, b: &model.Build{
		ID: r.ID(), Protocol: Protocol, Dir: r.dir, File: path.Join(r.dir, "STATE.md"),
	}}
	c.collect()
	c.derivePlans()
	c.derivePhases()
	c.count()
	c.locate()
	c.gates()
	c.position()
	c.compare()
	c.layOut()
	c.buildSince()
	c.forgetTomorrow()
	c.measure()
	c.history()
	c.notes()
	b := c.b
	claimed := c.state.raw
	header := c.header()
	b.Title = line.Tidy(strings.TrimSpace(header.Milestone + " " + header.MilestoneName))
	b.Claimed, b.Header = &claimed, &header
	return c
}
