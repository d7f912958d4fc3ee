package main_test

// A world in which agents work without end: a project of each protocol that turns into one random project after another,
// file by file, as writers write: in place, by rename, half-written and completed, removed and restored. Its size stays the same, so a
// program that watches it has no reason to grow. The same seed plays the same changes.

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/parse/randomtest"
)

// soakForms is the number of forms of a project, which take turns.
const soakForms = 8

// world is a set of changing projects.
type world struct {
	tb       testing.TB
	r        *rand.Rand
	dirs     []string
	projects []*changingProject
}

// changingProject is a project of one protocol.
type changingProject struct {
	w     *world
	dir   string
	forms []map[string]string // the projects it turns into; the first is its form at rest
	form  int
	files map[string]string // the current files
	left  []string          // files to write or remove until the form is reached
}

// newWorld makes a project of each protocol below a directory.
func newWorld(tb testing.TB, dir string, seed uint64) *world {
	w := &world{tb: tb, r: rand.New(rand.NewPCG(seed, 0))}
	for _, g := range randomtest.Generators {
		p := &changingProject{w: w, dir: filepath.Join(dir, g.Protocol), files: map[string]string{}}
		for range soakForms {
			files := g.Files(w.r)
			maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
			p.forms = append(p.forms, files)
		}
		w.must(os.MkdirAll(p.dir, 0o755))
		w.dirs, w.projects = append(w.dirs, p.dir), append(w.projects, p)
		p.turnInto(0)
		p.finish()
	}
	return w
}

// step changes one file of one project, and returns the project's index and the path.
func (w *world) step() (project int, touched []string) {
	project = w.r.IntN(len(w.projects))
	p := w.projects[project]
	for len(p.left) == 0 {
		p.turnInto((p.form + 1) % len(p.forms))
	}
	return project, []string{p.change()}
}

// rest returns all projects to their first form.
func (w *world) rest() {
	for _, p := range w.projects {
		p.turnInto(0)
		p.finish()
	}
}

// must fails the test if there is an error.
func (w *world) must(err error) {
	if err != nil {
		w.tb.Helper()
		w.tb.Fatal(err)
	}
}

// turnInto lists the files that differ from a form.
func (p *changingProject) turnInto(form int) {
	p.form, p.left = form, nil
	for name, text := range p.forms[form] {
		if now, has := p.files[name]; !has || now != text {
			p.left = append(p.left, name)
		}
	}
	for name := range p.files {
		if _, stays := p.forms[form][name]; !stays {
			p.left = append(p.left, name)
		}
	}
	slices.Sort(p.left)
	p.w.r.Shuffle(len(p.left), func(i, j int) { p.left[i], p.left[j] = p.left[j], p.left[i] })
}

// finish makes all changes that are left.
func (p *changingProject) finish() {
	for len(p.left) > 0 {
		p.change()
	}
}

// change writes or removes the next file and returns its path. One in eight writes stops half-way, and is completed later.
func (p *changingProject) change() string {
	name := p.left[len(p.left)-1]
	p.left = p.left[:len(p.left)-1]
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	text, stays := p.forms[p.form][name]
	if !stays {
		p.w.must(os.Remove(path))
		delete(p.files, name)
		return path
	}
	if len(text) > 0 && p.w.r.IntN(8) == 0 {
		text = text[:p.w.r.IntN(len(text))]
		p.left = slices.Insert(p.left, 0, name)
	}
	p.w.must(os.MkdirAll(filepath.Dir(path), 0o755))
	temp := path
	if p.w.r.IntN(2) == 0 {
		temp += ".tmp"
	}
	p.w.must(os.WriteFile(temp, []byte(text), 0o644))
	if temp != path {
		p.w.must(os.Rename(temp, path))
	}
	p.files[name] = text
	return path
}
