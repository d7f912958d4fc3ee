package loop

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/protocol"
)

// TestStricterTermsCount weakens the first gate of a state in each way: waits and missing deliverables stay those in the definition,
// and the difference is a problem of the build and of its check.
func TestStricterTermsCount(t *testing.T) {
	plain := stateText("active", sewing, [3]string{"pending", "passed", "pending"})
	cut := func(text string, from, to string) string {
		a := strings.Index(text, from)
		b := a + strings.Index(text[a:], to) + len(to)
		return text[:a] + text[b:]
	}
	for _, c := range []struct{ name, state, rule, text string }{
		{"not required", strings.Replace(plain, `"required": true`, `"required": false`, 1), ruleRequired, "“sketch-gate” is not required in the state, but required in the definition"},
		{"no gate", cut(plain, `    "sketch-gate"`, "\n"), "loop-02", "the gate “sketch-gate” of the definition is missing"},
		{"no deliverables", strings.Replace(plain, `["SKETCH.md", "docs/PLAN.md"]`, `[]`, 1), "loop-05", "the deliverables of “sketch-gate” differ from the definition"},
		{"one deliverable less", strings.Replace(plain, `["SKETCH.md", "docs/PLAN.md"]`, `["SKETCH.md"]`, 1), "loop-05", "the deliverables of “sketch-gate”"},
		{"automatic", strings.Replace(plain, `"approvalType": "human"`, `"approvalType": "auto"`, 1), ruleApproval, "“sketch-gate” is “auto” in the state, but human in the definition"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := kite(t, c.state, nil)
			b := r.Read(noon)
			for what, problems := range map[string][]model.Problem{"the build": b.Problems, "its check": r.Check(noon)} {
				n := 0
				for _, p := range problems {
					if p.Rule == c.rule && strings.HasPrefix(p.Text, c.text) && p.File == "kite-state.json" && p.Line > 0 && p.Severity == model.Error {
						n++
					}
				}
				if n != 1 {
					t.Errorf("%s says it %d times: %v", what, n, problems)
				}
			}
			gate := modeltest.Node(t, b, "gate/sketch-gate")
			if len(b.Certain()) != 1 || b.Waits[0].Node != gate.ID || gate.Status != model.Waiting || !gate.Gate.Required || gate.Gate.Approval != model.ApprovalHuman {
				t.Errorf("waits %+v, %s, %+v", b.Waits, gate.Status, gate.Gate)
			}
			if gate.Count.Total != 2 {
				t.Errorf("%d deliverables", gate.Count.Total)
			}
			if !strings.HasSuffix(string(b.Claimed.AppendFull(nil)), "next approve sketch-gate") {
				t.Errorf("the line is %s", b.Claimed.AppendFull(nil))
			}
			q := ask(model.VerbApprove, c.state, "")
			_, err := decide(r, q)
			want := "E_DELIVERABLES_MISSING"
			if c.name == "no gate" {
				want = "E_NO_GATE"
			}
			if refused, ok := err.(*model.Refusal); !ok || refused.Code != want {
				t.Errorf("approved: %v", err)
			}
		})
	}
	if b := kite(t, plain, nil).Read(noon); slices.ContainsFunc(b.Problems, func(p model.Problem) bool { return p.Severity == model.Error }) {
		t.Errorf("nothing is weakened: %v", b.Problems)
	}
	stronger := strings.Replace(stateText("active", sewing, [3]string{"passed", "pending", "pending"}), `"required": false`, `"required": true`, 1)
	if b := kite(t, stronger, nil).Read(noon); len(b.Certain()) != 1 || b.Waits[0].Node != "gate/wind-gate" || len(b.Problems) != 0 {
		t.Errorf("a state that asks for more: %+v, %v", b.Waits, b.Problems)
	}
}

// TestGatesOfDamagedDefinitionsWait: an unusable definition is an error, and its gates wait.
func TestGatesOfDamagedDefinitionsWait(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"empty":          {" ", "loop.json can't be read: "},
		"half-written":   {definitionText[:200], "loop.json can't be read: "},
		"without an id":  {strings.Replace(definitionText, `"id": "kite-loop", `, "", 1), "loop.json has no id"},
		"in other case":  {strings.Replace(definitionText, `"kite-loop"`, `"Kite-Loop"`, 1), "loop.json has an id that differs from the loop's only in case"},
		"without phases": {`{"id": "kite-loop"}`, "loop.json has no phases"},
		"a list":         {`[]`, "loop.json has no phases"},
		"a giant":        {strings.TrimSuffix(definitionText, "}") + strings.Repeat(" ", 9<<20) + "}", "loop.json can't be read: "},
	} {
		t.Run(name, func(t *testing.T) {
			r := kite(t, stateText("active", sewing, allOpen), map[string]string{"loop.json": c.text})
			b := r.Read(noon)
			var waits []string
			for _, w := range b.Certain() {
				waits = append(waits, w.Node)
				if w.Node == "" && w.Text != "loop.json can't be read, so its gates are unknown" ||
					w.Node != "" && !strings.Contains(w.Text, "; its place is unknown: loop.json can't be read") {
					t.Errorf("%s", w.Text)
				}
			}
			if b.Unread != "loop.json can't be read, so its gates are unknown" {
				t.Errorf("unread %q", b.Unread)
			}
			if got := fmt.Sprint(waits); got != "[gate/sketch-gate  gate/sew-gate]" || b.Status != model.Waiting {
				t.Errorf("waits %s, %s", got, b.Status)
			}
			paused := kite(t, stateText("paused", sewing, allOpen), map[string]string{"loop.json": c.text}).Read(noon)
			if w := paused.Certain(); len(w) != 1 || w[0].Text != b.Unread || !strings.HasSuffix(string(paused.Claimed.AppendFull(nil)), "◆ loop.json can't be read") {
				t.Errorf("paused: %+v, %s", paused.Waits, paused.Claimed.AppendFull(nil))
			}
			for _, problems := range [][]model.Problem{b.Problems, r.Check(noon)} {
				if !slices.ContainsFunc(problems, func(p model.Problem) bool {
					return p.Rule == ruleDefinition && p.Severity == model.Error && strings.HasPrefix(p.Text, c.says)
				}) {
					t.Errorf("%v", problems)
				}
			}
		})
	}
}

// TestUnreadableDefinitionBlocksCompletion: no loop is completed and no phase skipped while the required phases are unknown.
func TestUnreadableDefinitionBlocksCompletion(t *testing.T) {
	state := stateText("active", over, [3]string{"passed", "passed", "passed"})
	for definition, refused := range map[string]bool{definitionText[:200]: true, definitionText: false} {
		r := kite(t, state, map[string]string{"loop.json": definition})
		for _, verb := range []model.Verb{model.VerbComplete, model.VerbSkipPhase} {
			q := ask(verb, state, "")
			_, err := decide(r, q)
			if says := err != nil && strings.Contains(err.Error(), "loop.json can't be read"); says != refused {
				t.Errorf("%s: %v", verb, err)
			}
		}
	}
}

// TestUnknownStatusOfALoop: an unknown status is a problem, and the waits of the loop stay.
func TestUnknownStatusOfALoop(t *testing.T) {
	for _, word := range []string{"blocked", "in-progress", "dreaming", ""} {
		b := kite(t, stateText(word, atGate, allOpen), nil).Read(noon)
		if !slices.ContainsFunc(b.Problems, func(p model.Problem) bool { return p.Rule == "loop-word" && p.Line == 5 }) {
			t.Errorf("%q is no problem: %v", word, b.Problems)
		}
		if len(b.Certain()) != 1 || b.Waits[0].Node != "gate/sketch-gate" || !strings.Contains(b.Waits[0].Text, "; the loop is ") {
			t.Errorf("%q: waits %+v", word, b.Waits)
		}
	}
}

// TestMissingPhasesAndGatesAreOpen: phases and gates that only the definition has are open.
func TestMissingPhasesAndGatesAreOpen(t *testing.T) {
	whole := stateText("complete", over, [3]string{"passed", "passed", "passed"})
	phase := strings.Replace(whole, `"Sew It"`, `"sew it"`, 1)
	gate := strings.Replace(whole, `"sew-gate"`, `"Sew-gate"`, 1)
	for state, truth := range map[string]string{whole: "", phase: "“Sew It” of loop.json is missing in the state", gate: "sew-gate is missing in the state"} {
		b := kite(t, state, nil).Read(noon)
		switch {
		case truth == "" && b.Status == model.Done:
		case b.Status == model.Done || len(b.Divergences) != 1 || b.Divergences[0].Truth != truth || strings.Contains(string(b.Claimed.AppendFull(nil)), "complete"):
			t.Errorf("%s, %+v, %s; want %q", b.Status, b.Divergences, b.Claimed.AppendFull(nil), truth)
		}
	}
}

// TestMissingNestedGates: a gate that only a phase of the definition has waits if it says that it is required.
func TestMissingNestedGates(t *testing.T) {
	for inside, waits := range map[string]string{`"required": true`: "gate/glue-gate", `"required": false`: "", `"approvalType": "human"`: ""} {
		definition := strings.Replace(definitionText, `"name": "SKETCH"`, `"name": "SKETCH", "gates": [{"id": "glue-gate", `+inside+`}]`, 1)
		r := kite(t, stateText("active", sewing, [3]string{"passed", "pending", "pending"}), map[string]string{"loop.json": definition})
		b, got := r.Read(noon), ""
		for _, w := range b.Certain() {
			got += w.Node
		}
		if got != waits {
			t.Errorf("%s: waits %q, not %q", inside, got, waits)
		}
		if missing := slices.ContainsFunc(r.Check(noon), func(p model.Problem) bool {
			return p.Text == "the gate “glue-gate” of the definition is missing"
		}); missing != (waits != "") {
			t.Errorf("%s: check says missing: %t", inside, missing)
		}
		if claims := strings.Contains(string(b.Claimed.AppendFull(nil)), "next approve glue-gate"); claims != (waits != "") {
			t.Errorf("%s: %s", inside, b.Claimed.AppendFull(nil))
		}
	}
}

// TestMentionedGates: a required gate that a phase names but nothing defines waits without a place, and check reports it.
func TestMentionedGates(t *testing.T) {
	const undefined = "“glue-gate” is named by a phase, but no gate has that id"
	for inside, c := range map[string]struct{ waits, says string }{
		`"gates": ["glue-gate"]`: {"gate/glue-gate", undefined}, `"gate": "glue-gate"`: {"gate/glue-gate", undefined},
		`"gate": {"id": "glue-gate", "required": true}`:  {"gate/glue-gate", undefined},
		`"gate": {"id": "glue-gate"}`:                    {"gate/glue-gate", undefined},
		`"gate": {"id": "glue-gate", "required": false}`: {"", "the protocol has no “gate” of a phase"},
		`"gate": ["glue-gate"]`:                          {" ", "the protocol has no “gate” of a phase"}, // the whole of it
		`"gate": null`:                                   {}, `"gate": ""`: {}, `"gate": "sketch-gate"`: {"", "the protocol has no “gate” of a phase"}, `"gates": ["sketch-gate"]`: {},
	} {
		definition := strings.Replace(definitionText, `"name": "SKETCH"`, `"name": "SKETCH", `+inside, 1)
		r := kite(t, stateText("active", sewing, [3]string{"passed", "pending", "pending"}), map[string]string{"loop.json": definition})
		b, got := r.Read(noon), ""
		for _, w := range b.Certain() {
			if got += w.Node; w.Node == "" {
				got += " "
			} else if !strings.HasSuffix(w.Text, "its place is unknown: in loop.json it is named by a phase, but no gate has that id") {
				t.Errorf("%s: %s", inside, w.Text)
			}
		}
		if got != c.waits {
			t.Errorf("%s: waits %q, not %q", inside, got, c.waits)
		}
		if full := string(b.Claimed.AppendFull(nil)); (c.waits == "gate/glue-gate") != strings.Contains(full, "next approve glue-gate") || (c.waits == " ") != strings.Contains(full, "can't be read") {
			t.Errorf("%s: %s", inside, full)
		}
		said := slices.ContainsFunc(r.Check(noon), func(p model.Problem) bool {
			return c.says == "" && p.File == "loop.json" || c.says != "" && p.Text == c.says
		})
		if said != (c.says != "") {
			t.Errorf("%s: check says %v", inside, r.Check(noon))
		}
	}
}

// TestTextOfGatesWithoutPlace: the reasons for places that are not text, and the substitutes for missing names.
func TestTextOfGatesWithoutPlace(t *testing.T) {
	definition := strings.Replace(definitionText, `"afterPhase": "SKETCH"`, `"afterPhase": 0`, 1)
	b := kite(t, stateText("active", sewing, allOpen), map[string]string{"loop.json": definition}).Read(noon)
	if len(b.Certain()) != 1 || !strings.HasSuffix(b.Waits[0].Text, "it has an afterPhase that is a number, not the name of a phase") ||
		!slices.ContainsFunc(b.Problems, func(p model.Problem) bool {
			return p.Text == "“sketch-gate” has an afterPhase that is a number, not the name of a phase"
		}) {
		t.Errorf("%+v, %v", b.Waits, b.Problems)
	}
	unnamed := strings.NewReplacer(`"sketch-gate"`, `"\u200b"`).Replace(stateText("active", sewing, allOpen))
	b = kite(t, unnamed, map[string]string{"loop.json": strings.Replace(definitionText, `"sketch-gate"`, `"\u200b"`, 1)}).Read(noon)
	if b.Next == nil || b.Next.Command != "approve a gate without an id" || !strings.HasPrefix(b.Waits[0].Text, "a gate without an id: ") {
		t.Errorf("%+v, %+v", b.Next, b.Waits)
	}
}

// TestUnknownStatusesAreEscaped: a status with invisible characters is shown with escapes.
func TestUnknownStatusesAreEscaped(t *testing.T) {
	for word, want := range map[string]string{"passed\u200b": `"passed\u200b"`, "passed\ufeff": `"passed\ufeff"`, "done": "“done”"} {
		b := kite(t, stateText("active", sewing, [3]string{word, "pending", "pending"}), nil).Read(noon)
		if n := modeltest.Node(t, b, "gate/sketch-gate"); len(b.Certain()) != 1 || !strings.Contains(b.Waits[0].Text, want) || !strings.Contains(n.Why, want) {
			t.Errorf("%s: %+v, %s", want, b.Waits, n.Why)
		}
	}
}

// TestUnreadableStatesWait: an unreadable state waits as a whole if its loop has a definition, or if its text looks like a loop.
func TestUnreadableStatesWait(t *testing.T) {
	whole := stateText("active", atGate, allOpen)
	for name, c := range map[string]struct {
		text  string
		alone bool
		waits int
	}{
		"half-written": {whole[:300], false, 1}, "conflict": {"<<<<<<< HEAD\n" + whole, true, 1}, "a giant": {whole[:len(whole)-2] + strings.Repeat(" ", 9<<20) + "}", false, 1},
		"somebody else's": {`{"lights": [`, true, 0}, "empty and alone": {"", true, 0},
		"empty": {"", false, 1}, "a brace": {"{", false, 1}, "a word": {"hello", false, 1}, "NUL": {"\x00\x00", false, 1}, "a gate": {`{"gates":{"g1"`, false, 1},
	} {
		files := map[string]string{}
		if c.alone {
			files["loop.json"] = ""
		}
		b := kite(t, c.text, files).Read(noon)
		if len(b.Certain()) != c.waits || len(b.Waits) != c.waits || len(b.Nodes) > 0 || len(b.Problems) == 0 || b.Why != "its file can't be read" {
			t.Errorf("%s: %+v, %v, %q", name, b.Waits, b.Problems, b.Why)
		}
		if got := string(b.Claimed.AppendFull(nil)); got != "kite-state.json can't be read" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestLargeStates: the size limit of states is the size limit of all files.
func TestLargeStates(t *testing.T) {
	text := stateText("active", atGate, allOpen)
	b := kite(t, text[:len(text)-2]+strings.Repeat(" ", 6<<20)+"}", nil).Read(noon)
	if len(b.Certain()) != 1 || b.Waits[0].Node != "gate/sketch-gate" {
		t.Errorf("%+v, %v", b.Waits, b.Problems)
	}
}

// TestFailedLoopWaits: a failed loop waits for a human to retry or restart it.
func TestFailedLoopWaits(t *testing.T) {
	b := kite(t, stateText("failed", sewing, allOpen), nil).Read(noon)
	if w := b.Certain(); len(w) != 1 || w[0].Node != "" || w[0].Text != "kite-loop has failed: retry it or start over" || w[0].Source.Line != 5 || w[0].Since.IsZero() {
		t.Errorf("%+v", b.Waits)
	}
}

// TestDeliverablesThatAreNotFiles: the reason names the fault of a deliverable that exists but does not count.
func TestDeliverablesThatAreNotFiles(t *testing.T) {
	state := strings.Replace(stateText("active", atGate, allOpen), `["SKETCH.md", "docs/PLAN.md"]`, `["SKETCH.md", "docs/PLAN.md", "dir.md", "link.md", "link", "a text", "", "../x.md", "gone.md"]`, 1)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.md"), "# x\n")
	r := kite(t, state, map[string]string{"SKETCH.md": "x", "docs/PLAN.md": "", "dir.md/x": "x"})
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(r.m.Root(), "link.md")))
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(r.m.Root(), "link")))
	r.m.Touch()
	_, err := decide(r, ask(model.VerbApprove, state, ""))
	refused, ok := err.(*model.Refusal)
	want := "missing: ./no name: \"\", gone.md; docs/PLAN.md is empty; dir.md is a directory; link.md is a link out of the project; link is a link out of the project; ../x.md is outside the project"
	if !ok || refused.Text != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestUnreachedGatesHaveNoWaitingTime: a gate ahead of the work has no age.
func TestUnreachedGatesHaveNoWaitingTime(t *testing.T) {
	state := stateText("active", begun, allOpen)
	q := ask(model.VerbApprove, state, "")
	q.Asking, q.Ahead = true, true
	c, err := decide(kite(t, state, nil), q)
	must(t, err)
	if !c.Since.IsZero() {
		t.Errorf("it waits since %v", c.Since)
	}
}

// TestTimesAreISO8601 tests rule 7.
func TestTimesAreISO8601(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-03-01T12:00:00Z": true, "2026-03-01T12:00Z": true, "2026-03-01T12:00:00.5+02:00": true, "20260301T120000Z": true, "20260301T1200+0530": true, "2026-03-01t12:00:00,123-11": true,
		"2016-12-31T23:59:60Z": true, "2026-03-01T12:00:00": false, "2026-03-01": false, "2026-03-01T12:00:00+25:00": false, "2026-03-01T12:00:00+02:60": false, "2026-02-30T12:00:00Z": false,
		"20260230T120000Z": false, "2026-03-01T24:00:00Z": false, "2026-03-01T12:00:61Z": false, "2026-0301T12:00:00Z": false, "1709294400": false, "": false, "2026-03-01 12:00:00Z": false,
	} {
		if protocol.IsISO8601(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

// TestFreshStates tests rules 8 to 11, which apply to a state whose times are equal.
func TestFreshStates(t *testing.T) {
	plain := strings.Replace(stateText("active", begun, allOpen), "2026-03-01T10:30:00Z", "2026-03-01T09:00:00Z", 1)
	for _, c := range []struct{ name, from, to, rule string }{
		{"as it was made", "", "", ""},
		{"a gate has passed", `"sketch-gate": { "status": "pending"`, `"sketch-gate": { "status": "passed"`, "loop-10"},
		{"a gate is approved", `"sketch-gate": { "status": "pending"`, `"sketch-gate": { "status": "approved"`, "loop-10"},
		{"a phase is over", `"SKETCH": { "status": "active"`, `"SKETCH": { "status": "complete"`, "loop-11"},
		{"two are active", `"Sew It": { "status": "pending"`, `"Sew It": { "status": "active"`, "loop-11"},
		{"paused", `"status": "active",`, `"status": "paused",`, "loop-08"},
		{"in another phase", `"phase": "SKETCH"`, `"phase": "FLY"`, "loop-09"},
	} {
		found := false
		for _, p := range kite(t, strings.Replace(plain, c.from, c.to, 1), nil).Check(noon) {
			found = found || p.Rule == c.rule && p.Severity == model.Error && p.Line > 0
			if c.rule == "" && strings.HasPrefix(p.Rule, "loop-") && p.Rule != "loop-readable" {
				t.Errorf("%s: %v", c.name, p)
			}
		}
		if !found && c.rule != "" {
			t.Errorf("%s: %s is not found", c.name, c.rule)
		}
	}
}

// TestTypeIsNotAnApproval: without an approvalType a human approves, whatever the "type" of the gate says.
func TestTypeIsNotAnApproval(t *testing.T) {
	for _, word := range []string{"auto", "automated", "conditional", "manual", "decision"} {
		definition := strings.Replace(definitionText, `"approvalType": "auto"`, fmt.Sprintf(`"type": %q`, word), 1)
		state, _, _, err := Generate([]byte(definition), noon)
		must(t, err)
		for what, text := range map[string]string{"made": state, "without the field": strings.ReplaceAll(state, `"approvalType"`, `"was"`)} {
			r := kite(t, text, map[string]string{"loop.json": definition})
			gate := modeltest.Node(t, r.Read(noon), "gate/sew-gate")
			if gate.Gate.Approval != model.ApprovalHuman || !slices.Contains(gate.Facts, model.Fact{Label: "type", Value: word}) {
				t.Errorf("%s, %s: %s %v", word, what, gate.Gate.Approval, gate.Facts)
			}
			if problems := r.Check(noon); what == "made" && len(problems) > 0 {
				t.Errorf("%s: %v", word, problems)
			}
		}
	}
}

// TestFixesNeverWeakenTheDefinition: a state that requires more than its definition is reported, and the fix never is to require less.
func TestFixesNeverWeakenTheDefinition(t *testing.T) {
	for _, c := range []struct{ from, to, rule, fix string }{
		{`"wind-gate": {"status": "skipped", "required": false`, `"wind-gate": {"status": "skipped", "required": true`, ruleRequired, "write the same into the definition"},
		{`"FLY": {"status": "pending", "required": false`, `"FLY": {"status": "pending", "required": true`, ruleRequired, "write the same into the definition"},
		{`"approvalType": "auto"`, `"approvalType": "human"`, ruleApproval, "write the same into the definition"},
		{`"approvalType": "auto"`, `"approvalType": "nobody"`, ruleApproval, "write the same into the definition"},
		{`["SEAMS.md"]`, `["SEAMS.md", "SKETCH.md"]`, "loop-05", "name all of them in both, in the same order: [SEAMS.md, SKETCH.md]"},
		{`["SEAMS.md"]`, `["SKETCH.md"]`, "loop-05", "name all of them in both, in the same order: [SEAMS.md, SKETCH.md]"},
		{`"gates": {`, `"gates": {"more-gate": {"status": "pending", "required": true, "approvalType": "human", "deliverables": [], "passedAt": null, "skippedReason": null},`,
			"loop-04", "add the gate to the definition, or write it as the definition does"},
	} {
		found := 0
		problems := checkOf(t, strings.Replace(soundState, c.from, c.to, 1), soundDefinition)
		for _, p := range problems {
			if p.Rule == c.rule && p.Fix == c.fix {
				found++
			}
			if strings.Contains(p.Fix, "not required") || strings.Contains(p.Fix, "optional") || strings.Contains(p.Fix, "write auto") || strings.Contains(p.Fix, "take it out") {
				t.Errorf("%s: %v", c.to, p)
			}
		}
		if found != 1 {
			t.Errorf("%s: %v", c.to, problems)
		}
	}
}

// TestOverclaimingLoopCanBeResumed: if a loop calls itself complete with an undecided gate, the refusal to approve it names resume, the
// build offers resume, and then the gate can be approved.
func TestOverclaimingLoopCanBeResumed(t *testing.T) {
	for _, word := range []string{"complete", "completed"} {
		for what, definition := range map[string]string{"with a definition": definitionText, "without": "", "one that can't be read": definitionText[:200]} {
			t.Run(word+" "+what, func(t *testing.T) {
				state := stateText(word, over, [3]string{"pending", "passed", "passed"})
				files := map[string]string{"loop.json": definition, "SKETCH.md": "x", "docs/PLAN.md": "x"}
				r := kite(t, state, files)
				b := r.Read(noon)
				if len(b.Certain()) == 0 || !slices.Contains(b.Can, model.VerbResume) || b.Next == nil || b.Next.Command != "resume" {
					t.Fatalf("waits %+v, can %v, next %+v", b.Waits, b.Can, b.Next)
				}
				_, err := decide(r, ask(model.VerbApprove, state, ""))
				if refused, ok := err.(*model.Refusal); !ok || refused.Code != "E_LOOP_NOT_ACTIVE" || !strings.Contains(refused.Fix, "gatehouse resume") {
					t.Errorf("approved: %v", err)
				}
				c, err := decide(r, ask(model.VerbResume, state, ""))
				must(t, err)
				state = edited(t, state, c)
				if !strings.Contains(state, `"status": "active"`) || c.Was != word || c.Is != "active" {
					t.Errorf("%+v\n%s", c, state)
				}
				_, err = decide(kite(t, state, files), ask(model.VerbApprove, state, ""))
				must(t, err)
			})
		}
		state := stateText(word, over, [3]string{"passed", "passed", "passed"})
		if b := kite(t, state, map[string]string{"loop.json": "{"}).Read(noon); b.Status == model.Done || b.Next != nil || slices.Contains(b.Can, model.VerbResume) {
			t.Errorf("%s, and nobody knows what else there is: %s, next %+v, can %v", word, b.Status, b.Next, b.Can)
		}
		r := kite(t, state, nil)
		if b := r.Read(noon); b.Status != model.Done || slices.Contains(b.Can, model.VerbResume) || !slices.Contains(b.Can, model.VerbRestart) {
			t.Errorf("%s: %s, can %v", word, b.Status, b.Can)
		}
	}
}

// TestGateDefinedTwice: a gate with two definitions is one gate, and the loop waits because it is unknown which one counts. A phase may
// mention a defined gate.
func TestGateDefinedTwice(t *testing.T) {
	for inside, isUnclear := range map[string]bool{
		`{"id": "sketch-gate", "required": true}`:                                              true,
		`{"id": "sketch-gate", "required": false, "approvalType": "auto", "deliverables": []}`: true,
		`"sketch-gate"`: false,
	} {
		definition := strings.Replace(definitionText, `"name": "Sew It"`, `"name": "Sew It", "gates": [`+inside+`]`, 1)
		r := kite(t, stateText("active", atGate, allOpen), map[string]string{"loop.json": definition})
		b := r.Read(noon)
		gate := modeltest.Node(t, b, "gate/sketch-gate")
		if w := b.Certain(); len(w) == 0 || w[0].Node != gate.ID || w[0].Place != "Phase SKETCH" || !gate.Gate.Required || gate.Gate.Approval != model.ApprovalHuman {
			t.Errorf("%s: waits %+v, %+v", inside, b.Waits, gate.Gate)
		}
		waitsWhole := slices.ContainsFunc(b.Certain(), func(w model.Wait) bool { return w.Node == "" })
		isReported := slices.ContainsFunc(r.Check(noon), func(p model.Problem) bool {
			return p.Rule == ruleDefinition && p.Text == "the gate “sketch-gate” is defined twice"
		})
		if strings.Count(rows(b), "sketch-gate") != 1 || waitsWhole != isUnclear || isReported != isUnclear {
			t.Errorf("%s: %s, the loop waits: %t, reported: %t", inside, rows(b), waitsWhole, isReported)
		}
	}
}

// TestPhasesRequiredByTheDefinition: they can't be skipped because the state calls them optional, and a loop that lacks one is not over.
func TestPhasesRequiredByTheDefinition(t *testing.T) {
	state := strings.Replace(stateText("active", begun, allOpen), `"Sew It": { "status": "pending", "required": true`, `"Sew It": { "status": "pending", "required": false`, 1)
	r := kite(t, state, nil)
	b := r.Read(noon)
	q := ask(model.VerbSkipPhase, state, "")
	q.Node = "phase/Sew It"
	_, err := decide(r, q)
	if refused, ok := err.(*model.Refusal); !ok || refused.Code != "E_PHASE_REQUIRED" || len(modeltest.Node(t, b, q.Node).Can) > 0 {
		t.Errorf("skipped: %v; it can %v", err, modeltest.Node(t, b, q.Node).Can)
	}
	lacks := strings.Replace(stateText("active", over, [3]string{"passed", "passed", "passed"}), `"Sew It"`, `"Saw It"`, 1)
	if b := kite(t, lacks, nil).Read(noon); b.Progress.Percent != 75 || b.Progress.Phases.Total != 4 || !strings.Contains(string(b.Header.AppendFull(nil)), "75%") {
		t.Errorf("%+v, %s", b.Progress, b.Header.AppendFull(nil))
	}
}

// TestResumeNamesUnknownGates: the plan to resume does not claim that no gate waits if that is unknown.
func TestResumeNamesUnknownGates(t *testing.T) {
	nothing := strings.NewReplacer(`"required": true`, `"required": false`, "sketch-gate", "a", "wind-gate", "b", "sew-gate", "c")
	for name, c := range map[string]struct{ state, definition, why string }{
		"no definition": {stateText("active", atGate, allOpen), "",
			"phase Sew It is the first pending one; without a loop.json, it is unknown whether one of its 3 undecided gates comes before it"},
		"a damaged one":       {nothing.Replace(stateText("active", atGate, allOpen)), "{", "phase Sew It is the first pending one; loop.json can't be read, so its gates are unknown"},
		"a damaged one, over": {stateText("active", over, [3]string{"passed", "passed", "passed"}), "{", "no phase is left; loop.json can't be read, so its gates are unknown"},
		"all decided":         {stateText("active", atGate, [3]string{"passed", "passed", "passed"}), "", "phase Sew It is the first pending one, and no gate blocks it"},
	} {
		if p := kite(t, c.state, map[string]string{"loop.json": c.definition}).Resume(noon); p.Why != c.why {
			t.Errorf("%s: %s: %s", name, p.Action, p.Why)
		}
	}
}

// TestPhasesThatAreNotObjects: such a loop waits as a whole.
func TestPhasesThatAreNotObjects(t *testing.T) {
	for value, kind := range map[string]string{`"complete"`: "text", `null`: "null", `["complete"]`: "a list", `7`: "a number"} {
		state := `{"loop": "kite-loop", "phase": "Sew It", "status": "active", "gates": {"sketch-gate": {"status": "pending"}}, "phases": {"SKETCH": ` + value + `, "Sew It": {"status": "active"}}}`
		r := kite(t, state, nil)
		b := r.Read(noon)
		want := "phase SKETCH of kite-state.json can't be read: it is " + kind + ", not an object"
		if !slices.ContainsFunc(b.Certain(), func(w model.Wait) bool { return w.Text == want && w.Source.Line == 1 }) || b.Status != model.Waiting {
			t.Errorf("%s: %s, waits %+v", value, b.Status, b.Waits)
		}
		_, err := decide(r, ask(model.VerbComplete, state, ""))
		if refused, ok := err.(*model.Refusal); !ok || refused.Text != want {
			t.Errorf("%s: completed: %v", value, err)
		}
	}
}

// TestStatesWithoutPhases: their gates wait if the definition has phases, because the progress is unknown.
func TestStatesWithoutPhases(t *testing.T) {
	r := kite(t, `{"loop": "kite-loop", "phase": "Sew It", "status": "active", "gates": {"sketch-gate": {"status": "pending"}}, "phases": {}}`, map[string]string{"loop.json": definitionText})
	b := r.Read(noon)
	if !slices.ContainsFunc(b.Certain(), func(w model.Wait) bool { return w.Node == "gate/sketch-gate" }) {
		t.Errorf("waits %+v", b.Waits)
	}
	if text := string(b.Claimed.AppendFull(nil)); !strings.Contains(text, "◆ approve sketch-gate") {
		t.Error(text)
	}
}

// TestCompleteRefusesOpenLoops: complete is refused for a loop that calls itself complete but has open parts.
func TestCompleteRefusesOpenLoops(t *testing.T) {
	passed := [3]string{"passed", "passed", "passed"}
	for what, c := range map[string]struct{ state, code string }{
		"a gate has failed": {stateText("complete", over, [3]string{"failed", "passed", "passed"}), "E_UNFINISHED"},
		"a gate is lacking": {strings.Replace(stateText("complete", over, passed), `"sew-gate"`, `"saw-gate"`, 1), "E_UNFINISHED"},
		"a phase is open":   {stateText("complete", sewing, passed), "E_UNFINISHED"},
		"a phase lacks":     {strings.Replace(stateText("complete", over, passed), `"Sew It"`, `"Saw It"`, 1), "E_UNFINISHED"},
		"nothing":           {stateText("complete", over, passed), "E_SAME_STATUS"},
	} {
		_, err := decide(kite(t, c.state, nil), ask(model.VerbComplete, c.state, ""))
		if refused, ok := err.(*model.Refusal); !ok || refused.Code != c.code || refused.Already != (c.code == "E_SAME_STATUS") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestDeliverablesThatAreNotLists: a gate requires every deliverable in the value, whatever its shape. Something without a name is
// required, too.
func TestDeliverablesThatAreNotLists(t *testing.T) {
	for _, value := range []string{`"A.md"`, `{"a": "A.md"}`, `[["A.md"]]`, `[{"files": ["A.md"]}]`, `7`, `true`, `[7]`, `[null]`, `{"a": [false]}`} {
		for what, in := range map[string][2]string{"state": {value, `[]`}, "definition": {`[]`, value}} {
			const was = `["SKETCH.md", "docs/PLAN.md"]`
			state := strings.Replace(stateText("active", atGate, allOpen), was, in[0], 1)
			files := map[string]string{"loop.json": strings.Replace(definitionText, was, in[1], 1)}
			_, err := decide(kite(t, state, files), ask(model.VerbApprove, state, ""))
			if refused, ok := err.(*model.Refusal); !ok || refused.Code != "E_DELIVERABLES_MISSING" {
				t.Errorf("%s of the %s: %v", value, what, err)
			}
			if strings.Contains(value, "A.md") {
				files["A.md"] = "x"
				_, err := decide(kite(t, state, files), ask(model.VerbApprove, state, ""))
				must(t, err)
			}
		}
	}
}

// TestDialectOfApprovalNeedsAHuman: only the protocol's own words allow an automatic approval.
func TestDialectOfApprovalNeedsAHuman(t *testing.T) {
	for _, word := range []string{"automated", "AUTO", "Conditional", "nobody"} {
		state := strings.Replace(stateText("active", over, allOpen), `"auto"`, fmt.Sprintf("%q", word), 1)
		r := kite(t, state, map[string]string{"loop.json": strings.Replace(definitionText, `"auto"`, fmt.Sprintf("%q", word), 1)})
		if gate := modeltest.Node(t, r.Read(noon), "gate/sew-gate").Gate; gate.Approval != model.ApprovalHuman {
			t.Errorf("%s: %s", word, gate.Approval)
		}
		for _, file := range []string{"kite-state.json", "loop.json"} {
			if !slices.ContainsFunc(r.Check(noon), func(p model.Problem) bool { return p.Rule == ruleWord && p.File == file }) {
				t.Errorf("%s in %s breaks no rule", word, file)
			}
		}
	}
}

// TestSkippedPhaseKeepsItsGate: a gate still waits after the phase behind it was skipped. A phase that is defined twice is required if
// either definition says so.
func TestSkippedPhaseKeepsItsGate(t *testing.T) {
	optional := strings.Replace(definitionText, `"name": "Sew It"`, `"name": "Sew It", "required": false`, 1)
	state := strings.Replace(stateText("active", atGate, allOpen), `"Sew It": { "status": "pending", "required": true`, `"Sew It": { "status": "pending", "required": false`, 1)
	q := ask(model.VerbSkipPhase, state, "")
	q.Node = "phase/Sew It"
	c, err := decide(kite(t, state, map[string]string{"loop.json": optional}), q)
	must(t, err)
	state = edited(t, state, c)
	b := kite(t, state, map[string]string{"loop.json": optional}).Read(noon)
	if w := b.Certain(); len(w) == 0 || w[0].Node != "gate/sketch-gate" || w[0].Evidence != model.Reached || !strings.Contains(string(b.Claimed.AppendFull(nil)), "next approve sketch-gate") {
		t.Errorf("waits %+v, %s", b.Waits, b.Claimed.AppendFull(nil))
	}
	twice := strings.Replace(optional, `{"name": "FLY"`, `{"name": "Sew It", "required": true}, {"name": "FLY"`, 1)
	q.Content = strings.Replace(state, `"skipped", "required": false`, `"pending", "required": false`, 1)
	_, err = decide(kite(t, q.Content, map[string]string{"loop.json": twice}), q)
	if refused, ok := err.(*model.Refusal); !ok || refused.Code != "E_PHASE_REQUIRED" {
		t.Errorf("there twice: %v", err)
	}
}
