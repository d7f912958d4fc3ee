package core

import (
	"slices"
	"unicode/utf8"

	"gatehouse/model/line"
	"gatehouse/parse/doc"
)

// box is a check box of Markdown.
type box struct {
	at     int    // offset of the line
	indent int    // columns before the marker
	mark   string // the character in the brackets, "" for an empty box
	rest   string // the text right after the brackets
	text   string // the same, trimmed
	aside  bool   // it is below a heading that owns no tasks
}

// parseBox parses a list item with a check box as OpenSpec does: any list marker, any indentation, at most one character in the
// brackets. Links and words in brackets are no boxes. A box without its closing bracket is half-written, and open.
func parseBox(l string) (b box, ok bool) {
	text := line.TrimStart(l)
	for _, r := range l[:len(l)-len(text)] {
		if b.indent++; r == '\t' {
			b.indent += 3
		}
	}
	text, _ = doc.CutMarker(text)
	if text = line.TrimStart(text); !doc.HasPrefix(text, "[") {
		return box{}, false
	}
	inner, rest, found := doc.Cut(text[1:], "]")
	if !found && len(text) > 3 && (text[1] == ' ' || doc.Lower(text[1:3]) == "x ") {
		b.text = line.TrimSpace(text[2:])
		return b, true
	}
	b.mark = line.TrimSpace(inner)
	isLink := doc.HasPrefix(rest, "(") || doc.HasPrefix(rest, "[")
	_, size := utf8.DecodeRuneInString(b.mark)
	isSign := size == len(b.mark) || b.mark[size:] == "\uFE0F" // a variation selector for a colored sign
	if !found || !isSign || isLink && (b.mark != "" || inner == "") {
		return box{}, false
	}
	b.rest, b.text = rest, line.TrimSpace(rest)
	return b, true
}

// isWord reports whether the mark is an ASCII letter or digit other than x: "- [P] tasks can run in parallel" is a sentence.
func (b *box) isWord() bool {
	if len(b.mark) != 1 || b.isTicked() {
		return false
	}
	c := b.mark[0]
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

// isTicked reports whether the mark is an x.
func (b *box) isTicked() bool { return b.mark == "x" || b.mark == "X" }

// status returns Done for a ticked box, else Pending.
func (b *box) status() Status {
	if b.isTicked() {
		return Done
	}
	return Pending
}

// heading is a heading of a document.
type heading struct {
	level int
	title string
	at    int
	aside bool // it owns no tasks, or is below such a heading
}

// openFence says whether a document ends within a block of code, and what that hides.
type openFence int

const (
	noOpenFence openFence = iota
	emptyFence            // nothing in it looks like a part of the plan
	hidingFence           // it is unknown which of its lines are parts of the plan
)

// walkBoxes calls onHeading and onBox for the headings and the check boxes of a document, outside code and comments. isAside reports
// whether a heading owns no tasks; nil if all do.
func walkBoxes(text string, isAside func(heading) bool, onHeading func(heading), onBox func(box)) openFence {
	var last doc.Line
	hides := false
	aside := 0 // the level of the heading that owns no tasks
	for last = range doc.Lines(text, 0, len(text)) {
		if last.Code && !hides { // one fence too many may make code of text anywhere before it
			_, isBox := parseBox(last.Text)
			hides = isBox || doc.HasPrefix(last.Text, "##")
		}
		switch {
		case last.Code, last.Comment:
		case last.Level > 0:
			h := heading{level: last.Level, title: doc.StripMarks(last.Title), at: last.At}
			if aside == 0 || h.level <= aside {
				if aside = 0; isAside != nil && isAside(h) {
					aside = h.level
				}
			}
			h.aside = aside > 0
			onHeading(h)
		default:
			if b, ok := parseBox(last.Text); ok {
				b.at, b.aside = last.At, aside > 0
				onBox(b)
			}
		}
	}
	return fenceAfter(last, hides)
}

// fenceAfter returns whether a document with this last line ends within a block of code, which may hide parts of the plan.
func fenceAfter(last doc.Line, hides bool) openFence {
	switch {
	case !last.Code || last.EndsCode:
		return noOpenFence
	case hides:
		return hidingFence
	}
	return emptyFence
}

// documentTitle returns the name in the first level-1 heading of a document: the text after a colon, "" without one. A name in
// brackets is the placeholder of a template.
func documentTitle(text string) (name, whole string) {
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Level != 1 {
			continue
		}
		whole = doc.StripMarks(l.Title)
		for _, colon := range [...]string{": ", "：", ":"} {
			if _, rest, ok := doc.Cut(whole, colon); ok {
				if name = line.TrimSpace(rest); doc.HasPrefix(name, "[") {
					name = ""
				}
				return name, whole
			}
		}
		return "", whole
	}
	return "", ""
}

// isTemplate reports whether a document is an unfilled template: its title is a placeholder.
func isTemplate(text string) bool {
	_, title := documentTitle(text)
	return doc.Contains(title, "[FEATURE")
}

// baseName returns the last part of a path.
func baseName(path string) string { return path[doc.LastIndex(path, "/")+1:] }

// parentOf returns the directory of a path, "" for one without.
func parentOf(path string) string { return path[:max(0, doc.LastIndex(path, "/"))] }

// dirsIn returns the names of the directories in a directory.
func dirsIn(f Files, dir string) (names []string) {
	for _, name := range f.List(dir) {
		if bare := BareName(name); bare != name {
			names = append(names, bare)
		}
	}
	return names
}

// BareName returns a name of a list without the "/" that marks a directory.
func BareName(name string) string { return doc.TrimSuffix(name, "/") }

// cutOut returns text without the parts between two marks.
func cutOut(text, from, to string) string {
	kept := ""
	for {
		before, rest, found := doc.Cut(text, from)
		_, behind, ends := doc.Cut(rest, to)
		if !found || !ends {
			return kept + text
		}
		kept, text = kept+before, behind
	}
}

// folder is the directory of a build with its documents.
type folder struct {
	f     Files
	b     *Build
	names []string // in the directory
}

func (d *folder) pathOf(name string) string { return d.b.Dir + "/" + name }

// has reports whether one of several documents is there.
func (d *folder) has(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(d.names, name) })
}

// read returns the text of a document, "" without it. One that can't be read is a problem.
func (d *folder) read(name string) (text string) {
	if d.has(name) {
		text, _ = d.b.read(d.f, d.pathOf(name))
	}
	return text
}

// isArchive reports whether the name of a directory says that it holds finished work.
func isArchive(name string) bool {
	return slices.Contains([]string{"archive", "_archive", "archived", "completed", "done"}, name)
}

// hasAny reports whether a text contains one of several parts.
func hasAny(text string, parts ...string) bool {
	for _, part := range parts {
		if doc.Contains(text, part) {
			return true
		}
	}
	return false
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }
