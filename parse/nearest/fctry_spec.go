// The titles of a spec's sections, and its status: notes/fctry.md §2.3 and §3.

package nearest

import (
	"gatehouse/parse/text/scan"
)

// FctrySection is a section of a spec.
type FctrySection struct {
	Number string // "2.10"
	Title  string
	Alias  string // without "#"
}

// FctrySections calls yield with each section that a spec lists, in the order of the file: the lines of its table of
// contents, "- 2.2 [Core Flow](#22-core-flow) `#core-flow`", and its headings, "### 2.2 Core Flow {#core-flow}". It ends when
// yield returns false.
func FctrySections(spec string, yield func(s FctrySection, heading bool) bool) {
	for i := 0; i < len(spec); {
		end := scan.LineEnd(spec, i)
		text := spec[i:end]
		i = end + scan.TerminatorLen(spec[end:])
		at := skipBlanks(text, 0)
		if at == len(text) {
			continue
		}
		var s FctrySection
		ok, heading := false, text[at] == '#'
		switch {
		case heading:
			s, ok = headingSection(text[at:])
		case text[at] == '-':
			s, ok = listedSection(text[at+1:])
		}
		if ok && !yield(s, heading) {
			return
		}
	}
}

// listedSection reads a line of the table of contents behind its dash.
func listedSection(text string) (s FctrySection, ok bool) {
	s.Number, text = sectionNumber(text)
	if s.Number == "" || text == "" || text[0] != '[' {
		return s, false
	}
	end := indexOf(text, "](")
	if end < 0 {
		return s, false
	}
	s.Title, text = text[1:end], text[end:]
	start := indexOf(text, "`#")
	if start < 0 {
		return s, false
	}
	text = text[start+2:]
	end = indexOf(text, "`")
	if end <= 0 {
		return s, false
	}
	s.Alias = text[:end]
	return s, true
}

// headingSection reads a heading.
func headingSection(text string) (s FctrySection, ok bool) {
	for text != "" && text[0] == '#' {
		text = text[1:]
	}
	s.Number, text = sectionNumber(text)
	start := indexOf(text, "{#")
	if s.Number == "" || start < 0 {
		return s, false
	}
	s.Title, text = scan.TrimSpace(text[:start]), text[start+2:]
	end := indexOf(text, "}")
	if end <= 0 {
		return s, false
	}
	s.Alias = text[:end]
	return s, s.Title != ""
}

// sectionNumber takes a number such as 2.10 off the start of text, with the blanks around it.
func sectionNumber(text string) (number, rest string) {
	text = text[skipBlanks(text, 0):]
	end := 0
	for end < len(text) && (text[end] == '.' || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	return text[:end], text[end+skipBlanks(text[end:], 0):]
}

// indexOf returns where part first stands in text, -1 when it does not.
func indexOf(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

// fctryStatusWithin is how many bytes of a spec are searched for its status, which stands in the block at its top.
const fctryStatusWithin = 500

// FctrySpecStatus returns the status of a spec, such as "draft", "" when it names none.
func FctrySpecStatus(spec string) string {
	const key = "status:"
	head := spec[:min(len(spec), fctryStatusWithin)]
	at := scan.FindAtLineStart(head, key, 0)
	if at < 0 {
		return ""
	}
	at = skipBlanks(head, at+len(key))
	if at < len(head) && (head[at] == '"' || head[at] == '\'') {
		at++
	}
	return head[at:scan.Word(head, at)]
}

// wantsTitles reports whether the title of a section is to be shown.
func (d *fctryDoc) wantsTitles() bool {
	return d.section != "" || d.advises() && d.summary.Specced+d.summary.Evolved > 0
}

// titles looks up what only the spec knows: its status, the title of the section worked on, and that of the first section to
// be built. A heading counts only where the table of contents does not have the section.
func (d *fctryDoc) titles(spec string) {
	if spec == "" {
		return
	}
	detail := &d.facts.Detail
	if detail.SpecStatus = FctrySpecStatus(spec); detail.SpecStatus == "active" {
		detail.SpecStatus = ""
	}
	if !d.wantsTitles() {
		return
	}
	var wanted map[string]bool
	if d.advises() {
		wanted = d.toBuild()
	}
	named, listed, first := false, false, ""
	FctrySections(spec, func(s FctrySection, heading bool) bool {
		if d.section != "" && s.Alias == d.section && !(heading && named) {
			named = true
			detail.Section, detail.SectionNumber = s.Title, s.Number
		}
		listed = listed || !heading
		if (wanted[s.Alias] || wanted[s.Number]) && !(heading && listed) && (first == "" || SectionBefore(s.Number, first)) {
			first, d.first = s.Number, s.Title
		}
		return true
	})
}

// toBuild returns the sections that are to be built, by alias or by number.
func (d *fctryDoc) toBuild() map[string]bool {
	wanted := map[string]bool{}
	for m := (scan.JSONMembers{Rest: d.readiness}); ; {
		key, value, ok := m.Next()
		if !ok {
			return wanted
		}
		if name, _ := scan.JSONText(key); name != "" && FctryToBuild(sectionLabel(value)) {
			wanted[withoutHash(name)] = true
		}
	}
}

// FctryToBuild reports whether a section of this readiness is to be built.
func FctryToBuild(label string) bool {
	return label == "ready-to-build" || label == "draft" || label == "spec-ahead"
}

// SectionBefore orders the numbers of sections, 2.4 before 2.10.
func SectionBefore(a, b string) bool {
	for {
		left, i := scan.Digits(a, 0)
		right, j := scan.Digits(b, 0)
		if left != right {
			if len(left) != len(right) {
				return len(left) < len(right)
			}
			return left < right
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j < len(b)
		}
		a, b = a[i+1:], b[j+1:]
	}
}
