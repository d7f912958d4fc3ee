package core

import (
	"slices"

	"gatehouse/parse/doc"
)

// SpecHead is how many bytes of a specification hold its frontmatter, SpecOutline how many its table of contents, in real projects.
const (
	SpecHead    = 4 << 10
	SpecOutline = 64 << 10
)

// Spec holds a specification's metadata.
type Spec struct {
	Status   string // such as "draft"; "" if it has none
	Sections []Section
}

// Section is a section of a specification.
type Section struct {
	Number    string // "2.10"; "" for some headings
	Title     string
	Alias     string // without "#"
	IsHeading bool   // not from the table of contents
}

// ParseSpec parses a specification, or its beginning. Its sections are the lines of the table of contents,
// "- 2.2 [Core Flow](#22-core-flow) `#core-flow`", and the headings "### 2.2 Core Flow {#core-flow}".
func ParseSpec(text string) *Spec {
	s := new(Spec)
	s.Status, _, _ = doc.Cut(parseFrontmatter(text).Get("status").Scalar(), " ")
	for l := range doc.Lines(text, 0, len(text)) {
		if l.Code || l.Comment {
			continue
		}
		section, ok := Section{Title: l.Title}, false
		if section.IsHeading = l.Level > 0; section.IsHeading {
			ok = section.parseHeading(l.Title)
		} else if item, _, isItem := doc.ParseItem(l.Text); isItem {
			ok = section.parseItem(item)
		}
		if ok {
			s.Sections = append(s.Sections, section)
		}
	}
	return s
}

// parseFrontmatter parses the frontmatter of a specification: Markdown frontmatter, or the first code block above all
// sections, which may also be between dashes. It may end after the head.
func parseFrontmatter(text string) doc.Value {
	text = text[:min(len(text), SpecHead)]
	fence, from := 0, 0
	for l := range doc.Lines(text, 0, len(text)) {
		switch {
		case fence == 0 && l.Level > 1:
			return doc.Value{}
		case fence == 0 && (l.Code || l.Number == 1 && l.Text == "---"):
			fence = l.Number
		case fence == 0:
		case l.Number == fence+1:
			from = l.At
		case doc.HasPrefix(l.Text, "---"), doc.HasPrefix(l.Text, "```"):
			return doc.ParseYAML(text, from, l.At).Root()
		}
	}
	if from == 0 {
		return doc.Value{}
	}
	return doc.ParseYAML(text, from, len(text)).Root()
}

// parseHeading parses the title of a heading.
func (s *Section) parseHeading(title string) (ok bool) {
	s.Number, title = cutNumber(title)
	title, alias, hasAlias := doc.Cut(title, "{#")
	s.Title = doc.Trim(title)
	s.Alias, _, ok = doc.Cut(alias, "}")
	return ok && hasAlias && s.Alias != "" && s.Title != ""
}

// parseItem parses an item of the table of contents.
func (s *Section) parseItem(item string) (ok bool) {
	s.Number, item = cutNumber(item)
	if s.Number == "" || !doc.HasPrefix(item, "[") {
		return false
	}
	title, target, isLink := doc.Cut(item[1:], "](")
	_, alias, hasAlias := doc.Cut(target, "`#")
	s.Title = title
	s.Alias, _, ok = doc.Cut(alias, "`")
	return ok && isLink && hasAlias && s.Alias != ""
}

// cutNumber cuts a number such as 2.10 off the beginning of a text.
func cutNumber(text string) (number, rest string) {
	end := 0
	for end < len(text) && (text[end] == '.' || text[end] >= '0' && text[end] <= '9') {
		end++
	}
	return text[:end], doc.Trim(text[end:])
}

// Find returns the section with an alias, or else with a number; ok is false without one. The last one in the table of contents counts,
// headings only if it has none.
func (s *Spec) Find(name string) (found Section, ok bool) {
	if doc.HasPrefix(name, "#") {
		name = name[1:]
	}
	for _, isNamed := range [...]func(*Section) bool{
		func(s *Section) bool { return s.Alias == name }, func(s *Section) bool { return s.Number == name },
	} {
		for i := range s.Sections {
			if section := &s.Sections[i]; isNamed(section) && (!ok || !section.IsHeading) {
				found, ok = *section, true
			}
		}
		if ok {
			break
		}
	}
	return found, ok && name != ""
}

// firstToBuild returns the title of the first section, by its number, that is to be built according to readiness; ""
// without one.
func (s *Spec) firstToBuild(readiness doc.Value) (title string) {
	hasContents := slices.ContainsFunc(s.Sections, func(s Section) bool { return !s.IsHeading })
	number := ""
	for i := range s.Sections {
		section := &s.Sections[i]
		if section.IsHeading && hasContents || section.Number == "" {
			continue
		}
		for _, name := range [...]string{section.Alias, "#" + section.Alias, section.Number} {
			if isToBuild(SectionLabel(readiness.Get(name))) && (number == "" || isBefore(section.Number, number)) {
				number, title = section.Number, section.Title
			}
		}
	}
	return title
}

// isBefore orders numbers of sections: 2.4 is before 2.10.
func isBefore(a, b string) bool {
	for a != "" || b != "" {
		left, restA, _ := doc.Cut(a, ".")
		right, restB, _ := doc.Cut(b, ".")
		if left != right {
			return len(left) < len(right) || len(left) == len(right) && left < right
		}
		a, b = restA, restB
	}
	return false
}

// IsLegacySpec reports whether a file of a project's directory has the name of a specification in older projects.
func IsLegacySpec(name string) bool { return doc.HasSuffix(name, "-spec.md") }
