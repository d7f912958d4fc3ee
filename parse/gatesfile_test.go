package parse

// A protocol for tests of the behavior that all protocols share: a file gates.txt with one gate per line, and a human who may approve a
// gate, skip it, ask for changes and undo that.
//
//	gates
//	frame: pending
//	updated: 2026-03-01T11:00:00Z
//	end

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/gsd"
	"gatehouse/parse/protocol"
)

const (
	gatesFile  = "gates.txt"
	gatesText  = "gates\nframe: pending\nship: pending\nupdated: 2026-03-01T11:00:00Z\nend\n"
	gatesBuild = "gates"
)

// gateReader reads and edits gates.txt.
type gateReader struct {
	m       *mirror.Mirror
	editing func() // called while an edit is made, may be nil
}

// gatesProtocol is the protocol; editing is called while it makes an edit.
func gatesProtocol(editing func()) registration {
	return registration{name: "gates", changes: gsd.Issue, readers: func(p *Project) []reader {
		if r := mirror.Read(p.mirror, gatesFile, parseGates); r.Value == nil {
			return nil
		}
		return []reader{gateReader{p.mirror, editing}}
	}}
}

func parseGates(text string) ([]string, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "gates" || lines[len(lines)-1] != "end" {
		return nil, errors.New("not whole")
	}
	return lines[1 : len(lines)-1], nil
}

func (gateReader) ID() string                      { return gatesBuild }
func (gateReader) Check(time.Time) []model.Problem { return nil }

func (r gateReader) Read(time.Time) *model.Build {
	b := &model.Build{ID: gatesBuild, Protocol: "gates", File: gatesFile, Status: model.Active}
	phase := &model.Node{ID: "phase", Kind: model.KindPhase}
	b.Nodes = []*model.Node{{ID: "before", Kind: model.KindPhase}, phase}
	for _, l := range mirror.Read(r.m, gatesFile, parseGates).Value {
		name, word, _ := strings.Cut(l, ": ")
		switch name {
		case "status":
			b.Raw = word
			if word == "complete" {
				b.Status = model.Done
			}
		case "began":
			b.Began, _ = time.Parse(time.RFC3339, word)
		case "updated", "note":
		default:
			status := map[string]model.Status{"pending": model.Waiting, "passed": model.Done, "skipped": model.Skipped, "failed": model.Failed, gsd.Issue: model.Failed}[word]
			n := &model.Node{ID: "gate/" + name, Kind: model.KindGate, Status: status, Raw: word, Gate: &model.Gate{Reason: "a reason from the file"}}
			if e, ok := r.m.Stat(name + ".md"); ok {
				n.Artifacts = []model.Artifact{{Name: name, File: name + ".md", Exists: true, Changed: e.ModTime}}
			}
			phase.Children = append(phase.Children, n)
			if status == model.Waiting {
				b.Waits = append(b.Waits, model.Wait{Node: n.ID, Text: name, Evidence: model.Reached})
				if b.Next == nil {
					b.Next = &model.Next{Command: "approve " + name, Node: n.ID, Derived: true}
				}
			}
		}
	}
	return b
}

func (r gateReader) Target(a model.Action, now time.Time) (protocol.Target, error) {
	for _, n := range r.Read(now).Nodes[1].Children {
		if n.ID == a.Node {
			return protocol.Target{File: gatesFile, Judge: r.judge}, nil
		}
	}
	return protocol.Target{}, &model.Refusal{Code: "E_NO_GATE", Text: "there is no gate " + a.Node}
}

func (r gateReader) judge(content string) (protocol.Answer, error) {
	if _, err := parseGates(content); err != nil {
		return nil, err
	}
	return r.edit, nil
}

func (r gateReader) edit(q protocol.Request) (*protocol.Change, error) {
	if r.editing != nil && !q.Asking {
		r.editing()
	}
	name := strings.TrimPrefix(q.Node, "gate/")
	_, rest, _ := strings.Cut(q.Content, "\n"+name+": ")
	was, _, _ := strings.Cut(rest, "\n")
	c := &protocol.Change{Was: was, Proposal: model.Proposal{Name: name}}
	switch q.Verb {
	case model.VerbApprove:
		c.Is = "passed"
		if _, ok := r.m.Stat("warning"); ok {
			c.Warnings = []string{"there is a warning"}
		}
	case model.VerbSkip:
		if c.Is = "skipped"; q.Asking {
			c.Wants = "reason"
		} else if q.Text == "" {
			return nil, &model.Refusal{Text: "a reason is missing"}
		}
	case model.VerbChanges:
		c.Is = was
	case model.VerbUndo:
		if q.Last == nil {
			return nil, &model.Refusal{Text: "nothing was decided"}
		}
		if q.Last.Reported || statefile.Hash(q.Content) != q.Last.After {
			return nil, &model.Refusal{Text: "it is too late"}
		}
		c.Is = q.Last.Was
	}
	switch {
	case was == "broken":
		panic("boom")
	case was == c.Is && q.Verb == model.VerbApprove:
		return nil, &model.Refusal{Already: true, Text: name + " has passed already"}
	case was != "pending" && q.Verb != model.VerbUndo:
		return nil, &model.Refusal{Text: name + " is " + was, Fix: "leave it"}
	}
	c.Effect = was + " → " + c.Is
	set := func(label, value string) {
		_, after, _ := strings.Cut(q.Content, "\n"+label+": ")
		old, _, _ := strings.Cut(after, "\n")
		c.Spans = append(c.Spans, model.Span{Label: label, At: len(q.Content) - len(after), Old: old, New: value})
	}
	if c.Is != was {
		set(name, c.Is)
	}
	set("updated", q.Now.Format(time.RFC3339Nano))
	return c, nil
}

// gated is a project with gates.txt, and the actor that decides about it.
type gated struct {
	*testing.T
	dir string
	p   *Project
	as  *Actions
}

// newGated makes a project; editing is called while an edit is made.
func newGated(t *testing.T, editing func()) *gated {
	t.Helper()
	register(t, gatesProtocol(editing))
	g := &gated{T: t, dir: t.TempDir()}
	g.write(gatesText)
	p, err := Open(g.dir, User{Name: "ada", Journal: filepath.Join(t.TempDir(), "state", "journal")})
	must(t, err)
	g.p, g.as = p, NewActions([]*Project{p}, "test", ticking())
	return g
}

// ticking returns a clock that advances with every call.
func ticking() func() time.Time {
	ticks := make(chan time.Time)
	go func() {
		for now := noon; ; now = now.Add(time.Millisecond) {
			ticks <- now
		}
	}()
	return func() time.Time { return <-ticks }
}

// write writes gates.txt in place, as agents do.
func (g *gated) write(text string) {
	g.Helper()
	must(g.T, os.WriteFile(filepath.Join(g.dir, gatesFile), []byte(text), 0o644))
}

// rewrite has another writer change gates.txt.
func (g *gated) rewrite(old, new string) {
	g.Helper()
	g.write(strings.Replace(g.text(), old, new, 1))
}

func (g *gated) text() string {
	g.Helper()
	text, err := os.ReadFile(filepath.Join(g.dir, gatesFile))
	must(g.T, err)
	return string(text)
}

// action returns an action about the gate "frame".
func (g *gated) action(v model.Verb) model.Action {
	return model.Action{Verb: v, Project: g.p.root, Build: gatesBuild, Node: "gate/frame"}
}

// do carries out an action, which must succeed.
func (g *gated) do(a model.Action) *model.Outcome {
	g.Helper()
	o, err := g.as.Do(g.Context(), a)
	if err != nil || o.Decision.ID == "" {
		g.Fatalf("%s: %v, %+v", a.Verb, err, o)
	}
	return o
}

// refused tries an action, which must be refused with nothing written, and returns the reason.
func (g *gated) refused(a model.Action) error {
	g.Helper()
	before := g.text()
	o, err := g.as.Do(g.Context(), a)
	if err == nil || o != nil {
		g.Fatalf("%s was done: %+v", a.Verb, o)
	}
	if g.text() != before {
		g.Fatalf("refused, and written: %q", g.text())
	}
	return err
}

// decisions returns the decisions in the journal.
func (g *gated) decisions() []model.Decision {
	g.Helper()
	all, err := Decisions([]*Project{g.p}, noon)
	must(g.T, err)
	return all
}
