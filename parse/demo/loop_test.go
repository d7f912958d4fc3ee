package demo

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/parse/loop/core"
)

func TestLoopRunsFromGateToGate(t *testing.T) {
	p := playLoop(t)
	if got := p.waits(); len(got) > 0 {
		t.Errorf("at the start %q waits", got)
	}
	p.until("the outline waits", waitsAt(gateOutline))
	if got := p.waits(); !slices.Equal(got, []string{"gate/" + gateOutline}) {
		t.Errorf("%q waits, want the outline", got)
	}
	p.decide(core.Approve, gateOutline, "")
	p.until("the proof waits", waitsAt(gateProof))
	if got := p.waits(); !slices.Equal(got, []string{"gate/" + gateProof}) {
		t.Errorf("%q waits, want the proof", got)
	}
	s := p.state()
	if facts := s.Gates[gateFacts]; facts.Status != core.Passed || facts.PassedAt == nil {
		t.Errorf("the facts are %+v, want them passed by themselves", facts)
	}
	if style := s.Gates[gateStyle]; style.Status != core.Pending {
		t.Errorf("the style is %s, want nobody to have waited for it", style.Status)
	}
	p.decide(core.Approve, gateProof, "")
	p.until("the loop is complete", func(s *loopSeen) bool { return s.Status == core.Complete })
	if b := p.build(); b.Status != model.Done || len(b.Certain()) > 0 {
		t.Errorf("the loop is %s, %v waits", b.Status, b.Certain())
	}
	p.untilStill()

	for _, phase := range p.b.loop.def.Phases {
		text, err := p.b.readFile(p.b.loop.guide.Phases[phase.Name].Produces)
		if err != nil || !strings.HasPrefix(text, "# ") || len(text) < 150 {
			t.Errorf("%s: %v, %d bytes", phase.Name, err, len(text))
		}
		state := p.state().Phases[phase.Name]
		if state.StartedAt == nil || state.CompletedAt == nil || *state.StartedAt > *state.CompletedAt || len(state.Deliverables) != 1 {
			t.Errorf("%s: %+v", phase.Name, state)
		}
	}
	last := ""
	for _, text := range p.states {
		s := new(loopSeen)
		if err := json.Unmarshal([]byte(text), s); err != nil || s.LastUpdated < last {
			t.Fatalf("%v, last updated %s after %s", err, s.LastUpdated, last)
		}
		last = s.LastUpdated
		active := 0
		for _, phase := range s.Phases {
			if phase.Status == core.Active {
				active++
			}
		}
		if active > 1 {
			t.Errorf("%d phases are active:\n%s", active, text)
		}
	}
}

func TestLoopWaitsForAsLongAsItTakes(t *testing.T) {
	p := playLoop(t)
	p.until("the outline waits", waitsAt(gateOutline))
	before := p.file()
	p.pass(5 * time.Minute)
	if p.file() != before {
		t.Errorf("nobody answered, and the state became\n%s", p.file())
	}
}

func TestLoopFileIsWhatTheProtocolSays(t *testing.T) {
	p := playLoop(t)
	if len(p.state().Metrics) == 0 {
		t.Error("nothing is measured at the start")
	}
	project, err := parse.Open(p.dir, parse.User{})
	if err != nil {
		t.Fatal(err)
	}
	if broken := project.Check(p.c.now); len(broken) > 0 {
		t.Errorf("rules broken: %v", broken)
	}
	p.untilStill()
	text := p.file()
	if strings.HasSuffix(text, "\n") || !strings.HasPrefix(text, "{\n  \"loop\": \"field-guide-loop\",\n  \"version\"") {
		t.Errorf("the file is not what agents write:\n%s", text)
	}
	at := -1
	for _, key := range []string{`"gates"`, `"outline-gate"`, `"proof-gate"`, `"phases"`, `"GATHER"`, `"PRINT"`, `"metrics"`, `"songs_counted"`, `"started_at"`} {
		i := strings.Index(text, key)
		if i <= at {
			t.Errorf("%s is out of order", key)
		}
		at = i
	}
}

func TestLoopGoesOnAfterASkip(t *testing.T) {
	p := playLoop(t)
	p.until("the outline waits", waitsAt(gateOutline))
	p.decide(core.Skip, gateOutline, "the order <of singing> is plain enough")
	p.until("the guide is written", func(s *loopSeen) bool { return s.Phases["WRITE"].Status == core.Complete })
	if gate := p.state().Gates[gateOutline]; gate.Status != core.Skipped || gate.SkippedReason == nil || *gate.SkippedReason != "the order <of singing> is plain enough" {
		t.Errorf("the gate became %+v", gate)
	}
	if !strings.Contains(p.file(), "<of singing>") {
		t.Error("the agent has escaped a text")
	}
}

func TestLoopMendsWhatFailedAndWaits(t *testing.T) {
	p := playLoop(t)
	p.until("the outline waits", waitsAt(gateOutline))
	if err := os.Remove(filepath.Join(p.dir, guideDir, "OUTLINE.md")); err != nil {
		t.Fatal(err)
	}
	p.set(core.Failed, "gates", gateOutline, "status")
	p.untilStill()
	if text, err := p.b.readFile(guideDir + "/OUTLINE.md"); err != nil || !strings.Contains(text, "## Written Again") {
		t.Errorf("the outline after its check failed (%v):\n%s", err, text)
	}
	if got := p.gate(gateOutline); got != core.Failed || p.state().Metrics["revisions"] != 1 {
		t.Errorf("the gate is %s after %d revisions, want it failed until somebody retries", got, p.state().Metrics["revisions"])
	}
	p.decide(core.Retry, gateOutline, "")
	p.untilStill()
	if got := p.gate(gateOutline); got != core.Pending {
		t.Errorf("the gate is %s, want it to wait again", got)
	}
	p.set(core.Failed, "gates", gateOutline, "status")
	p.until("it is mended again", func(s *loopSeen) bool { return s.Metrics["revisions"] == 2 })
	p.decide(core.Retry, gateOutline, "")
	p.decide(core.Approve, gateOutline, "")
	p.until("the proof waits", waitsAt(gateProof))
}

func TestLoopStandsStillWhilePaused(t *testing.T) {
	p := playLoop(t)
	p.pass(2 * time.Second)
	p.setStatus(core.Paused)
	before := p.file()
	p.pass(time.Minute)
	if p.file() != before {
		t.Errorf("paused, the state became\n%s", p.file())
	}
	p.setStatus(core.Active)
	p.until("the outline waits", waitsAt(gateOutline))

	// At a gate, too: what is approved before the pause is taken up after it.
	p.decide(core.Approve, gateOutline, "")
	p.setStatus(core.Paused)
	before = p.file()
	p.pass(time.Minute)
	if p.file() != before {
		t.Errorf("paused at a gate, the state became\n%s", p.file())
	}
	p.setStatus(core.Active)
	p.until("it writes", func(s *loopSeen) bool { return s.Phases["WRITE"].Status == core.Active && s.Phase == "WRITE" })
}

func TestLoopStopsWhenAborted(t *testing.T) {
	p := playLoop(t)
	p.pass(2 * time.Second)
	p.setStatus(core.Failed)
	before := p.file()
	p.pass(time.Minute)
	if p.file() != before {
		t.Errorf("aborted, the state became\n%s", p.file())
	}
	if err := p.b.begin(); err != nil {
		t.Fatal(err)
	}
	if s := p.state(); s.Status != core.Active || s.Phase != "OUTLINE" {
		t.Errorf("a fresh round begins with a loop that is %s in %s", s.Status, s.Phase)
	}
	if _, err := p.b.readFile(guideDir + "/OUTLINE.md"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what the aborted loop left: %v", err)
	}
}

func TestFreshRoundLeavesALoopThatRuns(t *testing.T) {
	p := playLoop(t)
	p.until("the outline waits", waitsAt(gateOutline))
	before := p.file()
	if err := p.b.begin(); err != nil {
		t.Fatal(err)
	}
	if p.file() != before {
		t.Errorf("a fresh round has made the loop\n%s", p.file())
	}
}

func TestLoopGoesOnAfterARestart(t *testing.T) {
	p := playLoop(t)
	for range 30 {
		p.b.loop = newLoopAgent(p.b) // as after a crash, again and again
		p.pass(13 * time.Second)
		switch s := p.state(); {
		case waitsAt(gateOutline)(s):
			p.decide(core.Approve, gateOutline, "")
		case waitsAt(gateProof)(s):
			p.decide(core.Approve, gateProof, "")
		case s.Status == core.Complete:
			return
		}
	}
	t.Errorf("stuck with\n%s", p.file())
}

func TestLoopHeedsARequestForChanges(t *testing.T) {
	p := playLoop(t)
	p.until("the outline waits", waitsAt(gateOutline))
	p.pass(time.Minute)
	p.decide(core.Changes, gateOutline, "x")
	p.pass(time.Second) // the journal says so a little later than the file
	p.asks[gateOutline] = "Put the wren\nfirst\x1b[2J"
	p.untilStill()
	text, err := p.b.readFile(guideDir + "/OUTLINE.md")
	if err != nil || !strings.Contains(text, "> Put the wren first\uFFFD[2J\n") {
		t.Errorf("the outline after changes were asked (%v):\n%s", err, text)
	}
	if got := p.gate(gateOutline); got != core.Pending || p.state().Metrics["revisions"] != 1 {
		t.Errorf("the gate is %s after %d revisions, want it to wait after one", got, p.state().Metrics["revisions"])
	}

	// What is decided meanwhile is not done over.
	p.asks[gateOutline] = "Again"
	p.decide(core.Changes, gateOutline, "x")
	p.pass(time.Second)
	p.decide(core.Approve, gateOutline, "")
	p.until("the proof waits", waitsAt(gateProof))
	if n := p.state().Metrics["revisions"]; n != 1 {
		t.Errorf("%d revisions, want the second request dropped with the approval", n)
	}
}

func TestLoopSurvivesWhatOthersDoToItsFile(t *testing.T) {
	p := playLoop(t)
	whole := p.file()
	file := filepath.Join(p.dir, loopState)
	for _, text := range []string{"", "{", "[]", `{"status": 5}`, whole[:len(whole)/2], `{"gates": [], "phases": {}}`} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p.b.loop.seen = ""
		for range 100 {
			if err := p.b.loop.tick(tick); err != nil {
				t.Fatal(err)
			}
		}
		if got := p.file(); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := p.b.loop.tick(time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
	p.until("the outline waits", waitsAt(gateOutline))
}

// What is decided while the agent is at work is not written over: it reads again before it writes.
func TestLoopNeverWritesOverADecision(t *testing.T) {
	p := playLoop(t)
	p.until("the outline waits", waitsAt(gateOutline))
	p.decide(core.Approve, gateOutline, "")
	p.until("it checks", func(s *loopSeen) bool { return s.Phases["CHECK"].Status == core.Active })
	p.pass(time.Second)
	p.decide(core.Approve, gateStyle, "")
	decided := p.state().Gates[gateStyle]
	p.until("the proof waits", waitsAt(gateProof))
	if now := p.state().Gates[gateStyle]; now.Status != core.Passed || *now.PassedAt != *decided.PassedAt {
		t.Errorf("the gate was %+v and is %+v", decided, now)
	}
}
