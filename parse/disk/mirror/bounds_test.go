package mirror

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"gatehouse/parse/disk/peek"
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

// TestAccounting changes files and directories in all ways, and compares the counters with the cached content.
func TestAccounting(t *testing.T) {
	p := newProject(t)
	check := func(what string) {
		t.Helper()
		for _, dir := range []string{".", "a", "b"} {
			p.List(dir)
		}
		for _, file := range []string{"a/1.md", "a/2.md", "b/1.md"} {
			p.read(file)
			Read(p.Mirror, file, func(text string) (int, error) { return len(text), nil })
		}
		names, bytes, texts := 0, 0, 0
		for _, d := range p.dirs {
			names += len(d.good)
		}
		for _, f := range p.files {
			bytes += f.size
			texts += len(f.held.text)
		}
		if p.names != names || p.bytes != bytes || p.texts != texts {
			t.Errorf("%s: %d names are counted and %d known, %d bytes counted and %d kept, %d of texts counted and %d held", what, p.names, names, p.bytes, bytes, p.texts, texts)
		}
	}
	p.put("a/1.md", "one")
	p.put("b/1.md", "two")
	check("at first")
	for i, change := range []func(){
		func() { p.put("a/1.md", strings.Repeat("longer", 100)) }, func() { p.put("a/1.md", "bad") }, func() { p.put("a/1.md", "minor") },
		func() { p.put("a/2.md", "") }, func() { p.remove("a") }, func() { p.put("a/2.md", "bad") }, func() { p.rename("b", "a/b") }, func() { p.remove(".") },
	} {
		change()
		p.Touch()
		check(fmt.Sprint("after change ", i))
	}
}

// TestHeldTextsAreBounded reads more texts than the mirror holds: the excess is read again for each type, with the same content.
func TestHeldTextsAreBounded(t *testing.T) {
	p := newProject(t)
	const size, files = textsLimit / 4, 6
	length := func(text string) (int, error) { return len(text), nil }
	last := func(text string) (byte, error) { return text[len(text)-1], nil }
	for i := range files {
		p.put(fmt.Sprint(i), strings.Repeat("x", size))
	}
	p.costs(files+2, "two types, and two texts that are not held", func() {
		for i := range files {
			if n, c := Read(p.Mirror, fmt.Sprint(i), length), Read(p.Mirror, fmt.Sprint(i), last); n.Value != size || c.Value != 'x' {
				t.Errorf("%d: %+v %+v", i, n, c)
			}
		}
	})
	if p.texts != textsLimit {
		t.Errorf("%d bytes of texts are held", p.texts)
	}
	p.Sweep()
	if p.texts != 0 {
		t.Errorf("%d bytes of texts are held when the reading is over", p.texts)
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

// TestLimitsMatchMessages checks that the messages name the limits of a mirror.
func TestLimitsMatchMessages(t *testing.T) {
	most := New(t.TempDir()).most
	for err, limit := range map[error]string{
		errTooMany:   fmt.Sprint("first ", most.entries, " are"),
		errFull:      fmt.Sprint(" ", most.names, " are"),
		errTooMuch:   fmt.Sprint(" ", most.kept>>20, " MiB"),
		errTruncated: fmt.Sprint(" ", peek.Limit>>20, " MiB"),
	} {
		if !strings.Contains(err.Error(), limit) {
			t.Errorf("%v, and the limit is%s", err, limit)
		}
	}
}

// TestShortenedFileReleasesBytes checks that a file truncated between listing and reading keeps the bytes of its content,
// not those of its listed size.
func TestShortenedFileReleasesBytes(t *testing.T) {
	p := newProject(t)
	p.put("a.md", strings.Repeat("x", 1<<20))
	p.List(".")
	p.put("a.md", "short")
	before := heap()
	r := p.read("a.md")
	if more := heap() - before; r.Value != "short" || more > 1<<18 {
		t.Errorf("%q keeps %d bytes", r.Value, more)
	}
	runtime.KeepAlive(r)
}

// heap returns how many bytes are in use when all garbage is collected.
func heap() int {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}
