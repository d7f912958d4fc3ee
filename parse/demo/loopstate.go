package demo

// This file holds the files of the loop that runs beside the build: its definition, loop.json, and its state, in the form
// and the order of protocols/loop-state.md, read and written as a whole like agents do it.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gatehouse/model/flow"
)

const (
	loopID    = "field-guide-loop"
	loopFile  = "loops/" + loopID + "/loop.json"
	loopState = "field-guide-state.json"
	guideDir  = "guide"

	gateOutline = "outline-gate"
	gateStyle   = "style-gate"
	gateFacts   = "facts-gate"
	gateProof   = "proof-gate"
)

// loopDefinition is loop.json.
type loopDefinition struct {
	ID          string      `json:"id"`
	Name        string      `json:"name"`
	Version     string      `json:"version"`
	Description string      `json:"description"`
	Phases      []loopPhase `json:"phases"`
	Gates       []loopGate  `json:"gates"`
	Defaults    struct {
		Mode     string `json:"mode"`
		Autonomy string `json:"autonomy"`
	} `json:"defaults"`
}

type loopPhase struct {
	Name     string   `json:"name"`
	Skills   []string `json:"skills"`
	Required bool     `json:"required"`

	takes    time.Duration // for each skill
	produces string        // its deliverable
}

type loopGate struct {
	ID           string   `json:"id"`
	Name         string   `json:"name"`
	AfterPhase   string   `json:"afterPhase"`
	Required     bool     `json:"required"`
	ApprovalType string   `json:"approvalType"`
	AutoCheck    string   `json:"autoCheck,omitempty"`
	Deliverables []string `json:"deliverables"`
}

// auto reports whether the agent opens the gate by itself.
func (g *loopGate) auto() bool { return g.ApprovalType == "auto" }

func fieldGuide() *loopDefinition {
	phase := func(name, produces string, takes float64, skills ...string) loopPhase {
		return loopPhase{name, skills, true, time.Duration(takes * float64(time.Second)), guideDir + "/" + produces}
	}
	d := &loopDefinition{
		ID: loopID, Name: "Field Guide", Version: "1.2.0",
		Description: "A printed guide to the birds of one garden, from a year of its diary.",
		Phases: []loopPhase{
			phase("GATHER", "BIRDS.md", 3, "count-songs", "choose-birds"),
			phase("OUTLINE", "OUTLINE.md", 3.5, "order-pages", "sketch-a-page"),
			phase("WRITE", "GUIDE.md", 6, "write-entries", "tell-twins-apart"),
			phase("CHECK", "FACTS.md", 5, "check-claims"),
			phase("PROOF", "PROOF.md", 5, "set-pages", "read-proof"),
			phase("PRINT", "ORDER.md", 4, "order-copies"),
		},
		Gates: []loopGate{
			{gateOutline, "Outline Approval", "OUTLINE", true, "human", "", []string{guideDir + "/OUTLINE.md"}},
			{gateStyle, "Style Look", "WRITE", false, "human", "", []string{guideDir + "/GUIDE.md"}},
			{gateFacts, "Facts", "CHECK", true, "auto", "every claim in GUIDE.md has a source", []string{guideDir + "/FACTS.md"}},
			{gateProof, "Proof Approval", "PROOF", true, "human", "", []string{guideDir + "/PROOF.md"}},
		},
	}
	d.Defaults.Mode, d.Defaults.Autonomy = "greenfield", "supervised"
	return d
}

// phase returns the place of a phase, -1 where there is none of the name.
func (d *loopDefinition) phase(name string) int {
	return slices.IndexFunc(d.Phases, func(p loopPhase) bool { return p.Name == name })
}

// runtime is the state file.
type runtime struct {
	Loop        string              `json:"loop"`
	Version     string              `json:"version"`
	Mode        string              `json:"mode"`
	Phase       string              `json:"phase"`
	Status      string              `json:"status"`
	Gates       members[gateState]  `json:"gates"`
	Phases      members[phaseState] `json:"phases"`
	Metrics     members[int]        `json:"metrics"`
	StartedAt   string              `json:"started_at"`
	LastUpdated string              `json:"last_updated"`
}

type gateState struct {
	Status        string   `json:"status"`
	Required      bool     `json:"required"`
	ApprovalType  string   `json:"approvalType"`
	Deliverables  []string `json:"deliverables"`
	PassedAt      *string  `json:"passedAt"`
	SkippedReason *string  `json:"skippedReason"`
}

type phaseState struct {
	Status       string   `json:"status"`
	Required     bool     `json:"required"`
	Skills       []string `json:"skills"`
	Deliverables []string `json:"deliverables"`
	StartedAt    *string  `json:"startedAt"`
	CompletedAt  *string  `json:"completedAt"`
}

// members is a JSON object whose order counts.
type members[T any] []member[T]

type member[T any] struct {
	key   string
	value T
}

// at returns the value of a key, which is added where it is missing.
func (m *members[T]) at(key string) *T {
	for i := range *m {
		if (*m)[i].key == key {
			return &(*m)[i].value
		}
	}
	*m = append(*m, member[T]{key: key})
	return &(*m)[len(*m)-1].value
}

// MarshalJSON writes the members in their order.
func (m members[T]) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, x := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := marshal(x.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", x.key, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads the members in the order of the file.
func (m *members[T]) UnmarshalJSON(data []byte) error {
	*m = nil
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("not an object: %w", err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if err := d.Decode(m.at(key.(string))); err != nil {
			return err
		}
	}
	return nil
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

// fresh is the state that a definition begins with (loop-state.md, "Generation Algorithm").
func (d *loopDefinition) fresh(now string) *runtime {
	s := &runtime{
		Loop: d.ID, Version: d.Version, Mode: d.Defaults.Mode, Phase: d.Phases[0].Name, Status: flow.Active,
		Metrics: members[int]{}, StartedAt: now, LastUpdated: now,
	}
	for _, g := range d.Gates {
		*s.Gates.at(g.ID) = gateState{Status: flow.Pending, Required: g.Required, ApprovalType: g.ApprovalType, Deliverables: g.Deliverables}
	}
	for _, p := range d.Phases {
		*s.Phases.at(p.Name) = phaseState{Status: flow.Pending, Required: p.Required, Skills: p.Skills, Deliverables: []string{}}
	}
	s.Phases.at(s.Phase).Status = flow.Active
	return s
}

// flow returns the state as the rules need it.
func (d *loopDefinition) flow(s *runtime) *flow.Loop {
	l := &flow.Loop{Status: s.Status, Phase: s.Phase, Placed: true}
	for _, p := range d.Phases {
		l.Phases = append(l.Phases, flow.Phase{Name: p.Name, Status: s.Phases.at(p.Name).Status, Required: p.Required})
	}
	for _, g := range d.Gates {
		l.Gates = append(l.Gates, flow.Gate{ID: g.ID, Status: s.Gates.at(g.ID).Status, Required: g.Required, After: d.phase(g.AfterPhase)})
	}
	return l
}
