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

	"gatehouse/model/flow"
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
	b    *Build
	plan []chunk

	doing string        // the job at hand, "" for none
	left  time.Duration // until it is done
	asked time.Duration // for how long the question at hand has waited

	stateText string // the state as it was read last, "" once it is written
	stateWas  *feeder
	inboxText string // likewise
	inboxWas  []entry

	item     string        // the ID of the item of the inbox at hand
	itemLeft time.Duration // until something happens to it
}

func newFeederAgent(b *Build) *feederAgent { return &feederAgent{b: b, plan: feederPlan()} }

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
	if next == nil {
		a.doing = ""
		return nil
	}
	if next.name != a.doing {
		a.doing, a.left = next.name, next.takes
	}
	if a.left -= d; a.left > 0 {
		return nil
	}
	a.doing = ""
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
	if r := s.BuildRun; r != nil && r.Status == flow.RunRunning {
		done := 0
		for _, c := range r.Chunks {
			if c.Status == chunkCompleted {
				done++
			}
		}
		s.ChunkProgress = &chunkProgress{Current: min(done+1, len(r.Chunks)), Total: len(r.Chunks)}
		s.ScenarioScore = scenarioScore{Satisfied: done, Total: len(r.Chunks)}
		s.ReadinessSummary = members[int]{{"aligned", done}, {"ready-to-build", len(r.Chunks) - done}}
	}
	s.LastUpdated = a.b.second()
	content, err := text(s)
	if err != nil {
		return err
	}
	a.stateText = ""
	return a.b.overwrite(feederState, content+"\n")
}

// next returns what there is to do, nil while the agent has to stand still.
func (a *feederAgent) next(s *feeder, d time.Duration) *feederJob {
	r := s.BuildRun
	switch {
	case r == nil:
		return &feederJob{"plan anew", replanning, a.begins}
	case r.Status != flow.RunRunning:
		return nil
	}
	if q := r.PendingQuestion; q == nil {
		a.asked = 0
	} else if a.asked += d; a.asked >= thinking {
		return &feederJob{"decide", 0, func(s *feeder) { a.answered(s, a.chunk(q.BlockedChunks[0]).otherwise, "Nobody answered: ") }}
	}
	if i := slices.IndexFunc(r.Chunks, func(c feederChunk) bool { return c.Status == chunkActive || c.Status == chunkRetrying }); i >= 0 {
		c := &r.Chunks[i]
		return &feederJob{fmt.Sprint("build ", c.ID, " attempt ", c.Attempt), a.chunk(c.ID).takes, func(s *feeder) { a.built(s, i) }}
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		switch open := c.Status == chunkPlanned && r.ready(c); {
		case open && a.chunk(c.ID).asks != "" && c.Note == "" && r.PendingQuestion == nil:
			return &feederJob{fmt.Sprint("ask for ", c.ID), handover, func(s *feeder) { a.ask(s, i) }}
		case open && (a.chunk(c.ID).asks == "" || c.Note != ""):
			return &feederJob{fmt.Sprint("begin ", c.ID), handover, func(s *feeder) { a.start(s, i) }}
		}
	}
	if slices.ContainsFunc(r.Chunks, func(c feederChunk) bool { return c.Status != chunkCompleted }) {
		return nil // what is left hangs on the answer
	}
	return &feederJob{"complete", handover, a.completes}
}

// chunk returns the plan of a chunk; of one that nobody has planned, an empty one.
func (a *feederAgent) chunk(id int) chunk {
	if id < 1 || id > len(a.plan) {
		return chunk{takes: handover}
	}
	return a.plan[id-1]
}

// label is how events name a chunk.
func label(c *feederChunk) string { return fmt.Sprintf("Chunk %d: %s", c.ID, c.Name) }

// start begins a chunk, in a context of its own.
func (a *feederAgent) start(s *feeder, i int) {
	c, now := &s.BuildRun.Chunks[i], a.b.second()
	c.Status, c.Attempt, c.StartedAt = chunkActive, 1, now
	s.activeSection(c)
	s.event("context-boundary", now, label(c), "Fresh context for this chunk", "isolationMode", "subagent")
	s.event("chunk-started", now, label(c), "Building "+c.Name)
}

// activeSection says what is worked on; a nil chunk is nothing.
func (s *feeder) activeSection(c *feederChunk) {
	s.ActiveSection, s.ActiveSectionNumber = nil, nil
	if c == nil || len(c.Sections) == 0 {
		return
	}
	for _, x := range feederSections {
		if "#"+x.alias == c.Sections[0] {
			s.ActiveSection, s.ActiveSectionNumber = &c.Sections[0], &x.number
		}
	}
}

// built is what comes of an attempt: it is verified, and completed or tried again.
func (a *feederAgent) built(s *feeder, i int) {
	c, now := &s.BuildRun.Chunks[i], a.b.second()
	plan := a.chunk(c.ID)
	var checks []members[any]
	passed := 0
	for _, name := range plan.checks {
		result := "pass"
		if name == plan.fails && c.Attempt == 1 {
			result = "fail"
		} else {
			passed++
		}
		checks = append(checks, members[any]{{"name", name}, {"result", result}})
	}
	summary := fmt.Sprintf("%d/%d checks passed", passed, len(plan.checks))
	if passed < len(plan.checks) {
		c.Status, c.Attempt = chunkRetrying, c.Attempt+1
		s.event("verification-failed", now, label(c), summary, "checks", checks, "mode", "full")
		s.event("chunk-retrying", now, label(c), "Trying again: "+plan.fails, "attempt", c.Attempt)
		return
	}
	c.Status, c.Attempt, c.CompletedAt, c.SpecVersionAtBuild = chunkCompleted, 0, now, s.SpecVersion
	s.BuildRun.LastCheckpoint = &now
	s.activeSection(nil)
	s.event("chunk-verified", now, label(c), summary, "checks", checks, "mode", "full")
	s.event("chunk-completed", now, label(c), c.Name+" is built")
	s.event("context-checkpointed", now, label(c), "Build state checkpointed before context boundary")
}

// ask asks the user.
func (a *feederAgent) ask(s *feeder, i int) {
	c := &s.BuildRun.Chunks[i]
	q := &feederQuestion{Text: a.chunk(c.ID).asks, Timestamp: a.b.second(), BlockedChunks: s.BuildRun.hangOn(c.ID), SectionContext: c.Sections[0]}
	s.BuildRun.PendingQuestion = q
	s.event("interview-started", q.Timestamp, label(c), q.Text)
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
			s.event("interview-completed", a.b.second(), label(c), how+answer)
		}
	}
}

// completes closes the run.
func (a *feederAgent) completes(s *feeder) {
	s.BuildRun.Status, s.ChunkProgress, s.WorkflowStep = flow.RunCompleted, nil, nil
	s.CompletedSteps = append(s.CompletedSteps, "executor-build")
	next := "Run /fctry:review to look over what was built"
	s.NextStep = &next
	s.event("build-completed", a.b.second(), "", fmt.Sprintf("All %d chunks are built", len(s.BuildRun.Chunks)))
}

// begins plans a run.
func (a *feederAgent) begins(s *feeder) {
	now := a.b.second()
	step := "executor-build"
	s.CurrentCommand, s.WorkflowStep, s.CompletedSteps, s.NextStep = "execute", &step, []string{"state-owner-scan", "executor-plan"}, nil
	s.SpecVersion = specNow
	s.BuildRun = freshRun(a.plan, a.b.when(), now)
}

// sort looks after the inbox: what is new is read after a while, or is the answer to what was asked.
func (a *feederAgent) sort(s *feeder, d time.Duration) error {
	items := a.inbox()
	i := slices.IndexFunc(items, func(e entry) bool { return said(e, "status") == "processing" })
	for k := len(items) - 1; i < 0 && k >= 0; k-- { // the oldest first
		if said(items[k], "status") == "pending" {
			i = k
		}
	}
	if i < 0 {
		a.item = ""
		return nil
	}
	if id := said(items[i], "id") + said(items[i], "status"); id != a.item {
		a.item, a.itemLeft = id, heeding
	}
	if a.itemLeft -= d; a.itemLeft > 0 {
		return nil
	}
	return a.takeUp(s, items, i)
}

// inbox returns what is in the inbox; nothing while it can't be read.
func (a *feederAgent) inbox() []entry {
	content, err := a.b.readFile(feederInbox)
	if err != nil {
		return nil
	}
	if content != a.inboxText {
		var items []entry
		if json.Unmarshal([]byte(content), &items) != nil {
			return nil
		}
		a.inboxText, a.inboxWas = content, items
	}
	return a.inboxWas
}

// takeUp does the next thing with an item of the inbox.
func (a *feederAgent) takeUp(s *feeder, items []entry, i int) error {
	e := &items[i]
	answers := false
	if r := s.BuildRun; r != nil && r.PendingQuestion != nil {
		asked, _ := time.Parse(time.RFC3339, r.PendingQuestion.Timestamp)
		put, err := time.Parse(time.RFC3339, said(*e, "timestamp"))
		answers = err == nil && !put.Before(asked)
	}
	status, analysis := "processing", ""
	switch {
	case answers:
		status, analysis = "processed", `{"summary":"The answer to what was asked."}`
	case said(*e, "status") == "processing":
		status, analysis = "processed", `{"summary":"Read, and kept for the next plan."}`
	}
	err := say(e, "status", status)
	if analysis != "" {
		*e.at("analysis") = json.RawMessage(analysis)
	}
	if answers {
		err = errors.Join(err, say(e, "consumedBy", "/fctry:execute "+a.b.day()))
	}
	content, failed := text(items)
	a.inboxText = ""
	if err := errors.Join(err, failed, a.b.overwrite(feederInbox, content+"\n")); err != nil {
		return err
	}
	if answers {
		a.answered(s, said(*e, "content"), "You said: ")
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
	return json.Unmarshal([]byte(content), s) == nil && s.BuildRun != nil && s.BuildRun.Status == flow.RunCompleted
}
