// The changelog of a spec: which sections have changed when.

package fctry

import (
	"regexp"
	"strings"
	"time"

	"gatehouse/parse/disk/mirror"
	"gatehouse/parse/protocol"
)

const changelogFile = Home + "/changelog.md"

// changelog says when each section was changed last, by its alias without "#" and by its number.
type changelog map[string]time.Time

// namedSection is how an entry names a section: `#core-flow` (2.2).
var namedSection = regexp.MustCompile("`#([^`\\s]+)`(?: \\((\\d+(?:\\.\\d+)*)\\))?")

// parseChangelog reads the entries, each a heading "## {time} — {command}" and lines that name the sections they are about.
func parseChangelog(text string) (changelog, error) {
	changed := changelog{}
	var at time.Time
	for row := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(row, "## "); ok {
			when, _, _ := strings.Cut(strings.TrimSpace(heading), " ")
			at = protocol.ParseTime(when)
			continue
		}
		for _, s := range namedSection.FindAllStringSubmatch(row, -1) {
			for _, name := range s[1:] {
				if name != "" && at.After(changed[name]) {
					changed[name] = at
				}
			}
		}
	}
	return changed, nil
}

// changelog returns that of the spec; where there is none it says nothing.
func (c *collector) changelog() changelog {
	return mirror.Read(c.m, changelogFile, parseChangelog).Value
}

// after reports whether a section was changed after a time that is known.
func (l changelog) after(section string, t time.Time) bool {
	word, _, _ := strings.Cut(strings.TrimPrefix(section, "#"), " ")
	at, ok := l[word]
	return ok && !t.IsZero() && at.After(t)
}
