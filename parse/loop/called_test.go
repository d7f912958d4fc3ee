package loop

import (
	"slices"
	"strings"
	"testing"

	"gatehouse/model"
)

// TestGatesWhoseIDIsNoText holds that the name of a gate does not stand for an ID that is there and can't be read: the gate of the
// state waits once, by its own ID, and that the definition can't be read is said once, in its place.
func TestGatesWhoseIDIsNoText(t *testing.T) {
	const begins = `{"id": "sketch-gate", "name": "Sketch Approval", "afterPhase": "SKETCH", "required": true`
	for gate, is := range map[string]string{
		`"id": null, "name": "Sketched"`: "null", `"id": [], "name": "Sketched"`: "a list", `"id": 7, "name": "Sketched"`: "a number",
		`"id": {"id": "sketch-gate"}, "name": "Sketched"`: "an object", `"id": null, "name": "sketch-gate"`: "null",
		`"name": "sketch-gate"`: "", `"name": "Sketch Gate"`: "", `"name": "SKETCH_gate"`: "", `"name": null, "id": "sketch-gate"`: "", // which is what it is called
	} {
		definition := strings.Replace(definitionText, begins, `{`+gate+`, "afterPhase": "SKETCH"`, 1)
		b := kite(t, stateText("active", sewing, allOpen), map[string]string{"loop.json": definition}).Read(noon)
		var waits []string
		for _, w := range b.Certain() {
			waits = append(waits, w.Text)
		}
		slices.Sort(waits)
		says := string(b.Claimed.AppendFull(nil))
		if !strings.Contains(says, "next approve sketch-gate") || strings.Contains(says, "loop.json can't be read") != (is != "") || strings.Contains(says, "Sketched") {
			t.Errorf("%s: %s", gate, says)
		}
		if is == "" {
			if len(waits) != 1 || strings.Contains(waits[0], "nobody knows") {
				t.Errorf("%s: waits %q", gate, waits)
			}
			continue
		}
		if len(waits) != 2 || !strings.HasPrefix(waits[0], "not all of loop.json can be read") || !strings.HasPrefix(waits[1], "sketch-gate; nobody knows where it stands") {
			t.Errorf("%s: waits %q", gate, waits)
		}
		if !slices.ContainsFunc(b.Problems, func(p model.Problem) bool {
			return p.Text == "the id of a gate is "+is+", not text" && p.File == "loop.json" && p.Line > 0
		}) {
			t.Errorf("%s: %v", gate, b.Problems)
		}
	}
	optional := strings.Replace(definitionText, begins, `{"id": null, "name": "sketch-gate", "afterPhase": "SKETCH", "required": false`, 1)
	b := kite(t, stateText("active", sewing, [3]string{"passed", "pending", "pending"}), map[string]string{"loop.json": optional}).Read(noon)
	if len(b.Certain()) > 0 {
		t.Errorf("one that is not required: %+v", b.Waits)
	}
}
