package tui

// What has become different in what would be done, where the file changed under a question.

import (
	"strings"

	"gatehouse/model"
)

// difference is one thing that is not as it was in what would be done.
type difference struct{ label, was, is string }

// differences returns what is different between two proposals for the same. Values that are only written anew, such as the
// time, are none: what counts is what the file held.
func differences(was, is *model.Proposal) []difference {
	var all []difference
	add := func(label, a, b string) {
		if a != b {
			all = append(all, difference{label, a, b})
		}
	}
	add("effect", was.Effect, is.Effect)
	old := make(map[string]string, len(was.Edits))
	for _, e := range was.Edits {
		old[e.Label] = e.Old
	}
	for _, e := range is.Edits {
		if before, known := old[e.Label]; known {
			add(e.Label, before, e.Old)
		} else {
			add(e.Label, "not written", e.New)
		}
		delete(old, e.Label)
	}
	for _, e := range was.Edits {
		if before, gone := old[e.Label]; gone {
			add(e.Label, before, "not written any more")
		}
	}
	add("missing", list(was.Missing), list(is.Missing))
	seen := make(map[string]string, len(was.Evidence))
	for _, a := range was.Evidence {
		seen[a.Name] = extent(a)
	}
	for _, a := range is.Evidence {
		add(a.Name, seen[a.Name], extent(a))
	}
	add("asks", was.Asks, is.Asks)
	add("warnings", list(was.Warnings), list(is.Warnings))
	add("checks", list(was.Checks), list(is.Checks))
	add("releases", list(was.Releases), list(is.Releases))
	return all
}

func list(texts []string) string { return strings.Join(texts, ", ") }

// extent says how much there is of a file.
func extent(a model.Artifact) string {
	if !a.Exists {
		return "missing"
	}
	return bytesOf(a.Size)
}
