package mirror

import (
	"errors"

	"gatehouse/model"
	"gatehouse/model/line"
)

// Note adds to a build the facts about a file that was read for it: its age, whether its last good state is shown, and
// its problems. The file is relative to the project's root.
func (r Result[T]) Note(b *model.Build, file string) {
	if r.ModTime.After(b.Freshness.Changed) {
		b.Freshness.Changed = r.ModTime
	}
	if r.Held {
		b.Freshness.Held++
	}
	if r.Err != nil {
		b.Problems = append(b.Problems, r.problemOf(file))
	}
}

// problemOf describes the problem of the file.
func (r Result[T]) problemOf(file string) model.Problem {
	p := model.Problem{Pos: model.Pos{File: file}, Severity: model.Error, Text: line.Clean(r.Err.Error()), Fix: "nothing of it is shown; mend it"}
	var fault *Fault
	if errors.As(r.Err, &fault) {
		p.Line, p.Col = fault.Line, fault.Col
		if fault.Minor {
			p.Severity, p.Fix = model.Warning, "the rest of it is shown; mend the line"
		}
	}
	if r.Held {
		p.Severity, p.Fix = model.Warning, "its last good state is shown until it can be read again"
	}
	return p
}
