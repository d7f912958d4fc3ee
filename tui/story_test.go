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
	u.sees("needs 40x10, have 38x12", "◆ 2 waiting")
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
