package demo

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

// loopPlay is the loop alone, with a clock that a test moves.
type loopPlay struct {
	t      *testing.T
	c      *clock
	b      *Build
	dir    string
	asks   map[string]string // requests for changes that nobody has heard yet, by gate
	states []string          // the state file whenever it changed

	stateText string // the state as it was read last
	stateWas  *loopSeen
}

// The gates of the loop.
const (
	gateOutline = "outline-gate"
	gateStyle   = "style-gate"
	gateFacts   = "facts-gate"
	gateProof   = "proof-gate"
)

func playLoop(t *testing.T) *loopPlay {
	t.Helper()
	p := &loopPlay{t: t, c: newClock(), asks: map[string]string{}}
	o := p.c.alone()
	o.Changes = func(build, gate string) (string, bool) {
		if build != "loop:"+loopState {
			t.Errorf("asked for %s of %s", gate, build)
		}
		gate = strings.TrimPrefix(gate, "gate/")
		words, ok := p.asks[gate]
		delete(p.asks, gate)
		return words, ok
	}
	p.b, p.dir = begin(t, p.c, o)
	return p
}

func (p *loopPlay) file() string {
	p.t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, loopState))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// loopSeen is the state file as tests look at it.
type loopSeen struct {
	runtime `json:"-"` // as the agent reads it

	Loop, Phase, Status string
	Gates               map[string]struct {
		Status                  string
		PassedAt, SkippedReason *string
	}
	Phases map[string]struct {
		Status                 string
		StartedAt, CompletedAt *string
		Deliverables           []string
	}
	Metrics     map[string]int
	LastUpdated string `json:"last_updated"`
}

func (p *loopPlay) state() *loopSeen {
	p.t.Helper()
	text := p.file()
	if text != p.stateText {
		s := new(loopSeen)
		if err := errors.Join(json.Unmarshal([]byte(text), s), json.Unmarshal([]byte(text), &s.runtime)); err != nil {
			p.t.Fatal(err)
		}
		s.text = text
		p.stateText, p.stateWas = text, s
	}
	return p.stateWas
}

func (p *loopPlay) gate(id string) string { return p.state().Gates[id].Status }

// until lets the agent work until something is so, and fails when it never is.
func (p *loopPlay) until(what string, is func(s *loopSeen) bool) {
	p.t.Helper()
	for range 2000 {
		if is(p.state()) {
			return
		}
		p.pass(tick)
	}
	p.t.Fatalf("never: %s; the state is\n%s", what, p.file())
}

func (p *loopPlay) pass(d time.Duration) {
	p.t.Helper()
	for slice := max(tick, d/20); d > 0; d -= slice {
		p.c.now = p.c.now.Add(slice)
		before := p.file()
		if err := p.b.loop.tick(slice); err != nil {
			p.t.Fatal(err)
		}
		if now := p.file(); now != before {
			p.states = append(p.states, now)
		}
	}
}

// untilStill lets the agent work until it does no more, and returns the state file then.
func (p *loopPlay) untilStill() string {
	p.t.Helper()
	for range 50 {
		before := p.file()
		p.pass(20 * time.Second)
		if p.file() == before {
			return before
		}
	}
	p.t.Fatal("the agent never stands still")
	return ""
}

// decide decides a gate as a human does with Gatehouse.
func (p *loopPlay) decide(verb, gate, words string) {
	p.t.Helper()
	a := model.Action{Verb: model.Verb(verb), Node: "gate/" + gate, Text: words}
	target, err := loop.Readers(mirror.New(p.dir), "", nil)[0].Target(a, p.b.when())
	if err != nil {
		p.t.Fatal(err)
	}
	content := p.file()
	answer, err := target.Judge(content)
	if err != nil {
		p.t.Fatal(err)
	}
	change, err := answer(protocol.Request{Action: a, Content: content, Now: p.b.when()})
	if err != nil {
		p.t.Fatalf("%s %s: %v", verb, gate, err)
	}
	if content, err = protocol.Apply(content, change.Spans); err != nil {
		p.t.Fatal(err)
	}
	p.write(content)
}

// set sets one value of the state.
func (p *loopPlay) set(value string, path ...string) {
	p.t.Helper()
	content := p.file()
	spans, err := doc.SetJSON(content, []doc.Assignment{doc.AssignText(value, path...)})
	if err != nil {
		p.t.Fatal(err)
	}
	content, _ = doc.Apply(content, spans)
	p.write(content)
}

func (p *loopPlay) write(content string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, loopState), []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

func (p *loopPlay) setStatus(status string) { p.set(status, "status") }

// build reads the loop as the dashboard does.
func (p *loopPlay) build() *model.Build {
	p.t.Helper()
	project, err := parse.Open(p.dir, parse.User{})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, b := range project.Read(p.c.now).Builds {
		if b.Protocol == "loop" {
			if len(b.Problems) > 0 || len(b.Divergences) > 0 {
				p.t.Errorf("problems %v, divergences %v in\n%s", b.Problems, b.Divergences, p.file())
			}
			return b
		}
	}
	p.t.Fatal("no loop is seen")
	return nil
}

// waits returns what waits for a human in the loop now.
func (p *loopPlay) waits() (nodes []string) {
	for _, w := range p.build().Certain() {
		nodes = append(nodes, w.Node)
	}
	return nodes
}

func waitsAt(gate string) func(*loopSeen) bool {
	a := newLoopAgent(nil)
	return func(s *loopSeen) bool {
		l := a.loop(&s.runtime)
		r := l.Resume()
		return r.Action == core.GatePrompt && l.Gates[r.Gate].ID == gate
	}
}
