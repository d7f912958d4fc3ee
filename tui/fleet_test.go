package tui

// Builds on several machines: which there are, whether their hosts are reachable, and what can't be decided.

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"gatehouse/model"
	"gatehouse/tui/index"
	"gatehouse/tui/pane"
	"gatehouse/tui/tuitest"
)

func TestFleetViews(t *testing.T) {
	for _, v := range []struct {
		name          string
		width, height int
		keys          string
	}{
		{"80x24", 80, 24, ""},
		{"120x40", 120, 40, "G"},
		{"200x60", 200, 60, "j"},
		{"40x20", 40, 20, ""},
	} {
		t.Run(v.name, func(t *testing.T) {
			golden.RequireEqual(t, Frame(tuitest.Fleet(), v.width, v.height, plainOptions(), strings.Fields(v.keys)...))
		})
	}
}

// onRow goes to the row of a project on a host.
func (u user) onRow(project, host string) user {
	u.Helper()
	for _, s := range u.d.index.Sites {
		if s.Project.Name == project && s.Host() == host {
			u.d.tree.GoTo(s.Place("gate/03/uat/3"))
			u.d.layOut()
			return u
		}
	}
	u.Fatalf("no %s on %s", project, host)
	return u
}

// TestUnreachableHostsHaveNoWaits: a build on such a host is listed as out of reach, counts nowhere, and no key decides about it.
func TestUnreachableHostsHaveNoWaits(t *testing.T) {
	opts := plainOptions()
	opts.Actor, opts.Answerer = tuitest.NewActor(), tuitest.NewAnswerer()
	u := user{t, newDashboard(opts, nil)}
	u.d.resizeTo(200, 60)
	snap := tuitest.Fleet()
	for _, p := range snap.Projects[:4] {
		n, _ := p.Builds[0].Find("gate/03/uat/3")
		n.Gate.Can = []model.Verb{model.VerbApprove}
	}
	u.d.showSnapshot(index.New(snap, nil))
	if s := u.d.index.Sums; s.Waits != 6 || s.OutOfReach != 2 || s.Running == 0 || s.Running%3 != 0 {
		t.Errorf("%+v", s)
	}
	u.sees("◆ 6 waiting", "1 of 4 hosts out of reach", "◆ 2")
	u.press("4", "z").sees("Out of reach (2)", "shop on build-8, offline since 11:00").press("z", "1")
	u.onRow("shop", "build-8").sees("build-8 is offline since 11:00", "This was so 1h ago; nothing can be").seesNo("a approve")
	u.press("a").sees("build-8 is offline since 11:00: nothing can be decided there until it is back")
	u.press("f", "w", "enter").seesNo("build-8 is offline since 11:00:")
	for _, r := range u.d.index.Stops[:6] {
		if strings.HasPrefix(r.Project, "build-8:") {
			t.Errorf("n goes to %v before what can be decided", r)
		}
	}
	u.press("esc").onRow("shop", "build-7").sees("a approve")
}

// TestAHostGoesWhileItsQuestionIsOpen: the open question says so and decides nothing until the host is back.
func TestAHostGoesWhileItsQuestionIsOpen(t *testing.T) {
	a := tuitest.NewActor()
	opts := plainOptions()
	opts.Actor = a
	u := user{t, newDashboard(opts, nil)}
	u.gets(tea.WindowSizeMsg{Width: 120, Height: 40})
	shows := func(h model.Host) user {
		snap := a.Snapshot(u.d.index.Snap.Version + 1)
		snap.Hosts = []*model.Host{&h}
		snap.Projects = tuitest.On(&h, snap)
		u.d.carryOut(u.gets(snapshotMsg{index: index.New(snap, u.d.index)}))
		return u
	}
	shows(model.Host{Name: "build-7", State: model.HostLive}).does("a").sees("y approve", "essay on build-7").seesNo("build-7 is")
	shows(model.Host{Name: "build-7", State: model.HostCutOff, AsOf: tuitest.Noon}).sees("build-7 is cut off since 12:00: nothing can be decided there", "1 of 1 host out of reach")
	u.does("y").sees("y approve").did(a)
	shows(model.Host{Name: "build-7", State: model.HostLive}).does("y")
	if len(a.Done) != 1 {
		t.Errorf("it was not done: %v", a.Done)
	}
}

// TestHostsAreFound: a search finds the builds of a machine by its name, and builds of all machines by their status.
func TestHostsAreFound(t *testing.T) {
	u := atKeyboard(t, tuitest.Fleet(), 120, 40)
	u.press("/").press(strings.Split("offline", "")...).press("enter").sees("2 hits")
	u.press("esc", "/").press(strings.Split("build-7", "")...).press("enter").sees("1 hit")
	if _, ok := u.d.panes[u.d.focus].(*pane.Tree); !ok {
		t.Error("the focus is elsewhere")
	}
}

// TestReturningHosts: the return of a host is no change, and its waits begin to wait.
func TestReturningHosts(t *testing.T) {
	first := index.New(tuitest.Shop(), nil)
	seen := tuitest.Fleet()
	seen.Version = 2
	now := index.New(seen, first)
	if len(now.Log) != len(first.Log) || len(now.Began) != 4 {
		t.Errorf("%d changes, %d began to wait", len(now.Log)-len(first.Log), len(now.Began))
	}
	back := tuitest.Fleet()
	back.Version = 3
	*back.Hosts[1] = model.Host{Name: "build-8", Fleet: "work", State: model.HostLive}
	if then := index.New(back, now); len(then.Began) != 2 || then.Began[0].Site.Host() != "build-8" {
		t.Errorf("%v", then.Began)
	}
}
