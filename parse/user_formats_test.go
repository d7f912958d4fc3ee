package parse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// TestUserFormats reads projects by .gatehouse/format.yaml, and checks the display and the prompt's line.
func TestUserFormats(t *testing.T) {
	conformance.OwnRows(t, "user_formats.jsonl", func(t *testing.T, c struct {
		Format    string
		Files     map[string]string
		Want, Not []string // lines that the display contains, or not
	}) {
		dir := t.TempDir()
		c.Files[".gatehouse/format.yaml"] = c.Format
		must(t, randomtest.WriteFiles(dir, c.Files))
		project, err := Open(dir, User{Home: dir})
		must(t, err)
		read := project.Read(time.Now())
		problems := read.Problems
		var s strings.Builder
		for _, b := range read.Builds {
			problems = append(problems, b.Problems...)
			fmt.Fprintln(&s, b.Protocol, b.Progress.Tasks)
			for _, n := range model.Walk(b.Nodes) {
				switch n.Kind {
				case model.KindPhase:
					fmt.Fprintln(&s, "phase", strings.TrimSpace(n.Number+" "+n.Title), n.Progress.Tasks, n.Status)
				default:
					fmt.Fprintln(&s, "task", strings.TrimSpace(n.Number+" "+n.Title), n.Status)
				}
			}
			for _, w := range b.Waits {
				fmt.Fprintln(&s, "wait", w.Text)
			}
			found, _ := nearest.Find(nearest.Place{Dir: dir, Home: dir})
			if prompt, shown := line.Shown(found.Facts, false), line.Shown(b.Header, false); prompt != shown {
				t.Errorf("the prompt says %q, the dashboard %q", prompt, shown)
			}
		}
		for _, p := range problems {
			fmt.Fprintln(&s, "problem", p.File, p.Text)
		}
		for _, want := range c.Want {
			if !strings.Contains(s.String(), want) {
				t.Errorf("no %q in\n%s", want, s.String())
			}
		}
		for _, not := range c.Not {
			if strings.Contains(s.String(), not) {
				t.Errorf("%q is in\n%s", not, s.String())
			}
		}
	})
}
