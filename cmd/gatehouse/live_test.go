//go:build unix

package main

// Programs in real terminals, played by the scripts in testdata/live: the dashboard on projects that change while it runs, agents that wait
// at gates, and the real Claude Code client with a stand-in for its model. A script is a txtar archive. Its comment has a command a line, of
// liveCommands; its files are written into the home directory of the terminal. The terminal is tmux, controlled from outside: scripts type
// keys and wait until the screen shows the effect.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
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
		must(t, err)
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
			must(s.t, unpack(args[0], filepath.Join(s.home, args[1])))
			report := filepath.Join(s.home, args[1], ".planning/phases/04-shore-map/04-VERIFICATION.md")
			if text, err := os.ReadFile(report); err == nil {
				now := "verified: " + time.Now().UTC().Format(time.RFC3339)
				must(s.t, os.WriteFile(report, regexp.MustCompile(`(?m)^verified: .*`).ReplaceAll(text, []byte(now)), 0o644))
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
			must(s.t, cmd.Start())
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
			must(s.t, err)
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
		must(s.t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, 0o755)))
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
	must(s.t, err)
	must(s.t, player.Play(s.t.Context()))
	to := filepath.Join(s.home, args[1])
	must(s.t, errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(filepath.Join(temp, "dawnbook"), to)))
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
	must(t, err)
	return scripts
}

const (
	// glance is how often the screen is read.
	glance = 20 * time.Millisecond

	// notSeen is the dashboard's message for a deciding key that arrived before the dashboard knew that its dialog was on the screen:
	// on a loaded machine the terminal may show a frame before the dashboard learns of that. justChanged is the message if
	// a dialog has just changed by itself. Then the key is pressed again, after pressAgain.
	notSeen     = "not on your screen yet"
	justChanged = "it changed just now, before that key"
	pressAgain  = time.Second

	// toastStays is less than the time for which the dashboard shows the result of a key.
	toastStays = 4 * time.Second

	// lineState prints a checksum of the terminal's line settings, short enough for one row, and lineStateIs matches it.
	lineState   = `echo "tty:$(stty -g | cksum)"`
	lineStateIs = `tty:(\d+) \d+\n`
)

// builtPrograms builds both programs as users build them, once for all tests, and returns their directory.
var builtPrograms = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gatehouse-bin-")
	if err != nil {
		return "", err
	}
	atEnd = append(atEnd, func() { os.RemoveAll(dir) })
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), ".", "../statusline")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return dir, err
})

// terminal is a tmux server with one window, in which a shell runs.
type terminal struct {
	t    *testing.T
	home string   // the shell's home and current directory
	env  []string // of the tmux server and all in it
	tty  string   // the state of the terminal line before anything ran

	pressed string // the last key, and its time
	at      time.Time
}

// openTerminal opens a terminal. env adds variables as
// "NAME=value".
func openTerminal(t *testing.T, width, height int, env ...string) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("a real terminal takes seconds")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed")
	}
	bin, err := builtPrograms()
	must(t, err)
	sockets, err := os.MkdirTemp("", "gh") // t.TempDir is too long for the path of a socket
	must(t, err)
	w := &terminal{t: t, home: t.TempDir()}
	w.env = append([]string{
		"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + w.home, "TMUX_TMPDIR=" + sockets,
		"LANG=C.UTF-8", "PS1=$ ", "SHELL=/bin/sh",
	}, env...)
	t.Cleanup(func() {
		if screen, err := w.tmux("capture-pane", "-p"); t.Failed() && err == nil {
			t.Logf("the screen at the end:\n%s", screen)
		}
		w.tmux("kill-server")
		w.endAll()
		os.RemoveAll(sockets)
	})
	if out, err := w.tmux("new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "-c", w.home, "sh"); err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	w.enter(lineState)
	w.tty = w.find(lineStateIs)[1]
	w.enter("clear")
	w.gone("tty:")
	return w
}

// endAll ends all processes that still run in the terminal's home, such as a slow client of an agent: they would write there while
// the home is removed. On systems without /proc it does nothing.
func (w *terminal) endAll() {
	home := []byte("\x00HOME=" + w.home + "\x00")
	for end := time.Now().Add(waitLimit); time.Now().Before(end); time.Sleep(glance) {
		running := 0
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if text, err := os.ReadFile(file); err == nil && pid != os.Getpid() && bytes.Contains(append([]byte{0}, text...), home) {
				syscall.Kill(pid, syscall.SIGKILL)
				running++
			}
		}
		if running == 0 {
			return
		}
	}
}

// tmux runs a command of the server.
func (w *terminal) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-u", "-L", "gatehouse", "-f", "/dev/null"}, args...)...)
	cmd.Env = w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must is [terminal.tmux] for commands that can't fail while the server lives.
func (w *terminal) must(args ...string) string {
	w.t.Helper()
	out, err := w.tmux(args...)
	if err != nil {
		w.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// press types keys, as tmux names them; a single character is itself.
func (w *terminal) press(keys ...string) {
	w.t.Helper()
	w.must(append([]string{"send-keys", "--"}, keys...)...)
	w.pressed, w.at = keys[len(keys)-1], time.Now()
}

// enter types a command line into the shell.
func (w *terminal) enter(line string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", line)
	w.press("Enter")
}

// screen returns the lines on the screen, without blanks at their ends.
func (w *terminal) screen() string {
	w.t.Helper()
	return w.must("capture-pane", "-p")
}

// until waits until the screen satisfies ok, and returns it. If the dashboard asks for a key once more, until presses it again.
func (w *terminal) until(what string, ok func(screen string) bool) string {
	w.t.Helper()
	for end := time.Now().Add(waitLimit); ; time.Sleep(glance) {
		screen := w.screen()
		if ok(screen) {
			return screen
		}
		if time.Now().After(end) {
			w.t.Fatalf("still not %s:\n%s", what, screen)
		}
		if (strings.Contains(screen, notSeen) || strings.Contains(screen, justChanged)) && time.Since(w.at) > pressAgain {
			w.t.Logf("%s once more, for: %s", w.pressed, what)
			w.press(w.pressed)
		}
	}
}

// shows waits until all of the texts are on the screen.
func (w *terminal) shows(texts ...string) string {
	w.t.Helper()
	return w.until("on the screen: "+strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// gone waits until none of the texts is on the screen.
func (w *terminal) gone(texts ...string) {
	w.t.Helper()
	w.until("gone: "+strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// find waits until something on the screen matches, and returns the match and
// its groups.
func (w *terminal) find(pattern string) []string {
	w.t.Helper()
	re := regexp.MustCompile(pattern)
	return re.FindStringSubmatch(w.until("on the screen: "+pattern, re.MatchString))
}

// showsBriefly waits until the dashboard has shown a message that matches pattern. Messages disappear after some seconds:
// if the machine was too slow to see it, stays reports whether a lasting effect shows that it appeared.
func (w *terminal) showsBriefly(pattern string, stays func(screen string) bool) {
	w.t.Helper()
	re, looked, missed := regexp.MustCompile(pattern), w.at, false
	w.until("shown: "+pattern, func(screen string) bool {
		missed = missed || time.Since(looked) > toastStays
		looked = time.Now()
		return re.MatchString(screen) || missed && stays(screen)
	})
}

// pressLastAgain presses the last key pressLastAgain if its effect does not last.
func (w *terminal) pressLastAgain(string) bool {
	if time.Since(w.at) > toastStays {
		w.press(w.pressed)
	}
	return false
}

// start runs gatehouse in the shell.
func (w *terminal) start(args string) {
	w.t.Helper()
	w.enter(`clear; sh -c 'echo $$ >"$HOME/pid"; exec gatehouse ` + args + `'; echo left:$?`)
}

// signal sends a signal to the running gatehouse.
func (w *terminal) signal(sig syscall.Signal) {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.home, "pid"))
	must(w.t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(w.t, err)
	must(w.t, syscall.Kill(pid, sig))
}

// checkExit waits until gatehouse has ended, and checks its exit code and that the
// terminal is restored.
func (w *terminal) checkExit(code int) {
	w.t.Helper()
	if got := w.find(`left:(\d+)`)[1]; got != strconv.Itoa(code) {
		w.t.Errorf("exit code %s, want %d", got, code)
	}
	if got := strings.TrimSpace(w.must("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); got != "0 1 0" {
		w.t.Errorf("alternate screen, cursor, mouse: %s, want 0 1 0", got)
	}
	w.checkLine()
}

// checkLine checks that the terminal line is as it was before anything ran.
func (w *terminal) checkLine() {
	w.t.Helper()
	w.enter("clear; " + lineState)
	if got := w.find(lineStateIs)[1]; got != w.tty {
		w.t.Errorf("the terminal line is not as it was before, stty -g differs")
	}
}

// typeText types a text.
func (w *terminal) typeText(text string) {
	w.t.Helper()
	w.must("send-keys", "-l", "--", text)
}

// sshServer is a server for ssh, at which the user of the test logs in.
type sshServer struct {
	mu       sync.Mutex
	sessions []*exec.Cmd
	shut     bool
}

// startSSH is the command sshd [LINE...]: it starts a server with these further lines in its configuration (~ is the home), and sets SSH_USER, SSH_PORT,
// SSH_KEY and SSH_KNOWN, its line for known_hosts.
func (s *liveScript) startSSH(more []string) {
	for _, tool := range []string{"ssh", "ssh-keygen", "sshd"} {
		if _, err := exec.LookPath(tool); err != nil {
			s.t.Skip(tool + " is not installed")
		}
	}
	if _, err := os.Stat("/run/sshd"); err != nil && os.Geteuid() == 0 {
		s.t.Skip("sshd is not set up: there is no /run/sshd")
	}
	me, err := user.Current()
	if err != nil {
		s.t.Skip(err)
	}
	dir := s.t.TempDir()
	key, config := filepath.Join(dir, "key"), filepath.Join(dir, "config")
	if output, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		s.t.Fatalf("%v: %s", err, output)
	}
	lines := append([]string{"HostKey " + key, "AuthorizedKeysFile " + key + ".pub", "StrictModes no", "PidFile none", "UsePAM no", "PermitRootLogin yes"}, more...)
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "~", s.home)
	}
	must(s.t, os.WriteFile(config, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	path, _ := exec.LookPath("sshd") // sshd insists on an absolute path
	s.ssh = &sshServer{}
	port := s.ssh.serve(s.t, func(socket *os.File) *exec.Cmd {
		server := exec.Command(path, "-i", "-f", config)
		server.Stdin, server.Stdout, server.SysProcAttr = socket, socket, &syscall.SysProcAttr{Setsid: true}
		return server
	})
	public, err := os.ReadFile(key + ".pub")
	must(s.t, err)
	s.env = append(s.env, "SSH_USER="+me.Username, "SSH_KEY="+key, "SSH_PORT="+port, "SSH_KNOWN=[127.0.0.1]:"+port+" "+strings.TrimSpace(string(public)))
}

// serve listens on a port, which stays taken, and starts a server for each connection to it, as inetd does.
func (s *sshServer) serve(t *testing.T, server func(socket *os.File) *exec.Cmd) (port string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	var servers sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		s.cut(true)
		servers.Wait()
	})
	servers.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return // the test has ended
			}
			socket, err := c.(*net.TCPConn).File()
			c.Close()
			if err != nil {
				t.Error(err)
				return
			}
			cmd := server(socket)
			s.mu.Lock()
			shut := s.shut
			if !shut {
				err = cmd.Start()
				s.sessions = append(s.sessions, cmd)
			}
			s.mu.Unlock()
			socket.Close()
			if shut {
				continue
			}
			if err != nil {
				t.Error(err)
				return
			}
			servers.Go(func() { cmd.Wait() })
		}
	})
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// cut ends all connections. If shut is true, it also refuses new ones.
func (s *sshServer) cut(shut bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cmd := range s.sessions {
		cmd.Process.Kill()
	}
	s.sessions, s.shut = nil, shut
}
