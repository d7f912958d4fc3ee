package decide

// What has become different in what would be done, where the file changed under a question.

import (
	"strconv"
	"strings"
	"time"

	"gatehouse/model"
	"gatehouse/tui/draw"
)

// difference is one thing that is not as it was in what would be done.
type difference struct{ label, was, is string }

// differences returns what is different between two proposals for the same. Values that are only written anew, such as the
// time, are none: what counts is what the file held.
func differences(before, now *model.Proposal) []difference {
	var all []difference
	add := func(label, a, b string) {
		if a != b {
			all = append(all, difference{label, a, b})
		}
	}
	add("name", before.Name, now.Name)
	add("file", before.File, now.File)
	add("effect", before.Effect, now.Effect)
	add("terms", before.Terms, now.Terms)
	add("asks", before.Asks, now.Asks)
	all = append(all, editDifferences(before.Edits, now.Edits)...)
	add("missing", joined(before.Missing), joined(now.Missing))
	all = append(all, evidenceDifferences(before.Evidence, now.Evidence)...)
	add("warnings", joined(before.Warnings), joined(now.Warnings))
	add("checks", joined(before.Checks), joined(now.Checks))
	add("releases", joined(before.Releases), joined(now.Releases))
	if !before.Since.Equal(now.Since) {
		add("waits since", since(before), since(now))
	}
	return all
}

// editDifferences returns which values the file holds otherwise, and which are written only before or only now.
func editDifferences(before, now []model.Edit) []difference {
	var all []difference
	old := make(map[string]string, len(before))
	for _, e := range before {
		old[e.Label] = e.Old
	}
	for _, e := range now {
		was, known := old[e.Label]
		switch {
		case !known:
			all = append(all, difference{e.Label, "not written", e.New})
		case was != e.Old:
			all = append(all, difference{e.Label, was, e.Old})
		}
		delete(old, e.Label)
	}
	for _, e := range before {
		if was, gone := old[e.Label]; gone {
			all = append(all, difference{e.Label, was, "not written any more"})
		}
	}
	return all
}

// evidenceDifferences returns which files to judge by came or are gone, and which are not as they were.
func evidenceDifferences(before, now []model.Artifact) []difference {
	type key struct{ name, file string }
	var all []difference
	old := make(map[key]model.Artifact, len(before))
	for _, a := range before {
		old[key{a.Name, a.File}] = a
	}
	for _, a := range now {
		k := key{a.Name, a.File}
		was, known := old[k]
		switch {
		case !known:
			all = append(all, difference{a.Name, "", draw.Extent(a)})
		case was.Exists != a.Exists || was.Size != a.Size:
			all = append(all, difference{a.Name, extentBeside(was, a), extentBeside(a, was)})
		case a.Exists && !was.Changed.Equal(a.Changed): // as long as before, but who knows what it says
			all = append(all, difference{a.Name, draw.Extent(was), draw.Extent(a) + ", written again"})
		}
		delete(old, k)
	}
	for _, a := range before {
		if was, gone := old[key{a.Name, a.File}]; gone {
			all = append(all, difference{a.Name, draw.Extent(was), "gone"})
		}
	}
	return all
}

// since says when what a proposal is about began to wait.
func since(p *model.Proposal) string {
	if p.Since.IsZero() {
		return "not known"
	}
	return p.Since.Format(time.DateTime)
}

func joined(texts []string) string { return strings.Join(texts, ", ") }

// extentBeside says how much there is of a file, to the byte where it would read the same as another.
func extentBeside(a, other model.Artifact) string {
	if a.Exists && draw.Extent(a) == draw.Extent(other) {
		return strconv.FormatInt(a.Size, 10) + " B"
	}
	return draw.Extent(a)
}
