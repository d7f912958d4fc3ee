package main

// Runs the examples in the docs: each ```console block, as a shell would, at the time of the scripts. The comment before it names the
// project of testdata/projects: <!-- in lantern -->. The output must be the one in the docs. A line … matches any lines, and the output of
// a command with nothing below it is not checked.

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// examples matches the blocks of a page: their project and lines.
var examples = regexp.MustCompile("(?m)^<!-- in (\\w+) -->\\n```console\\n((?s:.*?))^```$")

func TestExamplesInDocs(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	programs := t.TempDir()
	build := exec.Command("go", "build", "-o", programs, "gatehouse/cmd/statusline")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	scripts := t.TempDir()
	found := 0
	for _, p := range pages(t) {
		blocks := examples.FindAllStringSubmatch(p.text, -1)
		if n := strings.Count(p.text, "```console"); n != len(blocks) {
			t.Errorf("%s: of %d examples %d name their project", p.name, n, len(blocks))
		}
		for i, b := range blocks {
			found++
			name := fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(p.name), ".md"), i+1)
			script := "env HOME=$WORK/home\nenv USER=ann\nenv TERM=dumb\nmkdir home\nproject " + b[1] + " home/p\ncd home/p\nexample $WORK/example " + p.name + "\n-- example --\n" + b[2]
			if err := os.WriteFile(filepath.Join(scripts, name+".txtar"), []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if found == 0 {
		t.Fatal("no page has an example")
	}
	testscript.Run(t, testscript.Params{
		Dir: scripts, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Setenv(testsPID, strconv.Itoa(os.Getpid()))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"project": project, "example": example},
	})
}

// step is a command of an example and its expected output; nil matches anything.
type step struct {
	command string
	prints  []string
}

func stepsOf(text string) (steps []step) {
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		if command, ok := strings.CutPrefix(l, "$ "); ok {
			steps = append(steps, step{command: command})
		} else if more, ok := strings.CutPrefix(l, "> "); ok && len(steps) > 0 && steps[len(steps)-1].prints == nil {
			steps[len(steps)-1].command += "\n" + more
		} else if len(steps) > 0 {
			last := &steps[len(steps)-1]
			last.prints = append(last.prints, l)
		}
	}
	return steps
}

// anID matches the ID of an ask, which differs each time.
var anID = regexp.MustCompile(`\b[a-z]{7}[2-7]\b`)

// updating is held while -update changes a page.
var updating sync.Mutex

// example FILE PAGE runs an example in one shell, so that a line sees the variables of the lines before. The home directory is shown as
// /home/ann.
func example(ts *testscript.TestScript, _ bool, args []string) {
	const mark = "--- the next command ---"
	steps := stepsOf(ts.ReadFile(args[0]))
	var script strings.Builder
	script.WriteString("exec 2>&1\n")
	for _, s := range steps {
		script.WriteString(s.command + "\necho '" + mark + "'\n")
	}
	ts.Check(ts.Exec("sh", "-c", script.String()))
	said := strings.ReplaceAll(ts.ReadFile("stdout"), ts.Getenv("HOME"), "/home/ann")
	if me, err := user.Current(); err == nil {
		said = regexp.MustCompile(`\b`+regexp.QuoteMeta(me.Username)+`\b`).ReplaceAllString(said, "ann")
	}
	printed, text := strings.Split(said, mark+"\n"), ""
	for i, s := range steps {
		text += "$ " + strings.ReplaceAll(s.command, "\n", "\n> ") + "\n"
		if s.prints == nil {
			continue
		}
		form := regexp.QuoteMeta(strings.Join(s.prints, "\n") + "\n")
		form = anID.ReplaceAllString(strings.ReplaceAll(form, "…\n", "(?s:.*)"), "[a-z2-7]{8}")
		if regexp.MustCompile(`^` + form + `$`).MatchString(printed[i]) {
			text += strings.Join(s.prints, "\n") + "\n"
			continue
		}
		if text += printed[i]; !isUpdating() {
			ts.Fatalf("$ %s\nprints\n%swhere the text has\n%s", s.command, printed[i], strings.Join(s.prints, "\n"))
		}
	}
	if isUpdating() {
		updating.Lock()
		defer updating.Unlock()
		page := "../../" + args[1]
		whole, err := os.ReadFile(page)
		ts.Check(err)
		ts.Check(os.WriteFile(page, []byte(strings.Replace(string(whole), ts.ReadFile(args[0]), text, 1)), 0o644))
	}
}
