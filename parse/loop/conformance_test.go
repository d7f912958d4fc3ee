package loop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
	"gatehouse/parse/protocol/transition"
)

// subject has the members that all rows about loops share: a state, and its definition as a file or in the row.
type subject struct {
	State json.RawMessage
	Loop  string
	JSON  json.RawMessage `json:"loop_json"`
}

// definition returns the content of the row's loop.json, "" without one.
func (s *subject) definition(t *testing.T) string {
	t.Helper()
	if len(s.JSON) > 0 && string(s.JSON) != "null" {
		return string(s.JSON)
	}
	if s.Loop == "" {
		return ""
	}
	content, err := os.ReadFile(filepath.Join(conformance.Dir(), "loops", filepath.FromSlash(s.Loop)))
	must(t, err)
	return string(content)
}

// loop returns the row's state, merged with its definition.
func (s *subject) loop(t *testing.T) *core.Loop {
	t.Helper()
	state, err := core.ParseState(string(s.State))
	if err != nil {
		t.Fatalf("the row's state is none: %v", err)
	}
	var d *core.Definition
	if content := s.definition(t); content != "" {
		if d, err = core.ParseDefinition(content); err != nil {
			t.Fatal(err)
		}
	}
	return core.New(state, d)
}

// project writes state and definition into a directory and returns a reader of it.
func (s *subject) project(t *testing.T) *Reader {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x-state.json"), string(s.State))
	if content := s.definition(t); content != "" {
		write(t, filepath.Join(dir, "loop.json"), content)
	}
	readers := Readers(mirror.New(dir), "", nil)
	if len(readers) != 1 {
		t.Fatalf("%d readers", len(readers))
	}
	return readers[0]
}

func code(c transition.Code) *string {
	if c == transition.OK {
		return nil
	}
	s := string(c)
	return &s
}

func equal(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

func show(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

// transitionRow is a row of transitions.jsonl, of any kind.
type transitionRow struct {
	subject
	Kind, Machine, From, To, Event string
	Error                          *string

	Gate, Action, Reason, Now string
	Phase                     string
	Missing                   []string `json:"missing_deliverables"`
	Writes                    map[string]string
	Warnings                  []string
}

func TestConformanceTransitions(t *testing.T) {
	conformance.Rows(t, "transitions.jsonl", func(t *testing.T, row transitionRow) {
		var got transition.Code
		switch {
		case row.Machine == "loop":
			got = core.LoopMachine.Check(row.From, row.To)
		case row.Machine == "gate":
			got = core.GateMachine.Check(row.From, row.To)
		case row.Machine == "phase":
			got = core.PhaseMachine.Check(row.From, row.To)
		case row.Machine == "ultraplan_gate":
			return // package record tests these rows
		case row.Kind == "gate_action":
			got = gateAction(t, row)
		case row.Kind == "phase_action":
			got = row.loop(t).CheckPhase(row.Phase, row.To)
		default:
			t.Fatalf("a row of no known kind: machine %q, kind %q", row.Machine, row.Kind)
		}
		if !equal(code(got), row.Error) {
			t.Errorf("refused with %s, want %s", show(code(got)), show(row.Error))
		}
	})
}

// gateAction decides the gate of a row, and returns the code of the refusal. All files of the row exist except the missing ones.
func gateAction(t *testing.T, row transitionRow) transition.Code {
	t.Helper()
	r := row.project(t)
	v := r.open(time.Time{})
	i := v.GateNamed(row.Gate)
	if i >= 0 {
		for _, name := range v.gateTerms(i).Deliverables {
			if protocol.IsFileName(name) && !slices.Contains(row.Missing, name) {
				write(t, filepath.Join(r.m.Root(), name), "x")
			}
		}
	}
	r.m.Touch()
	now, err := time.Parse(time.RFC3339, row.Now)
	must(t, err)
	content := string(row.State)
	q := protocol.Request{Action: model.Action{Verb: model.Verb(row.Action), Node: "gate/" + row.Gate, Text: row.Reason, Ahead: true}, Content: content, Now: now}
	change, err := protocoltest.Decide(r, q)
	code := transition.OK
	if refused, ok := err.(*model.Refusal); ok {
		if code = transition.Code(refused.Code); len(row.Writes) == 0 {
			return code
		}
		q.RecordFailed = true
		change, err = protocoltest.Decide(r, q)
	}
	must(t, err)
	isWarned := slices.ContainsFunc(change.Warnings, func(w string) bool { return strings.HasPrefix(w, "the gate is required") })
	if isWarned != slices.Contains(row.Warnings, string(transition.RequiredGateSkipped)) {
		t.Errorf("warnings %q, want %q", change.Warnings, row.Warnings)
	}
	after, err := protocol.Apply(content, change.Spans)
	must(t, err)
	want := decode(t, content)
	for path, value := range row.Writes {
		set(want, strings.Split(path, "."), value)
	}
	if got := decode(t, after); !reflect.DeepEqual(got, want) {
		t.Errorf("the editor makes %v, want %v", got, want)
	}
	return code
}

func decode(t *testing.T, text string) (v map[string]any) {
	t.Helper()
	must(t, json.Unmarshal([]byte(text), &v))
	return v
}

func set(in map[string]any, path []string, value string) {
	for _, key := range path[:len(path)-1] {
		in = in[key].(map[string]any)
	}
	in[path[len(path)-1]] = value
}

func TestConformanceResume(t *testing.T) {
	conformance.Rows(t, "resume.jsonl", func(t *testing.T, row struct {
		subject
		Expected map[string]*string
	}) {
		if len(row.Expected) == 0 {
			t.Fatal("the row expects nothing")
		}
		l := row.loop(t)
		r := l.FindResume()
		got := map[string]*string{"action": &r.Action, "error": code(r.Code), "phase": nil, "gate": nil}
		if r.Phase >= 0 {
			got["phase"] = &l.Phases[r.Phase].Name
		}
		if r.Gate >= 0 {
			got["gate"] = &l.Gates[r.Gate].ID
		}
		for key, want := range row.Expected {
			is, known := got[key]
			if !known || !equal(is, want) {
				t.Errorf("%s is %s, want %s", key, show(is), show(want))
			}
		}
		// The build shows the same gate as its next step.
		b := row.project(t).Read(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
		if gate := row.Expected["gate"]; gate != nil && b.Pause == nil && (b.Next == nil || !strings.HasSuffix(b.Next.Command, " "+*gate)) {
			t.Errorf("the build's next step is %+v, want gate %s", b.Next, *gate)
		}
	})
}

func TestConformanceValidateState(t *testing.T) {
	conformance.Rows(t, "validate_state.jsonl", func(t *testing.T, row struct {
		subject
		Initial bool
		Rules   []int `json:"expected_rules"`
		Details [][]any
	}) {
		v := row.project(t).open(time.Time{})
		d, err := core.ParseDefinition(row.definition(t))
		must(t, err)
		v.mergeDefinition(v.State, definition{Definition: d}) // even if their names differ
		details := []string{}
		rules := []int{}
		for _, b := range v.brokenRules(row.Initial) {
			if b.Number == 0 {
				continue // not one of the eleven rules
			}
			if b.At == 0 && b.Subject == "" || b.Text == "" || b.Fix == "" {
				t.Errorf("rule %d about %s has no place, text or fix", b.Number, b.Subject)
			}
			rules = append(rules, b.Number)
			details = append(details, detail(b.Number, b.Subject))
		}
		if rules = slices.Compact(rules); !slices.Equal(rules, row.Rules) {
			t.Errorf("broken are %v, want %v", rules, row.Rules)
		}
		want := []string{}
		for _, d := range row.Details {
			want = append(want, detail(int(d[0].(float64)), d[1].(string)))
		}
		slices.Sort(want)
		slices.Sort(details)
		if !slices.Equal(details, want) {
			t.Errorf("broken by %q, want %q", details, want)
		}
	})
}

// detail names a rule and its subject. A misspelled name may be in the spelling of the state or of the definition.
func detail(rule int, subject string) string {
	return fmt.Sprintf("%d %s", rule, strings.ToLower(subject))
}

func TestConformanceLoopGenerate(t *testing.T) {
	conformance.Rows(t, "loop_generate.jsonl", func(t *testing.T, row struct {
		Loop  json.RawMessage `json:"loop_json"`
		Now   string
		State map[string]any `json:"expected_state"`
		Text  string         `json:"expected_text"`
		File  string         `json:"state_file"`
	}) {
		now, err := time.Parse(time.RFC3339, row.Now)
		must(t, err)
		text, file, err := Generate(row.Loop, now)
		must(t, err)
		if text != row.Text {
			t.Errorf("text\n%s\nwant\n%s", text, row.Text)
		}
		if file != row.File {
			t.Errorf("file %s, want %s", file, row.File)
		}
		if !reflect.DeepEqual(decode(t, text), row.State) {
			t.Errorf("the text says another state")
		}
		isNew := subject{State: json.RawMessage(text), JSON: row.Loop}
		for _, b := range isNew.project(t).open(now).brokenRules(true) {
			if b.Number > 0 {
				t.Errorf("a new state breaks rules: %+v", b)
			}
		}
	})
}

func write(t testing.TB, file, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(file), 0o755))
	must(t, os.WriteFile(file, []byte(text), 0o644))
}

// TestGenerateRefuses checks the errors for definitions from which no state can be generated.
func TestGenerateRefuses(t *testing.T) {
	conformance.OwnRows(t, "generaterefuses.jsonl", func(t *testing.T, c struct {
		Text, Want string
	}) {
		_, _, err := Generate([]byte(c.Text), time.Time{})
		if err == nil || !strings.Contains(err.Error(), c.Want) {
			t.Errorf("%s: %v, want %s", c.Text, err, c.Want)
		}
	})
}
