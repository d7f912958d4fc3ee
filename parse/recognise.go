// Protocols whose files are recognised and not read yet: the user is told so,
// instead of being shown an empty screen.

package parse

import (
	"encoding/json"
	"strings"

	"gatehouse/model"
	"gatehouse/parse/mirror"
)

// maxLoopFile is the largest file that is looked into for being a loop's
// state: real ones are below 100 KiB.
const maxLoopFile = 1 << 20

// maxLoopFiles is how many files of a directory are looked into.
const maxLoopFiles = 64

// recognise lists the protocols whose files are here and not shown yet.
func recognise(m *mirror.Mirror) []model.Recognised {
	var found []model.Recognised
	if m.IsDir(".ultraplan") {
		found = append(found, model.Recognised{Protocol: "ultraplan", File: ".ultraplan"})
	}
	if file := loopState(m); file != "" {
		found = append(found, model.Recognised{Protocol: "loop", File: file})
	}
	if m.IsDir(".fctry") {
		found = append(found, model.Recognised{Protocol: "fctry", File: ".fctry"})
	}
	return found
}

// loopState returns the first file with the shape of a loop's state
// (protocols/loop-state.md "Full Schema"): the names only make candidates.
func loopState(m *mirror.Mirror) string {
	entries, _ := m.List(".")
	looked := 0
	for _, e := range entries {
		if e.Dir || !strings.HasSuffix(e.Name, ".json") || e.Size > maxLoopFile {
			continue
		}
		if looked++; looked > maxLoopFiles {
			break
		}
		if mirror.Read(m, e.Name, isLoopState).Value {
			return e.Name
		}
	}
	return ""
}

func isLoopState(text string) (bool, error) {
	var shape struct {
		Loop   string
		Gates  map[string]json.RawMessage
		Phases map[string]json.RawMessage
	}
	if json.Unmarshal([]byte(text), &shape) != nil {
		return false, nil // another kind of file, and no fault of it
	}
	return shape.Loop != "" && shape.Gates != nil && shape.Phases != nil, nil
}
