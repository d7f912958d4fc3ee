// Package reader holds what the readers, checkers and editors of all protocols do the same way: reading a file and noting
// what is wrong with it, ending a check, times as agents write them, and what refuses a decision. What a file means is the
// protocol's own, in its rules.
package reader

import (
	"errors"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/text/yamldoc"
)

// File reads a file of the project, and puts into the build what is wrong with it.
func File[T any](m *mirror.Mirror, b *model.Build, file string, parse func(string) (T, error)) mirror.Result[T] {
	r := mirror.Read(m, file, parse)
	r.Note(b, file)
	return r
}

// List lists a directory, and puts into the build what is wrong with it; ok is false where that is something.
func List(m *mirror.Mirror, b *model.Build, dir string) (entries []mirror.Entry, ok bool) {
	entries, err := m.List(dir)
	if err != nil {
		b.Problems = append(b.Problems, model.Problem{
			Pos: model.Pos{File: dir}, Severity: model.Error, Text: line.Tidy(err.Error()), Fix: "what is in it is not shown in full",
		})
	}
	return entries, err == nil
}

// Document takes a Markdown document apart and reads some keys of its frontmatter. A value that is no YAML is a minor fault,
// and frontmatter that never ends is one of the whole file.
func Document(text string, keys ...string) (yamldoc.Document, yamldoc.Doc, error) {
	doc, front, err := yamldoc.Read(text, keys...)
	var e *yamldoc.Error
	switch {
	case err == yamldoc.ErrUnclosed:
		err = &mirror.Fault{Line: yamldoc.ErrUnclosed.Line, Text: yamldoc.ErrUnclosed.Text}
	case errors.As(err, &e):
		err = &mirror.Fault{Line: e.Line, Text: "the frontmatter is not YAML: " + e.Text, Minor: true}
	}
	return doc, front, err
}

// Quoted returns a word of a file between quotation marks, with the blanks around it, which may be what is wrong with it.
func Quoted(word string) string { return "“" + word + "”" }
