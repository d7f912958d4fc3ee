// The spec, as far as a build needs it: which sections there are.

package fctry

import (
	"strings"

	"gatehouse/model/line"
	"gatehouse/parse/fctry/rules"
)

// spec is spec.md.
type spec struct {
	text     string // its outline
	status   string
	byAlias  map[string]rules.Section
	byNumber map[string]rules.Section
}

// parseSpec reads the list of contents, wherever it stands, and the headings that it leaves out.
func parseSpec(text string) (*spec, error) {
	text = rules.Outline(text)
	s := &spec{text: text, status: line.Tidy(rules.SpecStatus(text)), byAlias: map[string]rules.Section{}, byNumber: map[string]rules.Section{}}
	rules.Sections(text, func(found rules.Section, heading bool) bool {
		if _, known := s.byAlias[found.Alias]; known && heading {
			return true
		}
		s.byAlias[found.Alias], s.byNumber[found.Number] = found, found
		return true
	})
	return s, nil
}

// name returns a section as people call it: its title and number, else what the file calls it. A name may be an alias, with
// "#" or without, a number, or either with a remark behind it.
func (s *spec) name(section string) string {
	word, remark, _ := strings.Cut(section, " ")
	found, ok := s.byAlias[strings.TrimPrefix(word, "#")]
	if !ok {
		found, ok = s.byNumber[strings.TrimPrefix(word, "#")]
	}
	if !ok {
		return section
	}
	name := line.Tidy(found.Title) + " (" + line.Tidy(found.Number) + ")"
	if remark != "" {
		name += " " + remark
	}
	return name
}

// names returns sections as people call them.
func (s *spec) names(sections []string) []string {
	all := make([]string, len(sections))
	for i, x := range sections {
		all[i] = s.name(x)
	}
	return all
}
