package mirror

import (
	"errors"
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
