package parse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"gatehouse/model"
	"gatehouse/model/line"
	"gatehouse/parse/nearest"
	"gatehouse/parse/randomtest"
)

// TestUserFormats reads projects by .gatehouse/format.yaml, and checks the display and the prompt's line.
func TestUserFormats(t *testing.T) {
	const rfc = "name: rfc\nfiles: rfcs/*/plan.md\nphases: 2\ntasks: boxes\nwords:\n  active: [\"-\"]\n  waiting: [\"?\"]\n  skipped: [\"~\"]\nnext: \"implement {id} {title}\"\nask: \"agree on {title}\"\n"
	const table = "name: board\nfiles: board.md\nphases: 2\ntasks: table\ntitle: Task\nstatus: State\nwords: {done: [shipped], active: [doing], waiting: [review]}\n"
	const keys = "name: todos\nfiles: todo.yaml\nphases: plan\ntasks: items\ntitle: name\nstatus: state\nwords: {done: [done], waiting: [review]}\n"
	for name, c := range map[string]struct {
		format string
		files  map[string]string
		want   []string // lines that the display contains
		not    []string
	}{
		"boxes": {rfc, map[string]string{"rfcs/1/plan.md": "# RFC 1: Cache\n\n## Design\n- [x] 1. Write\n- [?] 2. Agree on eviction\n\n## Build\n- [-] 3. Store\n- [ ] 4. Metrics\n"},
			[]string{"rfc 1/4", "phase Design 1/2 active", "task 2 Agree on eviction waiting", "task 3 Store active", "task 4 Metrics pending", "wait agree on Agree on eviction"}, []string{"problem"}},
		"boxes that are all done":     {rfc, map[string]string{"rfcs/1/plan.md": "# RFC\n\n## Design\n- [x] 1. Write\n- [~] 2. Agree\n"}, []string{"phase Design 1/1 done", "task 2 Agree skipped"}, []string{"problem", "wait"}},
		"a box that no word explains": {rfc, map[string]string{"rfcs/1/plan.md": "# RFC\n\n## Design\n- [x] 1. Write\n- [%] 2. Agree\n"}, []string{"rfc 1/2", "task 2 Agree unknown"}, []string{"phase Design 2/2", " 1/1"}},
		"a table": {table, map[string]string{"board.md": "# Board\n\n## Now\n| Task | State |\n|---|---|\n| Wire | shipped |\n| Wick | doing |\n| Oil | review |\n| Shade | |\n"},
			[]string{"board 1/4", "task Wire done", "task Wick active", "task Oil waiting", "wait "}, nil},
		"YAML": {keys, map[string]string{"todo.yaml": "plan:\n  - name: Base\n    items:\n      - {name: Saw, state: done}\n      - name: Glue\n        state: review\n"},
			[]string{"todos 1/2", "phase Base 1/2 active", "task Saw done", "task Glue waiting"}, nil},
		"JSON":                     {strings.Replace(keys, "todo.yaml", "todo.json", 1), map[string]string{"todo.json": `{"plan": [{"name": "Base", "items": [{"name": "Saw", "state": "done"}, {"name": "Glue", "state": "review"}]}]}`}, []string{"todos 1/2", "task Glue waiting"}, nil},
		"a file that is broken":    {keys, map[string]string{"todo.yaml": "plan:\n  - name: Base\n    items: [\n"}, []string{"problem todo.yaml"}, []string{" done"}},
		"a pattern that leads out": {strings.Replace(rfc, "rfcs/*/plan.md", "../*/plan.md", 1), map[string]string{"rfcs/1/plan.md": "# RFC\n- [x] 1. Write\n"}, []string{"problem .gatehouse/format.yaml"}, []string{"task"}},
		"a format that is broken":  {"name: rfc\nfiles: [\n", map[string]string{"rfcs/1/plan.md": "# RFC\n- [x] 1. Write\n"}, []string{"problem .gatehouse/format.yaml"}, []string{"task"}},
		"a key that there is not":  {rfc + "colour: red\n", map[string]string{"rfcs/1/plan.md": "# RFC\n- [x] 1. Write\n"}, []string{"problem .gatehouse/format.yaml"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.files[".gatehouse/format.yaml"] = c.format
			must(t, randomtest.WriteFiles(dir, c.files))
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
			for _, want := range c.want {
				if !strings.Contains(s.String(), want) {
					t.Errorf("no %q in\n%s", want, s.String())
				}
			}
			for _, not := range c.not {
				if strings.Contains(s.String(), not) {
					t.Errorf("%q is in\n%s", not, s.String())
				}
			}
		})
	}
}
