package demo

// This file holds the build in chunks as its story (stories/seedwatch.yaml) and its files have it: state.json and
// inbox.json, written as a whole like agents do it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gatehouse/parse/fctry/core"
)

const (
	// feederDir is a directory below the project's own, with a project in it.
	feederDir    = "seedwatch"
	feederHome   = feederDir + "/.fctry"
	feederState  = feederHome + "/state.json"
	feederInbox  = feederHome + "/inbox.json"
	feederConfig = feederHome + "/config.json"
	feederSpec   = feederHome + "/spec.md"

	specBefore, specNow = "1.3", "1.4"
)

// feederStory is what stories/seedwatch.yaml says.
type feederStory struct {
	Chunks []chunk
	Inbox  []struct {
		Ago                            time.Duration
		Random, Type, Content, Summary string
	}
	Config string
}

// chunk is a chunk of the plan.
type chunk struct {
	ID        int
	Name      string
	Needs     []int
	Sections  []string
	Number    string // of the first section
	Scenarios []string
	Takes     time.Duration
	Checks    []string // what is looked at when it is built
	Fails     string   // the check that the first attempt does not pass, "" where all goes well
	Asks      string   // what its user is asked before it begins, "" for nothing
	Otherwise string   // what the agent decides itself when nobody answers
}

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
	ReadinessSummary    map[string]int    `json:"readinessSummary"`
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

// event is an event of the run, with what each kind has beside.
type event struct {
	Kind          string  `json:"kind"`
	Chunk         string  `json:"chunk"`
	Timestamp     string  `json:"timestamp"`
	Summary       string  `json:"summary"`
	IsolationMode string  `json:"isolationMode,omitempty"`
	Checks        []check `json:"checks,omitempty"`
	Mode          string  `json:"mode,omitempty"`
	Attempt       int     `json:"attempt,omitempty"`
}

type check struct {
	Name   string `json:"name"`
	Result string `json:"result"`
}

// add adds an event; those that others have written stay as they are.
func (s *feeder) add(e event) {
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
		RunID: fmt.Sprintf("run-%d", at.UnixMilli()), Status: core.Running, StartedAt: now, ConvergencePhase: "a-winter-outside",
	}
	r.Plan.TotalChunks, r.Plan.Priorities, r.Plan.PrioritySource, r.Plan.SpecVersion = len(plan), []string{"reliability", "speed", "token-efficiency"}, "project", specNow
	for _, c := range plan {
		r.Chunks = append(r.Chunks, feederChunk{
			ID: c.ID, Name: c.Name, Status: chunkPlanned, Sections: c.Sections, Scenarios: c.Scenarios, DependsOn: slices.Concat([]int{}, c.Needs), MaxRetries: 3,
		})
	}
	return r
}

// inboxItem is what the agent writes and needs of an item of inbox.json.
type inboxItem struct {
	ID        string        `json:"id"`
	Type      string        `json:"type"`
	Content   string        `json:"content"`
	Timestamp string        `json:"timestamp"`
	Status    string        `json:"status"`
	Analysis  inboxAnalysis `json:"analysis"`
}

type inboxAnalysis struct {
	Summary string `json:"summary"`
}

// marshal writes a value without the escapes that are meant for web pages.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSpace(b.Bytes()), err
}

// text is what an agent writes: two spaces, no line end behind.
func text(value any) (string, error) {
	flat, err := marshal(value)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = json.Indent(&b, flat, "", "  ")
	return b.String(), err
}
