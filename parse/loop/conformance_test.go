package loop

import (
	"encoding/json"
	"fmt"
	"maps"
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
	"gatehouse/parse/loop/rules"
	"gatehouse/parse/text/edit"
	ultraplan "gatehouse/parse/ultraplan/rules"
)

// subject is what the rows about loops share: a state, and its definition by file or in the row.
type subject struct {
	State json.RawMessage
	Loop  string
	JSON  json.RawMessage `json:"loop_json"`
}

// definition returns the content of the row's loop.json, "" where it names none.
func (s *subject) definition(t *testing.T) string {
	t.Helper()
	if len(s.JSON) > 0 && string(s.JSON) != "null" {
		return string(s.JSON)
	}
	if s.Loop == "" {
		return ""
	}
	content, err := os.ReadFile(filepath.Join(conformance.Dir(), "loops", filepath.FromSlash(s.Loop)))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// parsed returns the row's state and definition, nil without one.
func (s *subject) parsed(t *testing.T) (*state, *definition) {
	t.Helper()
	st, err := parseState(string(s.State))
	if err != nil || st == nil {
		t.Fatalf("the row's state is none: %v", err)
	}
	content := s.definition(t)
	if content == "" {
		return st, nil
	}
	d, err := parseDefinition(content)
	if err != nil {
		t.Fatal(err)
	}
	return st, d
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

func code(c rules.Code) *string {
	if c == rules.OK {
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

// transition is a row of transitions.jsonl, of whichever kind.
type transition struct {
	subject
	Kind, Machine, From, To, Event string
	Error                          *string
	GateStep                       *int `json:"gate_step"`
	AttemptDelta                   int  `json:"attempt_delta"`
	ResetSteps                     bool `json:"reset_steps"`

	Gate, Action, Reason, Now string
	Phase                     string
	Missing                   []string `json:"missing_deliverables"`
	Writes                    map[string]string
	Warnings                  []string
}

func TestConformanceTransitions(t *testing.T) {
	conformance.Rows(t, "transitions.jsonl", func(t *testing.T, row transition) {
		var got rules.Code
		switch {
		case row.Machine == "loop":
			got = rules.LoopStep(row.From, row.To)
		case row.Machine == "gate":
			got = rules.GateStep(row.From, row.To)
		case row.Machine == "phase":
			got = rules.PhaseStep(row.From, row.To)
		case row.Machine == "ultraplan_gate":
			got = taskEvent(t, row)
		case row.Kind == "gate_action":
			got = gateAction(t, row)
		case row.Kind == "phase_action":
			st, d := row.parsed(t)
			l := loopOf(st, d)
			got = l.PhaseAction(row.Phase, row.To)
		default:
			t.Fatalf("a row of no known kind: machine %q, kind %q", row.Machine, row.Kind)
		}
		if !equal(code(got), row.Error) {
			t.Errorf("refused with %s, want %s", show(code(got)), show(row.Error))
		}
	})
}

func taskEvent(t *testing.T, row transition) rules.Code {
	got, ok := ultraplan.TaskEvent(row.From, row.Event)
	want := ultraplan.TaskStep{To: row.To, Attempt: row.AttemptDelta, Reset: row.ResetSteps}
	if row.GateStep != nil {
		want.Step = *row.GateStep
	}
	if got != want {
		t.Errorf("%s on %s gives %+v, want %+v", row.Event, row.From, got, want)
	}
	switch {
	case ok:
		return rules.OK
	case ultraplan.GateStatus(row.From) != row.From:
		return rules.UnknownStatus
	}
	return rules.Forbidden
}

// gateAction asks the rules, and then the editor, which has to write the same values and nothing else.
func gateAction(t *testing.T, row transition) rules.Code {
	st, d := row.parsed(t)
	l := loopOf(st, d)
	writes, warnings, refused := l.GateAction(rules.GateAction{Gate: row.Gate, Verb: row.Action, Text: row.Reason, Missing: row.Missing, Now: row.Now})
	got := map[string]string{}
	for _, w := range writes {
		got[strings.Join(w.Path, ".")] = w.Value
	}
	if !maps.Equal(got, row.Writes) {
		t.Errorf("the rules write %v, want %v", got, row.Writes)
	}
	var warned []string
	for _, w := range warnings {
		warned = append(warned, string(w))
	}
	if !slices.Equal(warned, row.Warnings) && len(warned)+len(row.Warnings) > 0 {
		t.Errorf("warnings %v, want %v", warned, row.Warnings)
	}
	editGateRow(t, row)
	return refused
}

func editGateRow(t *testing.T, row transition) {
	t.Helper()
	r := row.project(t)
	v := r.open(time.Time{})
	for _, g := range v.s.gates {
		if g.Name != row.Gate {
			continue
		}
		for _, name := range deliverablesOf(&g, v.definedGate(g.Name)) {
			if isFile(name) && !slices.Contains(row.Missing, name) {
				write(t, filepath.Join(r.m.Root(), name), "x")
			}
		}
	}
	r.m.Touch()
	now, err := time.Parse(time.RFC3339, row.Now)
	if err != nil {
		t.Fatal(err)
	}
	content := string(row.State)
	q := edit.Request{Action: model.Action{Verb: model.Verb(row.Action), Node: "gate/" + row.Gate, Text: row.Reason}, Content: content, Now: now}
	change, err := r.Edit(q)
	if refused, ok := err.(*model.Refusal); ok {
		if !equal(&refused.Code, row.Error) {
			t.Errorf("the editor refuses with %v (%s), want %s", err, refused.Code, show(row.Error))
		}
		if len(row.Writes) == 0 {
			return
		}
		q.RecordFailed = true
		change, err = r.Edit(q)
	}
	if err != nil {
		t.Fatal(err)
	}
	after, err := edit.Apply(content, change.Spans)
	if err != nil {
		t.Fatal(err)
	}
	want := decode(t, content)
	for path, value := range row.Writes {
		set(want, strings.Split(path, "."), value)
	}
	if got := decode(t, after); !reflect.DeepEqual(got, want) {
		t.Errorf("the editor makes %v, want %v", got, want)
	}
}

func decode(t *testing.T, text string) (v map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
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
		st, d := row.parsed(t)
		l := loopOf(st, d)
		r := l.Resume()
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
		// The build says the same.
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
		st, d := row.parsed(t)
		if d == nil {
			t.Fatal("the row names no loop")
		}
		details := []string{}
		rules := []int{}
		for _, b := range broken(st, d, row.Initial) {
			if line, _ := st.doc.Place(b.at); line < 1 || b.text == "" || b.fix == "" {
				t.Errorf("rule %d about %s has no place, text or fix", b.rule, b.subject)
			}
			rules = append(rules, b.rule)
			details = append(details, detail(b.rule, b.subject))
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

// detail is what breaks a rule. A misspelt name may be told as the state or as the definition spells it.
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
		// What the rows' own maker noted of defaults, one for each that was taken.
		Judgement any
	}) {
		now, err := time.Parse(time.RFC3339, row.Now)
		if err != nil {
			t.Fatal(err)
		}
		text, file, notes, err := Generate(row.Loop, now)
		if err != nil {
			t.Fatal(err)
		}
		if text != row.Text {
			t.Errorf("text\n%s\nwant\n%s", text, row.Text)
		}
		if file != row.File {
			t.Errorf("file %s, want %s", file, row.File)
		}
		if !reflect.DeepEqual(decode(t, text), row.State) {
			t.Errorf("the text says another state")
		}
		all, _ := row.Judgement.([]any)
		for _, j := range all {
			label, _, _ := strings.Cut(j.(string), " ")
			if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "("+label+")") }) {
				t.Errorf("nothing is noted of %q, only %q", j, notes)
			}
		}
		st, err := parseState(text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := parseDefinition(string(row.Loop))
		if err != nil {
			t.Fatal(err)
		}
		if b := broken(st, d, true); len(b) > 0 || !fresh(st) {
			t.Errorf("a new state breaks rules: %+v, fresh %v", b, fresh(st))
		}
	})
}

func write(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestGenerateRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "line 1, column 1: the JSON breaks off here",
		"{\n  \"id\": }":                        "line 2, column 9: this is no JSON",
		"[1]":                                   "line 1, column 1: this is no loop: a list, not an object",
		`{"phases":[{"name":"A"}]}`:             "the loop has no id",
		`{"id":"../x","phases":[{"name":"A"}]}`: "can't be part of a file's name",
		`{"id":"x","phases":[{}]}`:              "the loop has no phases",
		`{"id":"x","phases":[{"name":"A"},{"name":"A"}]}`:                    `two phases are called "A"`,
		`{"id":"x","phases":[{"name":"A"}],"gates":[{"id":"g"},{"id":"g"}]}`: `two gates are called "g"`,
	} {
		_, _, _, err := Generate([]byte(text), time.Time{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// loopOf returns a state as the rules have it.
func loopOf(s *state, d *definition) *rules.Loop {
	var defined *rules.Definition
	if d != nil {
		defined = d.Definition
	}
	return new(rules.Memory).Loop(&s.State, defined)
}
