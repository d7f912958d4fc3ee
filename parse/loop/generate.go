package loop

import (
	"cmp"
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

// Generate returns the initial state of a loop for the content of its loop.json, and the name of the state file. now becomes started_at and
// last_updated. The error says where and why no state can be generated.
func Generate(content []byte, now time.Time) (text, file string, err error) {
	f, err := parseDefinition(string(content))
	var fault *mirror.Fault
	if errors.As(err, &fault) {
		return "", "", fmt.Errorf("line %d, column %d: %s", fault.Line, max(fault.Col, 1), fault.Text)
	}
	at := f.Tree.Root()
	if !at.Is(doc.Map) {
		return "", "", fmt.Errorf("line 1, column 1: this is %s, not a loop", at.Kind())
	}
	refused := f.Repeated
	if f.Incomplete {
		refused = append(refused, f.Problems...)
	}
	for i := range f.Gates {
		if g := &f.Gates[i]; g.After < 0 && !g.Value.Get("afterPhase").IsEmpty() {
			why := protocol.Quote(g.ID) + " " + f.UnplacedReason(g)
			refused = append(refused, doc.Problem{At: g.Value.Get("afterPhase").Offset(), Text: why, Fix: "name a phase of the loop"})
		}
	}
	if len(refused) > 0 {
		row, col := f.lines.Position(refused[0].At)
		fix, _, _ := strings.Cut(refused[0].Fix, ";") // without the consequence
		return "", "", fmt.Errorf("line %d, column %d: %s; %s", row, col, line.Tidy(refused[0].Text), fix)
	}
	return generate(f.Definition, now)
}

func generate(d *core.Definition, now time.Time) (text, file string, err error) {
	switch {
	case d.ID == "":
		return "", "", errors.New("the loop has no id; give it one")
	case !core.IsFileName(d.ID):
		return "", "", fmt.Errorf("the id %q can't be part of a file name; use letters, digits, - and _", d.ID)
	case len(d.Phases) == 0:
		return "", "", errors.New("the loop has no phases; name at least one")
	case len(d.Repeated) > 0:
		return "", "", errors.New(line.Tidy(d.Repeated[0].Text))
	}
	var b strings.Builder
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(stateOf(d, protocol.FormatTime(now))); err != nil {
		return "", "", err
	}
	if file = strings.TrimSuffix(d.ID, "-loop") + "-state.json"; d.ID == "engineering-loop" { // it is older than the naming rule
		file = "loop-state.json"
	}
	return b.String(), file, nil
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

// stateOf returns the new state for a definition. Gates that are defined in a phase are left out.
func stateOf(d *core.Definition, now string) newState {
	root := d.Tree.Root()
	s := newState{
		Loop: d.ID, Version: root.Get("version").Text(), Phase: d.Phases[0].Name, Status: core.Active, StartedAt: now, LastUpdated: now,
		Mode: cmp.Or(root.Get("defaults", "mode").Text(), root.Get("defaultMode").Text(), "greenfield"),
	}
	for i := range d.Gates {
		g := &d.Gates[i]
		if g.Nested {
			continue
		}
		s.Gates.Add(g.ID, newGate{
			Status: core.Pending, Required: isRequired(g.Value), ApprovalType: cmp.Or(g.Value.Get("approvalType").Text(), "human"),
			Deliverables: append([]string{}, protocol.RequiredNames(g.Value.Get("deliverables"))...),
		})
	}
	for i, p := range d.Phases {
		skills, _ := protocol.Names(p.Value.Get("skills"), protocol.NameKeys...)
		phase := newPhase{Status: core.Pending, Required: isRequired(p.Value), Skills: append([]string{}, skills...), Deliverables: []string{}}
		if i == 0 {
			phase.Status = core.Active
		}
		s.Phases.Add(p.Name, phase)
	}
	return s
}

// isRequired reports whether something is required. The default is yes.
func isRequired(value doc.Value) bool {
	is, ok := value.Get("required").Bool()
	return is || !ok
}
