package demo

// This file holds the files of the build in chunks: state.json and inbox.json, read and written as a whole like agents do it.

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gatehouse/model/flow"
)

// feeder is state.json.
type feeder struct {
	ActiveSection       *string           `json:"activeSection"`
	ActiveSectionNumber *string           `json:"activeSectionNumber"`
	CurrentCommand      string            `json:"currentCommand"`
	WorkflowStep        *string           `json:"workflowStep"`
	CompletedSteps      []string          `json:"completedSteps"`
	NextStep            *string           `json:"nextStep"`
	ScenarioScore       scenarioScore     `json:"scenarioScore"`
	ChunkProgress       *chunkProgress    `json:"chunkProgress"`
	ReadinessSummary    members[int]      `json:"readinessSummary"`
	SpecVersion         string            `json:"specVersion"`
	BuildRun            *feederRun        `json:"buildRun"`
	BuildEvents         []json.RawMessage `json:"buildEvents"`
	LastUpdated         string            `json:"lastUpdated"`
}

type scenarioScore struct {
	Satisfied int `json:"satisfied"`
	Total     int `json:"total"`
}

type chunkProgress struct {
	Current int `json:"current"`
	Total   int `json:"total"`
}

// feederRun is buildRun.
type feederRun struct {
	RunID     string `json:"runId"`
	Status    string `json:"status"`
	StartedAt string `json:"startedAt"`
	Plan      struct {
		TotalChunks    int      `json:"totalChunks"`
		Priorities     []string `json:"priorities"`
		PrioritySource string   `json:"prioritySource"`
		SpecVersion    string   `json:"specVersion"`
	} `json:"plan"`
	Chunks           []feederChunk   `json:"chunks"`
	PendingQuestion  *feederQuestion `json:"pendingQuestion,omitempty"`
	ConvergencePhase string          `json:"convergencePhase"`
	LastCheckpoint   *string         `json:"lastCheckpoint"`
}

type feederChunk struct {
	ID                 int      `json:"id"`
	Name               string   `json:"name"`
	Status             string   `json:"status"`
	Sections           []string `json:"sections"`
	Scenarios          []string `json:"scenarios"`
	DependsOn          []int    `json:"dependsOn"`
	SpecVersionAtBuild string   `json:"specVersionAtBuild,omitempty"`
	Attempt            int      `json:"attempt,omitempty"`
	MaxRetries         int      `json:"maxRetries,omitempty"`
	StartedAt          string   `json:"startedAt,omitempty"`
	CompletedAt        string   `json:"completedAt,omitempty"`
	Note               string   `json:"note,omitempty"` // what its user has answered
}

type feederQuestion struct {
	Text           string `json:"text"`
	Timestamp      string `json:"timestamp"`
	BlockedChunks  []int  `json:"blockedChunks"`
	SectionContext string `json:"sectionContext"`
}

// The words of a chunk's status.
const (
	chunkPlanned   = "planned"
	chunkActive    = "active"
	chunkRetrying  = "retrying"
	chunkCompleted = "completed"
)

// done reports whether a chunk is completed.
func (r *feederRun) done(id int) bool {
	return slices.ContainsFunc(r.Chunks, func(c feederChunk) bool { return c.ID == id && c.Status == chunkCompleted })
}

// ready reports whether all is done that a chunk needs.
func (r *feederRun) ready(c *feederChunk) bool {
	return !slices.ContainsFunc(c.DependsOn, func(id int) bool { return !r.done(id) })
}

// hangOn returns the IDs of a chunk and of all that need it.
func (r *feederRun) hangOn(id int) []int {
	ids := []int{id}
	for _, c := range r.Chunks { // a chunk comes behind what it needs
		if slices.ContainsFunc(c.DependsOn, func(need int) bool { return slices.Contains(ids, need) }) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// event adds an event, of pairs of keys and values behind its kind.
func (s *feeder) event(kind, at, chunk, summary string, more ...any) {
	e := members[any]{{"kind", kind}, {"chunk", chunk}, {"timestamp", at}, {"summary", summary}}
	for i := 0; i+1 < len(more); i += 2 {
		*e.at(fmt.Sprint(more[i])) = more[i+1]
	}
	raw, err := marshal(e)
	if err != nil { // an event is made of texts, numbers and lists
		panic("demo: an event that is no JSON: " + err.Error())
	}
	s.BuildEvents = append(s.BuildEvents, raw)
	if n := len(s.BuildEvents); n > eventsKept {
		s.BuildEvents = s.BuildEvents[n-eventsKept:]
	}
}

// eventsKept is how many events a state keeps.
const eventsKept = 100

// freshRun is the run as a plan begins it.
func freshRun(plan []chunk, at time.Time, now string) *feederRun {
	r := &feederRun{
		RunID: fmt.Sprintf("run-%d", at.UnixMilli()), Status: flow.RunRunning, StartedAt: now, ConvergencePhase: "a-winter-outside",
	}
	r.Plan.TotalChunks, r.Plan.Priorities, r.Plan.PrioritySource, r.Plan.SpecVersion = len(plan), []string{"reliability", "speed", "token-efficiency"}, "project", specNow
	for _, c := range plan {
		r.Chunks = append(r.Chunks, feederChunk{
			ID: c.id, Name: c.name, Status: chunkPlanned, Sections: c.sections, Scenarios: c.scenarios, DependsOn: slices.Concat([]int{}, c.needs), MaxRetries: 3,
		})
	}
	return r
}

// entry is an item of inbox.json, with all that it holds.
type entry = members[json.RawMessage]

// said returns a text of an item.
func said(e entry, key string) (text string) {
	for _, m := range e {
		if m.key == key {
			json.Unmarshal(m.value, &text) // what is no text says nothing
		}
	}
	return text
}

// say sets a text of an item.
func say(e *entry, key, text string) error {
	raw, err := marshal(text)
	*e.at(key) = raw
	return err
}
