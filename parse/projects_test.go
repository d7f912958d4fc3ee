package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/conformance"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// TestProjects shows projects in the prompt and in the dashboard: mistakes that careful readers found in real projects, formats that
// users define, and files that cannot be read. Where the prompt finds a build, it says the same as one of the dashboard's.
func TestProjects(t *testing.T) {
	conformance.OwnRows(t, "projects.jsonl", func(t *testing.T, r struct {
		Source string // the prompt's
		Files  map[string]string
		Links  map[string]string
		Newer  []string // files that were written last
		Line   *string  // the prompt's
		Waits  []string // the dashboard's
		Says   []string // parts of what the dashboard shows, see [shownProject]
		Not    []string
	}) {
		home := t.TempDir()
		dir := filepath.Join(home, "p")
		must(t, randomtest.WriteFiles(dir, r.Files))
		for name, to := range r.Links {
			must(t, os.Symlink(to, filepath.Join(dir, name)))
		}
		for _, name := range r.Newer {
			later := time.Now().Add(time.Hour)
			must(t, os.Chtimes(filepath.Join(dir, name), later, later))
		}
		read := open(t, dir, home).Read(time.Now())
		prompt := ""
		if found, ok := nearest.Find(nearest.Place{Dir: dir, Home: home, Source: r.Source, Alerts: true}); ok {
			prompt = line.Shown(found.Facts, false)
			if !slices.ContainsFunc(read.Builds, func(b *model.Build) bool { return line.Shown(b.Header, false) == prompt }) {
				t.Errorf("the dashboard does not show %q", prompt)
			}
		}
		if r.Line != nil && prompt != *r.Line {
			t.Errorf("the prompt shows %q, want %q", prompt, *r.Line)
		}
		var waits []model.Wait
		for _, b := range read.Builds {
			waits = append(waits, b.Certain()...)
		}
		if r.Waits != nil && !slices.EqualFunc(waits, r.Waits, func(w model.Wait, text string) bool { return w.Text == text }) {
			t.Errorf("waits %+v, want %q", waits, r.Waits)
		}
		shown := shownProject(t, read)
		for _, part := range r.Says {
			if !strings.Contains(shown, part) {
				t.Errorf("nothing says %s: %s", part, shown)
			}
		}
		for _, part := range r.Not {
			if strings.Contains(shown, part) {
				t.Errorf("it says %s: %s", part, shown)
			}
		}
	})
}

// shownProject returns the builds of a project as JSON, and then in lines with their progress, phases, tasks, waits and problems.
func shownProject(t *testing.T, p *model.Project) string {
	t.Helper()
	var s strings.Builder
	for _, b := range p.Builds {
		fmt.Fprintf(&s, "%s\n%s %v\n", jsonOf(t, b), b.Protocol, b.Progress.Tasks)
		for _, n := range model.Walk(b.Nodes) {
			count := ""
			if n.Kind == model.KindPhase {
				count = fmt.Sprint(n.Progress.Tasks, " ")
			}
			fmt.Fprintf(&s, "%s %s %s%s\n", n.Kind, strings.TrimSpace(n.Number+" "+n.Title), count, n.Status)
		}
		for _, w := range b.Certain() {
			fmt.Fprintln(&s, "wait", w.Text)
		}
		for _, problem := range b.Problems {
			fmt.Fprintln(&s, "problem", problem.File, problem.Text)
		}
	}
	for _, problem := range p.Problems {
		fmt.Fprintln(&s, "project problem", problem.File, problem.Severity, problem.Text)
	}
	return s.String()
}
