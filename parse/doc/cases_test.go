package doc

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/parse/conformance"
)

// readers describe the reading of a text, by the name of an operation.
var readers = map[string]func(text string) string{
	"lines": sketchLines,
	"yaml":  sketchYAML,
	"marks": StripMarks,
	"cells": func(text string) string { return fmt.Sprintf("%q %v", SplitCells(text), IsTableRule(SplitCells(text))) },
	"item": func(text string) string {
		item, indent, ok := ParseItem(text)
		return fmt.Sprint(item, "|", indent, ok)
	},
	"box": func(text string) string {
		box, checked, ok := ParseCheckBox(text)
		return fmt.Sprint(box, "|", checked, ok)
	},
	"field": func(text string) string {
		name, value, ok := ParseField(text)
		return fmt.Sprint(name, "|", value, "|", ok)
	},
	"task": func(text string) string {
		n, rest, ok := ParseTaskNumber(text)
		return fmt.Sprint(n, "|", rest, "|", ok)
	},
	"number":  func(text string) string { n, ok := ParseNumber(text); return fmt.Sprint(n, ok) },
	"seconds": func(text string) string { s, ok := ParseSeconds(text); return fmt.Sprint(s, ok) },
	"front":   func(text string) string { return fmt.Sprintf("%+v", SplitFrontmatter(text)) },
	"element": func(text string) string { return FindElement(text, "x") },
	"children": func(text string) string {
		return fmt.Sprintf("%q", FindChildren(text, "name", "options", "done", "verify"))
	},
	"attribute": func(text string) string {
		return fmt.Sprintf("%q %q %q", ParseAttribute(text, "type"), ParseAttribute(text, "gate"), ParseAttribute(text, "open"))
	},
	"tasks": func(text string) (all string) {
		for _, task := range ParseTasks(text, 0, len(text)) {
			all += fmt.Sprintf("%d %s %q %v\n", task.Line, task.Tag, task.Inner, task.Open)
		}
		return all
	},
	"insert": func(text string) string {
		span, err := InsertObject(text, []Field{{"id", "new"}, {"text", "say \"hi\"\n"}})
		return applied(text, []Span{span}, err)
	},
	"dismiss": func(text string) string {
		tree, _ := ParseJSON(text)
		at := 0
		for e := range tree.Root().Children() {
			at = e.Offset()
			break
		}
		span, err := RemoveElement(text, at)
		return applied(text, []Span{span}, err)
	},
	"set": func(text string) string { // the paths are above the document
		paths, text, _ := strings.Cut(text, "\n")
		var assignments []Assignment
		for _, path := range strings.Fields(paths) {
			assignments = append(assignments, AssignText("X", strings.Split(path, ".")...))
		}
		spans, err := SetJSON(text, assignments)
		return applied(text, spans, err)
	},
	"remove": func(text string) string { // the values are above the document
		values, text, _ := strings.Cut(text, "\n")
		tree, err := ParseJSON(text)
		if err != nil {
			return err.Error()
		}
		return applied(text, Remove(tree.Root(), func(v Value) bool { return strings.Contains(" "+values+" ", " "+v.Raw()+" ") }), nil)
	},
}

// applied returns a text with spans, and their labels.
func applied(text string, spans []Span, err error) string {
	after, ok := Apply(text, spans)
	back, undone := Apply(after, Invert(spans))
	if err != nil || !ok || !undone || back != text {
		return fmt.Sprint(err, ok, undone)
	}
	for _, s := range spans {
		after += "\n" + s.Label
	}
	return after
}

// sketchLines writes lines one a row: number, level and title of a heading, C for code, E for its end, ! for a comment, text.
func sketchLines(text string) string {
	rows := ""
	for l := range Lines(text, 0, len(text)) {
		mark := ""
		if l.Level > 0 {
			mark = fmt.Sprintf("H%d(%s)", l.Level, l.Title)
		}
		for _, m := range []struct {
			isSet bool
			mark  string
		}{{l.Code && !l.EndsCode, "C"}, {l.EndsCode, "E"}, {l.Comment, "!"}} {
			if m.isSet {
				mark += m.mark
			}
		}
		rows += fmt.Sprintf("%d%s|%s\n", l.Number, mark, l.Text)
	}
	return rows
}

// sketchYAML describes the value of a text, and each problem by its line, column and text.
func sketchYAML(text string) string {
	tree := ParseYAML(text, 0, len(text))
	all := describe(tree.Root())
	for _, p := range tree.Problems {
		line, col := IndexLines(text).Position(p.At)
		all += fmt.Sprintf("\n%d:%d %s", line, col, p.Text)
	}
	return all
}

// TestCases checks the readings of testdata/cases.jsonl.
func TestCases(t *testing.T) { conformance.Cases(t, "testdata/cases.jsonl", readers) }

// TestEveryDay checks the seconds of each day of eight years.
func TestEveryDay(t *testing.T) {
	for day := range 366 * 8 {
		at := time.Date(2019, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, day)
		if got, _ := ParseSeconds(at.Format(time.DateOnly)); got != at.Unix() {
			t.Fatalf("%s: %d", at, got)
		}
	}
}
