//go:build unix

package main

// Completions in real shells, on a real terminal: whatever a gate, a build or a directory is called, pressing tab runs
// nothing, and what has a plain name is completed.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// completing is a shell under test.
type completing struct {
	name  string
	start string // starts it in the terminal's first shell
	load  string // loads the completions that FILE holds
}

var completingShells = []completing{
	{"bash", `exec bash --noprofile --norc -i`, `source FILE; bind 'set bell-style none'; bind 'set page-completions off'; bind 'set completion-query-items 0'`},
	// zsh's usual tab also expands the word before the cursor, with or without completions; complete-word only completes.
	{"zsh", `exec zsh -f -i`, `autoload -U compinit; compinit -u -D; source FILE; unsetopt beep; bindkey '^I' complete-word`},
	{"fish", `exec fish --no-config -i`, `source FILE; function fish_prompt; echo -n '$ '; end`},
}

// hostileNames are names that mean something to one shell or another. What any of them runs makes a file whose name begins
// with pwned.
var hostileNames = []string{
	"dd$(touch pwned1)", "dd`touch pwned2`", "dd;touch pwned3;x", "dd&touch pwned4&", "dd|touch pwned5", "dd\ntouch pwned6\n",
	"dd(touch pwned7)b", "dd${x:=$(touch pwned8)}", "dd'$(touch pwned9)'", `dd"$(touch pwned10)"`, `dd\$(touch pwned11)`,
	"dd\t$(touch pwned12)", "dd>pwned13", "dd<(touch pwned14)", "dd$((a[$(touch pwned15)]))", "dd{a,b}", "dd*", "dd?", "dd[a-z]",
	"~", "~root", "-rf", "--dir=x", "=ls", "!dd", "dd#x", "dd x", "dd\x1b]0;pwned\a", "dd\u202e", "dd\u200b", "", ":4", "a=$(touch pwned16)",
	"dd%n", `dd\ntouch pwned17`, "dd" + strings.Repeat("d", 200),
}

// completionProject writes a loop with good and hostile gates, one more loop with a hostile name for each, and directories
// that are called the same as far as a file system lets them.
func completionProject(t *testing.T, dir string) {
	t.Helper()
	write := func(file string, gates ...string) {
		state := map[string]any{"loop": "lantern-loop", "version": "1.0.0", "mode": "greenfield", "phase": "BUILD", "status": "active",
			"phases": map[string]any{"BUILD": map[string]any{"status": "active", "required": true}}, "metrics": map[string]any{},
			"started_at": "2026-03-14T09:00:00Z", "last_updated": "2026-03-14T11:00:00Z"}
		all := map[string]any{}
		for _, g := range gates {
			all[g] = map[string]any{"status": "pending", "required": true, "approvalType": "human"}
		}
		state["gates"] = all
		text, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("lantern-state.json", append([]string{"frame-gate", "glass-gate"}, hostileNames...)...)
	for i, name := range hostileNames {
		if strings.ContainsRune(name, '/') || len(name) > 150 {
			continue
		}
		write(name+"-state.json", fmt.Sprintf("only-%d", i))
		if name != "" && name != "." {
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "orchard", "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	// Names that are plain, with descriptions that are not.
	phase := filepath.Join(dir, ".planning", "phases", "01-lens")
	if err := os.MkdirAll(phase, 0o755); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		filepath.Join(dir, ".planning", "STATE.md"): "---\ngsd_state_version: '1.0'\nmilestone: v1\nstatus: executing\n---\n",
		filepath.Join(phase, "01-UAT.md"): "---\nstatus: testing\n---\n## Tests\n### 1. It's $(touch pwned30) `touch pwned31` %F{red} \x1b[31m: a\tb\nexpected: x\nresult: pending\n" +
			"### 2. (touch pwned32) \\$(touch pwned33) ;touch pwned34\nexpected: x\nresult: pending\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// openCompleting opens a shell in a project, with completions loaded from a file.
func openCompleting(t *testing.T, sh completing) (w *terminal, project string) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a shell")
	}
	if _, err := exec.LookPath(sh.name); err != nil {
		t.Skip(sh.name + " is not installed")
	}
	w = openTerminal(t, 160, 50, "LC_ALL=C.UTF-8", "TERM=screen-256color", "HISTFILE=", "fish_history=")
	project = filepath.Join(w.home, "project")
	if err := os.Mkdir(project, 0o755); err != nil {
		t.Fatal(err)
	}
	completionProject(t, project)
	file := filepath.Join(w.home, "script")
	w.enter("gatehouse completion " + sh.name + " >" + file)
	w.enter("cd project; " + sh.start)
	w.enter(strings.ReplaceAll(sh.load, "FILE", file) + "; echo loa''ded")
	w.shows("\nloaded")
	return w, project
}

// abandon takes back the line that is typed, and waits until the shell has got there: by then tab has done what it does.
func (w *terminal) abandon(n int) {
	w.t.Helper()
	w.press("C-u") // and no signal, which would come before tab is done
	w.enter(fmt.Sprintf("clear; echo ma''rk-%d", n))
	w.shows(fmt.Sprintf("mark-%d\n", n))
}

// completed types a line and tab, and waits until the line is as it is to be.
func (w *terminal) completed(typed, want string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", typed)
	w.press("Tab")
	w.until(fmt.Sprintf("%q completed as %q", typed, want), func(screen string) bool {
		return slices.ContainsFunc(strings.Split(screen, "\n"), func(row string) bool { return strings.HasSuffix(strings.TrimRight(row, " "), want) })
	})
}

// pwned lists the files that something executed has made.
func pwned(t *testing.T, dir string) []string {
	t.Helper()
	var made []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), "pwned") {
			made = append(made, e.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// hostileLines are command lines with a hostile word in them, on which tab is pressed: as somebody types or pastes it, within
// quotes that leave it whole, and within those that a shell would expand it in.
func hostileLines() []string {
	var lines []string
	for _, name := range hostileNames {
		if strings.ContainsAny(name, "\n\t\x1b\a!") || len(name) > 150 {
			continue // cannot be typed
		}
		quoted := "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
		for _, word := range []string{quoted, `"` + name + `"`} {
			lines = append(lines, "gatehouse approve "+word+" --", "gatehouse approve --build="+word)
		}
		lines = append(lines,
			"gatehouse approve "+name+" --",
			"gatehouse approve "+name,
			"gatehouse approve --dir "+name+" ",
			"gatehouse approve --dir="+name+" fr",
			"gatehouse approve --build "+name,
			"gatehouse approve --build="+name)
	}
	return append(lines, "gatehouse approve ", "gatehouse wait dd", "gatehouse approve 01-UAT/", "gatehouse approve --build ", "gatehouse approve --build loop:",
		"gatehouse --dir dd", "gatehouse status dd", "gatehouse status ./dd", "gatehouse dd", `gatehouse approve "`, `gatehouse approve '`, `gatehouse approve \`)
}

// TestCompletionRunsNothing presses tab on every hostile line, twice, and then on a line with a good name.
func TestCompletionRunsNothing(t *testing.T) {
	for _, sh := range completingShells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			w, project := openCompleting(t, sh)
			for i, typed := range hostileLines() {
				keys := []string{"send-keys", "-l", "--", typed, ";", "send-keys", "Tab", "Tab"}
				if i%20 != 0 {
					w.must(append(keys, ";", "send-keys", "C-u")...)
					continue
				}
				w.must(keys...)
				w.abandon(i)
				if made := pwned(t, project); made != nil {
					t.Fatalf("executed by tab, at the latest on %q: %v", typed, made)
				}
			}
			w.abandon(len(hostileLines()))
			w.completed("gatehouse approve gl", "gatehouse approve glass-gate")
			if made := pwned(t, w.home); made != nil {
				t.Errorf("executed by tab: %v", made)
			}
		})
	}
}

// TestCompletion completes what there is: commands, flags, gates, builds, directories, and what a flag may be.
func TestCompletion(t *testing.T) {
	for _, sh := range completingShells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			w, _ := openCompleting(t, sh)
			for i, c := range []struct{ typed, want string }{
				{"gatehouse appr", "gatehouse approve"},
				{"statusline --sh", "statusline --shell"},
				{"statusline init star", "statusline init starship"},
				{"gatehouse approve fr", "gatehouse approve frame-gate"},
				{"gatehouse approve --dry", "gatehouse approve --dry-run"},
				{"gatehouse approve --build loop:la", "gatehouse approve --build loop:lantern-state.json"},
				{"gatehouse approve --build=loop:la", "gatehouse approve --build=loop:lantern-state.json"},
				{"gatehouse approve --dir orc", "gatehouse approve --dir orchard/"},
				{"gatehouse approve --dir=orc", "gatehouse approve --dir=orchard/"},
				{"gatehouse approve --dir orchard/de", "gatehouse approve --dir orchard/deep/"},
				{"gatehouse status orc", "gatehouse status orchard/"},
				{"gatehouse orc", "gatehouse orchard/"},
				{"gatehouse approve --dir ~/project fr", "gatehouse approve --dir ~/project frame-gate"},
				{`gatehouse approve --dir "$HOME/project" fr`, `gatehouse approve --dir "$HOME/project" frame-gate`},
				{"FOO=1 gatehouse approve fr", "FOO=1 gatehouse approve frame-gate"},
				{"true; gatehouse approve fr", "true; gatehouse approve frame-gate"},
				{"gatehouse approve \"fr", `gatehouse approve "frame-gate"`},
				{"gatehouse --theme mo", "gatehouse --theme mono"},
				{"gatehouse completion fi", "gatehouse completion fish"},
				{"gatehouse capture scr", "gatehouse capture scr"}, // no result
			} {
				w.completed(c.typed, c.want)
				w.abandon(i)
			}
			// A list says what there is, without what is no plain name.
			w.must("send-keys", "-l", "--", "gatehouse approve ")
			w.press("Tab", "Tab")
			screen := w.shows("frame-gate", "glass-gate", "01-UAT/1", "$(touch pwned30) touch pwned31 %F{red}")
			for _, name := range hostileNames {
				if name != "" && name != "~" && strings.Contains(screen, name) {
					t.Errorf("offered: %q\n%s", name, screen)
				}
			}
		})
	}
}

// TestCompletedDirectory completes the name of a hostile directory, which the shells do themselves, and runs the line: it is one
// word for gatehouse, and nothing else.
func TestCompletedDirectory(t *testing.T) {
	for _, sh := range completingShells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			w, project := openCompleting(t, sh)
			for i, name := range []string{"odd$(touch pwned50);x", "oeuvre`touch pwned51`y", "omit 'a' \"b\" \\c", "onto(touch pwned52)z", "-otter&touch pwned53"} {
				dir := filepath.Join(project, name)
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				for k, typed := range []string{"gatehouse journal ./" + name[:3], "gatehouse metrics --dir ./" + name[:3], "gatehouse metrics --dir=./" + name[:3]} {
					w.enter(fmt.Sprintf("clear; echo st''art-%d-%d", i, k))
					w.shows(fmt.Sprintf("start-%d-%d\n", i, k))
					w.must("send-keys", "-l", "--", typed)
					w.press("Tab", "Enter")
					w.enter(fmt.Sprintf("echo e''nd-%d-%d", i, k))
					screen := w.shows(fmt.Sprintf("end-%d-%d\n", i, k))
					if strings.Contains(screen, "no such directory") || strings.Contains(screen, "takes no arguments") || strings.Contains(screen, "not found") {
						t.Errorf("%s, %q: gatehouse did not get the directory:\n%s", typed, name, screen)
					}
				}
				if made := pwned(t, w.home); made != nil {
					t.Fatalf("%q was executed: %v", name, made)
				}
			}
		})
	}
}

// TestPlainName holds which names a shell is offered.
func TestPlainName(t *testing.T) {
	for _, name := range []string{"frame-gate", "02-UAT/3", "loop:lantern-state.json", "v1.9_x+y", "a@b", ".hidden"} {
		if !plainName(name) {
			t.Errorf("%q is not offered", name)
		}
	}
	for _, name := range append(slices.Clone(hostileNames), "@x", ":x", "+x", "-x", "a,b", "a=b", "a\\b", "é", "а") {
		if plainName(name) {
			t.Errorf("%q is offered", name)
		}
	}
}

// TestCompletionScriptsEvaluateNothing holds what cannot be tried here for PowerShell, and what the other scripts are free of
// besides: every way to run a text.
func TestCompletionScriptsEvaluateNothing(t *testing.T) {
	evaluates := regexp.MustCompile(`(?i)\beval\b|\bsource\b|(^|[^.])\. |Invoke-|\biex\b|ScriptBlock\]|ExpandString|ParseInput|\bStart-Process\b|\$\{\(e|\$\{=|\$\{~|_arguments|\bsh -c\b`)
	for _, sh := range completionShells {
		script, err := completionScripts.ReadFile("completion/" + sh.script)
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for i, row := range strings.Split(string(script), "\n") {
			if strings.HasPrefix(strings.TrimSpace(row), "#") {
				continue
			}
			if found := evaluates.FindString(row); found != "" {
				t.Errorf("%s:%d: %q runs a text: %s", sh.script, i+1, found, row)
			}
			calls += strings.Count(row, "__complete ")
		}
		if calls != 1 {
			t.Errorf("%s asks in %d places, want one", sh.script, calls)
		}
	}
	// A call by name with arguments as they are, after none of them was let pass that means something to cmd.exe.
	script, _ := completionScripts.ReadFile("completion/gatehouse.ps1")
	check, call := strings.Index(string(script), `{ return }
        if ($element.Extent.EndOffset`), strings.Index(string(script), "& $program __complete @words $last")
	if check < 0 || call < check {
		t.Error("gatehouse.ps1 does not look at the words before it passes them on")
	}
}
