//go:build unix

package main

// Everyday tasks with a dashboard: for each task the keys, and what the screen must show after each.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gatehouse/cmd/gatehouse/demo"
)

// twelve makes twelve projects below a directory, like those of a user with several agents.
func twelve(t *testing.T, src string) *shore {
	t.Helper()
	for name, until := range map[string]string{"dawnbook": demo.MarkQuestion, "owlbook": demo.MarkFailed} {
		now := time.Now().Add(-10 * time.Minute)
		temp := t.TempDir()
		player, err := demo.New(temp, demo.Options{Only: "dawnbook", Until: until, Now: func() time.Time { return now },
			Sleep: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }})
		if err == nil {
			err = player.Play(t.Context())
		}
		if err == nil {
			err = os.MkdirAll(src, 0o755)
		}
		if err == nil {
			err = os.Rename(filepath.Join(temp, "dawnbook"), filepath.Join(src, name))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := newShore(t, src)
	s.ok(unpack("harbour", filepath.Join(src, "quay")))
	s.ok(date(filepath.Join(src, "quay"), time.Now().Add(-5*time.Minute)))
	s.ok(unpack("lantern", filepath.Join(src, "lamp"))) // its wait is the newest
	for _, name := range []string{"anvil", "birch", "comet", "delta", "ember", "fjord", "grove"} {
		file := filepath.Join(src, name, ".planning", "STATE.md")
		s.ok(os.MkdirAll(filepath.Dir(file), 0o755))
		s.ok(os.WriteFile(file, []byte("---\ngsd_state_version: '1.0'\nmilestone: v1.0\nmilestone_name: First\nstatus: planning\n---\n\n# State\n"), 0o644))
	}
	return s
}

// common is the most keys that a frequent task may take.
const common = 4

// move is an input, and what must be seen before the next one.
type move struct {
	press string // keys, separated by blanks
	types string // a text, typed letter by letter
	sees  string // a pattern
	toast string // a pattern of a message that is shown for some seconds
	stays string // a pattern that shows later that the message was shown; if it is "", the key is pressed again
}

// lampFirst waits until the next key goes to the wait of the lamp: without free watches, the dashboard notices
// changes only by polling.
var lampFirst = move{sees: `◆ 1/[0-9]+ .*sketch-gate`}

// task is a task with a dashboard. Each begins at the first row of the tree, without a search, or where the previous one
// ended.
type task struct {
	name      string
	common    bool
	continues bool
	before    func(*office)
	moves     []move
	after     func(*office)
}

// office runs the tasks.
type office struct {
	*terminal
	src     string
	shore   *shore
	replies []<-chan string
}

// ask makes a script ask something in a project.
func (o *office) ask(question string, options ...string) {
	o.replies = append(o.replies, o.askIn(filepath.Join(o.src, "shore"), append([]string{question}, options...)...))
}

// tasks are the everyday tasks. docs/development/figures.md has the number of keys that each took in earlier versions.
var tasks = []task{
	{name: "see which of twelve waits, and answer it", common: true,
		before: func(o *office) { o.ask("Which layout?", "--option", "Grid", "--option", "List") },
		moves: []move{{sees: `4 For you(?s:.*)◆ Which layout\?`}, {press: "n", sees: `▌.*Which layout`}, {press: "a", sees: `1 +\( \) +Grid`},
			{press: "2", sees: `\(x\) +List`}, {press: "Enter", toast: "answered: List", stays: `answered "List"`}}},
	{name: "see what failed, and its evidence", common: true,
		moves: []move{{press: "f x Enter", sees: `▌.*╳ 06 Diary Pages`}, {press: "3", sees: `3 06-VERIFICATION\.md(?s:.*)▌status: gaps_found`}}},
	{name: "see why something is blocked", common: true, moves: []move{{press: "5", sees: `plan 06-02 was halted`}}},
	{name: "approve a gate", common: true, moves: []move{lampFirst, {press: "n", sees: `▌.*sketch-gate`}, {press: "a", sees: `y approve`}, {press: "y", toast: "approved sketch-gate", stays: `approved +sketch-gate|sketch-gate +approved|✓ sketch-gate`}}},
	{name: "undo that", continues: true, common: true, moves: []move{{press: "u", sees: `y undo`}, {press: "y", sees: `◆ sketch-gate|sketch-gate: Sketch Review`}}},
	{name: "see what was decided", common: true, moves: []move{{press: "7", sees: `7 Decisions(?s:.*)sketch-gate`}}},
	{name: "answer in words of one's own", before: func(o *office) { o.ask("Which name?", "--text") },
		moves: []move{{sees: `4 For you(?s:.*)◆ Which name\?|Which name\?(?s:.*)4 For you`}, {press: "n", sees: `▌.*Which name`}, {press: "a", sees: `Your own words`},
			{types: "Otter", sees: `Otter`}, {press: "Enter", toast: "answered: Otter", stays: `answered "Otter"`}}},
	{name: "see what changed since noon", common: true,
		before: func(o *office) {
			o.shore.write("phases/05-rock-slips/05-02-SUMMARY.md", "---\nphase: 05-rock-slips\nplan: 02\n---\n")
		},
		moves: []move{{press: "6 f n", sees: `/since noon(?s:.*)shore +✓ Plan 05-02`}}},
	{name: "go to the next project", common: true, moves: []move{{press: "}", sees: `▌.*quay`}}},
	{name: "see only what is blocked", common: true, moves: []move{{press: "f b", sees: `2 hits(?s:.*)✗ 06-02 A sound`}}},
	{name: "see only what waits, in all projects", common: true, moves: []move{{press: "f w", sees: `hits(?s:.*)broken off(?s:.*)05.5-UAT(?s:.*)sketch-gate`}}},
	{name: "see what runs, and since when", common: true, moves: []move{{press: "f r", sees: `↻ 02-01 (?s:.*)retrying(?s:.*)gate`}}},
	{name: "copy an ID", common: true, moves: []move{lampFirst, {press: "n", sees: `▌.*sketch-gate`}, {press: "Y", toast: `copied: .*sketch-gate`}}},
	{name: "read a verification", common: true, moves: []move{lampFirst, {press: "n", sees: `▌.*sketch-gate`}, {press: "n", sees: `▌.*verify by hand`},
		{press: "3", sees: `3 04-VERIFICATION\.md`}}},
	{name: "find a phase by letters of its name", moves: []move{{press: "/", types: "dryp", sees: `▌.*06 Diary Pages`}}},
	{name: "search in a file", moves: []move{{press: "f x Enter", sees: `▌.*╳ 06 Diary Pages`}, {press: "3", sees: `gaps_found`},
		{press: "/", types: "blank", sees: `/blank`}, {press: "Enter", sees: `/blank +1/1`}}},
	{name: "unfold all, and fold all", common: true, moves: []move{{press: "+", sees: `04 Shore Map`}, {press: "-", sees: `▸ ◆ dawnbook(?s:.*)grove`}}},
	{name: "click on a count, and drag a border", after: func(o *office) {
		o.mouse("✗ 2", "M", 0, 0)
		o.find(`✗ blocked(?s:.*)2 hits`)
		before := o.column("┬─ 2")
		o.mouse("┬─ 2", "M", 0, 5)
		o.mouse("┬─ 2", "M", 32, 5, -20)
		o.mouse("┬─ 2", "m", 0, 5, -20)
		o.until("a narrower tree", func(string) bool { return o.column("┬─ 2") < before-10 })
	}},
	{name: "leave, come back, and be where one was", common: true,
		moves: []move{lampFirst, {press: "n", sees: `▌.*sketch-gate`}, {press: "3", sees: `3 SKETCH|3 lantern-state`}, {press: "q", sees: `left:0`}},
		after: func(o *office) {
			o.start("")
			o.find(`▌.*sketch-gate`)
		}},
	{name: "open a plan by its file", continues: true, moves: []move{{press: "q", sees: `left:0`}}, after: func(o *office) {
		o.start("shore/.planning/phases/04-shore-map/04-01-PLAN.md")
		o.find(`▌.*04-01 Heights`)
	}},
}

// escape is the Escape key in the encoding of terminals that tell it apart from the start of an escape sequence.
const escape = "\x1b[27u"

func TestLiveStories(t *testing.T) {
	t.Parallel()
	w := openTerminal(t, 140, 45)
	o := &office{terminal: w, src: filepath.Join(w.home, "src")}
	o.shore = twelve(t, o.src)
	w.enter("cd src")
	w.start("")
	w.shows("Waits for you", "The rest", "12 projects")
	for _, task := range tasks {
		if !task.continues {
			o.goToStart()
		}
		if task.before != nil {
			task.before(o)
		}
		keys := 0
		for _, m := range task.moves {
			for key := range strings.FieldsSeq(m.press) {
				o.press(key)
				keys++
			}
			if m.types != "" {
				o.typeText(m.types)
				keys += len(m.types)
			}
			switch {
			case m.toast == "":
				o.find(m.sees)
			case m.stays == "":
				o.showsBriefly(m.toast, o.pressLastAgain)
			default:
				o.showsBriefly(m.toast, regexp.MustCompile(m.stays).MatchString)
			}
		}
		if task.after != nil {
			task.after(o)
		}
		if t.Logf("%s: %d", task.name, keys); task.common && keys > common {
			t.Errorf("%s: it takes %d keys, and may take %d", task.name, keys, common)
		}
	}
	for i, want := range []string{"List\n", "Otter\n"} {
		if got := <-o.replies[i]; got != want {
			t.Errorf("the script got %q, want %q", got, want)
		}
	}
	w.press("q")
	w.checkExit(exitDone)
}

// atFirst matches the selection in the first row of the tree, below the heading of the first group.
var atFirst = regexp.MustCompile(`Waits for you[^\n]*\n│▌`)

// goToStart goes to the start of each task. Right after an answer some keys do nothing, so it waits until f works again.
func (o *office) goToStart() {
	o.t.Helper()
	o.typeText(strings.Repeat(escape, 4))
	o.press("1", "-", "g")
	o.until("ready for the next task", func(screen string) bool {
		if strings.Contains(screen, "w  ◆ waiting") {
			return true
		}
		o.press("f")
		for range 10 {
			if strings.Contains(o.screen(), "w  ◆ waiting") {
				return true
			}
			time.Sleep(glance)
		}
		return false
	})
	o.typeText(escape)
	o.gone("w  ◆ waiting")
	o.until("at the first row", func(screen string) bool {
		if atFirst.MatchString(screen) {
			return true
		}
		o.press("g") // rows that were sorted again have moved the selection
		return false
	})
}

// column returns the screen column at which a text begins.
func (o *office) column(text string) int {
	o.t.Helper()
	column, _ := o.place(text)
	return column
}

// place returns the column and row at which a text begins on the screen, counted from one.
func (o *office) place(text string) (column, row int) {
	o.t.Helper()
	for i, line := range strings.Split(o.shows(text), "\n") {
		if before, _, found := strings.Cut(line, text); found {
			return utf8.RuneCountInString(before) + 1, i + 1
		}
	}
	return 0, 0
}

// mouse makes the terminal report a button some rows below a text, and some columns beside it.
func (o *office) mouse(text, what string, button, below int, beside ...int) {
	o.t.Helper()
	column, row := o.place(text)
	for _, by := range beside {
		column += by
	}
	o.typeText(fmt.Sprintf("\x1b[<%d;%d;%d%s", button, column, row+below, what))
}
