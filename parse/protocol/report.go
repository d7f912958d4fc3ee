package protocol

import (
	"errors"
	"path"
	"strconv"
	"strings"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/disk/peek"
	"gatehouse/parse/doc"
)

// SyntaxFault returns the error of a text that is not JSON as the mirror has it, with its place.
func SyntaxFault(text string, err *doc.SyntaxError) *mirror.Fault {
	f := &mirror.Fault{Text: "not valid JSON: " + err.Reason}
	if err.Truncated {
		f.Text = "the JSON ends too early"
	}
	f.Line, f.Col = doc.IndexLines(text).Position(err.At)
	return f
}

// Source is a file that a build is made from, with the places in it.
type Source struct {
	File  string
	Lines doc.LineIndex
}

// Pos returns the place of an offset.
func (s Source) Pos(at int) model.Pos {
	p := model.Pos{File: s.File}
	p.Line, p.Col = s.Lines.Position(at)
	return p
}

// PosOf returns the place of a value, or the place of another offset if the value is absent.
func (s Source) PosOf(v doc.Value, other int) model.Pos { return s.Pos(v.OffsetOr(other)) }

// ErrorPos returns the place of an error in a file.
func ErrorPos(file string, err error) model.Pos {
	at := model.Pos{File: file}
	var fault *mirror.Fault
	if errors.As(err, &fault) {
		at.Line, at.Col = fault.Line, fault.Col
	}
	return at
}

// Report adds a problem to a build.
func Report(b *model.Build, at model.Pos, s model.Severity, rule, text, fix string) {
	b.Problems = append(b.Problems, model.Problem{Pos: at, Severity: s, Rule: rule, Text: line.Tidy(text), Fix: line.Tidy(fix)})
}

// ReportParsed adds the problems that a parser found in a source.
func ReportParsed(b *model.Build, s Source, rule string, problems []doc.Problem) {
	for _, p := range problems {
		Report(b, s.Pos(p.At), model.Warning, rule, p.Text, p.Fix)
	}
}

// ReportUnreadable adds the problem of a file that can't be read. Links that lead out of the project are reported by it.
func ReportUnreadable(b *model.Build, file string, err error, isHeld bool) {
	if err == nil || errors.Is(err, peek.ErrOutside) {
		return
	}
	fix := "fix it, or wait until it is written; nothing of it is shown"
	if isHeld {
		fix = "fix it; its last good state is shown"
	}
	Report(b, ErrorPos(file, err), model.Error, "", err.Error(), fix)
}

// Claim adds a claim of a file that the tree contradicts.
func Claim(b *model.Build, at model.Pos, claim, truth string) {
	b.Divergences = append(b.Divergences, model.Divergence{Claim: line.Tidy(claim), Truth: line.Tidy(truth), Source: at})
}

// Field is a member that an object of a file should have.
type Field struct {
	Key   string
	Kinds []doc.Kind
}

// CheckTypes reports members of another type than their field. Null counts as absent.
func CheckTypes(object doc.Value, name string, fields []Field, report func(at int, text, fix string)) {
	for _, f := range fields {
		if v := object.Get(f.Key); !v.IsEmpty() && !f.allowsKind(v.Kind()) {
			report(v.Offset(), Join(name, f.Key)+" is "+v.Kind().String()+"; it must be "+f.wantedKinds(), "write "+f.wantedKinds()+"; until then the value is ignored")
		}
	}
}

// CheckNameLists reports lists of names with entries that have none, which are ignored.
func CheckNameLists(object doc.Value, of string, keys []string, report func(at int, text, fix string)) {
	for _, key := range keys {
		list := object.Get(key)
		if _, isWhole := Names(list, append(FileKeys, NameKeys...)...); list.Is(doc.List) && !isWhole {
			report(list.Offset(), key+" of "+of+" has entries without a name", "write names, as text; the other entries are ignored")
		}
	}
}

func (f *Field) allowsKind(k doc.Kind) bool {
	for _, kind := range f.Kinds {
		if kind == k {
			return true
		}
	}
	return false
}

func (f *Field) wantedKinds() string {
	words := make([]string, len(f.Kinds))
	for i, k := range f.Kinds {
		words[i] = k.String()
	}
	return strings.Join(words, " or ")
}

// AddMetrics adds the numbers that a file keeps to a build, those in objects with the keys that lead to them, of lists their length.
func AddMetrics(b *model.Build, name string, v doc.Value) {
	const maxMetrics = 200
	text := v.Scalar()
	switch v.Kind() {
	case doc.Map:
		for member := range v.Children() {
			AddMetrics(b, Join(name, member.Key()), member)
		}
		return
	case doc.List:
		text = strconv.Itoa(v.Len()) + " entries"
		if v.Len() == 1 {
			text = "1 entry"
		}
	case doc.Null:
		text = "unknown"
	case doc.Absent:
		return
	}
	if len(b.Metrics) < maxMetrics {
		b.Metrics = append(b.Metrics, model.Fact{Label: line.Tidy(name), Value: line.Tidy(text)})
	}
}

// BaseName returns the name of a file without directory and ".json".
func BaseName(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }
