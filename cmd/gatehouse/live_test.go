//go:build unix

package main

// The dashboard in a real terminal, on a project that changes under it the way
// agents, editors and accidents change one.

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"gatehouse/parse/agents/ask"
	"gatehouse/tui"
)

// shore is the project tidepool in a directory that a test may spoil.
type shore struct {
	t   *testing.T
	dir string // its .planning
}

// newShore writes the project into a directory named shore.
func newShore(t *testing.T, home string) *shore {
	t.Helper()
	if err := unpack("tidepool", filepath.Join(home, "shore")); err != nil {
		t.Fatal(err)
	}
	s := &shore{t, filepath.Join(home, "shore", ".planning")}
	s.verified(time.Now()) // what waits for weeks stands apart
	return s
}

// verified sets since when the shore waits.
func (s *shore) verified(at time.Time) {
	s.t.Helper()
	const report = "phases/04-shore-map/04-VERIFICATION.md"
	s.write(report, verifiedIs.ReplaceAllString(s.read(report), "verified: "+at.UTC().Format(time.RFC3339)))
}

var verifiedIs = regexp.MustCompile(`(?m)^verified: .*`)

func (s *shore) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *shore) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, name))
	s.ok(err)
	return string(text)
}

// write writes over a file in place.
func (s *shore) write(name, text string) {
	s.t.Helper()
	s.ok(os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644))
}

// swap puts a file in the place of another, as careful writers do.
func (s *shore) swap(name, text string) {
	s.t.Helper()
	s.write(name+".new", text)
	s.rename(name+".new", name)
}

func (s *shore) rename(from, to string) {
	s.t.Helper()
	s.ok(os.Rename(filepath.Join(s.dir, from), filepath.Join(s.dir, to)))
}

func (s *shore) remove(name string) {
	s.t.Helper()
	s.ok(os.Remove(filepath.Join(s.dir, name)))
}

// named returns STATE.md with another name of the milestone.
func named(state, name string) string {
	return strings.Replace(state, "milestone_name: Spring Tide", "milestone_name: "+name, 1)
}

func TestLiveFilesThatChange(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24)
	s := newShore(t, w.home)
	state := s.read("STATE.md")
	w.start("shore")
	w.shows("v1.1 Spring Tide ━━━━━━━─── 75%", "live", "◆ 1/", "verify by hand", "? help")
	w.find(`○ 05-02 Warn before the rain +pending`)

	s.write("STATE.md", named(state, "Neap"))
	w.shows("v1.1 Neap ━━━━━━━─── 75%")
	s.swap("STATE.md", named(state, "Ebb"))
	w.shows("v1.1 Ebb ━━━━━━━─── 75%")
	s.swap("STATE.md", state)
	w.shows("v1.1 Spring Tide ━━━━━━━─── 75%")

	summary := "phases/05-rock-slips/05-02-SUMMARY.md"
	s.write(summary, "---\nphase: 05-rock-slips\nplan: 02\n---\n")
	w.find(`◐ 05 Rock Slips +unverified +(now|\d+s|1m)`)
	w.shows("100%") // what STATE.md says lags, which is no lie yet
	s.remove(summary)
	w.shows("━━━━━━━─── 75%")

	s.write("WAITING.json", `{"status": "waiting", "question": "Which horn?", "options": ["Deep", "Loud"], "phase": "5"}`)
	w.find(`◆ 1/[0-9]+ .*Which horn\?`)
	w.shows("◆ 2 wait")
	s.remove("WAITING.json")
	w.gone("Which horn?")
	w.find(`◆ 1/[0-9]+ .*verify by hand`)

	s.rename("phases/05-rock-slips", "phases/06-rock-slips")
	w.find(`06 rock slips`)
	s.rename("phases/06-rock-slips", "phases/05-rock-slips")
	w.gone("06 rock slips")
	w.find(`05 Rock Slips .*running`)

	s.rename("ROADMAP.md", "elsewhere.txt")
	w.gone("v1.0 Low Water")
	w.shows("05-02 Warn before the rain")
	s.rename("elsewhere.txt", "ROADMAP.md")
	w.shows("v1.0 Low Water")

	s.ok(os.RemoveAll(s.dir))
	w.shows("No agent works in ~/shore")
	s.ok(unpack("tidepool", filepath.Dir(s.dir)))
	w.shows("v1.1 Spring Tide ━━━━━━━─── 75%")

	w.press("q")
	w.left(exitDone)
}

func TestLiveFilesThatAreBroken(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24)
	s := newShore(t, w.home)
	state := s.read("STATE.md")
	w.start("shore")
	w.shows("v1.1 Spring Tide ━━━━━━━─── 75%", "7/11")

	s.write("STATE.md", "")
	w.shows("last good state", "1 problem", "v1.1 Spring Tide ━━━━━━━─── 75%")
	s.write("STATE.md", state)
	w.gone("last good state", "problem")

	s.write("STATE.md", "\xff\xfe\x00{{{\x1b[2J\x9b2J---\n\x00")
	w.shows("last good state", "1 problem")
	s.write("STATE.md", state)
	w.gone("last good state", "problem")

	s.remove("STATE.md")
	s.ok(syscall.Mkfifo(filepath.Join(s.dir, "STATE.md"), 0o644))
	w.shows("1 problem", "05-02 Warn before the rain")
	w.press("j", "j")
	w.shows("9/11") // nothing hangs
	w.press("g", "Enter", "G")
	w.shows("is not a regular file")
	w.press("Escape")
	s.swap("STATE.md", state)
	w.gone("problem")

	s.ok(os.Remove(filepath.Join(s.dir, "STATE.md")))
	s.ok(os.Mkdir(filepath.Join(s.dir, "STATE.md"), 0o755))
	w.shows("1 problem")
	s.remove("STATE.md")
	s.write("STATE.md", state)
	w.gone("problem")

	// Hostile names move nothing: every other row stays where it is, and the window keeps its title.
	before := w.until("settled", func(screen string) bool { return strings.Contains(screen, "live\n") })
	title := w.must("display-message", "-p", "#{pane_title}")
	s.write("ROADMAP.md", strings.Replace(s.read("ROADMAP.md"), "05-02: Warn", "05-02: \x1b[2J\x1b[1A\x1b[?1049l\u202eBROKEN", 1))
	s.write("STATE.md", named(state, "\x1b[H\x1b]0;owned\x07\xc2\x9b5AREEF"))
	after := w.shows("REEF", "BROKEN")
	rows, were := strings.Split(after, "\n"), strings.Split(before, "\n")
	for i := range rows {
		changed := i < 3 || strings.Contains(rows[i], "BROKEN") // the header and its chips, and the plan
		if !changed && rows[i] != were[i] {
			t.Errorf("row %d became %q, it was %q", i+1, rows[i], were[i])
		}
	}
	if now := w.must("display-message", "-p", "#{pane_title} #{alternate_on}"); now != strings.TrimSpace(title)+" 1\n" {
		t.Errorf("title and alternate screen are %q, the title was %q", now, title)
	}
	w.press("q")
	w.left(exitDone)
}

func TestLiveKeysAndSizes(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24)
	newShore(t, w.home)
	w.start("shore")
	w.shows("75%", "7/11")
	w.press("g")
	w.shows("1/11")

	w.resize(120, 40)
	w.shows("╭─ 1 Build ─", "┬─ 2 Overview ─", "├─ 6 Timeline ─")
	w.resize(39, 9)
	w.shows("needs 40x10, have 39x9", "1 waits for you")
	w.resize(200, 60)
	w.shows("╭─ 1 Build ─", "┬─ 2 Overview ─", "─ 3 STATE.md ─", "┬─ 4 For you (1) ─", "┼─ 5 Blockers ─", "gsd_state_version")
	w.resize(80, 24)
	w.shows("1/11", "05-02 Warn before the rain")

	w.press("?")
	w.shows("Keys and signs")
	w.press("Escape")
	w.gone("Keys and signs")
	w.press("n")
	w.shows("7/11")
	w.press("Enter")
	w.shows("2 Gate ─", "passed by")
	w.press("Escape")
	w.gone("passed by")

	// Every key of the table, in every place it may be pressed: none ends it, for what follows would reach the shell then,
	// and none breaks it.
	names := tableKeys(t)
	for _, before := range []string{"g", "Enter", "?", "G"} {
		w.press(append([]string{before}, names...)...)
	}
	w.press("C-c") // some of them opened something that q would be typed into
	w.left(exitDone)
	w.start("shore")
	w.shows("75%", "/11")
	w.press("g")
	w.shows("1/11")
	w.press("C-c")
	w.left(exitDone)
}

// tableKeys returns every key of the dashboard's table as tmux names them, but
// those that quit or give the terminal away, and esc: a key right
// behind it is taken for alt and that key.
func tableKeys(t *testing.T) []string {
	t.Helper()
	special := map[string]string{
		"down": "Down", "up": "Up", "left": "Left", "right": "Right", "enter": "Enter", "space": "Space", "tab": "Tab",
		"shift+tab": "BTab", "pgdown": "PageDown", "pgup": "PageUp", "home": "Home", "end": "End",
	}
	var names []string
	var keys []string
	for _, row := range tui.KeyRows() {
		keys = append(keys, row.Keys...)
	}
	for _, key := range keys {
		if key == "q" || key == "ctrl+c" || key == "ctrl+z" || key == "esc" || key == "e" || key == "o" {
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
	if len(names) < 10 {
		t.Fatalf("only %d keys in the table", len(names))
	}
	return names
}

func TestLiveSignals(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24)
	newShore(t, w.home)
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		w.start("shore")
		w.shows("75%", "7/11")
		w.signal(sig)
		w.left(exitSignal + int(sig))
	}
	// What is piped in is no keyboard: keys still come from the terminal.
	w.start("shore </dev/null")
	w.shows("75%", "7/11")
	w.press("j")
	w.shows("8/11")
	w.press("q")
	w.left(exitDone)

	w.enter("TERM=dumb gatehouse shore; echo left:$?")
	w.shows("can move its cursor")
	w.left(exitUsage)
}

func TestLiveSuspends(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24)
	newShore(t, w.home)
	w.start("shore")
	w.shows("75%", "7/11")
	w.press("g")
	w.shows("1/11")
	for range 2 {
		w.press("?")
		w.shows("Keys and signs")
		w.press("C-z") // anywhere
		w.shows("Stopped")
		w.enter("clear; " + lineState)
		if got := w.find(lineStateIs)[1]; got != w.tty {
			t.Error("the shell's terminal line is not as it was before, stty -g differs")
		}
		w.resize(100, 30)
		w.enter("fg")
		w.shows("shore", "Keys and signs")
		w.press("Escape")
		w.gone("Keys and signs")
		w.shows("╭─ 1 Build ─") // it has noticed the other size
		w.resize(80, 24)
		w.shows("1/11")
	}
	// Stopped from outside it could leave nothing; it takes the terminal back all the same.
	w.signal(syscall.SIGSTOP)
	w.shows("Stopped")
	w.press("f", "g", "C-j") // as the line was left, enter ends none
	w.gone("Stopped")
	w.shows("75%", "1/11")
	w.press("g")
	w.shows("1/11")
	w.press("j")
	w.shows("2/11")

	// What the shell has can be ended there, too.
	w.press("C-z")
	w.shows("Stopped")
	w.enter("clear; kill %1; fg; echo over:$?")
	w.shows("over:143")
}

// TestLiveEditorsThatFail checks that the dashboard goes on after an editor that is not there, and one that ends at once.
func TestLiveEditorsThatFail(t *testing.T) {
	t.Parallel()
	for _, editor := range []string{"no-such-editor", "false"} {
		w := openTerminal(t, 80, 24, "EDITOR="+editor)
		newShore(t, w.home)
		w.start("shore")
		w.shows("75%", "7/11")
		w.press("g")
		w.shows("1/11")
		w.press("e")
		w.told(" "+editor+": ", w.again)
		w.press("j")
		w.shows("2/11")
		w.press("q")
		w.left(exitDone)
	}
}

// TestLivePagerIsInterrupted checks that ctrl+c, typed into another program, is that program's.
func TestLivePagerIsInterrupted(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24, "EDITOR=sh ./editor")
	newShore(t, w.home)
	if err := os.WriteFile(filepath.Join(w.home, "editor"), []byte("trap 'echo interrupted; read answer; exit' INT\necho edits\nread answer\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	w.start("shore")
	w.shows("75%", "7/11")
	w.press("e")
	w.shows("edits")
	w.press("C-c")
	w.shows("interrupted")
	w.press("Enter")
	w.shows("75%", "7/11")
	w.press("j")
	w.shows("8/11")
	w.press("q")
	w.left(exitDone)
}

func TestLiveWithoutColorOrUnicode(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 80, 24, "NO_COLOR=1", "LANG=C")
	newShore(t, w.home)
	w.start("shore")
	screen := w.shows("=======... 75%", "! 1/", "7/11")
	if i := strings.IndexFunc(screen, func(r rune) bool { return r > unicode.MaxASCII }); i >= 0 {
		t.Errorf("not ASCII: %q", screen[i:])
	}
	colored := w.must("capture-pane", "-p", "-e")
	if !strings.Contains(colored, "\x1b[") {
		t.Error("not even bold is left")
	}
	if m := regexp.MustCompile(`\x1b\[([0-9;]*;)?(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]`).FindString(colored); m != "" {
		t.Errorf("there is color: %q", m)
	}
	w.press("q")
	w.left(exitDone)
}

func TestLiveDemo(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 100, 30)
	temp := filepath.Join(w.home, "temp")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	empty := func() bool { entries, err := os.ReadDir(temp); return err == nil && len(entries) == 0 }
	w.enter(`TMPDIR="$HOME/temp"; export TMPDIR`)
	store := w.asksKept()
	w.asks("Which lens?", "--option", "Wide", "--option", "Long")
	var foreign string // another agent's, which the demo neither shows nor answers
	soon(t, "the other agent's question", func() bool {
		items, err := store.List(false)
		if err != nil || len(items) == 0 {
			return false
		}
		foreign = items[0].ID
		return true
	})
	w.start("demo --speed 4")
	w.shows("field-guide", "Is the outline right?")
	if strings.Contains(w.screen(), "Which lens?") || strings.Contains(w.screen(), "dawnbook") || store.Attended() {
		t.Errorf("the demo begins with more than its first question:\n%s", w.screen())
	}

	// The first question is answered by a, and then the other builds begin, each of which asks something.
	w.press("a")
	w.shows("Approve outline-gate")
	w.press("y")
	w.shows("dawnbook", "seedwatch")
	for _, question := range []string{"Where shall the second camera look?", "Which visitors", "The disk is full"} {
		soon(t, "an answer to "+question, func() bool {
			items, err := store.List(false)
			i := slices.IndexFunc(items, func(x ask.Item) bool { return strings.HasPrefix(x.Text, question) })
			if err != nil || i < 0 {
				return false
			}
			_, err = store.Answer(items[i].ID, ask.Answer{}, ask.ByCommand)
			return err == nil
		})
	}
	w.find(`╳ 2 Notice the first chick +failed`)
	w.goTo("gate  attempt 3 of 3")
	w.press("R")
	w.shows("Retry")
	w.press("y")
	w.gone("─ Retry", "╳ 2 Notice the first chick") // the dialog may hide the row
	w.press("q")
	w.left(exitDone)
	if !empty() {
		t.Error("quitting left the demo's files")
	}
	if item, err := store.Get(foreign); err != nil || item.State != ask.Waiting {
		t.Errorf("the other agent's question: %+v, %v; want it to wait still", item, err)
	}

	// Nor does anything stay when it is ended from outside, the terminal closed included.
	w.start("demo --speed 4")
	w.shows("Is the outline right?")
	w.signal(syscall.SIGTERM)
	w.left(exitSignal + int(syscall.SIGTERM))
	if !empty() {
		t.Error("SIGTERM left the demo's files")
	}
	w.start("demo")
	w.shows("field-guide")
	w.must("kill-server")
	soon(t, "the demo's files gone with the terminal", empty)
}

// soon waits for something that no screen shows.
func soon(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(glance) {
		if time.Now().After(end) {
			t.Fatalf("still not: %s", what)
		}
	}
}

// A dashboard in the session of an agent decides nothing, and says so.
func TestDashboardOfAnAgent(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 160, 30, "CLAUDECODE=1")
	if err := unpack("lantern", filepath.Join(w.home, "lamp")); err != nil {
		t.Fatal(err)
	}
	w.enter("cd lamp")
	w.start("")
	w.shows("read only", "claude runs this (CLAUDECODE is set), and agents do not decide")
	w.press("a")
	w.shows("nothing is decided or answered here")
}
