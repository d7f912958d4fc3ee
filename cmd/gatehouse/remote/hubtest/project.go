package hubtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/parse"
)

// StateFile is the state of the loops that tests decide about.
const StateFile = "paper-state.json"

// WriteLoop writes a loop with some gates into a directory. All gates are pending; the first one waits.
func WriteLoop(t testing.TB, dir string, gates int) {
	t.Helper()
	type object = map[string]any
	phases, states, defined, gateStates := []object{}, object{}, []object{}, object{}
	for i := range gates {
		phase, gate := fmt.Sprintf("P%03d", i), Gate(i)
		phases = append(phases, object{"name": phase, "skills": []string{"fold"}, "required": true})
		status := "pending"
		if i == 0 {
			status = "complete"
		}
		states[phase] = object{"status": status, "required": true, "skills": []string{"fold"}, "deliverables": []string{}, "startedAt": nil, "completedAt": nil}
		defined = append(defined, object{"id": gate, "name": "Look at " + phase, "afterPhase": phase, "required": true, "approvalType": "human", "deliverables": []string{}})
		gateStates[gate] = object{"status": "pending", "required": true, "approvalType": "human", "deliverables": []string{}, "passedAt": nil, "skippedReason": nil}
	}
	must(t, os.MkdirAll(dir, 0o755))
	writeJSON(t, filepath.Join(dir, "loop.json"), object{"id": "paper-loop", "name": "Paper", "version": "1.0.0", "phases": phases, "gates": defined})
	writeJSON(t, filepath.Join(dir, StateFile), object{
		"loop": "paper-loop", "version": "1.0.0", "mode": "greenfield", "phase": "P001", "status": "active", "gates": gateStates, "phases": states, "metrics": object{},
		"started_at": "2026-03-14T09:00:00Z", "last_updated": "2026-03-14T11:00:00Z",
	})
}

// Gate returns the name of a gate of such a loop, counted from 0, and GateID its ID.
func Gate(i int) string { return fmt.Sprintf("fold-gate-%03d", i) }

// GateID is described with [Gate].
func GateID(i int) string { return "gate/" + Gate(i) }

// Build is the ID of the build of such a loop.
const Build = "loop:" + StateFile

func writeJSON(t testing.TB, file string, v any) {
	t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	must(t, err)
	// The rename is atomic: a concurrent reader sees either the old or the new file.
	must(t, os.WriteFile(file+".new", data, 0o644))
	must(t, os.Rename(file+".new", file))
}

// GateStatus returns the status of a gate, in the words of the file.
func GateStatus(t testing.TB, dir string, i int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, StateFile))
	must(t, err)
	var state struct {
		Gates map[string]struct {
			Status string `json:"status"`
		} `json:"gates"`
	}
	must(t, json.Unmarshal(data, &state))
	return state.Gates[Gate(i)].Status
}

// Open opens the projects in some directories, with their journals in another.
func Open(t testing.TB, journal string, dirs ...string) (projects []*parse.Project) {
	t.Helper()
	for _, dir := range dirs {
		p, err := parse.Open(dir, parse.User{Name: "agent", Journal: journal})
		must(t, err)
		projects = append(projects, p)
	}
	return projects
}

// Still is a feed of one snapshot, which never changes.
type Still []*model.Project

// Next implements [model.Feed].
func (s Still) Next(ctx context.Context, after uint64) (*model.Snapshot, error) {
	if after == 0 {
		return &model.Snapshot{Version: 1, At: time.Now(), Projects: s}, nil
	}
	<-ctx.Done()
	return nil, ctx.Err()
}
