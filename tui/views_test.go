package tui

// User stories about searching, following, reading and handing over.

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// shelf holds the files of a project in memory.
type shelf map[string]string

func (s shelf) Text(project, file string) (string, error) {
	text, ok := s[project+"/"+file]
	if !ok {
		return "", errors.New("no such file or directory")
	}
	return text, nil
}

func (s shelf) Path(project, file string) (string, error) {
	if _, err := s.Text(project, file); err != nil {
		return "", err
	}
	return project + "/" + file, nil
}

var files = shelf{
	"/src/shop/.planning/phases/03-cart/03-UAT.md": "---\nstatus: testing\n---\n" + strings.Repeat("a line that is here\tto be scrolled over\r\n", 37) +
		"result: pending\n" + strings.Repeat("more\n", 30),
	"/src/shop/.planning/STATE.md":                "status: executing\n",
	"/src/shop/.planning/phases/05/05-02-PLAN.md": "---\nplan: 02\n---\n",
}

func viewOptions() Options {
	o := plainOptions()
	o.Files = files
	return o
}

func TestViews(t *testing.T) {
	for _, v := range []struct {
		name          string
		before, snap  *model.Snapshot
		width, height int
		keys          string
	}{
		{"filter_text", nil, tuitest.Shop(), 80, 24, "/ r e f u n"},
		{"filter_states", nil, tuitest.Shop(), 120, 40, "f w x"},
		{"filter_sidebar", nil, tuitest.Shop(), 40, 20, "f b"},
		{"filter_nothing", nil, tuitest.Shop(), 80, 24, "/ z z z enter"},
		{"timeline", tuitest.Shop(), tuitest.Later(2), 80, 24, "6"},
		{"timeline_filtered", tuitest.Shop(), tuitest.Later(2), 120, 40, "6 / p l a n enter f r enter"},
		{"changed", tuitest.Shop(), tuitest.Later(2), 120, 40, ""},
		{"everything", tuitest.Shop(), tuitest.Later(2), 200, 60, "n"},
		{"waits", nil, tuitest.Shops(), 80, 24, "4"},
		{"blockers", nil, tuitest.Shops(), 80, 24, "5 j"},
		{"file", nil, tuitest.Shop(), 120, 40, "n 3"},
		{"palette", nil, tuitest.Shop(), 80, 24, ": c o p"},
		{"palette_wide", nil, tuitest.Shop(), 200, 60, ":"},
		{"choose_file", nil, tuitest.Shop(), 80, 24, "/ i n d e x enter o"},
		{"zoom", nil, tuitest.Shop(), 120, 40, "2 z"},
		{"preview_bottom", nil, tuitest.Shop(), 120, 40, "p"},
		{"preview_bottom_wide", nil, tuitest.Shop(), 200, 60, "p"},
		{"preview_off", nil, tuitest.Shop(), 120, 40, "p p"},
		{"tall", nil, tuitest.Shop(), 80, 50, ""},
		{"projects", nil, tuitest.Shops(), 120, 40, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			var before []*model.Snapshot
			if v.before != nil {
				before = append(before, v.before)
			}
			frame := FrameAfter(before, v.snap, v.width, v.height, viewOptions(), strings.Fields(v.keys)...)
			checkFrame(t, frame, v.width, v.height)
			golden.RequireEqual(t, frame)
		})
	}
}

func TestFindsAPlanByTyping(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("g", "/", "R", "e", "f", "u").sees("/Refu▏", "▾ ● 04.5 Refunds", "▾ ◆ v2.0").seesNo("▸ ✓ 01 Foundation", "05 Search  ")
	u.press("n").sees("/Refun▏") // n is a letter here
	u.press("enter").isOn("04.5 Refunds").press("n").isOn("Refunds throug").press("N", "N").isOn("Partial refunds")
	u.press("esc").isOn("Partial refunds").sees("▸ ✓ 01 Foundation", "05 Search  ")
}

// TestEscapeLeavesASearch: while a text is typed, esc restores the row and the folds from before.
func TestEscapeLeavesASearch(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("g", "j").seesNo("01-01 Skeleton")
	before := u.screen()
	u.press("/", "s", "k", "e", "l").isOn("01-01 Skeleton").press("esc").seesNo("01-01 Skeleton")
	if after := u.screen(); after != before {
		t.Errorf("the screen is another one:\n%s\nbefore:\n%s", after, before)
	}
}

func TestAFilterLeavesTheFoldsAsTheyWere(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("g", "j", "j", "space").sees("✓ 01-01 Skeleton")                          // unfolded by hand
	u.press("/", "p", "a", "y", "m", "esc").sees("✓ 01-01 Skeleton")                  // still is
	u.press("g", "j", "j", "space", "/", "s", "k", "e", "l").sees("✓ 01-01 Skeleton") // folded again, and found below
	u.press("enter", "esc").isOn("01-01 Skeleton")                                    // the match stays in view
	u.press("n", "g").seesNo("✓ 01-01 Skeleton").sees("▸ ✓ 01 Foundation")            // and is folded again after that
}

func TestFiltersByState(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("f").sees("w  ◆ ", "d  ✓ ", "w waiting  b blocked").press("x", "b").sees("╳ 05-02 Search index", "✗ 05-03 Search page", "▾ ✗ 05 Search", "2 hits").seesNo("02-01 Products and prices  done")
	u.press("enter").isOn("05-02").press("n").isOn("05-03").press("n").isOn("05-02")
	u.press("k", "space").sees("nothing folds while a filter is on")
	u.press("esc").sees("02-01 Products").press("esc").sees("q quits")
}

func TestSaysWhenNothingIsFound(t *testing.T) {
	atKeyboard(t, tuitest.Shop(), 80, 24).press("/", "q", "q", "enter").sees("no row matches", "0 hits").
		press("n").sees("nothing was found").press("esc").sees("01 Foundation")
}

func TestChangesAreMarkedUntilSeen(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("k").seesNo("1 changed", "2 changed")
	u.gets(snapshotMsg{index: index.New(tuitest.Later(2), u.d.index)})
	u.sees("▎ 2", "▎    ▸ ✓ 04.5-02", "Plan 04.5-02 Refunds through", "● Plan 04.5-03 Partial refunds  running").seesNo("▎  ▾ ● 04.5 Refunds")
	u.d.tree.GoTo(index.Place{Project: "/src/shop", Build: "gsd", Node: "plan/04.5-02"})
	u.press("j").sees("▎ 1").isOn("04.5-03") // seen on the way
}

func TestMarksAllAsSeen(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press(".").sees("nothing has changed since you looked")
	u.gets(snapshotMsg{index: index.New(tuitest.Later(2), u.d.index)})
	u.press(".").sees("2 changes marked as seen").seesNo("▎")
	u.gets(snapshotMsg{index: index.New(tuitest.WithNinthActive(tuitest.Later(3)), u.d.index)})
	u.sees("▎ 1")
}

func TestAFoldedRowMarksChangesBelow(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.d.tree.GoTo(index.Place{Project: "/src/shop", Build: "gsd", Node: "phase/04.5"})
	u.press("h", "g")
	u.gets(snapshotMsg{index: index.New(tuitest.Later(2), u.d.index)})
	u.sees("▎  ▸ ● 04.5 Refunds").press("j", "j", "j")
	u.sees("▎ 2") // seeing the row is not seeing what is in it
}

func TestFollowsTheTimelineAndGoesBackInIt(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.gets(snapshotMsg{index: index.New(tuitest.Later(2), u.d.index)})
	u.press("6").isOn("Plan 04.5-03 Partial refunds").sees("12:02", "✓ Plan 04.5-02 Refunds through the ledger  8m")
	u.press("k").isOn("Plan 04.5-02").sees("not following")
	u.gets(snapshotMsg{index: index.New(tuitest.WithNinthActive(tuitest.Later(3)), u.d.index)})
	u.isOn("Plan 04.5-02").press("G").isOn("Phase 08 Launch").seesNo("not following")
	u.press("enter").sees("2 Phase").press("esc").isOn("08 Launch")
}

// TestFiltersDebt: verification that an archived phase left to a human is found by a filter of its own, and shown as past.
func TestFiltersDebt(t *testing.T) {
	snap := tuitest.Shop()
	for _, n := range model.Walk(snap.Projects[0].Builds[0].Nodes) {
		if n.ID == "phase/v1.0/01" {
			gate := &model.Node{ID: "gate/v1.0/01/01-UAT.md/1", Kind: model.KindGate, Title: "Look at the prototype", Status: model.Waiting, Gate: &model.Gate{}}
			gate.Archive()
			n.Children = append(n.Children, gate)
		}
	}
	u := atKeyboard(t, snap, 120, 40).seesNo("Look at the prototype")
	u.press("f", "v").sees("v debt", "1 hit", "Look at the prototype", "01 Prototype").seesNo("04.5 Refunds  ")
	u.press("v", "p").sees("Look at the prototype").press("p", "w").seesNo("Look at the prototype")
}

func TestFiltersTheTimeline(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.gets(snapshotMsg{index: index.New(tuitest.Later(2), u.d.index)})
	u.press("6", "/", "l", "e", "d", "g", "e", "r", "enter").sees("2 of").seesNo("Partial refunds").press("esc").sees("Partial refunds")
	u.press("f", "r", "enter").sees("Partial refunds").seesNo("Plan 04.5-01 Ledger")
	u.press("1").sees("01 Foundation") // the tree has a filter of its own
}

func TestSeesBlockersWithAgeAndOwner(t *testing.T) {
	u := atKeyboard(t, tuitest.Shops(), 80, 24)
	u.press("5").sees("The certificate has expired", "api · for 9d · lifted by external · .planning/STATE.md:9", "No sandbox key", "Concerns", "Problems (2)")
	lines := strings.Split(u.screen(), "\n")
	if !strings.Contains(lines[4], "certificate") {
		t.Errorf("the oldest blocker is not the first: %q", lines[4])
	}
	u.press("j", "enter").sees("05-03 Search page", "depends on, was halted")
}

func TestWaitsOfAllProjectsAreOneList(t *testing.T) {
	u := atKeyboard(t, tuitest.Shops(), 120, 40)
	u.sees("◆ 1/3", "◆ Which version of the protocol?", "◆ 3 wait")
	screen := u.screen()
	if a, b, c := strings.Index(screen, "◆ api"), strings.Index(screen, "◆ shop"), strings.Index(screen, "✓ blog"); a < 0 || b < a || c < b {
		t.Errorf("projects are not ordered by what they want: %d %d %d", a, b, c)
	}
	u.press("n").isOn("Which version").press("n").isOn("Cart survives")
}

func TestReadsTheFileOfARow(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.d.opts.Files = files
	u.press("n")
	u.answers(u.gets(strokeMsg("3")))
	u.sees("03-UAT.md:41", "▌result: pending", "a line that is here    to be scrolled")
	u.answers(u.gets(strokeMsg("r")))
	u.sees("▌41 result: pending").press("g").sees(" 1 ---").press("G").sees("71 more")
	u.press("esc", "g")
	u.answers(u.gets(strokeMsg("k")))
	u.sees("1 status: executing")
}

func TestSaysWhyAFileCannotBeShown(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.d.opts.Files = shelf{}
	u.answers(u.gets(strokeMsg("3")))
	u.sees("no such file or directory")
}

// strokeMsg returns the message that the framework sends for a key.
func strokeMsg(key string) tea.Msg {
	r := []rune(key)
	return tea.KeyPressMsg{Code: r[0], Text: key}
}

// answers runs a command and passes its message to the dashboard; programs are not started.
func (u user) answers(cmd tea.Cmd) user {
	if cmd == nil {
		return u
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			u.answers(c)
		}
	case pane.TextMsg, pathMsg:
		u.gets(msg)
	}
	return u
}

func TestRunsACommandFromThePalette(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press(":").sees("Commands", "type to find").press("h", "e", "l", "p").sees("show this help").press("enter").sees("Keys and signs").press("esc")
	u.press("ctrl+p", "s", "e", "e", "n", "enter").sees("nothing has changed since you looked", "Commands") // the palette says why, and stays
	u.press("ctrl+u", "z", "z", "z").sees("nothing matches").press("esc").sees("01 Foundation").seesNo("Commands")
	if cmd := u.d.pressKey(input.StrokeOf("ctrl+c")); cmd == nil {
		t.Error("ctrl+c does not quit")
	}
}

func TestEveryCommandIsInThePalette(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 60)
	if n := len(newPalette(u.d).choices); n != len(u.d.keys)-len(dialogRows("")) {
		t.Errorf("%d commands of %d", n, len(u.d.keys))
	}
	u.press("/", ":").sees("/:▏") // letters are typed, not pressed
}

func TestZoomsAPane(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("2", "z").sees("Progress").seesNo("01 Foundation", "6 Timeline").press("esc").sees("01 Foundation", "6 Timeline")
	u = atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press("z").sees("has the whole screen already")
}

func TestMovesThePreview(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("p").sees("preview: bottom").press("p").sees("preview: off").seesNo("─ 2 Overview ─ 3 File ───────────────────────────╮│")
	u.press("enter").sees("Progress").seesNo("01 Foundation").press("esc").press("p").sees("preview: right", "01 Foundation", "Progress")
	atKeyboard(t, tuitest.Shop(), 80, 24).press("p").sees("preview: bottom", "Overview", "01 Foundation")
	atKeyboard(t, tuitest.Shop(), 80, 14).press("p").sees("a preview needs 100 columns")
}

func TestGoesThroughThePanesByTabAndNumber(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	for p := 1; p <= pane.Count; p++ {
		u.press("tab")
		if u.d.focus != pane.ID(p%pane.Count) {
			t.Fatalf("tab %d leads to %s", p, u.d.panes[u.d.focus].Name())
		}
	}
	u.press("5").sees("No sandbox key").press("shift+tab").sees("Cart survives a reload", "Next").press("1").isOn("shop")
}

func TestCopiesWhatIsSelected(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 24)
	u.press("n", "y").sees("copied: 3 Cart survives a reload (.planning/phases/03-cart/03-UAT.md:41:1)")
	u.press("5", "y").sees("copied: No sandbox key for the payment provider (.planning/STATE.md:61)")
	u.reloads(func(b *model.Build) { b.Blockers[0].Text = "a\x1b]52;c;aGk=\x07\n" + strings.Repeat("x", 9000) })
	u.press("y")
	if text := u.d.toast.text; strings.ContainsAny(text, "\x1b\x07\n") || len(text) > copyLimit+20 {
		t.Errorf("%d bytes copied: %.80q", len(text), text)
	}
}

func TestAToastGoes(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press("y").sees("copied:")
	old := toastGoneMsg(u.d.toast.id)
	u.press("y")
	u.gets(old)
	u.sees("copied:") // it is another toast
	u.gets(toastGoneMsg(u.d.toast.id))
	u.seesNo("copied:").sees("? help")

	if u.d.Say("one", true) == nil || u.d.Say("two", true) != nil {
		t.Error("of many toasts not one command waits for the end")
	}
}
