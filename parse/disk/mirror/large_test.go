package mirror

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"gatehouse/parse/disk/peek"
)

func TestTooLargeFileIsNotRead(t *testing.T) {
	for size, want := range map[int]error{peek.Limit: nil, peek.Limit + 1: errTruncated} {
		p := newProject(t)
		p.put("a.md", strings.Repeat("x", size))
		r := p.read("a.md")
		if (len(r.Value) > 0) != (want == nil) || r.Held || !errors.Is(r.Err, want) || r.Size != int64(size) {
			t.Errorf("of %d bytes %d are read: held %v, %v, size %d", size, len(r.Value), r.Held, r.Err, r.Size)
		}
		if text, err := p.Text("a.md"); len(text) != peek.Limit || !errors.Is(err, want) { // a pane shows its beginning
			t.Errorf("of %d bytes the text has %d, %v", size, len(text), err)
		}
	}
}

func TestSparseFileCostsNoMoreThanTheLimit(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	p.hasText("a.md", "one")
	if err := os.Truncate(p.absPath("a.md"), 5<<30); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	p.Touch("a.md")
	before := memory()
	p.holds("a.md", "one", errBinary)
	if got := memory() - before; got > 3*peek.Limit {
		t.Errorf("%d bytes were allocated for it", got)
	}
	if r := p.read("a.md"); r.Size != 5<<30 {
		t.Errorf("size %d", r.Size)
	}
}

// memory returns how many bytes were allocated so far.
func memory() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

func TestDirectoryWithTooManyEntries(t *testing.T) {
	p := newProject(t)
	const most = 600 // more than one call to the system returns
	p.most.entries = most
	must(t, os.Mkdir(p.absPath("many"), 0o755))
	for i := range most {
		must(t, os.WriteFile(p.absPath(fmt.Sprintf("many/%05d", i)), nil, 0o644))
	}
	entries, err := p.List("many")
	if len(entries) != most || err != nil {
		t.Errorf("%d entries, %v", len(entries), err)
	}
	must(t, os.WriteFile(p.absPath("many/one-more"), nil, 0o644))
	p.Touch("many")
	for range 2 {
		if entries, err = p.List("many"); len(entries) != most || err != errTooMany || entries[0].refused != nil {
			t.Errorf("%d entries, %v, the first: %+v", len(entries), err, entries[0])
		}
	}
	must(t, os.Remove(p.absPath("many/one-more")))
	p.Touch("many")
	if entries, err = p.List("many"); len(entries) != most || err != nil {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}
