// The spec, as far as a build needs it: which sections there are.

package fctry

import (
	"strings"

	"gatehouse/parse/brief"
)

// spec is spec.md.
type spec struct {
	text     string
	status   string
	version  string
	byAlias  map[string]brief.FctrySection
	byNumber map[string]brief.FctrySection
	count    int
}

// parseSpec reads the list of contents, wherever it stands, and the headings that it leaves out.
func parseSpec(text string) (*spec, error) {
	s := &spec{text: text, status: clean(brief.FctrySpecStatus(text)), version: specVersion(text), byAlias: map[string]brief.FctrySection{}, byNumber: map[string]brief.FctrySection{}}
	brief.FctrySections(text, func(found brief.FctrySection, heading bool) bool {
		if _, known := s.byAlias[found.Alias]; known && heading {
			return true
		}
		s.byAlias[found.Alias], s.byNumber[found.Number] = found, found
		return true
	})
	s.count = len(s.byAlias)
	return s, nil
}

// specHead is how many lines of a spec may stand before its version.
const specHead = 60

// specVersion returns what the block at the top of a spec says about its version.
func specVersion(text string) string {
	for range specHead {
		row, after, more := strings.Cut(text, "\n")
		if version, ok := strings.CutPrefix(strings.TrimSpace(row), "spec-version:"); ok {
			return clean(strings.Trim(strings.TrimSpace(version), `"'`))
		}
		if !more {
			break
		}
		text = after
	}
	return ""
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
	name := clean(found.Title) + " (" + clean(found.Number) + ")"
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
