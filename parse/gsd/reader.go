// Package gsd reads a GSD project's .planning directory into the model, checks it, and edits the results of tests.
// README.md describes the files and how they are read.
//
// Package core parses the files and draws the conclusions, for the prompt as well. The tree of files decides: a plan
// with a summary, a phase with a passed verification. STATE.md and ROADMAP.md are claims.
//
//	mirror ─► core.Read ─► core.Project ─┬─ nodes.go, gates.go, groups.go: rows, waits, blockers
//	                                     ├─ position.go, claims.go: progress, next step, pause, header, divergences
//	                                     ├─ since.go, metrics.go: times and figures
//	                                     └─ check.go
//	action ─► edit.go ─► verdict.go: the spans that write a verdict into a UAT.md
package gsd

import (
	"errors"
	"path"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/gsd/core"
	"gatehouse/parse/protocol"
)

// Protocol is the name of the protocol in the model.
const Protocol = "gsd"

// Issue is the result of a test that a human judged as not working.
const Issue = core.ResultIssue

// Planning is the directory of GSD's files in a project.
const Planning = core.Planning

// Reader reads one GSD build: the build of a project, or of one of its workstreams.
type Reader struct {
	m          *mirror.Mirror
	workstream string // "" for the project's own
	dir        string
	isPrimary  bool // it shows the files in .planning that belong to no workstream
}

// Readers returns a reader for each GSD build of a project: its own, if .planning has a STATE.md, a ROADMAP.md or phases, and one for
// each workstream.
func Readers(m *mirror.Mirror) []*Reader {
	all := Workstreams(m)
	for _, name := range []string{"STATE.md", "ROADMAP.md", "phases"} {
		if _, ok := m.Stat(path.Join(Planning, name)); ok {
			if len(all) > 0 {
				all[0].isPrimary = false
			}
			return append([]*Reader{{m: m, dir: Planning, isPrimary: true}}, all...)
		}
	}
	return all
}

// Workstreams returns a reader for each workstream of a project alone: .planning itself is another protocol's.
func Workstreams(m *mirror.Mirror) (all []*Reader) {
	dir := path.Join(Planning, core.WorkstreamsDir)
	entries, _ := m.List(dir)
	for _, e := range entries {
		if e.Dir {
			all = append(all, &Reader{m: m, workstream: e.Name, dir: path.Join(dir, e.Name), isPrimary: len(all) == 0})
		}
	}
	return all
}

// ID returns the ID of the build: "gsd", or "gsd:" and the workstream's name.
func (r *Reader) ID() string {
	if r.workstream == "" {
		return Protocol
	}
	return Protocol + ":" + r.workstream
}

// build is a build that is being made from a project.
type build struct {
	*core.Project
	b   *model.Build
	m   *mirror.Mirror
	now time.Time

	gates map[*core.Phase][]*model.Node // gates without a phase are below nil
}

// Read returns the build from its current files. It never fails: an unreadable file is a problem of the build.
func (r *Reader) Read(now time.Time) *model.Build { return r.read(now).b }

func (r *Reader) read(now time.Time) *build {
	c := &build{m: r.m, now: now, gates: map[*core.Phase][]*model.Node{}, b: &model.Build{
		ID: r.ID(), Protocol: Protocol, Dir: r.dir, File: path.Join(r.dir, "STATE.md"),
	}}
	c.Project = core.Read(&source{m: r.m, b: c.b}, r.dir, r.isPrimary, core.Options{Root: r.m.Root(), IsDeep: true, ParseTimes: parseTimes})
	c.reportStructure()
	c.addGates()
	c.setPosition()
	c.addClaims()
	c.addNodes()
	since := c.buildSince()
	c.b.Since, c.b.SinceFile = since.at, since.fromFile
	c.addMetrics()
	c.addNotes()
	raw, header := c.State.Raw, c.headerFacts()
	raw.CommitsBehind = c.countCommitsBehind()
	header.CommitsBehind = raw.CommitsBehind
	c.b.Selected = r.isActiveWorkstream()
	c.b.Title = line.Tidy(strings.TrimSpace(header.Milestone + " " + header.MilestoneName))
	c.b.Claimed, c.b.Header = &raw, &header
	return c
}

// isActiveWorkstream reports whether the project's pointer names the reader's workstream.
func (r *Reader) isActiveWorkstream() bool {
	name := mirror.Read(r.m, path.Join(Planning, "active-workstream"), func(text string) (string, error) { return strings.TrimSpace(text), nil })
	return r.workstream != "" && name.Value == r.workstream
}

func parseTimes(d *core.Document) any {
	return protocol.ParseWorkTimes(func(keys ...string) string { return d.Field(keys...) }, d.Text[d.Body:])
}

// reportStructure reports problems with the layout of the project.
func (c *build) reportStructure() {
	if !c.StateFile.Exists {
		protocol.Report(c.b, model.Pos{File: c.b.File}, model.Warning, "", "there is no STATE.md", "what is shown comes from the tree alone; GSD's next command writes one")
	}
	for _, p := range c.Phases {
		if p.IsDuplicate {
			protocol.Report(c.b, model.Pos{File: p.Dir}, model.Warning, "", "a second directory for phase "+p.ID.Key,
				"GSD counts the plans of this one and of "+path.Base(c.ByKey[p.ID.Key].Dir)+"; move them into one, or give it a number of its own")
		}
	}
}

// source is the mirror of a project as package core reads it. Problems with files become problems of the build.
type source struct {
	m *mirror.Mirror
	b *model.Build
}

// List lists a directory.
func (s *source) List(dir string) []core.Entry {
	entries, _ := protocol.ListDir(s.m, s.b, dir)
	all := make([]core.Entry, 0, len(entries))
	for _, e := range entries {
		all = append(all, core.Entry{Name: e.Name, IsDir: e.Dir, IsFile: e.Regular, Modified: e.ModTime.UnixNano(), Size: e.Size})
	}
	return all
}

// Read reads a file. An earlier value replaces one that can't be read now.
func (s *source) Read(file string, parse func(text string) (any, error)) core.File {
	r := mirror.Read(s.m, file, func(text string) (any, error) {
		value, err := parse(text)
		return value, faultOf(err)
	})
	if !r.Exists {
		return core.File{}
	}
	if !strings.Contains(file, "-phases/") { // nobody fixes the files of an archive
		r.Note(s.b, file)
	}
	var fault *mirror.Fault
	isMinor := errors.As(r.Err, &fault) && fault.Minor
	return core.File{Value: r.Value, Exists: true, IsHeld: r.Held, IsBroken: r.Err != nil && !isMinor, Modified: r.ModTime.UnixNano()}
}

// faultOf returns an error of package core as the mirror has it.
func faultOf(err error) error {
	if e, ok := err.(*core.ParseError); ok {
		return &mirror.Fault{Line: e.Line, Col: e.Col, Text: e.Text, Minor: e.Minor}
	}
	return err
}
