package main

// This file draws the moving picture: a user sees that a gate waits, approves it, and the agent goes on.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/charmbracelet/colorprofile"

	"gatehouse/cmd/gatehouse/demo"
	"gatehouse/model"
	"gatehouse/parse"
	"gatehouse/tui"
	"gatehouse/tui/draw"
)

// The gate that is approved, and what it releases.
const (
	approvedGate  = "gate/outline-gate"
	releasedPhase = "phase/WRITE"
)

const (
	approvingWidth  = 100
	approvingHeight = 30
)

// errSeen ends the demo once the picture has all that it shows.
var errSeen = errors.New("all is seen")

// approving is a user who opens the dashboard when something waits, while the demo goes on.
type approving struct {
	film    film
	visit   *tui.Visit
	now     time.Time
	decided bool
	reel    []still
}

// drawApproving plays the demo until a gate is approved and the agent has gone on.
func drawApproving(ctx context.Context, temp string) (file, error) {
	home := filepath.Join(temp, "approving")
	const project = "field-guide"
	a := &approving{film: film{dir: filepath.Join(home, project), home: home}}
	run := func(context.Context, demo.Command) int { return 0 } // a wait ends once the gate is approved
	_, err := playUntil(ctx, home, demo.Options{Only: project, Run: run}, a.lookAtDemo)
	if !errors.Is(err, errSeen) {
		return file{}, fmt.Errorf("approving: the demo ended before the agent went on: %w", err)
	}
	svg := drawReel(a.reel, &dark, window{"gatehouse — " + project,
		"The dashboard shows that a gate waits. a asks about it, with what it releases; y approves it, and the agent goes on."})
	return file{"approving", svg}, nil
}

// lookAtDemo is called before each wait of the demo.
func (a *approving) lookAtDemo(now time.Time) error {
	if err := a.film.takeSnapshot(now); err != nil {
		return err
	}
	a.now = now
	_, snap := a.film.lastSnapshots(0)
	if a.decided {
		a.visit.Show(snap)
	}
	loop, gate := findNode(snap, approvedGate)
	_, phase := findNode(snap, releasedPhase)
	switch {
	case !a.decided && gate.Status == model.Waiting:
		a.decided, a.visit = true, a.openDashboard()
		a.visit.Show(snap)
		return a.approveGate(loop.File)
	case a.decided && phase.Status == model.Active:
		return errors.Join(a.keepScreen("", 4*time.Second), errSeen)
	}
	return nil
}

// openDashboard opens the dashboard.
func (a *approving) openDashboard() *tui.Visit {
	clock := func() time.Time { return a.now }
	return tui.NewVisit(approvingWidth, approvingHeight, tui.Options{
		Clock:   clock,
		Theme:   draw.ThemeDark,
		Profile: colorprofile.TrueColor,
		Files:   parse.Files{a.film.project},
		Actor:   parse.NewActions([]*parse.Project{a.film.project}, "dashboard", clock),
	})
}

// approveGate approves the gate of a state file, and keeps each screen.
func (a *approving) approveGate(state string) error {
	for _, step := range []struct {
		key   string
		shown time.Duration
	}{{"", 4 * time.Second}, {"a", 5 * time.Second}} {
		if step.key != "" {
			a.visit.Press(step.key)
		}
		if err := a.keepScreen(step.key, step.shown); err != nil {
			return err
		}
	}
	a.visit.Press("y")
	// The file that was just written has the machine's time, not the story's.
	if err := os.Chtimes(filepath.Join(a.film.dir, state), a.now, a.now); err != nil {
		return err
	}
	if err := a.film.takeSnapshot(a.now); err != nil {
		return err
	}
	_, snap := a.film.lastSnapshots(0)
	if _, gate := findNode(snap, approvedGate); gate.Status != model.Done {
		return fmt.Errorf("approving: the gate is %v after y", gate.Status)
	}
	a.visit.Show(snap)
	return a.keepScreen("y", 3*time.Second)
}

// keepScreen adds what is on the screen to the picture.
func (a *approving) keepScreen(key string, shown time.Duration) error {
	s, err := parseFrame(a.visit.Frame(), approvingWidth, approvingHeight)
	a.reel = append(a.reel, still{s, key, shown})
	return err
}

// findNode returns a node by its ID, and its build; an empty node if there is none.
func findNode(snap *model.Snapshot, id string) (*model.Build, *model.Node) {
	for _, b := range snap.Projects[0].Builds {
		if n, _ := b.Find(id); n != nil {
			return b, n
		}
	}
	return &model.Build{}, &model.Node{}
}
