package tui

import (
	"context"
	"errors"
	"image/color"
	"regexp"
	"slices"
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

// atLoop returns a user at a loop that waits at frame-gate, which is selected.
func atLoop(t *testing.T, a *tuitest.Actor) user {
	opts := plainOptions()
	opts.Actor, opts.Files = a, files
	return user{t, dashboardOf(opts, a.Snapshot(1), 80, 24)}.does().isOn("frame-gate")
}

// does presses keys and carries out the resulting commands.
func (u user) does(keys ...string) user { u.d.enterKeys(keys...); return u }

func (u user) asksNothing() user {
	u.Helper()
	if u.d.topDialog() != nil {
		u.Fatalf("a dialog is open:\n%s", u.screen())
	}
	return u
}

func TestQuitsWhenTheWriteIsDone(t *testing.T) {
	quits := func(cmd tea.Cmd) bool {
		if cmd == nil {
			return false
		}
		_, ok := cmd().(tea.QuitMsg)
		return ok
	}
	u := atLoop(t, tuitest.NewActor()).does("a")
	write := u.d.pressKey(input.StrokeOf("y"))
	var patience time.Duration
	var impatient tea.Msg
	tick := func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		patience, impatient = d, f(tuitest.Noon)
		return nil
	}
	u.d.tick = tick
	if quits(u.d.pressKey(input.StrokeOf("ctrl+c"))) || patience != time.Second {
		t.Fatal("it quits while something is being written")
	}
	u.sees("quits as soon as that is done")
	if !quits(u.d.pressKey(input.StrokeOf("ctrl+c"))) || !quits(u.gets(impatient)) {
		t.Error("it does not quit although the user insists")
	}
	if !quits(u.gets(write())) {
		t.Error("it does not quit once it is written")
	}
	a := tuitest.NewActor()
	a.Answers = append(a.Answers, func(model.Action) (*model.Outcome, error, bool) { return nil, errors.New("the disk is full"), true })
	u = atLoop(t, a).does("a")
	write = u.d.pressKey(input.StrokeOf("y"))
	u.d.tick = tick
	u.press("ctrl+c")
	if quits(u.gets(write())) || quits(u.gets(impatient)) {
		t.Error("it quits although nothing was written")
	}
	u.sees("the disk is full")
	if u = atLoop(t, tuitest.NewActor()); !quits(u.d.pressKey(input.StrokeOf("q"))) {
		t.Error("q does not quit")
	}
}

func TestAToastGoes(t *testing.T) {
	u := user{t, dashboardOf(plainOptions(), tuitest.Shop(), 80, 24)}
	u.press("y").sees("copied:")
	old := u.d.toast.id
	u.press("y").d.toastGone(old)
	u.sees("copied:") // it is another toast
	u.d.toastGone(u.d.toast.id)
	u.seesNo("copied:").sees("? help")

	if u.d.Say("one", true) == nil || u.d.Say("two", true) != nil {
		t.Error("of many toasts not one command waits for the end")
	}
}

// TestOneTargetForBannerAndFooter checks that no key is offered twice with different targets.
func TestOneTargetForBannerAndFooter(t *testing.T) {
	for name, snap := range map[string]*model.Snapshot{"shops": tuitest.Shops(), "sessions": tuitest.Sessions(), "loop": tuitest.NewActor().Snapshot(1)} {
		opts := plainOptions()
		opts.Actor, opts.Answerer = tuitest.NewActor(), tuitest.NewAnswerer()
		d := dashboardOf(opts, snap, 200, 60)
		for range 40 {
			b := d.newBanner()
			for _, f := range d.newFooter().hints {
				if slices.ContainsFunc(b.keys, func(k draw.Hint) bool { return k.Key == f.Key }) {
					t.Errorf("%s: %s is in the banner and in the footer", name, f.Key)
				}
			}
			d.enterKeys("j")
		}
	}
}
