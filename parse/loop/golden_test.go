package loop

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatehouse/model"
	"gatehouse/model/modeltest"
	"gatehouse/parse/conformance"
	"gatehouse/parse/protocol"
)

// shown is a kite loop whose build, check results, plan to resume and decisions are compared with testdata/loops.golden.
type shown struct {
	name  string
	state string
	loop  string            // its definition, "" for none
	files map[string]string // more files
	verbs string            // decisions to propose: "approve complete skip-phase:phase/Sew_It"

	isBrief bool // its rows are shown in brief
}

// with replaces texts one after the other. It panics if one of them is missing.
func with(text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			panic("no " + pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// shownLoops returns the loops of the golden file. A comment describes each group.
func shownLoops(t *testing.T) (all []shown) {
	passed, past := [3]string{"passed", "skipped", "passed"}, [3]string{"pending", "passed", "passed"}
	allPassed := [3]string{"passed", "passed", "passed"}
	add := func(name, state, loop string, more ...string) {
		s := shown{name: name, state: state, loop: loop, files: map[string]string{}, isBrief: len(all) > 1 && !strings.HasPrefix(name, "a gate of the type")}
		for i := 0; i+1 < len(more); i += 2 {
			s.files[more[i]] = more[i+1]
		}
		if len(more)%2 == 1 {
			s.verbs = more[len(more)-1]
		}
		all = append(all, s)
	}
	kiteIs := func(name, loop string, phases, gates [3]string, more ...string) {
		add(name, stateText(loop, phases, gates), definitionText, more...)
	}
	kiteIs("gates follow their phases", "active", atGate, allOpen, "SKETCH.md", "# A\n\n## B\n\n```\n# none\n```\n")
	kiteIs("skills are not invented", "active", sewing, [3]string{"passed", "skipped", "pending"})
	// The status of the loop.
	kiteIs("failed gate", "active", atGate, [3]string{"failed", "pending", "pending"})
	kiteIs("free to start", "active", atGate, passed)
	kiteIs("all over", "active", over, passed)
	kiteIs("paused", "paused", atGate, allOpen)
	kiteIs("failed", "failed", sewing, passed)
	kiteIs("complete", "complete", over, passed, "complete")
	kiteIs("complete in a dialect", "completed", over, passed)
	kiteIs("complete, with open phases", "complete", sewing, passed, "complete")
	kiteIs("blocked", "blocked", sewing, passed)
	kiteIs("another word", "dreaming", atGate, allOpen)
	kiteIs("no word", "", atGate, allOpen)
	kiteIs("a word of phases", "in-progress", atGate, allOpen)
	kiteIs("a phase of another word", "active", [3]string{"complete", "resting", "pending"}, passed)
	// A loop is not complete while something is left.
	kiteIs("complete before a gate", "complete", sewing, allOpen)
	add("complete before its last gate", stateText("complete", over, [3]string{"passed", "passed", "pending"}), strings.ReplaceAll(definitionText, `"afterPhase": "SEW"`, `"afterPhase": "FLY"`))
	kiteIs("active past a gate", "active", over, past, "SKETCH.md", "x", "docs/PLAN.md", "x", "approve")
	for _, word := range []string{"complete", "completed"} {
		kiteIs(word+" past a gate", word, over, past, "SKETCH.md", "x", "docs/PLAN.md", "x", "approve resume complete")
		add(word+" past a gate, without a definition", stateText(word, over, past), "", "approve resume")
		add(word+" past a gate, with half a definition", stateText(word, over, past), definitionText[:200], "approve resume")
		add(word+", with half a definition", stateText(word, over, allPassed), "{")
	}
	kiteIs("complete past two gates", "complete", over, [3]string{"pending", "passed", "failed"})
	add("complete past a gate at the end", stateText("complete", over, past), strings.ReplaceAll(definitionText, `"afterPhase": "SKETCH"`, `"afterPhase": "FLY"`))
	add("complete past a gate without a place", stateText("complete", over, past), with(definitionText, `"afterPhase": "SKETCH"`, `"afterPhase": "Nope"`))
	kiteIs("paused past a gate", "paused", over, past)
	kiteIs("complete past a gate that is not required", "complete", over, [3]string{"passed", "pending", "passed"})
	kiteIs("complete, and a gate has failed", "complete", over, [3]string{"failed", "passed", "passed"}, "complete")
	add("complete, and a gate is lacking", with(stateText("complete", over, allPassed), `"sew-gate"`, `"Sew-gate"`), definitionText, "complete")
	add("complete, and a phase is lacking", with(stateText("complete", over, allPassed), `"Sew It"`, `"sew it"`), definitionText, "complete")
	add("active, and a phase is lacking", with(stateText("active", over, allPassed), `"Sew It"`, `"Saw It"`), definitionText)
	add("all over, with half a definition", stateText("active", over, allPassed), definitionText[:200], "complete skip-phase:phase/FLY")
	kiteIs("a word for approval that is none", "active", sewing, [3]string{"approved", "pending", "pending"})
	for _, word := range []string{"passed\u200b", "passed\ufeff", "done"} {
		kiteIs(fmt.Sprintf("a gate of the word %+q", word), "active", sewing, [3]string{word, "pending", "pending"})
	}
	// The stricter of state and definition counts.
	plain := stateText("active", sewing, [3]string{"pending", "passed", "pending"})
	at := strings.Index(plain, `    "sketch-gate"`)
	add("a state as strict as its definition", plain, definitionText, "approve")
	add("a state that does not require a gate", with(plain, `"required": true`, `"required": false`), definitionText, "approve")
	add("a state without a gate", plain[:at]+plain[at+strings.Index(plain[at:], "\n")+1:], definitionText, "approve")
	add("a state without deliverables", with(plain, `["SKETCH.md", "docs/PLAN.md"]`, `[]`), definitionText, "approve")
	add("a state with one deliverable less", with(plain, `["SKETCH.md", "docs/PLAN.md"]`, `["SKETCH.md"]`), definitionText, "approve")
	add("a state that approves by itself", with(plain, `"approvalType": "human"`, `"approvalType": "auto"`), definitionText, "approve")
	add("a stricter state", with(stateText("active", sewing, [3]string{"passed", "pending", "pending"}), `"required": false`, `"required": true`), definitionText)
	optional := `"Sew It": { "status": "pending", "required": false`
	add("a state that does not require a phase", with(stateText("active", begun, allOpen), `"Sew It": { "status": "pending", "required": true`, optional), definitionText, "skip-phase:phase/Sew_It")
	lax := with(definitionText, `"name": "Sew It"`, `"name": "Sew It", "required": false`)
	skipped := with(stateText("active", [3]string{"complete", "skipped", "pending"}, allOpen), `"Sew It": { "status": "skipped", "required": true`, `"Sew It": { "status": "skipped", "required": false`)
	add("a skipped phase keeps the gate before it", skipped, lax)
	add("a phase that is defined twice", with(stateText("active", atGate, allOpen), `"Sew It": { "status": "pending", "required": true`, optional), with(lax, `{"name": "FLY"`, `{"name": "Sew It", "required": true}, {"name": "FLY"`), "skip-phase:phase/Sew_It")
	// A definition that can't be used.
	for _, c := range [][2]string{
		{"empty", " "}, {"half-written", definitionText[:200]}, {"without an id", with(definitionText, `"id": "kite-loop", `, "")}, {"in other case", with(definitionText, `"kite-loop"`, `"Kite-Loop"`)},
		{"without phases", `{"id": "kite-loop"}`}, {"a list", `[]`}, {"a giant", strings.TrimSuffix(definitionText, "}") + strings.Repeat(" ", 9<<20) + "}"},
		{"with a comment", with(definitionText, "\n", "\n  // the kite\n")}, {"with a trailing comma", with(definitionText, "\n  ]\n}", ",\n  ]\n}")}, {"with trailing text", definitionText + "\ndone"},
	} {
		add("a definition "+c[0], stateText("active", sewing, allOpen), c[1])
		add("a definition "+c[0]+", paused", stateText("paused", sewing, allOpen), c[1])
	}
	add("half a definition, and a whole one", stateText("active", atGate, allOpen), definitionText[:20], "loops/kite-loop.json", definitionText)
	add("the definition of another loop", stateText("active", begun, allOpen), with(definitionText, "kite-loop", "other-loop"))
	add("no definition", stateText("active", atGate, allOpen), "")
	add("no definition, all decided", stateText("active", atGate, allPassed), "")
	nothing := strings.NewReplacer(`"required": true`, `"required": false`, "sketch-gate", "a", "wind-gate", "b", "sew-gate", "c")
	add("half a definition, and no required gate", nothing.Replace(stateText("active", atGate, allOpen)), "{")
	add("a state without a name", with(stateText("active", atGate, allOpen), `"loop": "kite-loop",`, ""), definitionText)
	// Gates inside phases, mentioned ones, and those without a place.
	for _, inside := range []string{`"required": true`, `"required": false`, `"approvalType": "human"`} {
		add("only a phase has a gate with "+inside, stateText("active", sewing, [3]string{"passed", "pending", "pending"}), with(definitionText, `"name": "SKETCH"`, `"name": "SKETCH", "gates": [{"id": "glue-gate", `+inside+`}]`))
	}
	for _, inside := range []string{
		`"gates": ["glue-gate"]`, `"gate": "glue-gate"`, `"gate": {"id": "glue-gate", "required": true}`, `"gate": {"id": "glue-gate"}`, `"gate": {"id": "glue-gate", "required": false}`,
		`"gate": ["glue-gate"]`, `"gate": null`, `"gate": ""`, `"gate": "sketch-gate"`, `"gates": ["sketch-gate"]`,
	} {
		add("a phase with "+inside, stateText("active", sewing, [3]string{"passed", "pending", "pending"}), with(definitionText, `"name": "SKETCH"`, `"name": "SKETCH", `+inside))
	}
	for _, inside := range []string{`{"id": "sketch-gate", "required": true}`, `{"id": "sketch-gate", "required": false, "approvalType": "auto", "deliverables": []}`, `"sketch-gate"`} {
		add("another phase with the gate "+inside, stateText("active", atGate, allOpen), with(definitionText, `"name": "Sew It"`, `"name": "Sew It", "gates": [`+inside+`]`))
	}
	nested := with(definitionText, `"skills": ["cut"]}`, `"skills": ["cut"], "gates": [{"id": "seam-gate", "approvalType": "manual", "guarantees": [{"type": "file_exists", "path": "s.json"}]}]}`)
	add("a nested gate", stateText("active", begun, allOpen), nested)
	add("a nested gate of the state", with(stateText("active", begun, allOpen), `"gates": {`, `"gates": { "seam-gate": {"status": "pending"},`), nested)
	const phases = `"phases": [{"name": "SKETCH"%s}, {"name": "Sew It"}, {"name": "FLY"}]`
	for _, c := range [][2]string{
		{"behind no such phase", fmt.Sprintf(phases, "") + `, "gates": [{"id": "sketch-gate", "afterPhase": "Nope"}]`},
		{"in a phase, behind no such phase", fmt.Sprintf(phases, `, "gates": [{"id": "sketch-gate", "afterPhase": "Nope"}]`)},
		{"behind none", fmt.Sprintf(phases, "") + `, "gates": ["sketch-gate"]`}, {"not in the definition", fmt.Sprintf(phases, "")},
		{"behind a phase that is not in the state", with(fmt.Sprintf(phases, ""), `"FLY"`, `"NAP"`) + `, "gates": [{"id": "sketch-gate", "afterPhase": "NAP"}]`},
	} {
		for i, phases := range [][3]string{begun, atGate, sewing} {
			add("a gate "+c[0]+", "+[]string{"begun", "between", "within"}[i], stateText("active", phases, past), `{"id": "kite-loop", "version": "1.2.0", `+c[1]+`}`)
		}
	}
	add("a place that is a number", stateText("active", sewing, allOpen), with(definitionText, `"afterPhase": "SKETCH"`, `"afterPhase": 0`))
	add("a gate without a name", with(stateText("active", sewing, allOpen), `"sketch-gate"`, `"\u200b"`), with(definitionText, `"sketch-gate"`, `"\u200b"`))
	// Who approves: only the protocol's own words allow an automatic approval; the type of a gate is no such word.
	for _, word := range []string{"automated", "AUTO", "Conditional", "nobody"} {
		add("the approval "+word, with(stateText("active", over, allOpen), `"auto"`, fmt.Sprintf("%q", word)), with(definitionText, `"auto"`, fmt.Sprintf("%q", word)))
	}
	for _, word := range []string{"auto", "manual", "decision"} {
		definition := with(definitionText, `"approvalType": "auto"`, fmt.Sprintf(`"type": %q`, word))
		state, _, _, err := Generate([]byte(definition), noon)
		must(t, err)
		add("a gate of the type "+word, state, definition)
		add("a gate of the type "+word+", and no approval", strings.ReplaceAll(state, `"approvalType"`, `"was"`), definition)
	}
	// States that can't be read, or in part.
	whole := stateText("active", atGate, allOpen)
	for _, c := range [][3]string{
		{"half-written", whole[:300], definitionText}, {"in conflict", "<<<<<<< HEAD\n" + whole, ""}, {"a giant", whole[:len(whole)-2] + strings.Repeat(" ", 9<<20) + "}", definitionText},
		{"somebody else's", `{"lights": [`, ""}, {"empty and alone", "", ""}, {"empty", "", definitionText}, {"a brace", "{", definitionText}, {"a word", "hello", definitionText},
		{"NUL", "\x00\x00", definitionText}, {"a gate", `{"gates":{"g1"`, definitionText}, {"large", whole[:len(whole)-2] + strings.Repeat(" ", 6<<20) + "}", definitionText},
		{"without phases", `{"loop": "kite-loop", "phase": "Sew It", "status": "active", "gates": {"sketch-gate": {"status": "pending"}}, "phases": {}}`, definitionText},
	} {
		add("a state "+c[0], c[1], c[2])
	}
	for _, value := range []string{`"complete"`, `null`, `["complete"]`, `7`} {
		add("a phase that is "+value, `{"loop": "kite-loop", "phase": "Sew It", "status": "active", "gates": {"sketch-gate": {"status": "pending"}}, "phases": {"SKETCH": `+value+`, "Sew It": {"status": "active"}}}`, definitionText, "complete")
	}
	add("many problems", with(stateText("active", [3]string{"complete", "complete", "active"}, [3]string{"pending", "skipped", "passed"}), `"version": "1.2.0"`, `"version": "1.1.0", "version": "1.0.0"`,
		`"skills": ["cut"]`, `"skills": "cut"`, `"startedAt": null`, `"startedAt": 7`, `"phases": {`, `"phases": { "NAP": { "status": "pending" },`), definitionText)
	// Rules 8 to 11 apply to a state whose times are equal.
	fresh := with(stateText("active", begun, allOpen), "2026-03-01T10:30:00Z", "2026-03-01T09:00:00Z")
	add("a new state", fresh, definitionText)
	for _, c := range [][3]string{
		{"a gate has passed", `"sketch-gate": { "status": "pending"`, `"sketch-gate": { "status": "passed"`}, {"a gate is approved", `"sketch-gate": { "status": "pending"`, `"sketch-gate": { "status": "approved"`},
		{"a phase is over", `"SKETCH": { "status": "active"`, `"SKETCH": { "status": "complete"`}, {"two are active", `"Sew It": { "status": "pending"`, `"Sew It": { "status": "active"`},
		{"paused", `"status": "active",`, `"status": "paused",`}, {"in another phase", `"phase": "SKETCH"`, `"phase": "FLY"`},
	} {
		add("a new state: "+c[0], with(fresh, c[1], c[2]), definitionText)
	}
	// No fix weakens the definition.
	for _, c := range [][2]string{
		{`"wind-gate": {"status": "skipped", "required": false`, `"wind-gate": {"status": "skipped", "required": true`}, {`"FLY": {"status": "pending", "required": false`, `"FLY": {"status": "pending", "required": true`},
		{`"approvalType": "auto"`, `"approvalType": "human"`}, {`"approvalType": "auto"`, `"approvalType": "nobody"`}, {`["SEAMS.md"]`, `["SEAMS.md", "SKETCH.md"]`}, {`["SEAMS.md"]`, `["SKETCH.md"]`},
		{`"gates": {`, `"gates": {"more-gate": {"status": "pending", "required": true, "approvalType": "human", "deliverables": [], "passedAt": null, "skippedReason": null},`},
	} {
		add("a sound state with "+c[1], with(soundState, c[0], c[1]), soundDefinition)
	}
	// Decisions.
	delivered := []string{"SKETCH.md", "# A\n", "docs/PLAN.md", "# B\n"}
	decides := func(name, state, definition string, verbs string, files ...string) {
		add("decided: "+name, state, definition, append(append([]string{}, files...), verbs)...)
	}
	failed, mixed := [3]string{"failed", "pending", "pending"}, [3]string{"passed", "skipped", "odd"}
	everyVerb := "approve retry skip=nobody_<needs>_\"it\"_\u2028_now changes=a_longer_tail pause resume abort retry-failed complete"
	for i, phases := range [][3]string{begun, atGate, sewing, over} {
		decides("of a loop that is "+[]string{"begun", "at a gate", "sewing", "over"}[i], stateText("active", phases, allOpen), definitionText, everyVerb+" approve+ahead approve+asking approve:gate/sew-gate approve+ahead:gate/sew-gate", delivered...)
	}
	decides("what is incomplete", stateText("active", atGate, allOpen), definitionText, "approve approve+asking approve+record skip skip+asking skip=0123456789 changes changes+asking approve:gate/no approve:phase/SKETCH undo dance", "SKETCH.md", "x", "docs/PLAN.md", "")
	decides("a gate that failed", stateText("active", atGate, failed), definitionText, everyVerb, delivered...)
	decides("gates that passed", with(stateText("active", atGate, mixed), `"passedAt": null`, `"passedAt": "2026-02-02T02:02:02Z"`), definitionText, everyVerb+" approve:gate/sew-gate", delivered...)
	for _, word := range []string{"paused", "failed", "completed", "finished", ""} {
		decides("a loop of the word "+word, stateText(word, atGate, allOpen), definitionText, everyVerb, delivered...)
	}
	decides("a complete loop", stateText("complete", over, allPassed), definitionText, everyVerb, delivered...)
	// Only what resuming starts is released.
	decides("a definition read in part", stateText("active", atGate, allOpen), with(definitionText, `{"name": "FLY", "skills": [], "required": false}`, `{"name": "FLY"}, {}`), "approve+ahead", delivered...)
	decides("an unknown word before it", stateText("active", [3]string{"odd", "pending", "pending"}, allOpen), definitionText, "approve+ahead", delivered...)
	decides("a phase that the state lacks", stateText("active", allOpen, allOpen), with(definitionText, `{"name": "FLY"`, `{"name": "HEM"}, {"name": "FLY"`), "approve+ahead", delivered...)
	decides("a gate that has no place", stateText("active", atGate, allOpen), with(definitionText, `"gates": [`, `"gates": [{"id": "x-gate", "afterPhase": "NOWHERE"},`), "approve+ahead", delivered...)
	return all
}

// TestLoops compares what is shown of loops, and what decisions about them change, with the golden file.
func TestLoops(t *testing.T) {
	var names []string
	texts := map[string]string{}
	for _, c := range shownLoops(t) {
		c.files["loop.json"] = c.loop
		r := kite(t, c.state, c.files)
		b := r.Read(noon)
		p := r.Resume(noon)
		text := modeltest.DescribeBriefly(b, noon)
		if !c.isBrief {
			text = modeltest.Describe(b)
		}
		text += fmt.Sprintf("resume: %s %s %s %q %s: %s\n", p.Action, p.Phase, p.Gate, p.Older, p.Stale, p.Why)
		for l := range strings.Lines(modeltest.DescribeProblems(r.Check(noon))) {
			if !strings.Contains(text, l) && !strings.Contains(l, " loop-when: ") && !strings.Contains(l, " loop-truth: ") { // see TestCheckFindsEveryMutation
				text += "check " + l
			}
		}
		for decision := range strings.SplitSeq(c.verbs, " ") {
			if decision == "" {
				continue
			}
			text += decision + ": " + describeDecision(decide(r, requestOf(decision, c.state))) + "\n"
		}
		if texts[c.name] != "" {
			t.Fatalf("%s is there twice", c.name)
		}
		names, texts[c.name] = append(names, c.name), text
	}
	conformance.GoldenTexts(t, "loops.golden", names, texts)
}

// requestOf parses a decision of a golden case into a request: a verb with options "+asking", "+ahead" or "+record", a text after "=", and
// after ":" another row than the first gate. Blanks are written as "_".
func requestOf(decision, state string) protocol.Request {
	decision, node, _ := strings.Cut(strings.ReplaceAll(decision, "_", " "), ":")
	decision, text, _ := strings.Cut(decision, "=")
	options := strings.Split(decision, "+")
	q := ask(model.Verb(options[0]), state, text)
	if node != "" {
		q.Node = strings.TrimSpace(node)
	}
	for _, option := range options[1:] {
		q.Asking, q.Ahead, q.RecordFailed = q.Asking || option == "asking", q.Ahead || option == "ahead", q.RecordFailed || option == "record"
	}
	return q
}

func describeDecision(c *protocol.Change, err error) string {
	if refused := (*model.Refusal)(nil); errors.As(err, &refused) {
		return fmt.Sprintf("%s %v (already %t)", refused.Code, refused, refused.Already)
	}
	if err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%s, releases %q, warns %q, checks %q, missing %q, wants %q, confirm %q, waits since %s", c.Effect, c.Releases, c.Warnings, c.Checks, c.Missing, c.Wants, c.Confirm, c.Since.Format("15:04"))
	for _, s := range c.Spans {
		text += fmt.Sprintf(", %s: %s → %s", s.Label, s.Old, s.New)
	}
	return text
}
