package loop

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse/conformance"
	"gatehouse/parse/disk/statefile"
	"gatehouse/parse/doc"
	"gatehouse/parse/loop/core"
	"gatehouse/parse/protocol"
	"gatehouse/parse/protocol/protocoltest"
)

// deliver holds the deliverables of the first gate.
var deliver = map[string]string{"SKETCH.md": "# A\n", "docs/PLAN.md": "# B\n"}

// ask returns a request about the first gate, or about the loop if the verb is one for loops.
func ask(verb model.Verb, content, text string) protocol.Request {
	q := protocol.Request{Action: model.Action{Verb: verb, Text: text}, Content: content, Now: noon}
	if _, isGate := core.GateResult(string(verb)); isGate {
		q.Node = "gate/sketch-gate"
	}
	return q
}

// edited returns the content with a change applied.
func edited(t *testing.T, content string, c *protocol.Change) string {
	t.Helper()
	after, err := protocol.Apply(content, c.Spans)
	must(t, err)
	return after
}

// TestLastUpdatedNeverGoesBack checks that a decision keeps a last_updated that is later than the clock.
func TestLastUpdatedNeverGoesBack(t *testing.T) {
	conformance.OwnRows(t, "lastupdatednevergoesback.jsonl", func(t *testing.T, row struct {
		Old, Want string
	}) {
		before := strings.Replace(stateText("active", atGate, allOpen), "2026-03-01T10:30:00Z", row.Old, 1)
		c, err := protocoltest.Decide(kite(t, before, nil), ask(model.VerbPause, before, ""))
		must(t, err)
		if after := edited(t, before, c); !strings.Contains(after, `"last_updated": "`+row.Want+`"`) {
			t.Errorf("%s became\n%s", row.Old, after)
		}
	})
}

// decided applies a request, and returns the new content and the decision.
func decided(t *testing.T, r *Reader, q protocol.Request) (after string, d *model.Decision) {
	t.Helper()
	c, err := protocoltest.Decide(r, q)
	must(t, err)
	after = edited(t, q.Content, c)
	return after, &model.Decision{Node: q.Node, Verb: q.Verb, Was: c.Was, Is: c.Is, Before: statefile.Hash(q.Content), After: statefile.Hash(after), Spans: c.Spans, Of: c.Of, Began: c.Began}
}

// TestUndoRestoresAllButLastUpdated checks that undo restores every byte except the value of last_updated.
func TestUndoRestoresAllButLastUpdated(t *testing.T) {
	later := noon.Add(90 * time.Second)
	minified := strings.Join(strings.Fields(stateText("active", atGate, allOpen)), "")
	bare := strings.ReplaceAll(stateText("active", atGate, allOpen), `, "passedAt": null, "skippedReason": null`, "")
	for name, before := range map[string]string{
		"as it is": stateText("active", atGate, allOpen), "with CR LF": strings.ReplaceAll(stateText("active", atGate, allOpen), "\n", "\r\n"),
		"minified": minified, "with a byte order mark": "\uFEFF" + stateText("active", atGate, allOpen), "without the members": bare,
		"without last_updated": strings.Replace(stateText("active", atGate, allOpen), ",\n  \"last_updated\": \"2026-03-01T10:30:00Z\"", "", 1),
	} {
		for _, q := range []protocol.Request{
			ask(model.VerbApprove, before, ""), ask(model.VerbSkip, before, "nobody needs it now"), ask(model.VerbChanges, before, "a longer tail"),
			ask(model.VerbPause, before, ""), ask(model.VerbAbort, before, ""),
		} {
			r := kite(t, before, deliver)
			after, last := decided(t, r, q)
			if after == before {
				t.Fatalf("%s: %s changed nothing", name, q.Verb)
			}
			c, err := protocoltest.Decide(r, protocol.Request{Action: model.Action{Verb: model.VerbUndo, Node: q.Node}, Content: after, Last: last, Now: later})
			if err != nil {
				t.Fatalf("%s: undo of %s: %v", name, q.Verb, err)
			}
			want := decode(t, strings.TrimPrefix(before, "\uFEFF"))
			want["last_updated"] = "2026-03-01T12:01:30Z"
			back := edited(t, after, c)
			if got := decode(t, strings.TrimPrefix(back, "\uFEFF")); !reflect.DeepEqual(got, want) || c.Was != last.Is || c.Is != last.Was {
				t.Errorf("%s: undo of %s gives\n%s", name, q.Verb, back)
			}
			if name != "without last_updated" && strings.Replace(back, "2026-03-01T12:01:30Z", "2026-03-01T10:30:00Z", 1) != before {
				t.Errorf("%s: undo of %s leaves other bytes\n%s", name, q.Verb, back)
			}
		}
	}
}

// TestUndoIsRefused checks every reason why a decision can't be undone.
func TestUndoIsRefused(t *testing.T) {
	before := stateText("active", atGate, allOpen)
	r := kite(t, before, deliver)
	after, last := decided(t, r, ask(model.VerbApprove, before, ""))
	undo := protocol.Request{Action: model.Action{Verb: model.VerbUndo, Node: "gate/sketch-gate"}, Content: after, Last: last, Now: noon}
	for name, c := range map[string]struct {
		spoil func(q *protocol.Request, d *model.Decision)
		want  string
	}{
		"failed since": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"passed"`, `"failed"`, 1)
		}, `kite-state.json has changed since: gates.sketch-gate.status is "failed" now, not "passed"`},
		"the gate is gone": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"status": "passed"`, `"state": "passed"`, 1)
		}, `kite-state.json has changed since: gates.sketch-gate.status is gone`},
		"handed on":       {func(_ *protocol.Request, d *model.Decision) { d.Reported = true }, "an agent has acted on the decision already"},
		"of another gate": {func(_ *protocol.Request, d *model.Decision) { d.Node = "gate/wind-gate" }, "there is no decision to undo"},
		"undone":          {func(_ *protocol.Request, d *model.Decision) { d.Undone = true }, "there is no decision to undo"},
		"an undo":         {func(_ *protocol.Request, d *model.Decision) { d.Verb = model.VerbUndo }, "there is no decision to undo"},
		"the phase has begun": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"Sew It": { "status": "pending"`, `"Sew It": { "status": "active"`, 1)
		}, "phase Sew It, behind the gate, has begun"},
		"the phase was skipped": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"Sew It": { "status": "pending"`, `"Sew It": { "status": "skipped"`, 1)
		}, "phase Sew It, behind the gate, was skipped"},
		"a phase further on has begun": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"FLY": { "status": "pending"`, `"FLY": { "status": "active"`, 1)
		}, "phase FLY, behind the gate, has begun"},
		"the loop is complete": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"status": "active"`, `"status": "complete"`, 1)
		}, "the loop is complete"},
		"passed by somebody else": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"passedAt": "2026-03-01T12:00:00Z"`, `"passedAt": "2026-03-01T12:20:00Z"`, 1)
		}, "sketch-gate was decided again since, at 2026-03-01T12:20:00Z"},
		"made anew": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"started_at": "2026-03-01T09:00:00Z"`, `"started_at": "2026-03-01T11:59:00Z"`, 1)
		}, "the work of the decision is gone: that in kite-state.json was started at 2026-03-01T11:59:00Z"},
		"of another loop": {func(q *protocol.Request, _ *model.Decision) {
			q.Content = strings.Replace(q.Content, `"loop": "kite-loop"`, `"loop": "lamp-loop"`, 1)
		}, "kite-state.json is the state of lamp-loop now; the decision was about kite-loop"},
	} {
		q, d := undo, *last
		q.Last = &d
		c.spoil(&q, &d)
		_, err := protocoltest.Decide(r, q)
		var refused *model.Refusal
		if !errors.As(err, &refused) || refused.Text != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := protocoltest.Decide(r, undo); err != nil {
		t.Errorf("none of that is so: %v", err)
	}
}

// TestUndoKeepsOtherChanges checks that undo accepts and keeps other changes of the file: a metric, another gate's approval, another
// layout.
func TestUndoKeepsOtherChanges(t *testing.T) {
	before := stateText("active", atGate, allOpen)
	r := kite(t, before, deliver)
	after, last := decided(t, r, ask(model.VerbApprove, before, ""))
	var compact bytes.Buffer
	must(t, json.Compact(&compact, []byte(after)))
	for name, text := range map[string]string{
		"a metric":                     strings.Replace(after, "{", `{ "metrics": { "status": "passed", "n": 1 },`, 1),
		"another gate":                 strings.Replace(after, `"wind-gate": { "status": "pending"`, `"wind-gate": { "status": "passed"`, 1),
		"the last line":                after + "\n",
		"compact":                      compact.String(),
		"its time":                     strings.Replace(after, `"passedAt": "2026-03-01T12:00:00Z"`, `"passedAt": "2026-03-01T14:00:00.5+02:00"`, 1),
		"no time":                      strings.Replace(after, `"passedAt": "2026-03-01T12:00:00Z"`, `"passedAt": null`, 1),
		"its time gone":                strings.Replace(after, `"passedAt": "2026-03-01T12:00:00Z", `, ``, 1),
		"a reason":                     strings.Replace(after, `"skippedReason": null`, `"skippedReason": "x"`, 1),
		"an object with the same keys": strings.Replace(after, `"sketch-gate": { "status"`, `"sketch-gate": { "checks": { "status": "passed", "passedAt": "2026-03-01T12:00:00Z" }, "status"`, 1),
		"a text with the same keys":    strings.Replace(after, `"sketch-gate": { "status"`, `"sketch-gate": { "note": "\"status\": \"passed\"", "status"`, 1),
		"escapes":                      strings.Replace(after, `"sketch-gate": { "status": "passed"`, `"sketch-gate": { "s\u0074atus": "p\u0061ssed"`, 1),
	} {
		if text == after {
			t.Fatalf("%s: nothing is different", name)
		}
		q := protocol.Request{Action: model.Action{Verb: model.VerbUndo, Node: "gate/sketch-gate"}, Content: text, Last: last, Now: noon.Add(time.Hour)}
		c, err := protocoltest.Decide(r, q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		back, err := protocol.Apply(text, c.Spans)
		must(t, err)
		tree, syntax := doc.ParseJSON(back)
		if syntax != nil {
			t.Fatal(syntax)
		}
		root := tree.Root()
		gates := root.Get("gates")
		if gates.Get("sketch-gate", "status").Text() != "pending" || gates.Get("sketch-gate", "passedAt").Is(doc.String) || root.Get("last_updated").Text() != "2026-03-01T13:00:00Z" {
			t.Errorf("%s:\n%s", name, back)
		}
		if name == "another gate" && gates.Get("wind-gate", "status").Text() != "passed" || name == "a metric" && !strings.Contains(back, `"metrics": { "status": "passed", "n": 1 }`) {
			t.Errorf("%s: what is another's is gone\n%s", name, back)
		}
	}
}

// odd is a state with everything that decoding and encoding it again would lose.
const odd = "\uFEFF{\"loop\":\"kite-loop\",\r\n\t\"status\" : \"active\", \"big\":12345678901234567890,\"f\":1.0,\"esc\":\"\\u0041\\/<&>\\ud83d\\ude00\",\"x\":null,\"x\":[],\r\n" +
	"\"gates\":{\"a.b\":{\"status\":\"failed\",\"status\":\"pending\"},\"\\u0063\":{\"status\":\"failed\",\"n\":{\"status\":\"failed\"}},\"status\":{\"status\":\"pending\",\"required\":false},\"\":{}}," +
	"\"phases\":{\"P\":{}},\"last_updated\":\"\",\"nested\":{\"gates\":{\"a.b\":{\"status\":\"pending\"}}}}"

// TestOnlyTheNamedValuesChange checks that every action changes only the values that it names.
func TestOnlyTheNamedValuesChange(t *testing.T) {
	r := kite(t, stateText("active", begun, allOpen), nil)
	for _, content := range []string{odd, stateText("active", atGate, allOpen), stateText("failed", begun, [3]string{"failed", "odd", "passed"})} {
		if everyAction(t, r, content) == 0 {
			t.Errorf("nothing can be done to %s", content)
		}
	}
}

// everyAction tries every action on a state and returns how many were done. It fails if an action changes a value that it does not
// name.
func everyAction(t *testing.T, r *Reader, content string) (done int) {
	t.Helper()
	v, err := r.parse(content, time.Time{})
	if err != nil {
		return 0
	}
	try := func(verb model.Verb, node, gate string) {
		q := protocol.Request{Action: model.Action{Verb: verb, Node: node, Text: "more than ten characters", RecordFailed: true, Ahead: true}, Content: content, Now: noon}
		c, err := protocoltest.Decide(r, q)
		if err != nil {
			return
		}
		done++
		after, err := protocol.Apply(content, c.Spans)
		must(t, err)
		for _, path := range differ(loose(t, content), loose(t, after), nil) {
			switch key := path[len(path)-1]; {
			case len(path) == 1 && key == "last_updated", len(path) == 1 && key == "status" && node == "":
			case len(path) == 3 && path[0] == "gates" && path[1] == gate && node != "" && (key == "status" || key == "passedAt" || key == "skippedReason"):
			default:
				t.Errorf("%s %q of %s changed %q", verb, node, content, path)
			}
		}
		if again, err := r.parse(after, time.Time{}); err != nil || node == "" && again.Status != c.Is {
			t.Errorf("%s %q of %s is no such state any more: %v", verb, node, content, err)
		} else if i := slices.Index(again.gateIDs, node); node != "" && (i < 0 || again.Gates[i].Status != c.Is) {
			t.Errorf("%s %q of %s does not leave the gate %s", verb, node, content, c.Is)
		}
	}
	for i, node := range v.gateIDs {
		for _, verb := range []string{core.Approve, core.Skip, core.Changes, core.Retry} {
			try(model.Verb(verb), node, v.Gates[i].ID)
		}
	}
	for _, verb := range loopVerbs {
		if verb != model.VerbRestart { // a restart writes another state
			try(verb, "", "")
		}
	}
	return done
}

// loose decodes a text and keeps its numbers as they are written.
func loose(t *testing.T, text string) (v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "\uFEFF")))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// differ returns the paths of the values that differ.
func differ(a, b any, path []string) (paths [][]string) {
	x, isX := a.(map[string]any)
	y, isY := b.(map[string]any)
	if !isX || !isY {
		if !reflect.DeepEqual(a, b) {
			return [][]string{slices.Clone(path)}
		}
		return nil
	}
	for key := range x {
		paths = append(paths, differ(x[key], y[key], append(path, key))...)
	}
	for key := range y {
		if _, was := x[key]; !was {
			paths = append(paths, append(slices.Clone(path), key))
		}
	}
	return paths
}

// TestDeliverablesThatAreNotFiles checks that the refusal names the fault of a deliverable that exists but does not count.
func TestDeliverablesThatAreNotFiles(t *testing.T) {
	state := strings.Replace(stateText("active", atGate, allOpen), `["SKETCH.md", "docs/PLAN.md"]`, `["SKETCH.md", "docs/PLAN.md", "dir.md", "link.md", "link", "a text", "", "../x.md", "gone.md"]`, 1)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret.md"), "# x\n")
	r := kite(t, state, map[string]string{"SKETCH.md": "x", "docs/PLAN.md": "", "dir.md/x": "x"})
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(r.m.Root(), "link.md")))
	must(t, os.Symlink(filepath.Join(outside, "secret.md"), filepath.Join(r.m.Root(), "link")))
	r.m.Touch()
	_, err := protocoltest.Decide(r, ask(model.VerbApprove, state, ""))
	refused, ok := err.(*model.Refusal)
	want := "missing: ./no name: \"\", gone.md; docs/PLAN.md is empty; dir.md is a directory; link.md is a link out of the project; link is a link out of the project; ../x.md is outside the project"
	if !ok || refused.Text != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// TestDeliverablesThatAreNotLists checks that a gate requires every deliverable in the value, whatever its shape. Something without a
// name is required, too.
func TestDeliverablesThatAreNotLists(t *testing.T) {
	for _, value := range []string{`"A.md"`, `{"a": "A.md"}`, `[["A.md"]]`, `[{"files": ["A.md"]}]`, `7`, `true`, `[7]`, `[null]`, `{"a": [false]}`} {
		for what, in := range map[string][2]string{"state": {value, `[]`}, "definition": {`[]`, value}} {
			const was = `["SKETCH.md", "docs/PLAN.md"]`
			state := strings.Replace(stateText("active", atGate, allOpen), was, in[0], 1)
			files := map[string]string{"loop.json": strings.Replace(definitionText, was, in[1], 1)}
			_, err := protocoltest.Decide(kite(t, state, files), ask(model.VerbApprove, state, ""))
			if refused, ok := err.(*model.Refusal); !ok || refused.Code != "E_DELIVERABLES_MISSING" {
				t.Errorf("%s of the %s: %v", value, what, err)
			}
			if strings.Contains(value, "A.md") {
				files["A.md"] = "x"
				_, err := protocoltest.Decide(kite(t, state, files), ask(model.VerbApprove, state, ""))
				must(t, err)
			}
		}
	}
}

// TestRestart checks that a restart replaces the state by a generated one and keeps a copy of the old one.
func TestRestart(t *testing.T) {
	for _, status := range []string{"complete", "failed"} {
		before := stateText(status, sewing, [3]string{"passed", "failed", "pending"})
		r := kite(t, before, nil)
		q := ask(model.VerbRestart, before, "")
		c, err := protocoltest.Decide(r, q)
		must(t, err)
		after := edited(t, before, c)
		want, _, err := Generate([]byte(definitionText), noon)
		must(t, err)
		if after != want || len(c.Keeps) != 1 || c.Keeps[0] != (protocol.Copy{File: "kite-state-20260301T103000Z.json", Content: before}) || c.Confirm != "restart" || c.Is != "active" {
			t.Errorf("%+v\n%s", c.Keeps, after)
		}
		if len(r.Read(noon).Can) == 0 || !slices.Contains(r.Read(noon).Can, model.VerbRestart) {
			t.Errorf("offered %v", r.Read(noon).Can)
		}
	}
}
