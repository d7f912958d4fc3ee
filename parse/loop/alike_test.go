package loop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestGatesThatLookAlike: the gate that waits, and the one that is decided, is told apart from one whose name looks the same.
func TestGatesThatLookAlike(t *testing.T) {
	for _, id := range []string{"skеtch-gate", "sketch_gate", "ѕketch-gate", "ｓketch-gate"} {
		state := strings.Replace(stateText("active", sewing, [3]string{"passed", "pending", "pending"}), `"gates": {`,
			`"gates": { "`+id+`": {"status": "pending", "required": true, "approvalType": "human", "deliverables": [], "passedAt": null, "skippedReason": null},`, 1)
		r := kite(t, state, nil)
		b := r.Read(noon)
		told := 0
		for _, w := range b.Waits {
			if strings.Contains(w.Text, "another gate's name looks the same: its character ") {
				told++
				if w.Node != "gate/"+id {
					t.Errorf("%s: %s", id, w.Node)
				}
			}
		}
		if told != 1 {
			t.Errorf("%q is told apart %d times: %+v", id, told, b.Waits)
		}
	}
}

// TestSinceByAFile: a gate waits since its deliverable came, which only the time of that file says.
func TestSinceByAFile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kite-state.json"), stateText("active", atGate, allOpen))
	write(t, filepath.Join(dir, "loop.json"), definitionText)
	for minute, byFile := range map[int]bool{-90: true, -180: false} { // its phase was completed two hours ago
		came := noon.Add(time.Duration(minute) * time.Minute)
		write(t, filepath.Join(dir, "SKETCH.md"), "# A\n")
		must(t, os.Chtimes(filepath.Join(dir, "SKETCH.md"), came, came))
		if w := only(t, dir, nil).Read(noon).Waits[0]; w.SinceFile != byFile || w.Since.Equal(came) != byFile {
			t.Errorf("a deliverable of %d minutes: since %v, by a file %v", minute, w.Since, w.SinceFile)
		}
	}
}
