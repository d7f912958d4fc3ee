package mirror

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
)

func TestLastGoodStateIsHeldUntilItIsGoodAgain(t *testing.T) {
	for _, c := range []struct {
		name, broken string
		err          error
	}{
		{"empty", "", errEmpty},
		{"NUL", "two\x00", errBinary},
		{"faulty", "bad", errBad},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newProject(t)
			p.put("STATE.md", "one")
			p.hasText("STATE.md", "one")
			for range 2 { // it stays broken
				p.put("STATE.md", c.broken)
				p.Touch("STATE.md")
				p.costs(1, "broken", func() {
					p.holds("STATE.md", "one", c.err)
					p.holds("STATE.md", "one", c.err)
				})
			}
			p.put("STATE.md", "two")
			p.Touch("STATE.md")
			p.hasText("STATE.md", "two")
			p.put("STATE.md", c.broken)
			p.Touch("STATE.md")
			p.holds("STATE.md", "two", c.err)
		})
	}
}

func TestBrokenFromStartHoldsNothing(t *testing.T) {
	for broken, want := range map[string]Result[string]{
		"":      {Err: errEmpty},
		"a\x00": {Err: errBinary},
		"bad":   {Err: errBad, Value: "rest of bad"},
	} {
		p := newProject(t)
		p.put("a.md", broken)
		if r := p.read("a.md"); !r.Exists || r.Held || r.Err != want.Err || r.Value != want.Value {
			t.Errorf("%q: %+v", broken, r)
		}
	}
}

func TestMinorFaultReplacesTheValue(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	p.hasText("a.md", "one")
	p.put("a.md", "minor two")
	p.Touch("a.md")
	var fault *Fault
	if r := p.read("a.md"); r.Value != "minor two" || r.Held || !errors.As(r.Err, &fault) || !fault.Minor {
		t.Errorf("%+v", r)
	}
	p.put("a.md", "bad")
	p.Touch("a.md")
	p.holds("a.md", "minor two", errBad)
}

func TestUnreadableKindsHoldTheLastGoodState(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	p.hasText("a.md", "one")
	p.remove("a.md")
	must(t, os.Mkdir(p.absPath("a.md"), 0o755))
	p.Touch("a.md")
	p.holds("a.md", "one", p.read("a.md").Err)
	p.remove("a.md")
	p.put("a.md", "two")
	p.Touch("a.md")
	p.hasText("a.md", "two")
}

func TestPanickingParseIsCalledAgain(t *testing.T) {
	p := newProject(t)
	p.put("a.md", "one")
	faulty := false
	read := func() (r Result[string], panicked bool) {
		defer func() { panicked = recover() != nil }()
		return Read(p.Mirror, "a.md", func(text string) (string, error) {
			if faulty {
				panic("a bug")
			}
			return text, nil
		}), false
	}
	if r, panicked := read(); panicked || r.Value != "one" {
		t.Fatalf("%+v", r)
	}
	p.put("a.md", "two")
	p.Touch("a.md")
	faulty = true
	for range 2 {
		if r, panicked := read(); !panicked {
			t.Errorf("the earlier value is shown without an error: %+v", r)
		}
	}
	faulty = false
	if r, panicked := read(); panicked || r.Value != "two" {
		t.Errorf("%+v", r)
	}
}

func TestConcurrentListAndRead(t *testing.T) {
	p := newProject(t)
	dirs := strings.Fields("a b c d e f")
	for _, d := range dirs {
		for _, f := range []string{"/1.md", "/2.md", "/sub/3.md"} {
			p.put(d+f, d+f)
		}
	}
	for range 3 {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for _, d := range dirs {
					if entries, err := p.List(d); len(entries) != 3 || err != nil {
						t.Errorf("%s: %v, %v", d, entries, err)
					}
					for _, f := range []string{"/1.md", "/2.md", "/sub/3.md"} {
						p.hasText(d+f, d+f)
					}
					p.missing(d + "/4.md")
				}
			})
		}
		wg.Wait()
		if p.Reads() != 18 {
			t.Errorf("18 files were read %d times", p.Reads())
		}
		p.Touch()
	}
}
