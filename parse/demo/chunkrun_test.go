package demo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/fctry/core"
)

// feederPlay is the build in chunks alone, with a clock that a test moves.
type feederPlay struct{ projectPlay }

func playFeeder(t *testing.T) *feederPlay {
	t.Helper()
	return &feederPlay{playProject(t, feederDir)}
}

// build reads it as the dashboard does.
func (p *feederPlay) build() *model.Build {
	p.Helper()
	b := p.read("fctry")
	if len(b.Problems) > 0 || len(b.Divergences) > 0 {
		p.Errorf("problems %v, divergences %v in\n%s", b.Problems, b.Divergences, p.file(feederState))
	}
	return b
}

func (p *feederPlay) pass(d time.Duration) {
	p.Helper()
	for ; d > 0; d -= tick {
		p.c.now = p.c.now.Add(tick)
		if err := p.b.feed.tick(tick); err != nil {
			p.Fatal(err)
		}
	}
}

// until lets the agent work until its build is so.
func (p *feederPlay) until(what string, is func(b *model.Build) bool) *model.Build {
	p.Helper()
	for range 600 {
		if b := p.build(); is(b) {
			return b
		}
		p.pass(5 * tick)
	}
	p.Fatalf("never: %s; the state is\n%s", what, p.file(feederState))
	return nil
}

// do does what a human does with Gatehouse.
func (p *feederPlay) do(a model.Action) *model.Outcome {
	p.Helper()
	a.Project, a.Build = p.project.Root(), "fctry"
	o, err := p.as.Do(p.Context(), a)
	if err != nil {
		p.Fatal(err)
	}
	return o
}

func asked(b *model.Build) bool { return len(b.Certain()) > 0 }

func chunkIs(id string, s model.Status) func(*model.Build) bool {
	return func(b *model.Build) bool {
		n, _ := b.Find("chunk/" + id)
		return n != nil && n.Status == s
	}
}

func TestFeederIsAnsweredThroughItsInbox(t *testing.T) {
	p := playFeeder(t)
	if b := p.build(); b.Status != model.Active || b.Progress.Chunks != (model.Count{Done: 2, Total: 9}) || asked(b) {
		t.Errorf("at the start: %s, %+v, %v waits", b.Status, b.Progress.Chunks, b.Waits)
	}
	b := p.until("it asks", asked)
	if w := b.Certain()[0]; !strings.HasPrefix(w.Text, "When shall Seedwatch call for more seed?") {
		t.Errorf("it asks %q", w.Text)
	}
	gate, _ := b.Find("gate/question")
	if !slices.Equal(gate.Gate.Opens, []string{"chunk/6", "chunk/8", "chunk/9"}) {
		t.Errorf("on the answer hang %q", gate.Gate.Opens)
	}
	p.pass(15 * time.Second) // work goes on meanwhile
	if n, _ := p.build().Find("chunk/4"); n.Status == model.Pending {
		t.Error("nothing goes on while it asks")
	}
	p.do(model.Action{Verb: model.VerbAdd, Text: "Call me at a fifth <of it>"})
	b = p.until("the answer is heeded", func(b *model.Build) bool { return !asked(b) })
	n, _ := b.Find("chunk/6")
	if i := slices.IndexFunc(n.Facts, func(f model.Fact) bool { return f.Label == "note" && f.Value == "Call me at a fifth <of it>" }); i < 0 {
		t.Errorf("the chunk has %v", n.Facts)
	}
	if x, _ := b.Find("group/inbox"); x.Children[0].Raw != "processed" || len(x.Children) != 3 {
		t.Errorf("the inbox has %+v", x.Children[0])
	}
}

func TestFeederDecidesItselfInTheEnd(t *testing.T) {
	p := playFeeder(t)
	p.until("it asks", asked)
	p.pass(thinking - 5*time.Second)
	if !asked(p.build()) {
		t.Error("it does not wait for as long as it should")
	}
	b := p.until("it completes", func(b *model.Build) bool { return b.Status == model.Done })
	if b.Progress.Percent != 100 || len(b.Certain()) > 0 || b.Raw != core.Completed {
		t.Errorf("%+v", b.Progress)
	}
	before := p.file(feederState)
	p.pass(time.Minute)
	if p.file(feederState) != before {
		t.Error("it goes on when all is done")
	}
	kinds := map[string]int{}
	for _, e := range b.Activity {
		kinds[e.Kind]++
		if e.Chunk != "" && e.Node == "" {
			t.Errorf("nobody knows what %s is about: %q", e.Kind, e.Chunk)
		}
	}
	if kinds["verification-failed"] != 1 || kinds["chunk-retrying"] != 1 || kinds["chunk-verified"] != 9 || kinds["chunk-completed"] != 9 || kinds["interview-completed"] != 1 {
		t.Errorf("told: %v", kinds)
	}
}

func TestFeederTriesAgainWhatFailsItsVerification(t *testing.T) {
	p := playFeeder(t)
	b := p.until("a chunk is tried again", chunkIs("5", model.Retrying))
	n, _ := b.Find("chunk/5")
	if i := slices.IndexFunc(n.Facts, func(f model.Fact) bool { return f.Label == "attempt" && f.Value == "2 of 3" }); i < 0 {
		t.Errorf("%+v", n.Facts)
	}
	if i := slices.IndexFunc(b.Activity, func(x model.Activity) bool { return x.Kind == "verification-failed" && x.Alert && x.Node == "chunk/5" }); i < 0 {
		t.Errorf("%+v", b.Activity)
	}
	p.until("it is done", chunkIs("5", model.Done))
}

func TestFeederStartsFresh(t *testing.T) {
	p := playFeeder(t)
	p.until("a chunk is done", chunkIs("3", model.Done))
	p.do(model.Action{Verb: model.VerbFresh})
	p.pass(replanning / 2)
	if b := p.build(); b.Raw != "" || slices.Contains(b.Can, model.VerbFresh) {
		t.Errorf("cleared, and it is %q", b.Raw)
	}
	b := p.until("it is planned anew", func(b *model.Build) bool { return b.Raw == core.Running })
	if b.Progress.Chunks.Done != 0 {
		t.Errorf("%+v", b.Progress)
	}
}

func TestFeederLeavesTheInboxToItsUser(t *testing.T) {
	p := playFeeder(t)
	o := p.do(model.Action{Verb: model.VerbAdd, Text: "https://example.org/lids"})
	p.pass(heeding / 2)
	p.do(model.Action{Verb: model.VerbUndo, Node: o.Decision.Node}) // there is time for that
	o = p.do(model.Action{Verb: model.VerbAdd, Text: "Name the squirrel"})
	raw := func() string {
		n, _ := p.build().Find(o.Decision.Node)
		if n == nil {
			return ""
		}
		return n.Raw
	}
	p.until("it is looked at", func(*model.Build) bool { return raw() == "processing" })
	// What an item holds besides stays.
	name := filepath.Join(p.b.dir, filepath.FromSlash(feederInbox))
	text := strings.Replace(p.file(feederInbox), `"content": "Name`, `"votes": 12345678901234567890, "content": "Name`, 1)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	p.until("it is read", func(*model.Build) bool { return raw() == "processed" })
	if !strings.Contains(p.file(feederInbox), `"votes": 12345678901234567890`) {
		t.Error(p.file(feederInbox))
	}
	p.do(model.Action{Verb: model.VerbDismiss, Node: o.Decision.Node})
	p.pass(3 * heeding)
	if raw() != "" {
		t.Error("what was taken out is back")
	}
}

func TestFeederIsWhatTheProtocolSays(t *testing.T) {
	p := playFeeder(t)
	for p.build().Raw == core.Running { // a run that is completed stays to be looked at, which the rules mind
		if broken := p.project.Check(p.c.now); len(broken) > 0 {
			t.Fatalf("rules broken: %v in\n%s", broken, p.file(feederState))
		}
		p.pass(3 * time.Second)
	}
	// A state that is being written is let be.
	if err := os.WriteFile(filepath.Join(p.b.dir, filepath.FromSlash(feederState)), []byte(`{"buildRun":`), 0o644); err != nil {
		t.Fatal(err)
	}
	p.pass(10 * time.Second)
	if json.Valid([]byte(p.file(feederState))) {
		t.Error("a state that can't be read was written over")
	}
}
