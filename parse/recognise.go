// Protocols whose files are recognised and not read yet: the user is told so,
// instead of being shown an empty screen.

package parse

import (
	"encoding/json"
	"errors"
	"slices"
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
	if file := loopState(m); file != "" {
		found = append(found, model.Recognised{Protocol: "loop", File: file})
	}
	if m.IsDir(".fctry") {
		found = append(found, model.Recognised{Protocol: "fctry", File: ".fctry"})
	}
	return found
}

// loopState returns the first file with the shape of a loop's state
// (protocols/loop-state.md "Full Schema"): the names only make candidates, those
// that loops give them (audit-state.json) before others.
func loopState(m *mirror.Mirror) string {
	entries, _ := m.List(".")
	candidates := slices.DeleteFunc(slices.Clone(entries), func(e mirror.Entry) bool {
		return !e.Regular || !strings.HasSuffix(e.Name, ".json") || e.Size > maxLoopFile
	})
	slices.SortStableFunc(candidates, func(a, b mirror.Entry) int { return unlikely(a.Name) - unlikely(b.Name) })
	for _, e := range candidates[:min(len(candidates), maxLoopFiles)] {
		if mirror.Read(m, e.Name, isLoopState).Value {
			return e.Name
		}
	}
	return ""
}

func unlikely(name string) int {
	if strings.HasSuffix(name, "-state.json") {
		return 0
	}
	return 1
}

func isLoopState(text string) (bool, error) {
	var shape struct {
		Loop   string
		Gates  map[string]json.RawMessage
		Phases map[string]json.RawMessage
	}
	err := json.Unmarshal([]byte(strings.TrimPrefix(text, "\uFEFF")), &shape)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return false, err // half written: what it was before holds
	}
	// Any other error says that it is another kind of file, which is no fault.
	return err == nil && shape.Loop != "" && shape.Gates != nil && shape.Phases != nil, nil
}
