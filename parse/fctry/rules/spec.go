// The titles of a spec's sections, and its status.

package rules

import "gatehouse/parse/text/scan"

// Section is a section of a spec.
type Section struct {
	Number string // "2.10"
	Title  string
	Alias  string // without "#"
}

// Sections calls yield with each section that a spec lists, in the order of the file: the lines of its table of
// contents, "- 2.2 [Core Flow](#22-core-flow) `#core-flow`", and its headings, "### 2.2 Core Flow {#core-flow}". It ends when
// yield returns false.
func Sections(spec string, yield func(s Section, heading bool) bool) {
	for i := 0; i < len(spec); {
		end := scan.LineEnd(spec, i)
		text := spec[i:end]
		i = end + scan.TerminatorLen(spec[end:])
		at := scan.SkipBlanks(text, 0)
		if at == len(text) {
			continue
		}
		var s Section
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

// Outline returns the lines of a spec that [Sections] and [SpecStatus] read anything from: they say the same of it. A spec has some
// hundred KiB, of which this is a hundredth.
func Outline(spec string) string {
	var lines []byte
	for i := 0; i < len(spec); {
		from, end := i, scan.LineEnd(spec, i)
		i = end + scan.TerminatorLen(spec[end:])
		keep := from < SpecStatusWithin
		Sections(spec[from:end], func(Section, bool) bool { keep = true; return false })
		if keep {
			lines = append(lines, spec[from:i]...)
		}
	}
	return string(lines)
}

// listedSection reads a line of the table of contents behind its dash.
func listedSection(text string) (s Section, ok bool) {
	s.Number, text = sectionNumber(text)
	if s.Number == "" || text == "" || text[0] != '[' {
		return s, false
	}
	end := scan.Index(text, "](")
	if end < 0 {
		return s, false
	}
	s.Title, text = text[1:end], text[end:]
	start := scan.Index(text, "`#")
	if start < 0 {
		return s, false
	}
	text = text[start+2:]
	end = scan.Index(text, "`")
	if end <= 0 {
		return s, false
	}
	s.Alias = text[:end]
	return s, true
}

// headingSection reads a heading.
func headingSection(text string) (s Section, ok bool) {
	for text != "" && text[0] == '#' {
		text = text[1:]
	}
	s.Number, text = sectionNumber(text)
	start := scan.Index(text, "{#")
	if s.Number == "" || start < 0 {
		return s, false
	}
	s.Title, text = scan.TrimSpace(text[:start]), text[start+2:]
	end := scan.Index(text, "}")
	if end <= 0 {
		return s, false
	}
	s.Alias = text[:end]
	return s, s.Title != ""
}

// sectionNumber takes a number such as 2.10 off the start of text, with the blanks around it.
func sectionNumber(text string) (number, rest string) {
	text = text[scan.SkipBlanks(text, 0):]
	end := 0
	for end < len(text) && (text[end] == '.' || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	return text[:end], text[end+scan.SkipBlanks(text[end:], 0):]
}

// SpecStatusWithin is how many bytes of a spec are searched for its status, which stands in the block at its top.
const SpecStatusWithin = 500

// SpecStatus returns the status of a spec, such as "draft", "" when it names none.
func SpecStatus(spec string) string {
	const key = "status:"
	head := spec[:min(len(spec), SpecStatusWithin)]
	at := scan.FindAtLineStart(head, key, 0)
	if at < 0 {
		return ""
	}
	at = scan.SkipBlanks(head, at+len(key))
	if at < len(head) && (head[at] == '"' || head[at] == '\'') {
		at++
	}
	return head[at:scan.Word(head, at)]
}

// WantsTitles reports whether the title of a section is to be shown.
func (d *State) WantsTitles() bool {
	return d.section != "" || d.Advises() && d.summary.Specced+d.summary.Evolved > 0
}

// Titles looks up what only the spec knows: its status, the title of the section worked on, and that of the first section to
// be built. A heading counts only where the table of contents does not have the section.
func (d *State) Titles(spec string) {
	if spec == "" {
		return
	}
	detail := &d.Facts.Detail
	if detail.SpecStatus = SpecStatus(spec); detail.SpecStatus == "active" {
		detail.SpecStatus = ""
	}
	if !d.WantsTitles() {
		return
	}
	var wanted map[string]bool
	if d.Advises() {
		wanted = d.toBuild()
	}
	named, listed, first := false, false, ""
	Sections(spec, func(s Section, heading bool) bool {
		if d.section != "" && s.Alias == d.section && !(heading && named) {
			named = true
			detail.Section, detail.SectionNumber = s.Title, s.Number
		}
		listed = listed || !heading
		if (wanted[s.Alias] || wanted[s.Number]) && !(heading && listed) && (first == "" || sectionBefore(s.Number, first)) {
			first, d.first = s.Number, s.Title
		}
		return true
	})
}

// toBuild returns the sections that are to be built, by alias or by number.
func (d *State) toBuild() map[string]bool {
	wanted := map[string]bool{}
	for m := (scan.JSONMembers{Rest: d.readiness}); ; {
		key, value, ok := m.Next()
		if !ok {
			return wanted
		}
		if name, _ := scan.JSONText(key); name != "" && toBuild(sectionLabel(value)) {
			wanted[withoutHash(name)] = true
		}
	}
}

// toBuild reports whether a section of this readiness is to be built.
func toBuild(label string) bool {
	return label == "ready-to-build" || label == "draft" || label == "spec-ahead"
}

// sectionBefore orders the numbers of sections, 2.4 before 2.10.
func sectionBefore(a, b string) bool {
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

// LegacySpec reports whether a file of a project's directory has the name of a spec in older projects.
func LegacySpec(name string) bool {
	const ending = "-spec.md"
	return len(name) >= len(ending) && name[len(name)-len(ending):] == ending
}
