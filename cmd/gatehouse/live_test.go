//go:build unix

package main

// Programs in real terminals, played by the scripts in testdata/live: the dashboard on projects that change while it runs, agents that wait
// at gates, and the real Claude Code client with a stand-in for its model. A script is a txtar archive. Its comment has a command a line, of
// liveCommands; its files are written into the home directory of the terminal.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/cmd/gatehouse/remote/hubtest"
	"gatehouse/parse/agents/ask"
	"gatehouse/parse/disk/process"
	"gatehouse/tui"
)

// liveRoom is how many scripts run at once: they wait more than they compute.
const liveRoom = 6

// liveScript is a script that runs.
type liveScript struct {
	*terminal
	t     *testing.T
	files []txtar.File
	agent *agentScript    // nil without a client
	ssh   *sshServer      // nil without a server
	hub   *hubtest.Server // nil without a hub
	keys  int             // pressed since the last begin or task
	task  string          // the name of a task that may take four keys, "" for none
}

// TestLive plays the scripts.
func TestLive(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a real terminal takes seconds")
	}
	names, err := filepath.Glob("testdata/live/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no scripts", err)
	}
	room := make(chan struct{}, liveRoom)
	var all sync.WaitGroup
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
				s := &liveScript{t: t, files: archive.Files}
				for i, l := range strings.Split(string(archive.Comment), "\n") {
					words := splitQuoted(l)
					if len(words) == 0 || strings.HasPrefix(words[0], "#") {
						continue
					}
					do := liveCommands[words[0]]
					if do == nil {
						t.Fatalf("%s:%d: no command %s", name, i+1, words[0])
					}
					t.Logf("%d: %s", i+1, l)
					do(s, words[1:])
				}
				s.checkKeys()
			})
		})
	}
	all.Wait()
}

// liveCommands are the commands of scripts.
var liveCommands map[string]func(s *liveScript, args []string)

func init() {
	liveCommands = map[string]func(s *liveScript, args []string){
		// terminal WIDTH HEIGHT [NAME=VALUE...] opens the terminal.
		"terminal": func(s *liveScript, args []string) {
			width, _ := strconv.Atoi(args[0])
			height, _ := strconv.Atoi(args[1])
			s.open(width, height, args[2:]...)
		},
		// project NAME DIR writes a project; the one named tidepool waits since now.
		"project": func(s *liveScript, args []string) {
			s.must0(unpack(args[0], filepath.Join(s.home, args[1])))
			report := filepath.Join(s.home, args[1], ".planning/phases/04-shore-map/04-VERIFICATION.md")
			if text, err := os.ReadFile(report); err == nil {
				now := "verified: " + time.Now().UTC().Format(time.RFC3339)
				s.must0(os.WriteFile(report, regexp.MustCompile(`(?m)^verified: .*`).ReplaceAll(text, []byte(now)), 0o644))
			}
		},
		"played": (*liveScript).playDemo,
		// sh COMMAND runs a command outside of the terminal, until COMMAND waits until it succeeds, bg COMMAND runs it in the background.
		"sh": func(s *liveScript, args []string) {
			if out, err := s.shell(args[0]).CombinedOutput(); err != nil {
				s.t.Fatalf("%s: %v: %s", args[0], err, out)
			}
		},
		"until": func(s *liveScript, args []string) {
			s.until(args[0], func(string) bool { return s.shell(args[0]).Run() == nil })
		},
		"bg": func(s *liveScript, args []string) {
			cmd := s.shell(args[0])
			s.must0(cmd.Start())
			go cmd.Wait()
		},
		"start":  func(s *liveScript, args []string) { s.start(strings.Join(args, " ")) },
		"enter":  func(s *liveScript, args []string) { s.enter(args[0]) },
		"type":   func(s *liveScript, args []string) { s.typeText(args[0]); s.keys += len(args[0]) },
		"press":  func(s *liveScript, args []string) { s.press(args...); s.keys += len(args) },
		"shows":  func(s *liveScript, args []string) { s.shows(args...) },
		"gone":   func(s *liveScript, args []string) { s.gone(args...) },
		"find":   func(s *liveScript, args []string) { s.find(args[0]) },
		"resize": func(s *liveScript, args []string) { s.must("resize-window", "-x", args[0], "-y", args[1]) },
		"exits": func(s *liveScript, args []string) {
			code, _ := strconv.Atoi(args[0])
			s.checkExit(code)
		},
		// briefly PATTERN [LASTS] waits for a message that stays for some seconds. If it was missed, LASTS shows its effect; without LASTS
		// the last key is pressed again.
		"briefly": func(s *liveScript, args []string) {
			stays := s.pressLastAgain
			if len(args) > 1 {
				stays = regexp.MustCompile(args[1]).MatchString
			}
			s.showsBriefly(args[0], stays)
		},
		"signal": func(s *liveScript, args []string) {
			s.signal(map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "STOP": syscall.SIGSTOP}[args[0]])
		},
		"line": func(s *liveScript, _ []string) { s.checkLine() },
		"sshd": (*liveScript).startSSH,
		// hub FILE starts a hub with the members of a file, and sets HUB to its address. stop ends it.
		"hub": func(s *liveScript, args []string) {
			members, err := os.ReadFile(filepath.Join(s.home, args[0]))
			s.must0(err)
			s.hub = hubtest.StartWith(s.t, string(members))
			s.env = append(s.env, "HUB="+s.hub.URL())
		},
		"stop": func(s *liveScript, _ []string) { s.hub.Stop() },
		// cut ends all connections to sshd, and refuses new ones until mend.
		"cut":  func(s *liveScript, _ []string) { s.ssh.cut(true) },
		"mend": func(s *liveScript, _ []string) { s.ssh.cut(false) },
		"goto": func(s *liveScript, args []string) { s.goToGate(args[0]) },
		// retry TEXT KEY presses a key until the text is on the screen, away until it is gone: right after an answer some keys do nothing.
		"retry": func(s *liveScript, args []string) { s.retry(args[0], args[1], true) },
		"away":  func(s *liveScript, args []string) { s.retry(args[0], args[1], false) },
		"ascii": func(s *liveScript, _ []string) {
			if i := strings.IndexFunc(s.screen(), func(r rune) bool { return r > unicode.MaxASCII }); i >= 0 {
				s.t.Errorf("not ASCII: %q", s.screen()[i:])
			}
		},
		"allkeys": func(s *liveScript, args []string) { s.press(append(args, tableKeys(s.t)...)...) },
		// task NAME begins a task at the first row; it may take four keys. begin is the same without a limit, continue goes on from there.
		"task":     func(s *liveScript, args []string) { s.checkKeys(); s.goToStart(); s.task = args[0] },
		"begin":    func(s *liveScript, _ []string) { s.checkKeys(); s.goToStart() },
		"continue": func(s *liveScript, args []string) { s.checkKeys(); s.task = args[0] },
		"mouse": func(s *liveScript, args []string) {
			column, row := s.place(args[0])
			beside, _ := strconv.Atoi(args[3])
			s.typeText(fmt.Sprintf("\x1b[<%s;%d;%d%s", args[2], column+beside, row+5*min(1, len(args)-4), args[1]))
		},
	}
	for name, do := range agentCommands {
		liveCommands[name] = do
	}
}

// open opens the terminal, and writes the files of the script into its home.
func (s *liveScript) open(width, height int, env ...string) {
	s.terminal = openTerminal(s.t, width, height, env...)
	for _, f := range s.files {
		path := filepath.Join(s.home, f.Name)
		s.must0(errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, 0o755)))
	}
}

func (s *liveScript) must0(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// shell returns a command of sh in the home directory of the terminal, as its user runs it.
func (s *liveScript) shell(command string) *exec.Cmd {
	cmd := exec.CommandContext(s.t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Env = s.home, s.env
	return cmd
}

// playDemo writes the project dawnbook of the demo at a mark into a directory, ten minutes ago.
func (s *liveScript) playDemo(args []string) {
	now, temp := time.Now().Add(-10*time.Minute), s.t.TempDir()
	player, err := demo.New(temp, demo.Options{Only: "dawnbook", Until: args[0], Now: func() time.Time { return now },
		Sleep: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }})
	s.must0(err)
	s.must0(player.Play(s.t.Context()))
	to := filepath.Join(s.home, args[1])
	s.must0(errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(filepath.Join(temp, "dawnbook"), to)))
}

// checkKeys checks that the last task took at most four keys.
func (s *liveScript) checkKeys() {
	if s.task != "" && s.keys > 4 {
		s.t.Errorf("%s: it takes %d keys, and may take 4", s.task, s.keys)
	}
	s.task, s.keys = "", 0
}

// escape is the Escape key in the encoding of terminals that tell it apart from the start of an escape sequence.
const escape = "\x1b[27u"

// goToStart goes to the first row of the tree. Right after an answer some keys do nothing, so it waits until f works again.
func (s *liveScript) goToStart() {
	s.typeText(strings.Repeat(escape, 4))
	s.press("1", "g")
	s.retry("w  ◆ waiting", "f", true)
	s.typeText(escape)
	s.gone("w  ◆ waiting")
	atFirst := regexp.MustCompile(`1 Build ─[^\n]*\n│▌`)
	s.until("at the first row", func(screen string) bool {
		if !atFirst.MatchString(screen) {
			s.press("g") // rows that were sorted again have moved the selection
		}
		return atFirst.MatchString(screen)
	})
	s.keys = 0
}

// retry presses a key until the text is on the screen, or gone.
func (s *liveScript) retry(text, key string, isShown bool) {
	s.until(text, func(screen string) bool {
		if strings.Contains(screen, text) == isShown {
			return true
		}
		s.press(key)
		for range 10 {
			if strings.Contains(s.screen(), text) == isShown {
				return true
			}
			time.Sleep(glance)
		}
		return false
	})
}

// place returns the column and row at which a text begins on the screen, counted from one.
func (s *liveScript) place(text string) (column, row int) {
	for i, line := range strings.Split(s.shows(text), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			return utf8.RuneCountInString(before) + 1, i + 1
		}
	}
	return 0, 0
}

// selected matches the selected row of the tree.
var selected = regexp.MustCompile(`▌[^│]*`)

// goToGate goes to the row of a gate that waits.
func (s *liveScript) goToGate(gate string) {
	s.until("at "+gate, func(screen string) bool {
		at := selected.FindString(screen)
		if strings.Contains(at, gate) {
			return true
		}
		s.press("n") // right after an answer, n counts as an answer too, and does nothing
		for range int(time.Second / glance) {
			if selected.FindString(s.screen()) != at { // otherwise another n would move on from there
				break
			}
			time.Sleep(glance)
		}
		return false
	})
}

// tableKeys returns every key of the dashboard's table as tmux names it, except keys that quit or hand over the terminal, and esc: a key
// right after esc is read as alt and that key.
func tableKeys(t *testing.T) (names []string) {
	t.Helper()
	special := map[string]string{
		"down": "Down", "up": "Up", "left": "Left", "right": "Right", "enter": "Enter", "space": "Space", "tab": "Tab",
		"shift+tab": "BTab", "pgdown": "PageDown", "pgup": "PageUp", "home": "Home", "end": "End",
	}
	for _, row := range tui.KeyRows() {
		for _, key := range row.Keys {
			if slices.Contains([]string{"q", "ctrl+c", "ctrl+z", "esc", "e", "o"}, key) {
				continue
			}
			if letter, ok := strings.CutPrefix(key, "ctrl+"); ok {
				key = "C-" + letter
			} else if name, ok := special[key]; ok {
				key = name
			} else if len(key) > 1 {
				t.Fatalf("tmux has no name for the key %q", key)
			}
			names = append(names, key)
		}
	}
	return names
}

// waitUntil waits for a condition that no screen shows.
func waitUntil(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !ok(); time.Sleep(glance) {
		if time.Now().After(end) {
			t.Fatalf("still not: %s", what)
		}
	}
}

// askStore returns the store of asks of the terminal's user.
func (w *terminal) askStore() *ask.Store {
	state := filepath.Join(w.home, ".local", "state", "gatehouse")
	return ask.Open(ask.Options{Dir: filepath.Join(state, "agents"), Journal: filepath.Join(state, "journal"), User: "test", Table: process.System{}, Now: time.Now})
}

// readScripts returns the scripts of the model in testdata/agents.
func readScripts(t *testing.T) (scripts map[string]script) {
	text, err := os.ReadFile("testdata/agents/scripts.json")
	if err == nil {
		err = json.Unmarshal(text, &scripts)
	}
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}
