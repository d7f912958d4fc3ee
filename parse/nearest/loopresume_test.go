package nearest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gatehouse/model/line"
	"gatehouse/parse/conformance"
)

// TestConformanceResume derives the expected scene from the result of resuming a loop.
func TestConformanceResume(t *testing.T) {
	conformance.RowsFrom(t, "../loop", "resume.jsonl", func(t *testing.T, row struct {
		State    json.RawMessage
		Loop     string
		LoopJSON json.RawMessage `json:"loop_json"`
		Expected struct{ Action, Phase, Gate, Error string }
	}) {
		var state struct {
			Loop, Status, Phase string
			Phases, Gates       map[string]struct{ Status string }
		}
		must(t, json.Unmarshal(row.State, &state))
		definition := row.LoopJSON
		if row.Loop != "" {
			text, err := os.ReadFile(filepath.Join(conformance.DirFrom("../loop"), "loops", filepath.FromSlash(row.Loop)))
			must(t, err)
			definition = text
		}
		files := map[string]string{"a-state.json": string(row.State)}
		if len(bytes.TrimSpace(definition)) > 0 {
			files["loop.json"] = string(definition)
		}
		root := tree(t, files)
		found, ok := Find(Place{Dir: root, Home: root, Source: "loop"})
		if !ok {
			t.Fatal("no loop")
		}
		if found.With == "" && len(files) > 1 {
			t.Fatal("no definition")
		}
		scene, why := found.Facts.Scene()
		text := line.Full(found.Facts)
		wantScene, part := 4, state.Status
		e := row.Expected
		switch e.Action {
		case "continue_phase":
			wantScene, part = 2, "next "+e.Phase
			if state.Phases[e.Phase].Status != "pending" {
				wantScene, part = 1, "Phase "+e.Phase+" active"
			}
		case "gate_prompt":
			wantScene, part = 2, "next approve "+e.Gate
			if state.Gates[e.Gate].Status == "failed" {
				part = "next retry " + e.Gate
			}
		case "ask_retry_failed_phase":
			part = "failed · " + e.Phase
		case "ask_restart":
			wantScene, part = 3, "loop complete"
		case "offer_complete":
			wantScene, part = 2, "next complete"
		case "error":
		default:
			t.Fatalf("action %q", e.Action)
		}
		if state.Status == "paused" && (e.Action == "continue_phase" || e.Action == "gate_prompt") {
			wantScene, part = 4, "paused · "+e.Phase // the loop continues there when it is resumed
		}
		if scene != wantScene || !strings.HasPrefix(text, line.Clean(state.Loop)+" ") || !strings.Contains(text+" ", " "+line.Clean(part)+" ") {
			t.Errorf("scene %d, %s: %s\nwant scene %d with %q", scene, why, text, wantScene, part)
		}
	})
}
