//go:build unix

package main

// Completions in real shells, on a real terminal. Whatever the names of gates, builds and directories are, tab runs nothing, and plain
// names are completed.

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

// completingShells are the shells under test: what starts one in the terminal's first shell, and what loads completions from FILE.
var completingShells = []struct{ name, start, load string }{
	{"bash", `exec bash --noprofile --norc -i`, `source FILE; bind 'set bell-style none'; bind 'set page-completions off'; bind 'set completion-query-items 0'`},
	// zsh's usual tab also expands the word before the cursor, even without completions; complete-word only completes.
	{"zsh", `exec zsh -f -i`, `autoload -U compinit; compinit -u -D; source FILE; unsetopt beep; bindkey '^I' complete-word`},
	{"fish", `exec fish --no-config -i`, `source FILE; function fish_prompt; echo -n '$ '; end`},
}

// completionCases are the texts of testdata/completion.json.
var completionCases struct {
	Names     []string    // with a special meaning in some shell: one that is run creates a file whose name begins with pwned
	Lines     []string    // command lines on which tab is pressed, with such a name for NAME
	Completed [][2]string // lines, and what tab makes of them
	Gates     string      // the UAT file with plain names whose descriptions are not
}

func readCompletionCases(t *testing.T) {
	text, err := os.ReadFile("testdata/completion.json")
	if err == nil {
		err = json.Unmarshal(text, &completionCases)
	}
	must(t, err)
}

// isFileName reports whether a directory can have a name.
func isFileName(name string) bool {
	return name != "" && name != "." && !strings.ContainsRune(name, '/') && len(name) <= 150
}

// plantCompletions writes a loop with plain and hostile gates, another loop for each hostile name, directories with these names, and gates with
// hostile descriptions.
func plantCompletions(t *testing.T, dir string) {
	t.Helper()
	write := func(file, text string) {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644))
	}
	writeLoop := func(file string, gates ...string) {
		all := map[string]any{}
		for _, g := range gates {
			all[g] = map[string]any{"status": "pending", "required": true, "approvalType": "human"}
		}
		text, _ := json.Marshal(map[string]any{"loop": "lantern-loop", "version": "1.0.0", "mode": "greenfield", "phase": "BUILD", "status": "active",
			"phases": map[string]any{"BUILD": map[string]any{"status": "active", "required": true}}, "metrics": map[string]any{}, "gates": all,
			"started_at": "2026-03-14T09:00:00Z", "last_updated": "2026-03-14T11:00:00Z"})
		write(file, string(text))
	}
	writeLoop("lantern-state.json", append([]string{"frame-gate", "glass-gate"}, completionCases.Names...)...)
	for i, name := range completionCases.Names {
		if isFileName(name) {
			writeLoop(name+"-state.json", fmt.Sprintf("only-%d", i))
			write(filepath.Join(name, "x"), "")
		}
	}
	write("orchard/deep/x", "")
	write(".planning/STATE.md", "---\ngsd_state_version: '1.0'\nmilestone: v1\nstatus: executing\n---\n")
	write(".planning/phases/01-lens/01-UAT.md", completionCases.Gates)
}

// TestCompletion presses tab on every hostile line in each shell, which runs nothing, then on lines that it completes, and on the names of
// hostile directories, which the shells complete themselves: gatehouse gets them as one word.
func TestCompletion(t *testing.T) {
	if testing.Short() {
		t.Skip("starts shells")
	}
	readCompletionCases(t)
	for _, sh := range completingShells {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(sh.name); err != nil {
				t.Skip(sh.name + " is not installed")
			}
			w := openTerminal(t, 160, 50, "LC_ALL=C.UTF-8", "TERM=screen-256color", "HISTFILE=", "fish_history=")
			project, file := filepath.Join(w.home, "project"), filepath.Join(w.home, "script")
			plantCompletions(t, project)
			w.enter("gatehouse completion " + sh.name + " >" + file)
			w.enter("cd project; " + sh.start)
			w.enter(strings.ReplaceAll(sh.load, "FILE", file) + "; echo loa''ded")
			w.shows("\nloaded")
			w.pressTabs()
			marks := 0
			mark := func() { // deletes the typed line, and waits until the shell has processed that
				marks++
				w.press("C-u")
				w.enter(fmt.Sprintf("clear; echo ma''rk-%d", marks))
				w.shows(fmt.Sprintf("mark-%d\n", marks))
			}
			mark()
			for _, c := range completionCases.Completed {
				w.must("send-keys", "-l", "--", c[0])
				w.press("Tab")
				w.until(fmt.Sprintf("%q completed as %q", c[0], c[1]), func(screen string) bool {
					return slices.ContainsFunc(strings.Split(screen, "\n"), func(row string) bool { return strings.HasSuffix(strings.TrimRight(row, " "), c[1]) })
				})
				mark()
			}
			// A list offers plain names only.
			w.must("send-keys", "-l", "--", "gatehouse approve ")
			w.press("Tab", "Tab")
			screen := w.shows("frame-gate", "glass-gate", "01-UAT/1", "$(touch pwned30) touch pwned31 %F{red}")
			for _, name := range completionCases.Names {
				if name != "" && name != "~" && strings.Contains(screen, name) {
					t.Errorf("offered: %q\n%s", name, screen)
				}
			}
			mark()
			for _, name := range []string{"odd$(touch pwned50);x", "oeuvre`touch pwned51`y", "omit 'a' \"b\" \\c", "onto(touch pwned52)z", "-otter&touch pwned53"} {
				must(t, os.Mkdir(filepath.Join(project, name), 0o755))
				for _, typed := range []string{"gatehouse journal ./", "gatehouse metrics --dir ./", "gatehouse metrics --dir=./"} {
					mark()
					w.must("send-keys", "-l", "--", typed+name[:3])
					w.press("Tab", "Enter")
					w.enter(fmt.Sprintf("echo e''nd-%d", marks))
					screen := w.shows(fmt.Sprintf("end-%d\n", marks))
					if regexp.MustCompile("no such directory|takes no arguments|not found").MatchString(screen) {
						t.Errorf("%s, %q: gatehouse did not get the directory:\n%s", typed, name, screen)
					}
				}
			}
			w.checkNotPwned()
		})
	}
}

// pressTabs types all lines, and presses tab twice on each.
func (w *terminal) pressTabs() {
	for _, form := range completionCases.Lines {
		for _, name := range completionCases.Names {
			if strings.ContainsAny(name, "\n\t\x1b\a!") || len(name) > 150 {
				continue // cannot be typed
			}
			quoted := "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
			typed := strings.NewReplacer("QUOTED", quoted, "NAME", name).Replace(form)
			w.must("send-keys", "-l", "--", typed, ";", "send-keys", "Tab", "Tab", ";", "send-keys", "C-u")
			if typed == form {
				break
			}
		}
		w.checkNotPwned()
	}
}

// checkNotPwned fails the test if an executed name has created a file.
func (w *terminal) checkNotPwned() {
	w.t.Helper()
	filepath.WalkDir(w.home, func(path string, e os.DirEntry, err error) error {
		if err == nil && strings.HasPrefix(e.Name(), "pwned") {
			w.t.Errorf("executed by tab: %s", e.Name())
		}
		return err
	})
}

// TestPlainName checks which names shells are offered.
func TestPlainName(t *testing.T) {
	readCompletionCases(t)
	for _, name := range []string{"frame-gate", "02-UAT/3", "loop:lantern-state.json", "v1.9_x+y", "a@b", ".hidden"} {
		if !plainName(name) {
			t.Errorf("%q is not offered", name)
		}
	}
	for _, name := range append(slices.Clone(completionCases.Names), "@x", ":x", "+x", "-x", "a,b", "a=b", "a\\b", "é", "а") {
		if plainName(name) {
			t.Errorf("%q is offered", name)
		}
	}
}

// TestCompletionScriptsEvaluateNothing checks that the scripts contain no way to execute text, and that the one for PowerShell, which can't be
// run here, rejects words with a special meaning before it passes them on.
func TestCompletionScriptsEvaluateNothing(t *testing.T) {
	evaluates := regexp.MustCompile(`(?i)\beval\b|\bsource\b|(^|[^.])\. |Invoke-|\biex\b|ScriptBlock\]|ExpandString|ParseInput|\bStart-Process\b|\$\{\(e|\$\{=|\$\{~|_arguments|\bsh -c\b`)
	for _, sh := range completionShells {
		script, err := completionScripts.ReadFile("completion/" + sh.script)
		must(t, err)
		for i, row := range strings.Split(string(script), "\n") {
			if found := evaluates.FindString(row); found != "" && !strings.HasPrefix(strings.TrimSpace(row), "#") {
				t.Errorf("%s:%d: %q runs a text: %s", sh.script, i+1, found, row)
			}
		}
	}
	script, _ := completionScripts.ReadFile("completion/gatehouse.ps1")
	check, call := strings.Index(string(script), "{ return }\n        if ($element.Extent.EndOffset"), strings.Index(string(script), "& $program __complete @words $last")
	if check < 0 || call < check {
		t.Error("gatehouse.ps1 does not look at the words before it passes them on")
	}
}
