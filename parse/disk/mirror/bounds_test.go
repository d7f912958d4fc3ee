package mirror

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// known returns how many directories and files the mirror knows.
func (p *project) known() (dirs, files int) { return len(p.dirs), len(p.files) }

func TestSweepDropsUnrequested(t *testing.T) {
	p := newProject(t)
	p.put("a/x.md", "one")
	p.put("b/y.md", "two")
	ask := func(rels ...string) {
		for _, rel := range rels {
			p.read(rel)
		}
		p.Sweep()
	}
	ask("a/x.md", "b/y.md", "none/z.md")
	if dirs, files := p.known(); dirs != 3 || files != 2 {
		t.Errorf("%d directories and %d files are known", dirs, files)
	}
	p.costs(0, "requested in the round before", func() { ask("a/x.md") })
	if dirs, files := p.known(); dirs != 1 || files != 1 || p.names != 1 || p.bytes == 0 {
		t.Errorf("%d directories and %d files are known, %d names, %d bytes", dirs, files, p.names, p.bytes)
	}
	p.costs(1, "dropped before", func() { p.hasText("b/y.md", "two") })
	p.hasText("a/x.md", "one")
	p.put("a/x.md", "bad")
	p.Touch("a/x.md")
	for range 3 { // a file that is requested in each round keeps its last good state
		p.holds("a/x.md", "one", errBad)
		p.Sweep()
	}
	ask()
	if dirs, files := p.known(); dirs+files+p.names+p.bytes != 0 {
		t.Errorf("nothing is requested, and %d directories, %d files, %d names, %d bytes are kept", dirs, files, p.names, p.bytes)
	}
}

func TestTooManyBytesAreRefused(t *testing.T) {
	p := newProject(t)
	const part, fit = 64 << 10, 32
	p.most.kept = fit*part + part/2
	text := strings.Repeat("x", part)
	name := func(i int) string { return fmt.Sprintf("%02d.md", i) }
	shows := func(i, length int, held bool, err error) {
		t.Helper()
		if r := p.read(name(i)); len(r.Value) != length || !r.Exists || r.Held != held || r.Err != err {
			t.Errorf("of %s %d bytes are shown, held %v, %v; want %d, %v, %v", name(i), len(r.Value), r.Held, r.Err, length, held, err)
		}
	}
	for i := range fit + 1 {
		p.put(name(i), text)
	}
	for i := range fit - 1 {
		shows(i, part, false, nil)
	}
	shows(fit-1, part, false, nil)
	shows(fit, 0, false, errTooMuch)
	p.put(name(0), text+text)
	p.Touch(name(0))
	shows(0, part, true, errTooMuch) // the content from when there was room is shown
	p.put(name(1), "small")
	p.Touch()
	shows(1, len("small"), false, nil)
	shows(0, 2*part, false, nil)
	shows(fit, 0, false, errTooMuch)
	p.remove(name(0))
	p.Touch()
	shows(fit, part, false, nil)
	if p.bytes > p.most.kept {
		t.Errorf("%d bytes are kept", p.bytes)
	}
}

func TestTotalNamesAreBounded(t *testing.T) {
	p := newProject(t)
	const each, most = 180, 1000
	const dirs = most/each + 1
	p.most.names = most
	for d := range dirs {
		must(t, os.MkdirAll(p.absPath(fmt.Sprint("d", d)), 0o755))
		for i := range each {
			must(t, os.WriteFile(p.absPath(fmt.Sprintf("d%d/%05d", d, i)), nil, 0o644))
		}
	}
	p.List(".")
	for d := range dirs - 1 {
		if entries, err := p.List(fmt.Sprint("d", d)); len(entries) != each || err != nil {
			t.Fatalf("%d entries of number %d, %v", len(entries), d, err)
		}
	}
	last := fmt.Sprint("d", dirs-1)
	for range 2 {
		if entries, err := p.List(last); len(entries) != most-dirs-(dirs-1)*each || err != errFull || p.names != most {
			t.Errorf("%d entries of the last, %v; %d names are counted", len(entries), err, p.names)
		}
		p.Touch(last)
	}
	p.remove("d0")
	p.Touch("d0", last)
	p.List(".")
	if entries, err := p.List(last); len(entries) != each || err != nil {
		t.Errorf("with one directory less %d entries of the last, %v", len(entries), err)
	}
}
