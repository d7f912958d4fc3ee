package tui

import (
	"context"
	"errors"
	"image/color"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"gatehouse/model"
	"gatehouse/tui/draw"
	"gatehouse/tui/index"
	"gatehouse/tui/input"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

// user drives a dashboard like a person at a keyboard, and checks what is on the screen.
type user struct {
	*testing.T
	d *dashboard
}

// dashboardOf returns a dashboard of a given size that shows a snapshot.
func dashboardOf(opts Options, snap *model.Snapshot, width, height int) *dashboard {
	d := newDashboard(opts, nil)
	d.resizeTo(width, height)
	d.showSnapshot(index.New(snap, nil))
	return d
}

// facing returns a user of a dashboard that shows a snapshot.
func facing(t *testing.T, opts Options, snap *model.Snapshot, width, height int) user {
	u := user{t, newDashboard(opts, nil)}
	u.gets(tea.WindowSizeMsg{Width: width, Height: height}, snapshotMsg{index: index.New(snap, nil)})
	return u
}

func atKeyboard(t *testing.T, snap *model.Snapshot, width, height int) user {
	t.Helper()
	return facing(t, plainOptions(), snap, width, height).atTop()
}

// atTop goes to the first row, where most stories begin.
func (u user) atTop() user {
	u.d.tree.Move(-draw.FarAway)
	u.d.layOut()
	return u
}

// gets sends messages through Update, as the framework does.
func (u user) gets(msgs ...tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	for _, msg := range msgs {
		_, cmd = u.d.Update(msg)
	}
	return cmd
}

func (u user) press(keys ...string) user {
	for _, k := range keys {
		u.d.pressKey(input.StrokeOf(k))
	}
	return u
}

func (u user) screen() string { return ansi.Strip(u.d.View().Content) }

func (u user) sees(texts ...string) user {
	u.Helper()
	screen := u.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			u.Fatalf("%q is not on the screen:\n%s", text, screen)
		}
	}
	return u
}

func (u user) seesNo(texts ...string) user {
	u.Helper()
	screen := u.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			u.Fatalf("%q is on the screen:\n%s", text, screen)
		}
	}
	return u
}

// isOn checks which row is selected.
func (u user) isOn(text string) user {
	u.Helper()
	for _, line := range strings.Split(u.screen(), "\n") {
		if strings.Contains(line, "▌") {
			if !strings.Contains(line, text) {
				u.Fatalf("the selection is on %q, not on %q", line, text)
			}
			return u
		}
	}
	u.Fatalf("no row is selected:\n%s", u.screen())
	return u
}

// reloads shows the build after a change.
func (u user) reloads(change func(*model.Build)) user {
	snap := tuitest.Shop()
	snap.Version = u.d.index.Snap.Version + 1
	change(snap.Projects[0].Builds[0])
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	return u
}

func TestShowsWaitsOnTheFirstScreen(t *testing.T) {
	atKeyboard(t, tuitest.Shop(), 80, 24).
		sees("◆ 1/", "Phase 03 · Cart survives a reload  14m", "n ", "◆ 2 waiting", "✗ 1 blocked").
		sees("≠ STATE.md", "61%", "Phase 4.5 executing").
		seesNo("milestone complete")
}

func TestOpensOnlyWhatMatters(t *testing.T) {
	atKeyboard(t, tuitest.Shop(), 120, 40).
		sees("02-01 Products", "Verification of the", "04.5-02 Refunds", "05-02 Search index", "3 Check the receipt").
		seesNo("01-01 Skeleton", "06-02 Suppliers", "Fix the footer", "Prototype")
}

func TestWalksThroughWhatWaits(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press("n").isOn("Cart survives")
	u.press("n").isOn("Verification of the")
	u.press("n").isOn("Check the receipt")
	u.press("n").isOn("05-02 Search index") // the one that failed
	u.press("n").isOn("05-03 Search page")  // and the one it blocks
	u.press("n").isOn("Cart survives")
	u.press("N").isOn("05-03 Search page").press("N", "N").isOn("Check the receipt")
}

func TestOpensAGateAndGoesBack(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	u.press("n", "enter").sees("Asks you", "Put two things into the cart", "expects", "Then starts", "Phase 04.5 Refunds").seesNo("01 Foundation")
	u.press("esc").sees("01 Foundation").isOn("Cart survives")
	u.press("esc").sees("q quits").isOn("Cart survives")
}

func TestFoldsAndRemembers(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("g", "j", "j").isOn("01 Foundation").press("space").sees("01-01 Skeleton")
	u.press("l").isOn("01-01 Skeleton").press("h").isOn("01 Foundation")
	u.reloads(func(*model.Build) {}).sees("01-01 Skeleton").isOn("01 Foundation")
	u.press("h").seesNo("01-01 Skeleton").press("h").isOn("v2.0 Checkout")
	u.reloads(func(*model.Build) {}).seesNo("01-01 Skeleton")
}

func TestFoldsFollowTheWorkUnlessTheUserDecided(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("g", "j", "j", "space", "space", "g") // 01 folded by hand
	u.reloads(func(b *model.Build) {
		b.Nodes[0].Children[0].Children[0].Status = model.Active
		b.Nodes[0].Children[6].Children[1].Status = model.Active
	}).seesNo("● 01-01 Skeleton").sees("● 06-02 Suppliers")
}

func TestKeepsTheSelectionWhenRowsComeAndGo(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("n").isOn("Cart survives")
	u.reloads(func(b *model.Build) { // a phase appears before it
		m := b.Nodes[0]
		m.Children = append([]*model.Node{tuitest.Phase("00.5", "Before all", model.Active, "", 0, 0, 0)}, m.Children...)
	}).isOn("Cart survives").sees("Before all")
	u.reloads(func(b *model.Build) { // the gate itself disappears
		p := b.Nodes[0].Children[2]
		p.Children = p.Children[:2]
	}).isOn("04 Payment")
	u.reloads(func(b *model.Build) { b.Nodes = nil }).isOn("shop")
}

func TestASelectedRowIsNeverFoldedAway(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("n").isOn("Cart survives")
	u.reloads(func(b *model.Build) {
		p := b.Nodes[0].Children[2]
		p.Status, p.Children[2].Status = model.Done, model.Done
	}).isOn("Cart survives")
}

func TestSeesClaimAndTruthAndProblems(t *testing.T) {
	atKeyboard(t, tuitest.Shop(), 200, 60).
		sees("Claimed, but not so", "STATE.md says 100 %", "7 of 9 phases are open", ".planning/STATE.md:12").
		sees("Problems (2)", ".planning/phases/06/06-01-PLAN.md:4:7", "the frontmatter is not closed", "end it with a line of three dashes").
		sees("execute-phase 4.5", "2 of 3 plans have no summary", "No sandbox key", "for 2d · lifted by").
		sees("last good state")
}

func TestSeesWhyAPlanIsBlocked(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.d.tree.GoTo(index.Place{Project: "/src/shop", Build: "gsd", Node: "plan/05-03"})
	u.press("j", "k").isOn("05-03 Search page").
		sees("needs 05-02", "Blocked by", "Plan 05-02 Search index rebuild · failed", "which it depends on, was halted")
}

func TestReadsTheHelp(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.press("?").sees("Keys and signs", "next thing that waits", "filter by text")
	u.press("n").press("G").sees("a problem in a file") // n means nothing on this page
	u.press("/", "z", "o", "o", "m").sees("Keys and signs /zoom", "z          zoom").seesNo("to the first", "a problem in a file")
	u.press("enter", "esc").sees("the previous one").press("esc").sees("Foundation").isOn("shop")
}

func TestSaysWhyAKeyDoesNothing(t *testing.T) {
	snap := tuitest.Shop()
	snap.Projects[0].Builds[0].Waits = nil
	for _, n := range model.Walk(snap.Projects[0].Builds[0].Nodes) {
		if n.Status == model.Failed || n.Status == model.Blocked {
			n.Status = model.Pending
		}
	}
	u := atKeyboard(t, snap, 80, 24)
	u.sees("nothing waits for you").press("n").sees("nothing waits for you, has failed or is blocked").press("j").isOn("v2.0 Checkout")
	u.press("n").gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.sees("nothing waits for you, has failed or is blocked").reloads(func(*model.Build) {}).sees("◆ 1/").seesNo("nothing waits for you, has failed") // not any longer
	u.gets(snapshotMsg{index: index.New(snap, u.d.index)})
	u.press("enter", "space").sees("only in the tree")
	if cmd := u.d.pressKey(input.StrokeOf("esc")); cmd != nil {
		t.Error("esc returned a command; it must never quit")
	}
}

func TestOpensAFolderWithoutABuild(t *testing.T) {
	u := atKeyboard(t, tuitest.EmptyFolder(), 80, 24)
	u.sees("No agent works in ~/src/shop", ".planning/STATE.md", "Looked for .planning/STATE.md here", "gatehouse demo")
	u.press("j", "space", "tab", "n", "enter").sees("No agent works in")
	u.reloads(func(*model.Build) {}).sees("◆ 1/") // the build appears by itself
}

func TestResizesAtAnyTime(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 200, 60)
	u.press("n", "tab", "tab").sees("For you")
	for _, size := range []tea.WindowSizeMsg{{Width: 120, Height: 40}, {Width: 80, Height: 24}, {Width: 40, Height: 10}, {Width: 12, Height: 3}, {Width: 1, Height: 1}, {Width: 0, Height: 0}, {Width: 120, Height: 40}} {
		u.gets(size)
		checkFrame(t, u.d.renderFrame(), size.Width, size.Height)
		u.press("j", "k")
	}
	u.isOn("Cart survives")
	u.gets(tea.WindowSizeMsg{Width: 38, Height: 12})
	u.sees("needs 40x10, have 38x12", "◆ 2 wait for you")
}

func TestUsesTheMouse(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.gets(tea.MouseClickMsg{X: 20, Y: 5, Button: tea.MouseLeft})
	u.isOn("01 Foundation")
	u.gets(tea.MouseWheelMsg{X: 20, Y: 5, Button: tea.MouseWheelDown})
	u.isOn("02-02 Pictures")
	u.gets(tea.MouseClickMsg{X: 90, Y: 20, Button: tea.MouseLeft})
	if u.d.focus != pane.DetailID {
		t.Error("a click into the details did not give them the focus")
	}
	u.gets(tea.MouseClickMsg{X: 20, Y: 37, Button: tea.MouseLeft}, tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	u.isOn("02-02 Pictures") // there is no row at the clicked place
}

func TestShowsThatTheFeedEnded(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 120, 40)
	u.gets(feedEndedMsg{errors.New("the directory is gone")})
	u.sees("not live: the directory is gone", "◆ 1/")
}

func TestAgesAdvanceOnceAMinute(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	before := u.d.renderFrame()
	u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(30 * time.Second) }
	u.press("j", "k")
	if u.d.renderFrame() != before {
		t.Error("the screen changed between two minutes")
	}
	u.d.opts.Clock = func() time.Time { return tuitest.Noon.Add(time.Minute) }
	u.gets(minuteMsg(tuitest.Noon.Add(time.Minute)))
	u.sees("7m · live", "reload  15m")
}

func TestWindowTitleCountsWhatWaits(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 80, 24)
	if got := u.d.View().WindowTitle; got != "◆ 2 · shop" {
		t.Errorf("title %q", got)
	}
	u.reloads(func(b *model.Build) { b.Waits = b.Waits[2:] }).sees("not yet:", "Send yourself a receipt").seesNo("◆ 1/")
	if got := u.d.View().WindowTitle; got != "shop" {
		t.Errorf("title %q where nothing certain waits", got)
	}
}

func TestThemeFollowsTheTerminal(t *testing.T) {
	d := newDashboard(testOptions(draw.ThemeAuto), nil)
	d.showSnapshot(index.New(tuitest.Shop(), nil))
	d.resizeTo(80, 24)
	trueColour := regexp.MustCompile(`\x1b\[[0-9;]*38;[25];`)
	if trueColour.MatchString(d.renderFrame()) {
		t.Error("a colour of our own before the terminal told its background")
	}
	d.Update(tea.BackgroundColorMsg{Color: color.White})
	light := d.renderFrame()
	d.Update(tea.BackgroundColorMsg{Color: color.Black})
	if dark := d.renderFrame(); dark == light || !trueColour.MatchString(dark) {
		t.Error("the theme does not follow the background")
	}
	d.Update(tea.ColorProfileMsg{Profile: colorprofile.ASCII}) // as with NO_COLOR
	if regexp.MustCompile(`\x1b\[[0-9;]*[34][0-9]`).MatchString(d.renderFrame()) {
		t.Error("a colour on a terminal without colours")
	}
}

// stubFeed returns the snapshots it is given, then blocks.
type stubFeed chan *model.Snapshot

func (f stubFeed) Next(ctx context.Context, _ uint64) (*model.Snapshot, error) {
	select {
	case snap := <-f:
		return snap, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestSeesTheChoiceOfResuming checks that the page of the build shows the choice an executor would offer, and what it
// is derived from.
func TestSeesTheChoiceOfResuming(t *testing.T) {
	u := atKeyboard(t, tuitest.Shop(), 200, 60)
	u.seesNo("Take up again")
	u.reloads(func(b *model.Build) {
		b.Metrics = append(b.Metrics, model.Fact{Label: "resume", Value: "go on, start fresh, or cancel"})
		b.Resume = &model.Resume{
			Started: tuitest.Ago(48 * time.Hour), Done: []string{"1 Glossary"}, Offers: []string{"resume", "start fresh", "cancel"},
			Chunks:   []model.ResumeChunk{{Chunk: "3 Lid", Status: model.Pending, Needs: []model.ResumeNeed{{Chunk: "2 Log"}}}, {Chunk: "4 Four", Ready: true}},
			Outdated: []model.ResumeChanged{{Chunk: "1 Glossary", Built: "2.4", Now: "2.5", Sections: []string{"#entities"}}},
		}
	})
	u.sees("Take up again", "started 2d ago", "done: 1 Glossary", "3 Lid: pending; needs 2 Log (not yet)", "4 Four: ready",
		"1 Glossary was built against spec 2.4, the spec is 2.5", "now; changed since: #entities", "(1) build it anew", "(2) keep it",
		"(1) resume", "(2) start fresh", "(3) cancel").seesNo("go on, start fresh, or cancel")
}
