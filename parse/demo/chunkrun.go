package demo

// This file is the agent that builds in chunks, in a project of its own below the first. What it does next follows from its
// state.json, which it reads at every tick: a run that somebody clears is planned anew. What it asks is answered by whatever
// is put into the inbox then; when nobody does, it decides by itself after a while, and goes on meanwhile with what does not
// hang on the answer.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"gatehouse/parse/doc"
	"gatehouse/parse/fctry/core"
)

const (
	// thinking is how long the agent waits for an answer before it decides by itself.
	thinking = 50 * time.Second
	// heeding is how long an item lies in the inbox before it is taken up: time to take it out again.
	heeding = 4 * time.Second
	// planning anew takes a while.
	replanning = 8 * time.Second
	// handover is the time between two chunks.
	handover = 1500 * time.Millisecond
)

// feederAgent builds Seedwatch.
type feederAgent struct {
	b     *Build
	story feederStory

	building work
	reading  work          // an item of the inbox
	asked    time.Duration // for how long the question at hand has waited

	stateText string // the state as it was read last, "" once it is written
	stateWas  *feeder
	inboxText string // likewise
	inboxWas  []json.RawMessage
	inboxSaid []inboxItem
}

func newFeederAgent(b *Build) *feederAgent {
	a := &feederAgent{b: b}
	load("seedwatch.yaml", &a.story)
	return a
}

// feederJob is one thing that the agent does.
type feederJob struct {
	name  string
	takes time.Duration
	note  func(s *feeder)
}

// tick lets time go by for the agent.
func (a *feederAgent) tick(d time.Duration) error {
	s := a.state()
	if s == nil {
		return nil // gone, or somebody is writing it
	}
	if err := a.sort(s, d); err != nil {
		return err
	}
	next := a.next(s, d)
	if !a.building.done(next.name, next.takes, d) {
		return nil
	}
	next.note(s)
	return a.save(s)
}

// state returns the state file, nil while it can't be read.
func (a *feederAgent) state() *feeder {
	content, err := a.b.readFile(feederState)
	if err != nil {
		return nil
	}
	if content != a.stateText {
		s := new(feeder)
		if json.Unmarshal([]byte(content), s) != nil {
			return nil
		}
		a.stateText, a.stateWas = content, s
	}
	return a.stateWas
}

// save writes the whole file back, as agents do.
func (a *feederAgent) save(s *feeder) error {
	if r := s.BuildRun; r != nil && r.Status == core.Running {
		done := 0
		for _, c := range r.Chunks {
			if c.Status == chunkCompleted {
				done++
			}
		}
		s.ChunkProgress = &chunkProgress{Current: min(done+1, len(r.Chunks)), Total: len(r.Chunks)}
		s.ScenarioScore = scenarioScore{Satisfied: done, Total: len(r.Chunks)}
		s.ReadinessSummary = map[string]int{"aligned": done, "ready-to-build": len(r.Chunks) - done}
	}
	s.LastUpdated = a.b.second()
	content, err := text(s)
	if err != nil {
		return err
	}
	a.stateText = ""
	return a.b.overwrite(feederState, content+"\n")
}

// next returns what there is to do, none while the agent has to stand still.
func (a *feederAgent) next(s *feeder, d time.Duration) (job feederJob) {
	r := s.BuildRun
	switch {
	case r == nil:
		return feederJob{"plan anew", replanning, a.begins}
	case r.Status != core.Running:
		return job
	}
	if q := r.PendingQuestion; q == nil {
		a.asked = 0
	} else if a.asked += d; a.asked >= thinking {
		return feederJob{"decide", 0, func(s *feeder) { a.answered(s, a.chunk(q.BlockedChunks[0]).Otherwise, "Nobody answered: ") }}
	}
	if i := slices.IndexFunc(r.Chunks, func(c feederChunk) bool { return c.Status == chunkActive || c.Status == chunkRetrying }); i >= 0 {
		c := &r.Chunks[i]
		return feederJob{fmt.Sprint("build ", c.ID, " attempt ", c.Attempt), a.chunk(c.ID).Takes, func(s *feeder) { a.built(s, i) }}
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		switch open := c.Status == chunkPlanned && r.ready(c); {
		case open && a.chunk(c.ID).Asks != "" && c.Note == "" && r.PendingQuestion == nil:
			return feederJob{fmt.Sprint("ask for ", c.ID), handover, func(s *feeder) { a.ask(s, i) }}
		case open && (a.chunk(c.ID).Asks == "" || c.Note != ""):
			return feederJob{fmt.Sprint("begin ", c.ID), handover, func(s *feeder) { a.start(s, i) }}
		}
	}
	if slices.ContainsFunc(r.Chunks, func(c feederChunk) bool { return c.Status != chunkCompleted }) {
		return job // what is left hangs on the answer
	}
	return feederJob{"complete", handover, a.completes}
}

// chunk returns the plan of a chunk; of one that nobody has planned, an empty one.
func (a *feederAgent) chunk(id int) chunk {
	if id < 1 || id > len(a.story.Chunks) {
		return chunk{Takes: handover}
	}
	return a.story.Chunks[id-1]
}

// label is how events name a chunk.
func label(c *feederChunk) string { return fmt.Sprintf("Chunk %d: %s", c.ID, c.Name) }

// start begins a chunk, in a context of its own.
func (a *feederAgent) start(s *feeder, i int) {
	c, now := &s.BuildRun.Chunks[i], a.b.second()
	c.Status, c.Attempt, c.StartedAt = chunkActive, 1, now
	if plan := a.chunk(c.ID); plan.Number != "" {
		s.ActiveSection, s.ActiveSectionNumber = &plan.Sections[0], &plan.Number
	}
	s.add(event{Kind: "context-boundary", Chunk: label(c), Timestamp: now, Summary: "Fresh context for this chunk", IsolationMode: "subagent"})
	s.add(event{Kind: "chunk-started", Chunk: label(c), Timestamp: now, Summary: "Building " + c.Name})
}

// built is what comes of an attempt: it is verified, and completed or tried again.
func (a *feederAgent) built(s *feeder, i int) {
	c, now := &s.BuildRun.Chunks[i], a.b.second()
	plan := a.chunk(c.ID)
	var checks []check
	passed := 0
	for _, name := range plan.Checks {
		result := "pass"
		if name == plan.Fails && c.Attempt == 1 {
			result = "fail"
		} else {
			passed++
		}
		checks = append(checks, check{name, result})
	}
	verdict := event{Chunk: label(c), Timestamp: now, Summary: fmt.Sprintf("%d/%d checks passed", passed, len(checks)), Checks: checks, Mode: "full"}
	if passed < len(checks) {
		c.Status, c.Attempt, verdict.Kind = chunkRetrying, c.Attempt+1, "verification-failed"
		s.add(verdict)
		s.add(event{Kind: "chunk-retrying", Chunk: label(c), Timestamp: now, Summary: "Trying again: " + plan.Fails, Attempt: c.Attempt})
		return
	}
	c.Status, c.Attempt, c.CompletedAt, c.SpecVersionAtBuild = chunkCompleted, 0, now, s.SpecVersion
	s.BuildRun.LastCheckpoint = &now
	s.ActiveSection, s.ActiveSectionNumber = nil, nil
	verdict.Kind = "chunk-verified"
	s.add(verdict)
	s.add(event{Kind: "chunk-completed", Chunk: label(c), Timestamp: now, Summary: c.Name + " is built"})
	s.add(event{Kind: "context-checkpointed", Chunk: label(c), Timestamp: now, Summary: "Build state checkpointed before context boundary"})
}

// ask asks the user.
func (a *feederAgent) ask(s *feeder, i int) {
	c := &s.BuildRun.Chunks[i]
	q := &feederQuestion{Text: a.chunk(c.ID).Asks, Timestamp: a.b.second(), BlockedChunks: s.BuildRun.hangOn(c.ID), SectionContext: c.Sections[0]}
	s.BuildRun.PendingQuestion = q
	s.add(event{Kind: "interview-started", Chunk: label(c), Timestamp: q.Timestamp, Summary: q.Text})
}

// answered notes the answer to the question.
func (a *feederAgent) answered(s *feeder, answer, how string) {
	q := s.BuildRun.PendingQuestion
	if q == nil {
		return
	}
	s.BuildRun.PendingQuestion = nil
	for i := range s.BuildRun.Chunks {
		if c := &s.BuildRun.Chunks[i]; c.ID == q.BlockedChunks[0] {
			c.Note = answer
			s.add(event{Kind: "interview-completed", Chunk: label(c), Timestamp: a.b.second(), Summary: how + answer})
		}
	}
}

// completes closes the run.
func (a *feederAgent) completes(s *feeder) {
	s.BuildRun.Status, s.ChunkProgress, s.WorkflowStep = core.Completed, nil, nil
	s.CompletedSteps = append(s.CompletedSteps, "executor-build")
	next := "Run /fctry:review to look over what was built"
	s.NextStep = &next
	s.add(event{Kind: "build-completed", Timestamp: a.b.second(), Summary: fmt.Sprintf("All %d chunks are built", len(s.BuildRun.Chunks))})
}

// begins plans a run.
func (a *feederAgent) begins(s *feeder) {
	now := a.b.second()
	step := "executor-build"
	s.CurrentCommand, s.WorkflowStep, s.CompletedSteps, s.NextStep = "execute", &step, []string{"state-owner-scan", "executor-plan"}, nil
	s.SpecVersion = specNow
	s.BuildRun = freshRun(a.story.Chunks, a.b.when(), now)
}

// sort looks after the inbox: what is new is read after a while, or is the answer to what was asked.
func (a *feederAgent) sort(s *feeder, d time.Duration) error {
	items, said := a.inbox()
	i := slices.IndexFunc(said, func(e inboxItem) bool { return e.Status == "processing" })
	for k := len(said) - 1; i < 0 && k >= 0; k-- { // the oldest first
		if said[k].Status == "pending" {
			i = k
		}
	}
	if i < 0 {
		a.reading = work{}
		return nil
	}
	if !a.reading.done(said[i].ID+" "+said[i].Status, heeding, d) {
		return nil
	}
	return a.takeUp(s, items, i, said[i])
}

// inbox returns what is in the inbox, as it stands there and as it is understood; nothing while it can't be read.
func (a *feederAgent) inbox() (items []json.RawMessage, said []inboxItem) {
	content, err := a.b.readFile(feederInbox)
	if err != nil {
		return nil, nil
	}
	if content != a.inboxText {
		if json.Unmarshal([]byte(content), &items) != nil {
			return nil, nil
		}
		for _, raw := range items {
			var e inboxItem
			_ = json.Unmarshal(raw, &e) // what is no item says nothing
			said = append(said, e)
		}
		a.inboxText, a.inboxWas, a.inboxSaid = content, items, said
	}
	return a.inboxWas, a.inboxSaid
}

// takeUp does the next thing with an item of the inbox, and leaves in it what else it holds.
func (a *feederAgent) takeUp(s *feeder, items []json.RawMessage, i int, e inboxItem) error {
	answers := false
	if r := s.BuildRun; r != nil && r.PendingQuestion != nil {
		asked, _ := time.Parse(time.RFC3339, r.PendingQuestion.Timestamp)
		put, err := time.Parse(time.RFC3339, e.Timestamp)
		answers = err == nil && !put.Before(asked)
	}
	values := []doc.Assignment{set("processing", "status")}
	switch {
	case answers:
		values = []doc.Assignment{
			set("processed", "status"), set(inboxAnalysis{"The answer to what was asked."}, "analysis"),
			set("/fctry:execute "+a.b.day(), "consumedBy"),
		}
	case e.Status == "processing":
		values = []doc.Assignment{set("processed", "status"), set(inboxAnalysis{"Read, and kept for the next plan."}, "analysis")}
	}
	item, err := changed(string(items[i]), values...)
	if err != nil {
		return err
	}
	items[i] = json.RawMessage(item)
	content, err := text(items)
	a.inboxText = ""
	if err := errors.Join(err, a.b.overwrite(feederInbox, content+"\n")); err != nil {
		return err
	}
	if answers {
		a.answered(s, e.Content, "You said: ")
		return a.save(s)
	}
	return nil
}

// over reports whether the run has ended, or was never there.
func (a *feederAgent) over() bool {
	content, err := a.b.readFile(feederState)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	s := new(feeder)
	return json.Unmarshal([]byte(content), s) == nil && s.BuildRun != nil && s.BuildRun.Status == core.Completed
}

// The run as the demo begins: two chunks are built, one of them against an older specification, the third is under way.
const (
	runAgo    = 34 * time.Minute
	scaleAgo  = 25 * time.Minute
	landedAgo = 11 * time.Minute
	seedAgo   = 2 * time.Minute
)

// begin writes a run that is under way, and the files beside it.
func (a *feederAgent) begin() error {
	*a = feederAgent{b: a.b, story: a.story}
	defer func() { a.b.ago = 0 }()
	s := &feeder{ReadinessSummary: map[string]int{}}
	a.b.ago = runAgo
	a.begins(s)
	for i, c := range []struct {
		ago, takes time.Duration
		spec       string
	}{{scaleAgo, 6 * time.Minute, specBefore}, {landedAgo, 12 * time.Minute, specNow}} {
		a.b.ago = c.ago + c.takes
		a.start(s, i)
		a.b.ago, s.SpecVersion = c.ago, c.spec
		a.built(s, i)
	}
	a.b.ago = seedAgo
	a.start(s, 2)
	spec, err := stories.ReadFile("stories/seedwatch-spec.md")
	if err != nil {
		return err
	}
	var items []inboxItem
	for _, x := range a.story.Inbox {
		a.b.ago = x.Ago
		e := inboxItem{fmt.Sprintf("inbox-%d-%s", a.b.when().UnixMilli(), x.Random), x.Type, x.Content, a.b.stamp(), "processed", inboxAnalysis{x.Summary}}
		items = append(items, e)
	}
	inbox, err := text(items)
	if err != nil {
		return err
	}
	for _, file := range []struct {
		ago        time.Duration
		name, text string
	}{{9 * day, feederConfig, a.story.Config}, {50 * time.Hour, feederInbox, inbox + "\n"}, {40 * time.Minute, feederSpec, string(spec)}} {
		a.b.ago = file.ago
		if err := a.b.writeFile(file.name, file.text); err != nil {
			return err
		}
	}
	a.b.ago = seedAgo
	return a.save(s)
}
