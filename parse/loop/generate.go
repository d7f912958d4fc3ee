package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
)

// Note is a default that [Generate] used for an open point of the definition.
type Note struct {
	Code string // J-C1 to J-C8, see README.md
	Text string
}

// Generate returns the initial state of a loop for the content of its loop.json, and the name of the state file. now becomes started_at and
// last_updated. The error says where and why no state can be generated.
func Generate(content []byte, now time.Time) (text, file string, notes []Note, err error) {
	f, err := parseDefinition(string(content))
	var fault *mirror.Fault
	if errors.As(err, &fault) {
		return "", "", nil, fmt.Errorf("line %d, column %d: %s", fault.Line, max(fault.Col, 1), fault.Text)
	}
	at := f.Tree.Root()
	if !at.Is(doc.Map) {
		return "", "", nil, fmt.Errorf("line 1, column 1: this is %s, not a loop", at.Kind())
	}
	refused := f.Repeated
	if f.Incomplete {
		refused = append(refused, f.Problems...)
	}
	for i := range f.Gates {
		if g := &f.Gates[i]; g.After < 0 && !g.Value.Get("afterPhase").IsEmpty() {
			refused = append(refused, doc.Problem{At: g.Value.Get("afterPhase").Offset(), Text: protocol.Quote(g.ID) + " " + f.UnplacedReason(g), Fix: "name a phase of the loop"})
		}
	}
	if len(refused) > 0 {
		row, col := f.lines.Position(refused[0].At)
		fix, _, _ := strings.Cut(refused[0].Fix, ";") // without the consequence
		return "", "", nil, fmt.Errorf("line %d, column %d: %s; %s", row, col, line.Tidy(refused[0].Text), fix)
	}
	return generate(f.Definition, now)
}

func generate(d *core.Definition, now time.Time) (text, file string, notes []Note, err error) {
	switch {
	case d.ID == "":
		return "", "", nil, errors.New("the loop has no id; give it one")
	case !core.IsFileName(d.ID):
		return "", "", nil, fmt.Errorf("the id %q can't be part of a file name; use letters, digits, - and _", d.ID)
	case len(d.Phases) == 0:
		return "", "", nil, errors.New("the loop has no phases; name at least one")
	case len(d.Repeated) > 0:
		return "", "", nil, errors.New(line.Tidy(d.Repeated[0].Text))
	}
	g := &generator{d: d}
	for _, p := range d.Problems {
		g.addNote("", "%s", p.Text)
	}
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(g.newState(protocol.FormatTime(now))); err != nil {
		return "", "", nil, err
	}
	if file = strings.TrimSuffix(d.ID, "-loop") + "-state.json"; d.ID == "engineering-loop" { // it is older than the naming rule
		file = "loop-state.json"
	}
	return b.String(), file, g.notes, nil
}

// newState is the state of a new loop, its members in the order of the protocol.
type newState struct {
	Loop        string                     `json:"loop"`
	Version     string                     `json:"version"`
	Mode        string                     `json:"mode"`
	Phase       string                     `json:"phase"`
	Status      string                     `json:"status"`
	Gates       protocol.Ordered[newGate]  `json:"gates"`
	Phases      protocol.Ordered[newPhase] `json:"phases"`
	Metrics     struct{}                   `json:"metrics"`
	StartedAt   string                     `json:"started_at"`
	LastUpdated string                     `json:"last_updated"`
}

type newGate struct {
	Status        string   `json:"status"`
	Required      bool     `json:"required"`
	ApprovalType  string   `json:"approvalType"`
	Deliverables  []string `json:"deliverables"`
	PassedAt      *string  `json:"passedAt"`
	SkippedReason *string  `json:"skippedReason"`
}

type newPhase struct {
	Status       string   `json:"status"`
	Required     bool     `json:"required"`
	Skills       []string `json:"skills"`
	Deliverables []string `json:"deliverables"`
	StartedAt    *string  `json:"startedAt"`
	CompletedAt  *string  `json:"completedAt"`
}

// generator makes a new state and records the defaults that it uses.
type generator struct {
	d     *core.Definition
	notes []Note
}

func (g *generator) addNote(code, format string, args ...any) {
	g.notes = append(g.notes, Note{code, line.Tidy(fmt.Sprintf(format, args...))})
}

func (g *generator) newState(now string) newState {
	root := g.d.Tree.Root()
	s := newState{Loop: g.d.ID, Version: root.Get("version").Text(), Mode: root.Get("defaults", "mode").Text(), Phase: g.d.Phases[0].Name,
		Status: core.Active, StartedAt: now, LastUpdated: now}
	if s.Mode == "" {
		if s.Mode = root.Get("defaultMode").Text(); s.Mode == "" {
			s.Mode = "greenfield"
		}
		g.addNote("J-C1", "no default mode; %s is used", s.Mode)
	}
	if s.Version == "" {
		g.addNote("", `no version; "" is used`)
	}
	if !root.Get("gates").Is(doc.List) {
		g.addNote("J-C2", "the loop has no gates of its own")
	}
	for i := range g.d.Gates {
		if gate := &g.d.Gates[i]; gate.Nested {
			g.addNote("J-C2", "gate %s is defined in its phase; the state leaves it out", gate.ID)
		} else {
			s.Gates.Add(gate.ID, g.newGate(gate))
		}
	}
	for i, p := range g.d.Phases {
		phase := newPhase{Status: core.Pending, Required: g.isRequired("phase "+p.Name, "J-C6", p.Value), Skills: []string{}, Deliverables: []string{}}
		if i == 0 {
			phase.Status = core.Active
		}
		skills, _ := protocol.Names(p.Value.Get("skills"), protocol.NameKeys...)
		phase.Skills = append(phase.Skills, skills...)
		for skill := range p.Value.Get("skills").Children() {
			if skill.Is(doc.Map) {
				g.addNote("J-C7", "the skills of phase %s are objects; their names are used", p.Name)
				break
			}
		}
		s.Phases.Add(p.Name, phase)
	}
	return s
}

func (g *generator) newGate(d *core.DefinedGate) newGate {
	value := d.Value
	gate := newGate{Status: core.Pending, Required: g.isRequired("gate "+d.ID, "J-C3", value), ApprovalType: value.Get("approvalType").Text(), Deliverables: []string{}}
	if gate.ApprovalType == "" {
		gate.ApprovalType = "human"
		g.addNote("J-C4", "gate %s has no approvalType; human is used", d.ID)
	}
	if !value.Get("deliverables").Is(doc.List) {
		g.addNote("J-C5", "gate %s has no deliverables", d.ID)
	}
	if d.ByID {
		g.addNote("J-C8", "gate %s names its phase by id; its name is %s", d.ID, g.d.Phases[d.After].Name)
	}
	gate.Deliverables = append(gate.Deliverables, protocol.RequiredNames(value.Get("deliverables"))...)
	return gate
}

// isRequired reports whether something is required. The default is yes.
func (g *generator) isRequired(what, code string, value doc.Value) bool {
	is, ok := value.Get("required").Bool()
	if !ok {
		g.addNote(code, "%s does not say whether it is required; true is used", what)
	}
	return is || !ok
}
